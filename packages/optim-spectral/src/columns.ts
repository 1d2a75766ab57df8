/** Maps, gradients and steps are N × d arrays, row-major. */
import { type DenseMatrix, norm2 } from "@curvature/linalg";

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

/** Numbers whose squares, and sums of them over the columns, are neither infinite nor lose digits. */
const [SMALLEST, LARGEST] = [2 ** -300, 2 ** 300];

/** The same points, or where their squared distances would overflow or vanish, points smaller or larger by a power of two. */
export function inRange(points: DenseMatrix): DenseMatrix {
  let largest = 0;
  for (const value of points.data) largest = Math.max(largest, Math.abs(value));
  if (largest === 0 || (largest >= SMALLEST && largest <= LARGEST)) return points;
  const factor = largest > LARGEST ? SMALLEST : LARGEST;
  return inRange({ ...points, data: points.data.map((value) => value * factor) });
}

/** The length of the longest row. */
export function longestRow(A: Float64Array, d: number): number {
  let longest = 0;
  for (let n = 0; n < A.length; n += d) longest = Math.max(longest, squaredRow(A, n, d));
  return Math.sqrt(longest);
}

/** ⟨G, D⟩ as it is once `shortenRows` has been at D. */
export function slopeOfShortened(G: Float64Array, D: Float64Array, d: number, most: number): number {
  let slope = 0;
  for (let n = 0; n < D.length; n += d) {
    let product = 0;
    for (let k = n; k < n + d; k++) product += G[k] * D[k];
    const length = Math.sqrt(squaredRow(D, n, d));
    slope += length > most ? (most / length) * product : product;
  }
  return slope;
}

/** Rows longer than `most` become as long as that, in place. */
export function shortenRows(A: Float64Array, d: number, most: number): void {
  for (let n = 0; n < A.length; n += d) {
    const length = Math.sqrt(squaredRow(A, n, d));
    if (length > most) for (let k = n; k < n + d; k++) A[k] *= most / length;
  }
}

function squaredRow(A: Float64Array, n: number, d: number): number {
  let square = 0;
  for (let k = n; k < n + d; k++) square += A[k] * A[k];
  return square;
}
