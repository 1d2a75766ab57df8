/**
 * Dense matrices: one contiguous row-major typed array with its shape. `toDense` validates
 * and converts what a user gives: arrays of arrays, typed arrays with a shape, ml-matrix objects.
 */
import { CurvatureError } from "../errors.js";
import { shown } from "../options.js";

/** Entry (i, j) is `data[i * columns + j]`. */
export interface DenseMatrix<T extends Float64Array | Float32Array = Float64Array> {
  readonly rows: number;
  readonly columns: number;
  readonly data: T;
}

/** What ml-matrix's matrices look like from outside. */
export interface MlMatrixLike {
  readonly rows: number;
  readonly columns: number;
  get(row: number, column: number): number;
}

/** Everything that the API takes for a dense matrix. A typed array with a shape is used as it is, not copied. */
export type MatrixLike =
  | DenseMatrix<Float64Array>
  | DenseMatrix<Float32Array>
  | { readonly rows: number; readonly columns: number; readonly data: ArrayLike<number> }
  | MlMatrixLike
  | readonly ArrayLike<number>[];

/** A matrix of zeros. @throws CurvatureError ERR_SHAPE for sizes that are none, ERR_MEMORY if there is no room for it */
export function zeros(rows: number, columns: number): DenseMatrix {
  if (!isSize(rows) || !isSize(columns)) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `A matrix's sizes must be whole numbers of at least 0; received ${shown(rows)} x ${shown(columns)}.`,
      { path: "rows, columns", expected: "whole numbers of at least 0", received: [rows, columns] },
    );
  }
  try {
    return { rows, columns, data: new Float64Array(rows * columns) };
  } catch (cause) {
    throw new CurvatureError(
      "ERR_MEMORY",
      `There is no memory for a dense matrix of ${rows} x ${columns} (${((rows * columns) / 2 ** 27).toPrecision(3)} GiB). Use a sparse matrix or fewer rows.`,
      { path: "rows, columns", received: [rows, columns], cause },
    );
  }
}

/**
 * The given matrix as contiguous float64, without a copy where it is that already.
 *
 * @param name - what the caller calls it, for the message
 * @throws CurvatureError ERR_SHAPE for ragged rows or a data array of the wrong length, ERR_NON_FINITE for a
 *   NaN or an infinity, its row and column named (counted from 0)
 */
export function toDense(input: MatrixLike, name = "matrix"): DenseMatrix {
  const matrix = isRows(input) ? fromRows(input, name) : fromShaped(input, name);
  checkFinite(matrix, name);
  return matrix;
}

function isRows(input: MatrixLike): input is readonly ArrayLike<number>[] {
  return Array.isArray(input);
}

function fromRows(input: readonly ArrayLike<number>[], name: string): DenseMatrix {
  const rows = input.length;
  const columns = rows === 0 ? 0 : lengthOfRow(input[0], 0, name);
  const matrix = zeros(rows, columns);
  for (let i = 0; i < rows; i++) {
    const row = input[i];
    const length = lengthOfRow(row, i, name);
    if (length !== columns) {
      throw new CurvatureError(
        "ERR_SHAPE",
        `${name} is ragged: row ${i} has ${length} entries, row 0 has ${columns}. Give every row the same length.`,
        { path: `row ${i}`, expected: `${columns} entries`, received: length },
      );
    }
    for (let j = 0; j < columns; j++) matrix.data[i * columns + j] = numberAt(row[j], i, j, name);
  }
  return matrix;
}

function lengthOfRow(row: unknown, index: number, name: string): number {
  if (Array.isArray(row) || (ArrayBuffer.isView(row) && "length" in row)) return Number(row.length);
  throw new CurvatureError("ERR_SHAPE", `row ${index} must be an array of numbers; received ${shown(row)}.`, {
    where: name,
    path: `row ${index}`,
    expected: "an array of numbers",
    received: row,
  });
}

function fromShaped(input: Exclude<MatrixLike, readonly ArrayLike<number>[]>, name: string): DenseMatrix {
  const { rows, columns } = typeof input === "object" && input !== null ? input : {};
  if (!isSize(rows) || !isSize(columns)) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `${name} must be an array of rows, { rows, columns, data } or an ml-matrix matrix; received ${shown(input)}.`,
      { path: name, received: input },
    );
  }
  if ("get" in input && typeof input.get === "function") return fromEntries(input, rows, columns, name);
  const data: ArrayLike<number> | null | undefined = "data" in input ? input.data : undefined;
  if (data?.length !== rows * columns) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `${rows} x ${columns} needs a data array of ${rows * columns} numbers; received ${data?.length ?? "none"}.`,
      { where: name, path: `${name}.data`, expected: `${rows * columns} numbers`, received: data?.length },
    );
  }
  if (data instanceof Float64Array) return { rows, columns, data };
  const copy = zeros(rows, columns);
  for (let k = 0; k < copy.data.length; k++)
    copy.data[k] = numberAt(data[k], Math.floor(k / columns), k % columns, name);
  return copy;
}

function fromEntries(input: MlMatrixLike, rows: number, columns: number, name: string): DenseMatrix {
  const matrix = zeros(rows, columns);
  if (columns === 0) return matrix;
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) matrix.data[i * columns + j] = numberAt(input.get(i, j), i, j, name);
  return matrix;
}

function isSize(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function numberAt(value: unknown, row: number, column: number, name: string): number {
  if (typeof value === "number") return value;
  throw new CurvatureError(
    "ERR_NON_FINITE",
    `${name} has ${shown(value)} at row ${row}, column ${column} (counted from 0), which is not a number.`,
    { path: `row ${row}, column ${column}`, expected: "a number", received: value },
  );
}

/**
 * Its form alone: what the numbers are is not looked at.
 *
 * @throws CurvatureError ERR_SHAPE unless it is { rows, columns, data } with a typed array of rows x columns numbers
 */
export function checkDenseForm(matrix: unknown, name: string): void {
  if (numbersBehind(matrix) !== 0) throw badForm(matrix, name);
}

/** As `checkDenseForm`, for what is read alone: its data may go on behind it, as those of work arrays do. */
export function checkOperand(matrix: unknown, name: string): void {
  if (!(numbersBehind(matrix) >= 0)) throw badForm(matrix, name);
}

/** How many numbers its data have beyond rows x columns; NaN for what is no matrix. */
function numbersBehind(matrix: unknown): number {
  const { rows, columns, data } = fieldsOf(matrix);
  return isSize(rows) && isSize(columns) && isFloats(data) ? data.length - rows * columns : Number.NaN;
}

function badForm(matrix: unknown, name: string): CurvatureError {
  const { rows, columns, data } = fieldsOf(matrix);
  return new CurvatureError(
    "ERR_SHAPE",
    `${name} must be { rows, columns, data } with a Float64Array of rows x columns numbers; received ` +
      (isFloats(data)
        ? `${shown(rows)} x ${shown(columns)} with ${data.length} numbers.`
        : `${shown(matrix)}.`),
    { path: name, expected: "a dense matrix", received: matrix },
  );
}

const fieldsOf = (
  matrix: unknown,
): { readonly rows?: unknown; readonly columns?: unknown; readonly data?: unknown } =>
  typeof matrix === "object" && matrix !== null ? matrix : {};

const isFloats = (data: unknown): data is Float64Array | Float32Array =>
  data instanceof Float64Array || data instanceof Float32Array;

/**
 * @throws CurvatureError ERR_NON_FINITE that names the first NaN's or infinity's row and column; ERR_SHAPE for what
 *   has no typed array of numbers
 */
export function checkFinite(matrix: DenseMatrix<Float64Array | Float32Array>, name = "matrix"): void {
  if (!isFloats(fieldsOf(matrix).data)) checkDenseForm(matrix, name);
  const { data, columns } = matrix;
  for (let k = 0; k < data.length; k++) {
    if (!Number.isFinite(data[k])) {
      const row = Math.floor(k / columns);
      const column = k % columns;
      throw new CurvatureError(
        "ERR_NON_FINITE",
        `${name} has ${data[k]} at row ${row}, column ${column} (counted from 0). Remove or fill such cells before solving.`,
        { path: `row ${row}, column ${column}`, expected: "a finite number", received: data[k] },
      );
    }
  }
}

/** Its form alone: what the numbers are is not looked at. @throws CurvatureError ERR_SHAPE */
export function checkSquareForm(A: DenseMatrix, where: string): void {
  checkDenseForm(A, `${where}: A`);
  const { rows, columns } = A;
  if (rows === columns) return;
  throw new CurvatureError("ERR_SHAPE", `A must be square; received ${rows} x ${columns}.`, {
    where,
    path: "A",
    expected: "a square matrix",
    received: `${rows} x ${columns}`,
  });
}
