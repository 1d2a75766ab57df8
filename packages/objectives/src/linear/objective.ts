/**
 * The regularised risk as one function of all parameters,
 *
 *   P     = λ/2 ‖w‖² + (1/n) Σᵢ cᵢ l(sᵢ, yᵢ),   sᵢ = w·xᵢ + b
 *   ∇P    = λ w + (1/n) Σᵢ cᵢ l′(sᵢ, yᵢ) xᵢ
 *   ∇²P v = λ v + (1/n) Σᵢ cᵢ l″(sᵢ, yᵢ) (xᵢ·v) xᵢ
 *
 * where xᵢ has a last entry 1 for the bias, and λ leaves out a free bias. For losses with kinks ∇²P is the
 * generalised Hessian, with l″ of one side.
 */
import type { Objective } from "@curvature/optim-core";
import { checkPoint, checkVector } from "../checks.js";
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
export function linearObjective(problem: LinearProblem): Objective {
  const where = "linearObjective";
  checkLinearProblem(problem, where);
  const { rows, targets, loss, importances, bias, lambda } = problem;
  const access = rowAccess(rows);
  const [n, d] = [rows.rows, rows.columns];
  const hasBias = bias !== "none";
  const dimension = parameterCount(problem);

  /** out ← λ v, without λ for a free bias. */
  const startFrom = (v: Float64Array, out: Float64Array): void => {
    for (let j = 0; j < d; j++) out[j] = lambda * v[j];
    if (hasBias) out[d] = bias === "free" ? 0 : lambda * v[d];
  };
  const add = (i: number, a: number, out: Float64Array): void => {
    if (a === 0) return;
    access.addTo(i, a, out);
    if (hasBias) out[d] += a;
  };
  const score = (i: number, w: Float64Array): number => access.dot(i, w) + (hasBias ? w[d] : 0);

  return {
    dimension,
    get fingerprint() {
      return fingerprintOfLinear(problem);
    },
    evaluate(w, gradient) {
      checkPoint(where, w, gradient, dimension);
      if (gradient !== undefined) startFrom(w, gradient);
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const s = score(i, w);
        const c = importances === undefined ? 1 : importances[i];
        sum += c * loss.value(s, targets[i]);
        if (gradient !== undefined) add(i, (c * loss.slope(s, targets[i])) / n, gradient);
      }
      return regularization(problem, w) + sum / n;
    },
    hessianVector(w, v, out) {
      checkPoint(where, w, undefined, dimension);
      checkVector(where, "v", v, dimension);
      checkVector(where, "out", out, dimension);
      startFrom(v, out);
      for (let i = 0; i < n; i++) {
        const c = importances === undefined ? 1 : importances[i];
        const curvature = c * loss.curvature(score(i, w), targets[i]);
        if (curvature !== 0) add(i, (curvature * score(i, v)) / n, out);
      }
    },
  };
}
