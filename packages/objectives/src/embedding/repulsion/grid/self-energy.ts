/**
 * What a point's interpolated kernel says of the point itself, to be taken from the sum over pairs.
 *
 *   K̃(x, x) = Σ_{ab} w_a κ_{a−b} w_b = Σ_{ij} A_i(t₁) A_j(t₂) κ_ij,   A_0 = Σ w_a²,  A_i = 2 Σ_a w_a w_{a+i}
 *
 * for each axis, by the symmetry of κ; the slope along an axis has A′ in place of A.
 */
import { SUPPORT } from "./cubic-spline.js";

/** A from the weights w. */
export function autocorrelation(w: Float64Array, A: Float64Array): void {
  A[0] = w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3];
  A[1] = 2 * (w[0] * w[1] + w[1] * w[2] + w[2] * w[3]);
  A[2] = 2 * (w[0] * w[2] + w[1] * w[3]);
  A[3] = 2 * (w[0] * w[3]);
}

/** A′ from the weights w and their slopes. */
export function autocorrelationSlope(w: Float64Array, slope: Float64Array, A: Float64Array): void {
  A[0] = 2 * (w[0] * slope[0] + w[1] * slope[1] + w[2] * slope[2] + w[3] * slope[3]);
  A[1] =
    2 *
    (slope[0] * w[1] +
      w[0] * slope[1] +
      slope[1] * w[2] +
      w[1] * slope[2] +
      slope[2] * w[3] +
      w[2] * slope[3]);
  A[2] = 2 * (slope[0] * w[2] + w[0] * slope[2] + slope[1] * w[3] + w[1] * slope[3]);
  A[3] = 2 * (slope[0] * w[3] + w[0] * slope[3]);
}

/** Σ_ij A_i B_j κ_ij */
export function nearSum(A: Float64Array, B: Float64Array, near: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < SUPPORT; i++) {
    const k = i * SUPPORT;
    sum += A[i] * (B[0] * near[k] + B[1] * near[k + 1] + B[2] * near[k + 2] + B[3] * near[k + 3]);
  }
  return sum;
}
