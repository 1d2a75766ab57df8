/** Rows and columns of a sparse matrix in another order, the same for both. */
import { badArgument } from "../options.js";
import { checkSparsePattern, checkSquare } from "./check-sparse.js";
import { type SparseMatrix, storedEntries } from "./csr.js";
import { transposeSparse } from "./structure.js";

/**
 * P A Pᵀ: entry (i, j) of the result is a at (order[i], order[j]).
 *
 * @param order - a permutation of 0 … n − 1: which old row comes first, second, …
 * @throws CurvatureError ERR_SHAPE, also unless A is square; ERR_ARGUMENT unless `order` is a permutation
 */
export function permuteSymmetric(A: SparseMatrix, order: Int32Array): SparseMatrix {
  checkSparsePattern(A, "permuteSymmetric: A");
  checkSquare(A, "permuteSymmetric");
  const n = A.rows;
  const place = inversePermutation(order, n);
  const rowPointers = new Int32Array(n + 1);
  const columnIndices = new Int32Array(storedEntries(A));
  const values = new Float64Array(columnIndices.length);
  let count = 0;
  for (let i = 0; i < n; i++) {
    const row = order[i];
    for (let p = A.rowPointers[row]; p < A.rowPointers[row + 1]; p++) {
      columnIndices[count] = place[A.columnIndices[p]];
      values[count++] = A.values[p];
    }
    rowPointers[i + 1] = count;
  }
  // Transposing twice sorts the rows.
  return transposeSparse(transposeSparse({ rows: n, columns: n, rowPointers, columnIndices, values }));
}

/** place[order[k]] = k. @throws CurvatureError ERR_ARGUMENT unless `order` is a permutation of 0 … n − 1 */
function inversePermutation(order: Int32Array, n: number): Int32Array {
  const place = new Int32Array(n).fill(-1);
  if (order instanceof Int32Array) for (let k = 0; k < order.length; k++) place[order[k]] = k;
  if (!(order instanceof Int32Array) || order.length !== n || place.includes(-1))
    throw badArgument("permuteSymmetric", "order", `an Int32Array with each of 0 to ${n - 1} once`, order);
  return place;
}
