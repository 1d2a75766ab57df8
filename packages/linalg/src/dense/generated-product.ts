/**
 * A B with a B that is never stored: its entries are made where the product needs them, four columns and some hundred
 * rows at a time, from whatever they are a function of (other matrices, in other number types).
 *
 * As in `kernels/gemm.ts`, with the loops the other way round: A, of few rows, is packed as a whole, and each panel of B
 * is made once, used against all rows of A while it is in the nearest cache, and overwritten by the next. Making an
 * entry therefore costs little beside the A.rows multiplications with it. Same order of summation as `multiply`.
 */
import { CurvatureError } from "../errors.js";
import { DEPTH, pack, tile } from "../kernels/gemm.js";
import type { DenseMatrix } from "./matrix.js";

/**
 * Writes entries (row + p, column + lane) of B to `panel[4 p + lane]`, for p from 0 to deep − 1 and lanes from 0 to 3;
 * lanes beyond B's last column are to become 0.
 */
export type PanelSource = (panel: Float64Array, row: number, deep: number, column: number) => void;

/**
 * C ← A B, B of A.columns × C.columns.
 *
 * @throws CurvatureError ERR_SHAPE
 */
export function multiplyGenerated(A: DenseMatrix, source: PanelSource, C: DenseMatrix): void {
  const { rows: m, columns: k } = A;
  const n = C.columns;
  if (C.rows !== m || C.data.length !== m * n)
    throw new CurvatureError("ERR_SHAPE", `multiplyGenerated: C must have ${m} rows; it has ${C.rows}.`, {
      path: "C",
      expected: `${m} x ${n}`,
      received: `${C.rows} x ${C.columns}`,
    });
  C.data.fill(0);
  const into = { data: C.data, offset: 0, rowStride: n, columnStride: 1 };
  const packed = new Float64Array(((m + 3) & ~3) * Math.min(DEPTH, k));
  const panel = new Float64Array(4 * Math.min(DEPTH, k));
  for (let p0 = 0; p0 < k; p0 += DEPTH) {
    const deep = Math.min(DEPTH, k - p0);
    pack(packed, A.data, p0, m, deep, k, 1);
    for (let j = 0; j < n; j += 4) {
      source(panel, p0, deep, j);
      for (let i = 0; i < m; i += 4) tile(1, packed, i * deep, panel, 0, deep, into, i, j, m - i, n - j);
    }
  }
}
