/**
 * Sparse matrices in compressed sparse row form. Within a row the column indices are strictly increasing.
 * Symmetric matrices are stored whole: both triangles.
 */
export interface SparseMatrix<T extends Float64Array | Float32Array = Float64Array> {
  readonly rows: number;
  readonly columns: number;
  /** Row i occupies positions `rowPointers[i]` up to, not including, `rowPointers[i + 1]`; length rows + 1. */
  readonly rowPointers: Int32Array;
  readonly columnIndices: Int32Array;
  readonly values: T;
}

/** The number of stored entries (explicit zeros are entries); A is not checked. */
export function storedEntries(A: SparseMatrix<Float64Array | Float32Array>): number {
  return A.rowPointers[A.rows];
}
