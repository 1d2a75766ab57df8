/**
 * Scores and values of a linear model over all rows.
 */
import { checkVector } from "../checks.js";
import { type Bias, type LinearProblem, parameterCount, type Rows } from "./problem.js";
import { rowAccess } from "./rows/access.js";

/**
 * sᵢ = w·xᵢ + b for every row into `out`, and returns it.
 *
 * @param w - the parameters: d, and after them b unless `bias` is "none"
 * @throws CurvatureError ERR_SHAPE for vectors of other lengths
 */
export function scores(rows: Rows, w: Float64Array, bias: Bias, out: Float64Array): Float64Array {
  checkVector("scores", "w", w, rows.columns + (bias === "none" ? 0 : 1));
  checkVector("scores", "out", out, rows.rows);
  const access = rowAccess(rows);
  const b = bias === "none" ? 0 : w[rows.columns];
  for (let i = 0; i < rows.rows; i++) out[i] = access.dot(i, w) + b;
  return out;
}

/** P(w) = λ/2 ‖w‖² + (1/n) Σᵢ cᵢ l(sᵢ, yᵢ). @throws CurvatureError ERR_SHAPE for a w of another length */
export function primalCost(problem: LinearProblem, w: Float64Array): number {
  const { rows, targets, loss, importances, bias } = problem;
  checkVector("primalCost", "w", w, parameterCount(problem));
  const access = rowAccess(rows);
  const b = bias === "none" ? 0 : w[rows.columns];
  let sum = 0;
  for (let i = 0; i < rows.rows; i++) {
    const l = loss.value(access.dot(i, w) + b, targets[i]);
    sum += importances === undefined ? l : importances[i] * l;
  }
  return regularization(problem, w) + sum / rows.rows;
}

/** λ/2 ‖w‖², the bias in it if that is "regularized". */
export function regularization({ rows, lambda, bias }: LinearProblem, w: Float64Array): number {
  const end = rows.columns + (bias === "regularized" ? 1 : 0);
  let sum = 0;
  for (let j = 0; j < end; j++) sum += w[j] * w[j];
  return 0.5 * lambda * sum;
}
