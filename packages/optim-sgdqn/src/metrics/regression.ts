/**
 * How good a regression is: with residuals rᵢ = yᵢ − ŷᵢ,
 *   RMSE = √(mean r²),  MAE = mean |r|,  R² = 1 − Σ r² / Σ (y − ȳ)²
 */
import { CurvatureError } from "@curvature/linalg";

export interface RegressionReport {
  /** Undefined where all targets are equal. */
  readonly r2: number | undefined;
  readonly rootMeanSquaredError: number;
  readonly meanAbsoluteError: number;
}

/** @throws CurvatureError ERR_SHAPE for lists of different or no length, ERR_NON_FINITE */
export function regressionReport(truth: ArrayLike<number>, predicted: ArrayLike<number>): RegressionReport {
  throw new CurvatureError("ERR_ARGUMENT", "This part is not finished.", { received: [truth, predicted] });
}
