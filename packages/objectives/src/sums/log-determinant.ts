/**
 * log |det A| and A⁻¹ of a general square matrix in one sweep: Gauss-Jordan elimination in place with the largest pivot
 * of the column, 2 n³ operations. A new column of A⁻¹ takes the place of each column that is eliminated, and the
 * columns are put back in order at the end.
 *
 * Golub, Van Loan: Matrix computations, 4th ed. (2013), section 3.4 (partial pivoting).
 */
import { log } from "@curvature/linalg";

/**
 * Overwrites A (n × n row-major) with A⁻¹.
 *
 * @param pivots - scratch of length n
 * @returns log |det A|, −∞ if A is singular to working precision (A is garbage then), NaN if it holds a NaN
 */
export function invertInPlace(A: Float64Array, n: number, pivots: Int32Array): number {
  let logDeterminant = 0;
  for (let k = 0; k < n; k++) {
    const from = k * n;
    const pivotRow = rowOfPivot(A, n, k);
    pivots[k] = pivotRow;
    if (pivotRow !== k) swapRows(A, n, k, pivotRow);
    const pivot = A[from + k];
    logDeterminant += log(Math.abs(pivot));
    if (pivot === 0) return Number.NEGATIVE_INFINITY;
    const inverse = 1 / pivot;
    A[from + k] = 1;
    for (let j = 0; j < n; j++) A[from + j] *= inverse;
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const to = i * n;
      const factor = A[to + k];
      A[to + k] = 0;
      if (factor !== 0) for (let j = 0; j < n; j++) A[to + j] -= factor * A[from + j];
    }
  }
  for (let k = n - 1; k >= 0; k--) if (pivots[k] !== k) swapColumns(A, n, k, pivots[k]);
  return logDeterminant;
}

function rowOfPivot(A: Float64Array, n: number, k: number): number {
  let row = k;
  for (let i = k + 1; i < n; i++) if (Math.abs(A[i * n + k]) > Math.abs(A[row * n + k])) row = i;
  return row;
}

function swapRows(A: Float64Array, n: number, i: number, k: number): void {
  for (let j = 0; j < n; j++) {
    const kept = A[i * n + j];
    A[i * n + j] = A[k * n + j];
    A[k * n + j] = kept;
  }
}

function swapColumns(A: Float64Array, n: number, i: number, k: number): void {
  for (let row = 0; row < n * n; row += n) {
    const kept = A[row + i];
    A[row + i] = A[row + k];
    A[row + k] = kept;
  }
}
