/** The weights of rows: checked here for fits and metrics alike. */
import { CurvatureError, shown } from "@curvature/linalg";

/**
 * The length of the list.
 *
 * @throws CurvatureError ERR_SHAPE for a list that is empty or not of length `n`, ERR_NON_FINITE for an entry that is no
 *   finite number
 */
export function checkNumbers(values: ArrayLike<number>, n: number, where: string): number {
  if (!(Array.isArray(values) || ArrayBuffer.isView(values)) || values.length !== n || n === 0)
    throw new CurvatureError(
      "ERR_SHAPE",
      `an array of ${n === undefined || n === 0 ? "at least one number" : `${n} numbers`} is needed; received ${shown(values)}.`,
      { where, path: where, received: values },
    );
  for (let i = 0; i < n; i++)
    if (!Number.isFinite(values[i]))
      throw new CurvatureError(
        "ERR_NON_FINITE",
        `${where} has ${shown(values[i])} at ${i} (counted from 0). Remove such rows.`,
        { path: `${where}[${i}]`, expected: "a finite number", received: values[i] },
      );
  return n;
}

/**
 * A copy of the weights of rows.
 *
 * @throws CurvatureError ERR_SHAPE for another number of weights than rows, ERR_NON_FINITE, ERR_ARGUMENT for negative ones
 */
export function checkWeights(
  weights: ArrayLike<number>,
  rows: number,
  where: string,
  name = "sampleWeights",
): Float64Array {
  checkNumbers(weights, rows, `${where}, ${name}`);
  for (let i = 0; i < rows; i++)
    if (weights[i] < 0)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `the weight of row ${i} (counted from 0) is ${weights[i]}; weights must be at least 0.`,
        { where, path: `${name}[${i}]`, expected: "at least 0", received: weights[i] },
      );
  return Float64Array.from(weights);
}

/**
 * The weight of each row in a metric, 1 where there are none.
 *
 * @throws CurvatureError as `checkWeights`; ERR_ARGUMENT for all 0
 */
export function metricWeights(
  weights: ArrayLike<number> | undefined,
  n: number,
  where: string,
): (i: number) => number {
  if (weights === undefined) return () => 1;
  const checked = checkWeights(weights, n, where, "weights");
  if (!checked.some((weight) => weight > 0))
    throw new CurvatureError("ERR_ARGUMENT", "all weights are 0; one at least must be above.", {
      where,
      path: "weights",
      expected: "a weight above 0",
    });
  return (i) => checked[i];
}
