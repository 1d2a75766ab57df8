/**
 * Connected components of the graph of a square matrix: i and j are joined where a_ij or a_ji is stored with a
 * value other than 0.
 */
import { checkSparsePattern, checkSquare } from "./check-sparse.js";
import type { SparseMatrix } from "./csr.js";
import { type Components, DisjointSets } from "./disjoint-sets.js";

/** @throws CurvatureError ERR_SHAPE, also unless A is square */
export function connectedComponents(A: SparseMatrix): Components {
  checkSparsePattern(A, "connectedComponents: A");
  checkSquare(A, "connectedComponents");
  const sets = new DisjointSets(A.rows);
  for (let i = 0; i < A.rows; i++) {
    for (let p = A.rowPointers[i]; p < A.rowPointers[i + 1]; p++) {
      if (A.values[p] !== 0) sets.unite(i, A.columnIndices[p]);
    }
  }
  return sets.components();
}
