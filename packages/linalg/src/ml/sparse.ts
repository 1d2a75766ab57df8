/** ml-sparse-matrix's hash tables to compressed rows and back: once at the edge, since products with them are 60 times slower. */
import { SparseMatrix as MlSparseMatrix } from "ml-sparse-matrix";
import { checkSparsePattern } from "../sparse/check-sparse.js";
import type { SparseMatrix } from "../sparse/csr.js";
import { toSparse } from "../sparse/to-sparse.js";

/** An ml-sparse-matrix matrix in compressed sparse row form. @throws CurvatureError ERR_NON_FINITE */
export function fromMlSparse(matrix: MlSparseMatrix, name = "matrix"): SparseMatrix {
  return toSparse(matrix, name);
}

/** A copy for ml-sparse-matrix. Stored zeros are left out, as it cannot hold them. @throws CurvatureError ERR_SHAPE */
export function toMlSparse(matrix: SparseMatrix<Float64Array | Float32Array>): MlSparseMatrix {
  checkSparsePattern(matrix, "toMlSparse: matrix");
  const { rows, columns, rowPointers, columnIndices, values } = matrix;
  const copy = new MlSparseMatrix(rows, columns, { initialCapacity: 2 * values.length });
  for (let i = 0; i < rows; i++) {
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) copy.set(i, columnIndices[p], values[p]);
  }
  return copy;
}
