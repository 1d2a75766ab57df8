/** What a `SparseMatrix` must be before its pointers and indices are followed. */
import { CurvatureError } from "../errors.js";
import { shown } from "../options.js";
import type { SparseMatrix } from "./csr.js";
import { checkSize } from "./triplets.js";

type AnySparse = SparseMatrix<Float64Array | Float32Array>;

/**
 * Its form alone, in a time that does not depend on its size: rows and entries are not looked at.
 *
 * @throws CurvatureError ERR_SHAPE for sizes, arrays or lengths that are not those of a `SparseMatrix`
 */
export function checkSparseForm(input: AnySparse, name: string): void {
  if (typeof input !== "object" || input === null)
    throw wrongForm(name, "must be a SparseMatrix", shown(input));
  const { rows, columns, rowPointers, columnIndices, values } = input;
  checkSize(rows, `${name}: the number of rows`);
  checkSize(columns, `${name}: the number of columns`);
  if (!(rowPointers instanceof Int32Array && columnIndices instanceof Int32Array)) {
    throw wrongForm(name, "rowPointers and columnIndices must be Int32Arrays", shown(rowPointers));
  }
  if (!(values instanceof Float64Array || values instanceof Float32Array)) {
    throw wrongForm(name, "values must be a Float64Array or a Float32Array", shown(values));
  }
  if (rowPointers.length !== rows + 1 || rowPointers[0] !== 0) {
    throw wrongForm(name, `rowPointers must have length ${rows + 1} and begin with 0`, rowPointers.length);
  }
  if (values.length !== columnIndices.length || rowPointers[rows] !== values.length) {
    throw wrongForm(
      name,
      `values and columnIndices must both have as many entries as rowPointers ends with (${rowPointers[rows]})`,
      `${values.length} and ${columnIndices.length}`,
    );
  }
}

/**
 * Its form, and that no pointer or index leads out of it; rows need not be sorted.
 *
 * @throws CurvatureError ERR_SHAPE, also for pointers that fall and for foreign column indices
 */
export function checkSparseIndices(input: AnySparse, name: string): void {
  checkSparseForm(input, name);
  const { rows, columns, rowPointers, columnIndices } = input;
  // All pointers before any row: a pointer beyond the arrays must not be followed.
  for (let i = 0; i < rows; i++) {
    if (rowPointers[i + 1] < rowPointers[i])
      throw wrongForm(name, "rowPointers must not fall", rowPointers[i + 1]);
  }
  for (let i = 0; i < rows; i++) {
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) {
      const j = columnIndices[p];
      if (j < 0 || j >= columns)
        throw wrongForm(name, `row ${i} must have column indices from 0 to ${columns - 1}`, j);
    }
  }
}

/**
 * Its form and its pattern: what the values are is not looked at.
 *
 * @throws CurvatureError ERR_SHAPE, also for pointers that fall and for unsorted, repeated or foreign column indices
 */
export function checkSparsePattern(input: AnySparse, name: string): void {
  checkSparseIndices(input, name);
  const { rows, rowPointers, columnIndices } = input;
  for (let i = 0; i < rows; i++) {
    for (let p = rowPointers[i] + 1; p < rowPointers[i + 1]; p++)
      if (columnIndices[p] <= columnIndices[p - 1])
        throw wrongForm(name, `row ${i} must have increasing column indices`, columnIndices[p]);
  }
}

/** @throws CurvatureError ERR_SHAPE unless A is square */
export function checkSquare(A: SparseMatrix, where: string): void {
  if (A.rows !== A.columns) {
    throw new CurvatureError("ERR_SHAPE", `the matrix must be square; received ${A.rows} x ${A.columns}.`, {
      where,
      path: where,
      expected: "as many rows as columns",
      received: [A.rows, A.columns],
    });
  }
}

function wrongForm(name: string, expected: string, received: unknown): CurvatureError {
  return new CurvatureError("ERR_SHAPE", `${expected}; received ${String(received)}.`, {
    where: name,
    path: name,
    expected,
    received,
  });
}
