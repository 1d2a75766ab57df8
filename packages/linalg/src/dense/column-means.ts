import { CurvatureError } from "../errors.js";
import type { DenseMatrix } from "./matrix.js";

/**
 * The mean of every column into `means`, corrected once by the mean of the deviations: right to rounding, exact for
 * constant columns, and without overflow unless the deviations do, which `checkDeviation` is for. X has at least one
 * row.
 *
 * @param shares - of the rows, with sum 1; left out: 1/n each. Rows without a share count for nothing, whatever is in them
 */
export function columnMeans(X: DenseMatrix, means: Float64Array, shares?: Float64Array): void {
  const { rows, columns, data } = X;
  const first =
    shares === undefined
      ? 0
      : Math.max(
          0,
          shares.findIndex((share) => share > 0),
        );
  means.set(data.subarray(first * columns, (first + 1) * columns));
  const correction = new Float64Array(columns);
  for (let round = 0; round < 2; round++) {
    correction.fill(0);
    for (let i = 0; i < rows; i++) {
      if (shares === undefined)
        for (let j = 0; j < columns; j++) correction[j] += (data[i * columns + j] - means[j]) / rows;
      else if (shares[i] > 0)
        for (let j = 0; j < columns; j++) correction[j] += (data[i * columns + j] - means[j]) * shares[i];
    }
    for (let j = 0; j < columns; j++) means[j] += correction[j];
  }
}

/**
 * @param deviation - the largest distance of an entry from its column's mean
 * @throws CurvatureError ERR_NON_FINITE unless it is finite
 */
export function checkDeviation(where: string, deviation: number): void {
  if (Number.isFinite(deviation)) return;
  throw new CurvatureError(
    "ERR_NON_FINITE",
    `the data spread over more than float64 can hold. Divide them by a constant.`,
    { where, path: "data", expected: "finite deviations from the mean", received: deviation },
  );
}
