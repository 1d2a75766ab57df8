/**
 * The second half of an ADMM step on one matrix, in float32 storage:
 *
 *   W ← [W]_− + r X + (1 − r) [W]_+,   X = E + RᵀR,   r = 1.8
 *
 * one pass over the lower triangle, in which X is made, used and forgotten, with the norms of the residuals and X's
 * least entry on the way. See `admm.ts` for the method.
 */
import type { DenseMatrix } from "@curvature/linalg";
import { eachStrip, mirror } from "./strips.js";

const RELAXATION = 1.8;

export interface Residuals {
  /** ‖X − Z‖_F / ‖Z‖_F */
  readonly primal: number;
  /** ‖Z − Z_before‖_F / ‖[W]_−‖_F */
  readonly dual: number;
  /** min X_ij */
  readonly least: number;
}

/** ‖X − Z‖², ‖Z‖², ‖Z − Z_before‖², ‖[W]_−‖², min X, over the rows so far. */
type Sums = Float64Array;

export function splitStep(W: Float32Array, R: DenseMatrix): Residuals {
  const n = R.columns;
  const sums = Float64Array.of(0, 0, 0, 0, Number.POSITIVE_INFINITY);
  eachStrip(R, (strip, first, end) => {
    for (let i = first; i < end; i++) updateRow(W, i * n, strip, (i - first) * n, i, 1 / n, sums);
    mirror(W, n, first, end);
  });
  return {
    primal: Math.sqrt(sums[0] / sums[1]),
    dual: sums[3] > 0 ? Math.sqrt(sums[2] / sums[3]) : 0,
    least: sums[4],
  };
}

/** Entries 0 … i of row i; those left of the diagonal count twice. */
function updateRow(
  W: Float32Array,
  row: number,
  strip: Float64Array,
  at: number,
  i: number,
  e: number,
  sums: Sums,
): void {
  let difference = 0;
  let size = 0;
  let change = 0;
  let negative = 0;
  let least = sums[4];
  for (let j = 0; j < i; j++) {
    const w = W[row + j];
    const x = strip[at + j] + e;
    const z = 0.5 * (w + Math.abs(w));
    const next = w - z + RELAXATION * x + (1 - RELAXATION) * z;
    const zNext = 0.5 * (next + Math.abs(next));
    difference += (x - z) * (x - z);
    size += z * z;
    change += (zNext - z) * (zNext - z);
    negative += (next - zNext) * (next - zNext);
    if (x < least) least = x;
    W[row + j] = next;
  }
  const w = W[row + i];
  const x = strip[at + i] + e;
  const z = Math.max(0, w);
  const next = w - z + RELAXATION * x + (1 - RELAXATION) * z;
  const zNext = Math.max(0, next);
  W[row + i] = next;
  sums[0] += 2 * difference + (x - z) * (x - z);
  sums[1] += 2 * size + z * z;
  sums[2] += 2 * change + (zNext - z) * (zNext - z);
  sums[3] += 2 * negative + (next - zNext) * (next - zNext);
  sums[4] = Math.min(least, x);
}

/** [W]_− ← [W]_− / factor: S as before when ρ is `factor` times as large. */
export function rescaleNegative(W: Float32Array, factor: number): void {
  const plus = 0.5 * (1 + 1 / factor);
  const absolute = 0.5 * (1 - 1 / factor);
  for (let k = 0; k < W.length; k++) {
    const w = W[k];
    W[k] = plus * w + absolute * Math.abs(w);
  }
}
