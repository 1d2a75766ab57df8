/** What comes in through public functions as typed arrays is checked for its shape, so that it ends in a sentence where it does not fit. */
import { CurvatureError, type DenseMatrix, shown } from "@curvature/linalg";

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** @throws CurvatureError ERR_SHAPE unless the matrix is dense, with at least one row and column, and of `rows` and `columns` if these are given */
export function checkDense(
  where: string,
  path: string,
  matrix: DenseMatrix,
  rows?: number,
  columns?: number,
): void {
  const given: Partial<DenseMatrix> = typeof matrix === "object" && matrix !== null ? matrix : {};
  const isWhole =
    given.data instanceof Float64Array &&
    isSize(given.rows) &&
    isSize(given.columns) &&
    given.data.length === given.rows * given.columns;
  if (isWhole && given.rows === (rows ?? given.rows) && given.columns === (columns ?? given.columns)) return;
  const size = `${rows ?? "n"} x ${columns ?? "r"}`;
  const received = isWhole ? `${given.rows} x ${given.columns}` : shown(matrix);
  throw new CurvatureError(
    "ERR_SHAPE",
    `${where}: ${path} must be a dense matrix, ${size}, { rows, columns, data: Float64Array }; received ${received}.`,
    { path, expected: size, received },
  );
}

/** @throws CurvatureError ERR_SHAPE unless it is n numbers in a Float64Array */
export function checkVector(where: string, path: string, vector: Float64Array, n: number): void {
  if (vector instanceof Float64Array && vector.length === n) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${where}: ${path} must be a Float64Array of ${n} numbers; received ${shown(vector)}.`,
    { path, expected: `${n} numbers`, received: vector },
  );
}

/** @throws CurvatureError ERR_ARGUMENT unless it is a whole number of at least 1 */
export function checkCount(where: string, path: string, count: number): void {
  if (isSize(count)) return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `${where}: ${path} must be a whole number of at least 1; received ${shown(count)}.`,
    { path, expected: "a whole number of at least 1", received: count },
  );
}
