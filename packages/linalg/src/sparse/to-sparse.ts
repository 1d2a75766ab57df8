/**
 * The one door through which sparse matrices come in: our own form (checked), objects that list their nonzeros as
 * ml-sparse-matrix's do, and everything that `toDense` takes.
 */
import { type MatrixLike, toDense } from "../dense/matrix.js";
import { CurvatureError } from "../errors.js";
import { shown } from "../options.js";
import type { SparseMatrix } from "./csr.js";
import { checkSize, fromTriplets, notFinite, type Triplets } from "./triplets.js";

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

/**
 * Its form alone, in a time that does not depend on its size: rows and entries are not looked at.
 *
 * @throws CurvatureError ERR_SHAPE for sizes, arrays or lengths that are not those of a `SparseMatrix`
 */
export function checkSparseForm(input: SparseMatrix | SparseMatrix<Float32Array>, name: string): void {
  const { rows, columns, rowPointers, columnIndices, values } = input;
  checkSize(rows, `${name}: the number of rows`);
  checkSize(columns, `${name}: the number of columns`);
  if (!(rowPointers instanceof Int32Array && columnIndices instanceof Int32Array)) {
    throw shape(name, "rowPointers and columnIndices must be Int32Arrays", shown(rowPointers));
  }
  if (!(values instanceof Float64Array || values instanceof Float32Array)) {
    throw shape(name, "values must be a Float64Array or a Float32Array", shown(values));
  }
  if (rowPointers.length !== rows + 1 || rowPointers[0] !== 0) {
    throw shape(name, `rowPointers must have length ${rows + 1} and begin with 0`, rowPointers.length);
  }
  if (values.length !== columnIndices.length || rowPointers[rows] !== values.length) {
    throw shape(
      name,
      `values and columnIndices must both have as many entries as rowPointers ends with (${rowPointers[rows]})`,
      `${values.length} and ${columnIndices.length}`,
    );
  }
}

function checkedSparse(input: SparseMatrix | SparseMatrix<Float32Array>, name: string): SparseMatrix {
  checkSparseForm(input, name);
  const { rows, rowPointers, values } = input;
  // All pointers before any row: a pointer beyond the arrays must not be followed.
  for (let i = 0; i < rows; i++) {
    if (rowPointers[i + 1] < rowPointers[i])
      throw shape(name, "rowPointers must not fall", rowPointers[i + 1]);
  }
  for (let i = 0; i < rows; i++) checkRow(input, i, name);
  return isDouble(input) ? input : { ...input, values: Float64Array.from(values) };
}

function isDouble(A: SparseMatrix | SparseMatrix<Float32Array>): A is SparseMatrix {
  return A.values instanceof Float64Array;
}

function checkRow(input: SparseMatrix | SparseMatrix<Float32Array>, i: number, name: string): void {
  const { columns, rowPointers, columnIndices, values } = input;
  let last = -1;
  for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) {
    const j = columnIndices[p];
    if (j <= last || j >= columns) {
      throw shape(name, `row ${i} must have increasing column indices from 0 to ${columns - 1}`, j);
    }
    if (!Number.isFinite(values[p])) throw notFinite(name, i, j, values[p]);
    last = j;
  }
}

function shape(name: string, expected: string, received: unknown): CurvatureError {
  return new CurvatureError("ERR_SHAPE", `${name}: ${expected}; received ${String(received)}.`, {
    path: name,
    expected,
    received,
  });
}
