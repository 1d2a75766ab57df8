/** Symmetric matrices that are stored whole: which entry is which one's mirror image. */
import { CurvatureError } from "../errors.js";
import { checkSquare } from "./check-sparse.js";
import { type SparseMatrix, storedEntries } from "./csr.js";

/**
 * Of each entry of a matrix with a symmetric pattern the position of its mirror image: where a_ji is stored.
 *
 * @throws CurvatureError ERR_SHAPE unless A is square, ERR_ARGUMENT naming an entry without a mirror image
 */
export function mirrorPositions(A: SparseMatrix): Int32Array {
  checkSquare(A, "mirrorPositions");
  const { rows, rowPointers, columnIndices } = A;
  const mirror = new Int32Array(storedEntries(A));
  // Rows come in order, so the next entry of row j that is not taken yet must be the one in column i.
  const next = rowPointers.slice(0, rows);
  for (let i = 0; i < rows; i++) {
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) {
      const j = columnIndices[p];
      const q = next[j]++;
      if (q >= rowPointers[j + 1] || columnIndices[q] !== i) throw notSymmetric(i, j);
      mirror[p] = q;
    }
  }
  return mirror;
}

export function notSymmetric(row: number, column: number): CurvatureError {
  return new CurvatureError(
    "ERR_ARGUMENT",
    `The matrix must be symmetric and stored whole: entries (${row}, ${column}) and (${column}, ${row}) differ ` +
      "(counted from 0). symmetricPart(A) makes it so.",
    { path: `row ${row}, column ${column}`, expected: "a symmetric matrix" },
  );
}
