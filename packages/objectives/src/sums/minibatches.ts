/**
 * Data in N minibatches: minibatch i holds the rows i, i + N, i + 2N, … of the D rows, as one contiguous copy.
 *
 * Rows that lie next to each other (sorted by label, by time) so come into different minibatches, and the minibatches'
 * sizes differ by one at most.
 */
import {
  badOption,
  CurvatureError,
  type DenseMatrix,
  integerFrom,
  type MatrixLike,
  nonNegative,
  shown,
  toDense,
} from "@curvature/linalg";
import { defaultMinibatchCount } from "@curvature/optim-core";

/** Options of every model on minibatches. */
export const minibatchEntries = (lambda: number) => ({
  /** λ */
  lambda: nonNegative.default(lambda),
  /** N, the number of minibatches. Left out: `defaultMinibatchCount(D)`. */
  count: integerFrom(1),
});

/**
 * @param data - D rows, as arrays, { rows, columns, data } or an ml-matrix matrix
 * @throws CurvatureError ERR_SHAPE for ragged or missing data, ERR_NON_FINITE
 */
export function checkedData(where: string, data: MatrixLike, name = "data"): DenseMatrix {
  const matrix = toDense(data, `${where}: ${name}`);
  if (matrix.rows >= 1 && matrix.columns >= 1) return matrix;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${name} must have at least one row and one column; received ${matrix.rows} x ${matrix.columns}.`,
    { where, path: name, expected: "at least 1 x 1", received: [matrix.rows, matrix.columns] },
  );
}

/** @throws CurvatureError ERR_OPTION where there would be more minibatches than rows */
export function checkedCount(where: string, rows: number, count: number | undefined): number {
  if (count === undefined) return defaultMinibatchCount(rows);
  if (count <= rows) return count;
  throw badOption(where, "count", `at most ${rows}, the rows of the data`, count);
}

/** The rows in `count` minibatches. */
export function minibatchesOf({ rows, columns, data }: DenseMatrix, count: number): DenseMatrix[] {
  return Array.from({ length: count }, (_, i) => {
    const size = sizeOfMinibatch(rows, count, i);
    const part = new Float64Array(size * columns);
    for (let k = 0; k < size; k++) {
      const from = (i + k * count) * columns;
      part.set(data.subarray(from, from + columns), k * columns);
    }
    return { rows: size, columns, data: part };
  });
}

/** Labels in the same minibatches. */
export function labelsInMinibatches(labels: Int32Array, count: number): Int32Array[] {
  return Array.from({ length: count }, (_, i) =>
    Int32Array.from({ length: sizeOfMinibatch(labels.length, count, i) }, (_row, k) => labels[i + k * count]),
  );
}

const sizeOfMinibatch = (rows: number, count: number, i: number): number => Math.ceil((rows - i) / count);

/** Labels, one for each of `rows` rows, before they are checked. */
export type Labels = ArrayLike<number>;

/**
 * Classes 0 … classes − 1 as given, one for each row.
 *
 * @param classes - how many there are; undefined: one more than the largest label, and at least 2
 * @throws CurvatureError ERR_SHAPE for a wrong number of labels, ERR_ARGUMENT for labels that are no classes
 */
export function checkedClasses(
  where: string,
  labels: Labels,
  rows: number,
  classes: number | undefined,
): { readonly labels: Int32Array; readonly classes: number } {
  checkLabelCount(where, labels, rows);
  const most = classes ?? 2 ** 20;
  let largest = 1;
  for (let i = 0; i < rows; i++) {
    const label: unknown = labels[i];
    if (typeof label !== "number" || !Number.isSafeInteger(label) || label < 0 || label >= most)
      throw badLabel(where, i, `a whole number from 0 to ${most - 1}`, label);
    largest = Math.max(largest, label);
  }
  return { labels: Int32Array.from(labels), classes: classes ?? largest + 1 };
}

/**
 * Signs −1 and +1 as given, one for each row.
 *
 * @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT
 */
export function checkedSigns(where: string, labels: Labels, rows: number): Int32Array {
  checkLabelCount(where, labels, rows);
  for (let i = 0; i < rows; i++)
    if (labels[i] !== 1 && labels[i] !== -1) throw badLabel(where, i, "−1 or +1", labels[i]);
  return Int32Array.from(labels);
}

function checkLabelCount(where: string, labels: unknown, rows: number): void {
  const isList = Array.isArray(labels) || (ArrayBuffer.isView(labels) && "length" in labels);
  const length: unknown = isList ? labels.length : undefined;
  if (length === rows) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `labels must be an array of ${rows} numbers, one for each row; received ${shown(labels)}${length === undefined ? "" : ` of length ${length}`}.`,
    { where, path: "labels", expected: `${rows} numbers`, received: length ?? labels },
  );
}

const badLabel = (where: string, row: number, expected: string, received: unknown): CurvatureError =>
  new CurvatureError(
    "ERR_ARGUMENT",
    `the label of row ${row} (counted from 0) must be ${expected}; received ${shown(received)}.`,
    { where, path: `labels[${row}]`, expected, received },
  );
