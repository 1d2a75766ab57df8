/**
 * The regularised risk as a sum over rows, for solvers of sums:
 *
 *   P = Σᵢ fᵢ,   fᵢ(w) = (1/n) (λ/2 ‖w‖² + cᵢ l(w·xᵢ + b, yᵢ)).
 */
import type { SumOfFunctions } from "@curvature/optim-core";
import { checkIndex, checkIndices, checkPoint } from "../checks.js";
import { checkLinearProblem } from "./check.js";
import { regularization } from "./cost.js";
import { fingerprintOfLinear } from "./fingerprint.js";
import { type LinearProblem, parameterCount } from "./problem.js";
import { rowAccess } from "./rows/access.js";

/**
 * What a loss of the caller's own gives is not looked at: NaN from it is NaN here.
 *
 * @throws CurvatureError as `checkLinearProblem`
 */
export function linearSum(problem: LinearProblem): SumOfFunctions {
  const where = "linearSum";
  checkLinearProblem(problem, where);
  const { rows, targets, loss, importances, bias, lambda } = problem;
  const access = rowAccess(rows);
  const [n, d] = [rows.rows, rows.columns];
  const hasBias = bias !== "none";
  const dimension = parameterCount(problem);

  /** cᵢ lᵢ, its gradient / n added. */
  const lossOf = (i: number, w: Float64Array, gradient: Float64Array | undefined): number => {
    const s = access.dot(i, w) + (hasBias ? w[d] : 0);
    const c = importances === undefined ? 1 : importances[i];
    if (gradient !== undefined) {
      const a = (c * loss.slope(s, targets[i])) / n;
      if (a !== 0) access.addTo(i, a, gradient);
      if (hasBias) gradient[d] += a;
    }
    return c * loss.value(s, targets[i]);
  };
  /** gradient ← (share λ / n) w */
  const startFrom = (share: number, w: Float64Array, gradient: Float64Array | undefined): void => {
    if (gradient === undefined) return;
    for (let j = 0; j < d; j++) gradient[j] = ((share * lambda) / n) * w[j];
    if (hasBias) gradient[d] = bias === "free" ? 0 : ((share * lambda) / n) * w[d];
  };

  return {
    dimension,
    count: n,
    get fingerprint() {
      return fingerprintOfLinear(problem);
    },
    evaluate(index, w, gradient) {
      checkIndex(where, index, n);
      checkPoint(where, w, gradient, dimension);
      startFrom(1, w, gradient);
      return (regularization(problem, w) + lossOf(index, w, gradient)) / n;
    },
    evaluateBatch(indices, w, gradient) {
      checkIndices(where, indices, n);
      checkPoint(where, w, gradient, dimension);
      startFrom(indices.length, w, gradient);
      let sum = indices.length * regularization(problem, w);
      for (const i of indices) sum += lossOf(i, w, gradient);
      return sum / n;
    },
  };
}
