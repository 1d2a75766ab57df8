/** Argument validation: what public functions take as typed arrays is checked for its shape, and memory before it is taken. */
import {
  CurvatureError,
  checkArgument,
  type DenseMatrix,
  integerFrom,
  type MatrixLike,
  nonNegativeOrInfinity,
  optionName,
  shown,
  text,
  toDense,
} from "@curvature/linalg";

const isSize = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** @throws CurvatureError ERR_SHAPE unless the matrix is dense, with at least one row and column, and of `rows` and `columns` if these are given */
export function checkDense(
  where: string,
  path: string,
  matrix: DenseMatrix,
  rows?: number,
  columns?: number,
): void {
  const raw: Partial<DenseMatrix> = typeof matrix === "object" && matrix !== null ? matrix : {};
  const isWhole =
    raw.data instanceof Float64Array &&
    isSize(raw.rows) &&
    isSize(raw.columns) &&
    raw.data.length === raw.rows * raw.columns;
  if (isWhole && raw.rows === (rows ?? raw.rows) && raw.columns === (columns ?? raw.columns)) return;
  const size = `${rows ?? "n"} x ${columns ?? "r"}`;
  const received = isWhole ? `${raw.rows} x ${raw.columns}` : shown(matrix);
  throw new CurvatureError(
    "ERR_SHAPE",
    `${path} must be a dense matrix, ${size}, { rows, columns, data: Float64Array }; received ${received}.`,
    { where, path, expected: size, received },
  );
}

/** @throws CurvatureError ERR_SHAPE unless it is n numbers in a Float64Array */
export function checkVector(where: string, path: string, vector: Float64Array, n: number): void {
  if (vector instanceof Float64Array && vector.length === n) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${path} must be a Float64Array of ${n} numbers; received ${shown(vector)}.`,
    { where, path, expected: `${n} numbers`, received: vector },
  );
}

/** Q as numbers. @throws CurvatureError ERR_SHAPE unless it is square with at least one row, ERR_NON_FINITE */
export function squareMatrix(where: string, Q: MatrixLike): DenseMatrix {
  const matrix = toDense(Q, "Q");
  if (matrix.rows > 0 && matrix.rows === matrix.columns) return matrix;
  throw new CurvatureError(
    "ERR_SHAPE",
    `Q must be square, with at least one row; received ${matrix.rows} x ${matrix.columns}.`,
    { where, path: "Q", expected: "n x n", received: `${matrix.rows} x ${matrix.columns}` },
  );
}

const count = integerFrom(1);
const bytesOf = nonNegativeOrInfinity();

/** @throws CurvatureError ERR_ARGUMENT unless it is a whole number of at least 1 */
export function checkCount(where: string, name: string, value: number): void {
  checkArgument(where, name, count, value);
}

/** Bytes of `count` dense n × n arrays of float64. @throws CurvatureError ERR_ARGUMENT unless both are whole numbers from 1 */
export function denseBytes(n: number, count: number): number {
  checkCount("denseBytes", "n", n);
  checkCount("denseBytes", "count", count);
  return 8 * n * n * count;
}

/**
 * Memory is asked for before it is taken, so that too large a problem ends in a sentence and not in a crash.
 *
 * @param where - what asks, and `what` for: words of the sentence
 * @throws CurvatureError ERR_MEMORY, with how much is needed, if `bytes` is more than `limit`; ERR_ARGUMENT if they are no
 *   numbers
 */
export function checkMemory(where: string, what: string, bytes: number, limit: number): void {
  checkArgument("checkMemory", "where", text, where);
  checkArgument("checkMemory", "what", text, what);
  checkArgument("checkMemory", "bytes", bytesOf, bytes);
  checkArgument("checkMemory", "limit", bytesOf, limit);
  if (bytes <= limit) return;
  const name = optionName("memoryLimit");
  throw new CurvatureError(
    "ERR_MEMORY",
    `${what} takes ${gibibytes(bytes)} GiB, and ${name} allows ${gibibytes(limit)} GiB. Raise ${name} if the machine has the memory, or take fewer points.`,
    { where, path: "memoryLimit", expected: `at least ${bytes} bytes`, received: limit },
  );
}

export const gibibytes = (bytes: number): string => (bytes / 2 ** 30).toPrecision(3);
