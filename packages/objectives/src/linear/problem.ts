/**
 * The regularised risk of a linear model,
 *
 *   P(w, b) = λ/2 ‖w‖² + (1/n) Σᵢ cᵢ l(w·xᵢ + b, yᵢ),
 *
 * and where its parts are kept. The parameters are one vector of length `parameterCount(problem)`: w, and after it b
 * if the model has one.
 */
import type { DenseMatrix, SparseMatrix } from "@curvature/linalg";
import type { LinearLoss } from "./loss.js";

/** Rows of data, used as they are: dense or compressed sparse rows, in double or single precision. */
export type Rows =
  | DenseMatrix<Float64Array>
  | DenseMatrix<Float32Array>
  | SparseMatrix<Float64Array>
  | SparseMatrix<Float32Array>;

/**
 * "regularized": as one more feature of constant 1, part of ‖w‖²; "free": not part of it.
 */
export type Bias = "none" | "regularized" | "free";

export interface LinearProblem {
  /** n x d */
  readonly rows: Rows;
  /** y, length n: −1 or +1 for classification, real for regression. */
  readonly targets: Float64Array;
  readonly loss: LinearLoss;
  /** λ > 0. */
  readonly lambda: number;
  readonly bias: Bias;
  /** c ≥ 0, length n (class weights, sample weights); all 1 without. */
  readonly importances?: Float64Array | undefined;
}

/** The length of the parameter vector: d, and 1 more with a bias. */
export function parameterCount({ rows, bias }: LinearProblem): number {
  return rows.columns + (bias === "none" ? 0 : 1);
}
