/**
 * Feature scaling: fitted once on the training data, kept as a plain object, applied to any data of as many columns.
 *
 *   max-abs    x_j / max |x_j|                    keeps zeros, so that it suits sparse and signed features
 *   standard   (x_j − mean) / deviation           deviation with 1/N
 *   unit-rows  x / ‖x‖₂, row by row               needs nothing of the fit but the number of columns
 *
 * A constant column (for max-abs: a column of zeros; for standard: also one whose deviation is below the smallest
 * normal number) has scale 1: it stays, or becomes exactly 0, and is never divided by 0. So does a row of zeros.
 */
import { checkDeviation, columnMeans } from "./dense/column-means.js";
import { checkFinite, type DenseMatrix, type MatrixLike, toDense, zeros } from "./dense/matrix.js";
import { CurvatureError } from "./errors.js";
import { maxAbs, norm2 } from "./kernels/vector.js";
import { badOption } from "./options.js";

/** Below it numbers have few digits; a column that varies by less counts as constant. */
const SMALLEST_NORMAL = 2 ** -1022;

export type ScalingMethod = "max-abs" | "standard" | "unit-rows";

/** x ↦ (x − offsets) / scales by columns, and for `unit-rows` x / ‖x‖. Plain and serialisable. */
export interface Scaling {
  readonly method: ScalingMethod;
  /** By column. */
  readonly offsets: Float64Array;
  /** By column, none of them 0. */
  readonly scales: Float64Array;
}

/**
 * @param data - a row for each item, a column for each feature
 * @throws CurvatureError ERR_OPTION for a method that does not exist, ERR_SHAPE for a matrix without rows,
 *   ERR_NON_FINITE
 */
export function fitScaling(data: MatrixLike, method: ScalingMethod): Scaling {
  const X = toDense(data, "fitScaling: data");
  if (X.rows === 0) {
    throw new CurvatureError("ERR_SHAPE", "fitScaling: data has no rows. Fit on at least one.", {
      path: "data",
    });
  }
  const offsets = new Float64Array(X.columns);
  const scales = new Float64Array(X.columns).fill(1);
  if (method === "standard") fitStandard(X, offsets, scales);
  else if (method === "max-abs") fitMaxAbs(X, scales);
  else if (method !== "unit-rows")
    throw badOption("fitScaling", "method", 'one of "max-abs", "standard", "unit-rows"', method);
  return { method, offsets, scales };
}

/**
 * A scaled copy of `data`.
 *
 * @throws CurvatureError ERR_SHAPE if it has other columns than the fit, ERR_NON_FINITE, also where a scaled number
 *   overflows
 */
export function applyScaling(scaling: Scaling, data: MatrixLike): DenseMatrix {
  const X = toDense(data, "applyScaling: data");
  const { method, offsets, scales } = scaling;
  const { rows, columns } = X;
  if (columns !== offsets.length) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `applyScaling: the scaling was fitted on ${offsets.length} columns; data has ${columns}.`,
      { path: "data", expected: `${offsets.length} columns`, received: columns },
    );
  }
  const scaled = zeros(rows, columns);
  for (let i = 0; i < rows; i++) {
    const row = i * columns;
    for (let j = 0; j < columns; j++) scaled.data[row + j] = (X.data[row + j] - offsets[j]) / scales[j];
    if (method === "unit-rows") toUnitLength(scaled.data.subarray(row, row + columns));
  }
  checkFinite(scaled, "applyScaling: the scaled data");
  return scaled;
}

/** x / ‖x‖₂, by way of entries up to 1, whose norm keeps all digits. */
function toUnitLength(x: Float64Array): void {
  const largest = maxAbs(x);
  if (largest === 0) return;
  for (let j = 0; j < x.length; j++) x[j] /= largest;
  const length = norm2(x);
  for (let j = 0; j < x.length; j++) x[j] /= length;
}

function fitMaxAbs(X: DenseMatrix, scales: Float64Array): void {
  const most = largestDeviations(X, new Float64Array(X.columns));
  for (let j = 0; j < X.columns; j++) if (most[j] > 0) scales[j] = most[j];
}

/**
 * The squares are of numbers up to 1, so that they neither overflow nor vanish; and what the mean's rounding adds to
 * them is taken off, which counts where a column varies in its last digits only.
 */
function fitStandard(X: DenseMatrix, means: Float64Array, scales: Float64Array): void {
  const { rows, columns, data } = X;
  columnMeans(X, means);
  const most = largestDeviations(X, means);
  for (const deviation of most) checkDeviation("fitScaling", deviation);
  const sums = new Float64Array(columns);
  const squares = new Float64Array(columns);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const share = most[j] > 0 ? (data[i * columns + j] - means[j]) / most[j] : 0;
      sums[j] += share;
      squares[j] += share * share;
    }
  }
  for (let j = 0; j < columns; j++) {
    const bias = sums[j] / rows;
    const deviation = most[j] * Math.sqrt(Math.max(0, squares[j] / rows - bias * bias));
    if (deviation >= SMALLEST_NORMAL) scales[j] = deviation;
  }
}

/** max |x_j − offset_j| by columns. */
function largestDeviations(X: DenseMatrix, offsets: Float64Array): Float64Array {
  const { rows, columns, data } = X;
  const most = new Float64Array(columns);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++)
      most[j] = Math.max(most[j], Math.abs(data[i * columns + j] - offsets[j]));
  return most;
}
