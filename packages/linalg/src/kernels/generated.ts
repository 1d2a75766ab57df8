/**
 * A B with a B that is made four columns at a time: `gemm.ts` with the loops the other way round. A, of few rows, is
 * packed as a whole, and each panel of B is used against all its rows while it is in the nearest cache.
 */
import { DEPTH, pack, tile } from "./gemm.js";

/** Where four columns of B go: entry p of lane 0 to 3 to `data[start + step p + lane]`. */
export interface Panel {
  readonly data: Float64Array;
  readonly start: number;
  readonly step: number;
}

/**
 * Writes entries (row + p, column + lane) of B to a panel, for p from 0 to deep − 1 and lanes from 0 to 3; lanes beyond B's
 * last column are to become 0.
 */
export type PanelSource = (panel: Panel, row: number, deep: number, column: number) => void;

/** C ← C + A B, A (m × k) and C (m × n) row-major. */
export type GeneratedProduct = (
  m: number,
  n: number,
  k: number,
  A: Float64Array,
  source: PanelSource,
  C: Float64Array,
) => void;

export const generatedInTypeScript: GeneratedProduct = (m, n, k, A, source, C) => {
  const into = { data: C, offset: 0, rowStride: n, columnStride: 1 };
  const packed = new Float64Array(((m + 3) & ~3) * Math.min(DEPTH, k));
  const data = new Float64Array(4 * Math.min(DEPTH, k));
  const panel = { data, start: 0, step: 4 };
  for (let p0 = 0; p0 < k; p0 += DEPTH) {
    const deep = Math.min(DEPTH, k - p0);
    pack(packed, A, p0, m, deep, k, 1);
    for (let j = 0; j < n; j += 4) {
      source(panel, p0, deep, j);
      for (let i = 0; i < m; i += 4) tile(1, packed, i * deep, data, 0, deep, into, i, j, m - i, n - j);
    }
  }
};
