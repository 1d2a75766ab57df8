/**
 * The façade: residuals in, parameters with their standard errors out. What it does is loaded when it is called and its arguments are in order.
 */
import { checkArgument, type Option, option } from "@curvature/linalg";
import { type FacadeSteps, facade } from "../facade.js";
import type { LeastSquaresResult } from "./least-squares-run.js";
import type { LeastSquaresDetails } from "./levenberg-marquardt.js";
import { type LeastSquaresOptions, leastSquaresOptions } from "./options.js";
import { isResidualBlocks, type ResidualBlocks } from "./residual-blocks.js";
import type { LeastSquaresProblem, ResidualFunction } from "./residual-function.js";

const leastSquaresProblem: Option<LeastSquaresProblem | ResidualBlocks | ResidualFunction> = option(
  "a function x => residuals, or an object { residuals, jacobian? } of functions, or blocks, { dimension, count, blockResiduals, blockJacobian? }",
  (value): value is LeastSquaresProblem | ResidualBlocks | ResidualFunction => {
    if (typeof value === "function") return true;
    if (typeof value !== "object" || value === null) return false;
    if (isResidualBlocks(value)) return true;
    const jacobian: unknown = Reflect.get(value, "jacobian");
    return (
      typeof Reflect.get(value, "residuals") === "function" &&
      (jacobian === undefined || typeof jacobian === "function")
    );
  },
);

/**
 * Fits parameters x to data: ½ Σ r_i(x)² least, r_i the difference of model and observation i. Levenberg-Marquardt with a trust
 * region (Moré 1978), bounds, and losses for outliers; with the standard errors of the parameters and their intervals.
 *
 * Without a Jacobian derivatives are differences, one-sided ones on the way and central ones, of fourth order, at the end:
 * n evaluations for each iteration and 4 n for each of the last. A Jacobian that is given is compared once with the residuals, two
 * evaluations, before the run is called converged. Time beside the evaluations 2 m n² for each iteration, memory
 * 3 m n numbers. A sparse Jacobian stays sparse, and takes the time and memory of a Cholesky factor of JᵀJ; with `jacobianPattern`
 * differences take one evaluation for all columns that share no row (Curtis, Powell, Reid 1974).
 *
 * `value` is ½ Σ r². Ends as `converged` where the residuals are at right angles to all that the parameters can change;
 * as `diverged` where parameters run off; as `stalled` on a plateau, at a kink, or by a wrong Jacobian. No run ends above its start.
 *
 * @example
 * // y = a (1 − e^{−b t}), from a = 1, b = 1
 * const t = [1, 2, 4, 8];
 * const y = [1.8, 2.9, 4.1, 4.8];
 * const model = ([a, b]) => t.map((ti, i) => a * (1 - Math.exp(-b * ti)) - y[i]);
 * const { x, standardErrors, intervals } = await leastSquares(model, [1, 1], { lower: 0 });
 *
 * @param problem - r, or an object of r and its Jacobian, or blocks of residuals (`ResidualBlocks`); all may return promises
 * @param start - moved into the bounds
 * @throws CurvatureError (the promise rejects) ERR_OPTION; ERR_ARGUMENT, ERR_SHAPE or ERR_NON_FINITE for the start, the pattern, and residuals
 *   there that are no numbers, or written into x; ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; what the residuals throw at the
 *   start. Later errors end the run with the status `failed`
 */
export const leastSquares = facade(async function* (
  problem: LeastSquaresProblem | ResidualBlocks | ResidualFunction,
  start: ArrayLike<number>,
  options?: LeastSquaresOptions,
): FacadeSteps<LeastSquaresDetails, LeastSquaresResult> {
  const settings = leastSquaresOptions.resolve("leastSquares", options);
  checkArgument("leastSquares", "problem", leastSquaresProblem, problem);
  const { fitted } = await import("./least-squares-run.js");
  return yield* fitted(typeof problem === "function" ? { residuals: problem } : problem, start, settings);
});
