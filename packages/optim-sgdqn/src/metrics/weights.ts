/** What metrics take besides the truth and the predictions: the weights of the rows. */
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
 * The weight of each row, 1 where there are none.
 *
 * @throws CurvatureError ERR_SHAPE for another number of weights than rows, ERR_NON_FINITE, ERR_ARGUMENT for one below 0 or all 0
 */
export function metricWeights(
  weights: ArrayLike<number> | undefined,
  n: number,
  where: string,
): (i: number) => number {
  if (weights === undefined) return () => 1;
  checkNumbers(weights, n, `${where}, weights`);
  let hasWeight = false;
  for (let i = 0; i < n; i++) {
    if (weights[i] < 0)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `the weight of row ${i} (counted from 0) is ${weights[i]}; weights must be at least 0.`,
        { where, path: `weights[${i}]`, expected: "at least 0", received: weights[i] },
      );
    if (weights[i] > 0) hasWeight = true;
  }
  if (!hasWeight)
    throw new CurvatureError("ERR_ARGUMENT", "all weights are 0; one at least must be above.", {
      where,
      path: "weights",
      expected: "a weight above 0",
    });
  return (i) => weights[i];
}
