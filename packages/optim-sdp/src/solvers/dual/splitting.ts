/**
 * The second half of an ADMM step on one matrix, in float32 storage:
 *
 *   W ← [W]_− + r X + (1 − r) [W]_+,   X = E + RᵀR,   r = 1.8
 *
 * one pass over the lower triangle, in which X is made, used and forgotten, with the norms of the residuals and X's
 * least entry on the way. See `admm.ts` for the method.
 */
import { type DenseMatrix, relaxRows } from "@curvature/linalg";
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

/** @param strip - room for rows of RᵀR, of one call of `relaxedEntries` with W for SIMD to be of use */
export function splitStep(W: Float32Array, R: DenseMatrix, strip?: Float64Array): Residuals {
  const n = R.columns;
  let [difference, size, change, negative, least] = [0, 0, 0, 0, Number.POSITIVE_INFINITY];
  const relax = (X: Float64Array, first: number, end: number): void => {
    const sums = relaxRows(W, n, first, end, X, 1 / n, RELAXATION);
    mirror(W, n, first, end);
    difference += sums.difference;
    size += sums.size;
    change += sums.change;
    negative += sums.negative;
    least = Math.min(least, sums.least);
  };
  eachStrip(R, relax, strip);
  return {
    primal: Math.sqrt(difference / size),
    dual: negative > 0 ? Math.sqrt(change / negative) : 0,
    least,
  };
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
