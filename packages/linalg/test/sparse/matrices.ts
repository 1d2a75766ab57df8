import type { SparseMatrix } from "../../src/index.js";

/** The same matrix as rows of numbers. */
export function denseOf(A: SparseMatrix): number[][] {
  return Array.from({ length: A.rows }, (_, i) => {
    const row = new Array<number>(A.columns).fill(0);
    for (let p = A.rowPointers[i]; p < A.rowPointers[i + 1]; p++) row[A.columnIndices[p]] = A.values[p];
    return row;
  });
}
