/** Scaling of dense data; `scaling.ts` validates the arguments. */
import { checkDeviation, columnMeans } from "./dense/column-means.js";
import { type DenseMatrix, zeros } from "./dense/matrix.js";
import { maxAbs, norm2 } from "./kernels/vector.js";
import { type Scaling, type ScalingMethod, SMALLEST_NORMAL } from "./scaling-form.js";

/** Writes the scales (1 before), and the offsets (0 before) where the method has some. */
export function fitDense(
  X: DenseMatrix,
  method: ScalingMethod,
  offsets: Float64Array,
  scales: Float64Array,
  shares: Float64Array | undefined,
): void {
  if (method === "standard") fitStandard(X, offsets, scales, shares);
  else if (method === "deviation") fitStandard(X, new Float64Array(X.columns), scales, shares);
  else if (method === "max-abs") fitMaxAbs(X, scales, shares);
  else if (method === "rms") fitRms(X, scales, shares);
}

export function scaleDense(X: DenseMatrix, { method, offsets, scales }: Scaling): DenseMatrix {
  const { rows, columns } = X;
  const scaled = zeros(rows, columns);
  for (let i = 0; i < rows; i++) {
    const row = i * columns;
    for (let j = 0; j < columns; j++) scaled.data[row + j] = (X.data[row + j] - offsets[j]) / scales[j];
    if (method === "unit-rows") toUnitLength(scaled.data.subarray(row, row + columns));
  }
  return scaled;
}

/** x / ‖x‖₂, by way of entries up to 1, whose norm keeps all digits. */
export function toUnitLength(x: Float64Array): void {
  const largest = maxAbs(x);
  if (largest === 0) return;
  for (let j = 0; j < x.length; j++) x[j] /= largest;
  const length = norm2(x);
  for (let j = 0; j < x.length; j++) x[j] /= length;
}

function fitMaxAbs(X: DenseMatrix, scales: Float64Array, shares: Float64Array | undefined): void {
  const most = largestDeviations(X, new Float64Array(X.columns), shares);
  for (let j = 0; j < X.columns; j++) if (most[j] > 0) scales[j] = most[j];
}

/** The squares are of numbers up to 1, so that they neither overflow nor vanish. */
function fitRms(X: DenseMatrix, scales: Float64Array, shares: Float64Array | undefined): void {
  const { rows, columns, data } = X;
  const most = largestDeviations(X, new Float64Array(columns), shares);
  const squares = new Float64Array(columns);
  const weightOf = weightReader(shares);
  const total = shares === undefined ? rows : 1;
  for (let i = 0; i < rows; i++) {
    const weight = weightOf(i);
    if (weight === 0) continue;
    for (let j = 0; j < columns; j++) {
      const part = most[j] > 0 ? data[i * columns + j] / most[j] : 0;
      squares[j] += weight * part * part;
    }
  }
  for (let j = 0; j < columns; j++) {
    const rms = most[j] * Math.sqrt(squares[j] / total);
    if (rms >= SMALLEST_NORMAL) scales[j] = rms;
  }
}

/**
 * The squares are of numbers up to 1, so that they neither overflow nor vanish; and what the mean's rounding adds to
 * them is taken off, which counts where a column varies in its last digits only.
 */
function fitStandard(
  X: DenseMatrix,
  means: Float64Array,
  scales: Float64Array,
  shares: Float64Array | undefined,
): void {
  const { rows, columns, data } = X;
  columnMeans(X, means, shares);
  const most = largestDeviations(X, means, shares);
  const weightOf = weightReader(shares);
  const total = shares === undefined ? rows : 1;
  for (const deviation of most) checkDeviation("fitScaling", deviation);
  const sums = new Float64Array(columns);
  const squares = new Float64Array(columns);
  for (let i = 0; i < rows; i++) {
    const weight = weightOf(i);
    if (weight === 0) continue;
    for (let j = 0; j < columns; j++) {
      const part = most[j] > 0 ? (data[i * columns + j] - means[j]) / most[j] : 0;
      sums[j] += weight * part;
      squares[j] += weight * part * part;
    }
  }
  for (let j = 0; j < columns; j++) {
    const bias = sums[j] / total;
    const deviation = most[j] * Math.sqrt(Math.max(0, squares[j] / total - bias * bias));
    if (deviation >= SMALLEST_NORMAL) scales[j] = deviation;
  }
}

/** 1 for every row where there are no shares, whose sum is then n. */
const weightReader = (shares: Float64Array | undefined): ((i: number) => number) =>
  shares === undefined ? () => 1 : (i) => shares[i];

/** max |x_j − offset_j| by columns, of rows with a share. */
function largestDeviations(
  X: DenseMatrix,
  offsets: Float64Array,
  shares: Float64Array | undefined,
): Float64Array {
  const { rows, columns, data } = X;
  const most = new Float64Array(columns);
  for (let i = 0; i < rows; i++)
    if (shares === undefined || shares[i] > 0)
      for (let j = 0; j < columns; j++)
        most[j] = Math.max(most[j], Math.abs(data[i * columns + j] - offsets[j]));
  return most;
}
