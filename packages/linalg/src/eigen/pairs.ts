/** What every eigensolver returns. */
import type { DenseMatrix } from "../dense/matrix.js";

/**
 * Eigenvalues with their vectors, in the order that the solver documents. The vectors have length 1 (in the norm of
 * the problem), are orthogonal, and that entry of each which is largest in magnitude (the first of them) is positive.
 */
export interface EigenPairs {
  readonly values: Float64Array;
  /** Row i is the eigenvector of `values[i]`. */
  readonly vectors: DenseMatrix;
}

/** Turns every row so that its largest entry in magnitude is positive. */
export function orientRows(vectors: DenseMatrix): void {
  for (let i = 0; i < vectors.rows; i++) {
    orient(vectors.data.subarray(i * vectors.columns, (i + 1) * vectors.columns));
  }
}

function orient(v: Float64Array): void {
  let largest = 0;
  for (let k = 0; k < v.length; k++) if (Math.abs(v[k]) > Math.abs(largest)) largest = v[k];
  if (largest < 0) for (let k = 0; k < v.length; k++) v[k] = -v[k];
}
