/**
 * How good a regression is: with residuals rᵢ = yᵢ − ŷᵢ,
 *   RMSE = √(mean r²),  MAE = mean |r|,  R² = 1 − Σ r² / Σ (y − ȳ)²
 */
import { CurvatureError, shown } from "@curvature/linalg";

export interface RegressionReport {
  /** Undefined where all targets are equal. */
  readonly r2: number | undefined;
  readonly rootMeanSquaredError: number;
  readonly meanAbsoluteError: number;
}

/** @throws CurvatureError ERR_SHAPE for lists of different or no length, ERR_NON_FINITE */
export function regressionReport(truth: ArrayLike<number>, predicted: ArrayLike<number>): RegressionReport {
  const where = "regressionReport";
  const n = checkNumbers(truth, truth?.length, `${where}, truth`);
  checkNumbers(predicted, n, `${where}, predicted`);
  const unit = unitOf(truth, predicted);
  let mean = 0;
  for (let i = 0; i < n; i++) mean += (truth[i] / unit - mean) / (i + 1);
  let squares = 0;
  let absolutes = 0;
  let spread = 0;
  for (let i = 0; i < n; i++) {
    const y = truth[i] / unit;
    const r = y - predicted[i] / unit;
    squares += r * r;
    absolutes += Math.abs(r);
    spread += (y - mean) * (y - mean);
  }
  const isConstant = allEqual(truth);
  return {
    r2: isConstant ? undefined : 1 - squares / spread,
    rootMeanSquaredError: unit * Math.sqrt(squares / n),
    meanAbsoluteError: unit * (absolutes / n),
  };
}

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

/** 1, or what numbers whose squares would overflow are divided by. */
function unitOf(...lists: readonly ArrayLike<number>[]): number {
  let largest = 0;
  for (const list of lists)
    for (let i = 0; i < list.length; i++) largest = Math.max(largest, Math.abs(list[i]));
  return largest > 1e140 ? largest : 1;
}

function allEqual(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false;
  return true;
}
