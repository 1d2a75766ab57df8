/**
 * Validation and conversion of every sparse matrix that a user gives: our own form (checked), objects that list their nonzeros
 * as ml-sparse-matrix's do, and everything that `toDense` takes.
 */
import { type MatrixLike, toDense } from "../dense/matrix.js";
import { checkSparsePattern } from "./check-sparse.js";
import type { SparseMatrix } from "./csr.js";
import { fromTriplets, notFinite, type Triplets } from "./triplets.js";

/** What ml-sparse-matrix's matrices look like from outside; either of the two methods is enough. */
export type MlSparseMatrixLike = { readonly rows: number; readonly columns: number } & (
  | { getNonZeros(): Triplets }
  | { withEachNonZero(callback: (row: number, column: number, value: number) => void): void }
);

/** Everything that the API takes for a sparse matrix. */
export type SparseMatrixLike = SparseMatrix | SparseMatrix<Float32Array> | MlSparseMatrixLike | MatrixLike;

/** Whether it is of a sparse form, ours or one that lists its nonzeros. */
export function isSparse(
  input: SparseMatrixLike,
): input is SparseMatrix | SparseMatrix<Float32Array> | MlSparseMatrixLike {
  if (typeof input !== "object" || input === null) return false;
  return "rowPointers" in input || "getNonZeros" in input || "withEachNonZero" in input;
}

/**
 * The given matrix in compressed sparse row form with float64 values. A `SparseMatrix` with Float64Array values is
 * checked and returned as it is, not copied; zeros of dense matrices are left out.
 *
 * @param name - what the caller calls it, for the message
 * @throws CurvatureError ERR_SHAPE for inconsistent pointers, unsorted or repeated or foreign column indices and
 *   wrong lengths; ERR_NON_FINITE for a NaN or an infinity, its row and column named
 */
export function toSparse(input: SparseMatrixLike, name = "matrix"): SparseMatrix {
  if (typeof input === "object" && input !== null) {
    if ("rowPointers" in input) return checkedSparse(input, name);
    if ("getNonZeros" in input) return fromTriplets(input.rows, input.columns, input.getNonZeros(), name);
    if ("withEachNonZero" in input) {
      return fromTriplets(input.rows, input.columns, collected(input), name);
    }
  }
  return withoutZeros(toDense(input, name));
}

function collected(input: Extract<MlSparseMatrixLike, { withEachNonZero: unknown }>): Triplets {
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  input.withEachNonZero((row, column, value) => {
    rows.push(row);
    columns.push(column);
    values.push(value);
  });
  return { rows, columns, values };
}

function withoutZeros(dense: { rows: number; columns: number; data: Float64Array }): SparseMatrix {
  const { rows, columns, data } = dense;
  let count = 0;
  for (let k = 0; k < data.length; k++) if (data[k] !== 0) count++;
  const rowPointers = new Int32Array(rows + 1);
  const columnIndices = new Int32Array(count);
  const values = new Float64Array(count);
  let p = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const value = data[i * columns + j];
      if (value !== 0) {
        columnIndices[p] = j;
        values[p++] = value;
      }
    }
    rowPointers[i + 1] = p;
  }
  return { rows, columns, rowPointers, columnIndices, values };
}

function checkedSparse(input: SparseMatrix | SparseMatrix<Float32Array>, name: string): SparseMatrix {
  checkSparsePattern(input, name);
  checkValues(input, name);
  return isDouble(input) ? input : { ...input, values: Float64Array.from(input.values) };
}

function isDouble(A: SparseMatrix | SparseMatrix<Float32Array>): A is SparseMatrix {
  return A.values instanceof Float64Array;
}

function checkValues(input: SparseMatrix | SparseMatrix<Float32Array>, name: string): void {
  const { rows, rowPointers, columnIndices, values } = input;
  for (let i = 0; i < rows; i++) {
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++)
      if (!Number.isFinite(values[p])) throw notFinite(name, i, columnIndices[p], values[p]);
  }
}
