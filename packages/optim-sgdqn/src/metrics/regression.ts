/**
 * How good a regression is: with residuals rᵢ = yᵢ − ŷᵢ,
 *   RMSE = √(mean r²),  MAE = mean |r|,  R² = 1 − Σ r² / Σ (y − ȳ)²
 * Sums and means are weighted where there are weights: a weight of 2 is the row twice, one of 0 is no row.
 */
import { checkNumbers, metricWeights } from "./weights.js";

export interface RegressionReport {
  /** Undefined where all targets are equal. */
  readonly r2: number | undefined;
  readonly rootMeanSquaredError: number;
  readonly meanAbsoluteError: number;
}

/**
 * @param weights - of the rows, at least 0; left out: 1 each
 * @throws CurvatureError ERR_SHAPE for lists of different or no length, ERR_NON_FINITE, ERR_ARGUMENT for weights below 0 or all 0
 */
export function regressionReport(
  truth: ArrayLike<number>,
  predicted: ArrayLike<number>,
  weights?: ArrayLike<number>,
): RegressionReport {
  const where = "regressionReport";
  const n = checkNumbers(truth, truth?.length, `${where}, truth`);
  checkNumbers(predicted, n, `${where}, predicted`);
  const weightOf = metricWeights(weights, n, where);
  const unit = unitOf(truth, predicted);
  let mean = 0;
  let total = 0;
  for (let i = 0; i < n; i++) {
    const weight = weightOf(i);
    if (weight === 0) continue;
    total += weight;
    mean += (truth[i] / unit - mean) * (weight / total);
  }
  let squares = 0;
  let absolutes = 0;
  let spread = 0;
  for (let i = 0; i < n; i++) {
    const y = truth[i] / unit;
    const r = y - predicted[i] / unit;
    const weight = weightOf(i);
    squares += weight * r * r;
    absolutes += weight * Math.abs(r);
    spread += weight * (y - mean) * (y - mean);
  }
  const isConstant = allEqual(truth, weightOf);
  return {
    r2: isConstant ? undefined : 1 - squares / spread,
    rootMeanSquaredError: unit * Math.sqrt(squares / total),
    meanAbsoluteError: unit * (absolutes / total),
  };
}

/** 1, or what numbers whose squares would overflow are divided by. */
function unitOf(...lists: readonly ArrayLike<number>[]): number {
  let largest = 0;
  for (const list of lists)
    for (let i = 0; i < list.length; i++) largest = Math.max(largest, Math.abs(list[i]));
  return largest > 1e140 ? largest : 1;
}

function allEqual(values: ArrayLike<number>, weightOf: (i: number) => number): boolean {
  let first: number | undefined;
  for (let i = 0; i < values.length; i++) {
    if (weightOf(i) === 0) continue;
    first ??= values[i];
    if (values[i] !== first) return false;
  }
  return true;
}
