/** Maps, gradients and steps are N × d arrays, row-major. */
import { norm2 } from "@curvature/linalg";

/** Subtracts each column's mean, in place. */
export function centerColumns(A: Float64Array, d: number): void {
  const N = A.length / d;
  for (let i = 0; i < d; i++) {
    let sum = 0;
    for (let k = i; k < A.length; k += d) sum += A[k];
    const mean = sum / N;
    for (let k = i; k < A.length; k += d) A[k] -= mean;
  }
}

/** Root mean square of the entries about their column's mean: 0 for a map whose points are all in one place. */
export function spread(A: Float64Array, d: number): number {
  const centred = A.slice();
  centerColumns(centred, d);
  return norm2(centred) / Math.sqrt(A.length);
}

/** The length of the longest row. */
export function longestRow(A: Float64Array, d: number): number {
  let longest = 0;
  for (let n = 0; n < A.length; n += d) {
    let square = 0;
    for (let k = n; k < n + d; k++) square += A[k] * A[k];
    longest = Math.max(longest, square);
  }
  return Math.sqrt(longest);
}
