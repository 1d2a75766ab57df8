/** RᵀR in strips of rows, each handed on while it is in the cache; and the upper triangle from the lower one. */
import { type DenseMatrix, gramRows } from "@curvature/linalg";

/** Rows of a strip, at the most. */
export const HEIGHT = 64;

/**
 * Calls `visit` with rows first … end − 1 of RᵀR, entry (i, j) at `strip[(i − first) n + j]`, for j ≤ i.
 *
 * @param strip - room for min(64, n) n numbers
 */
export function eachStrip(
  R: DenseMatrix,
  visit: (strip: Float64Array, first: number, end: number) => void,
  strip: Float64Array = new Float64Array(Math.min(HEIGHT, R.columns) * R.columns),
): void {
  const n = R.columns;
  for (let first = 0; first < n; first += HEIGHT) {
    const end = Math.min(n, first + HEIGHT);
    gramRows(R, first, end, strip);
    visit(strip, first, end);
  }
}

/** A_ji ← A_ij for first ≤ i < end, j < i. */
export function mirror(A: Float32Array, n: number, first: number, end: number): void {
  for (let j = 0; j < end; j++)
    for (let i = Math.max(first, j + 1); i < end; i++) A[j * n + i] = A[i * n + j];
}
