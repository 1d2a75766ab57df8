/**
 * The façade: a sum of functions in, a measured minimum out. What it does is loaded when it is called and its arguments are in order.
 */
import { CurvatureError, checkArgument, option, optionName } from "@curvature/linalg";
import {
  checkPoint,
  type FacadeSteps,
  facade,
  isResidualBlocks,
  type ResidualBlocks,
  type SumDetails,
  type SumOfFunctions,
} from "@curvature/optim-core";
import type { MinimizeSumResult } from "./minimize-sum-run.js";
import { type MinimizeSumOptions, minimizeSumOptions } from "./options.js";

/** A sum with a point to start from. */
export interface SumProblem extends SumOfFunctions {
  readonly initial?: ArrayLike<number> | undefined;
}

/** Blocks of residuals with a point to start from. */
export interface BlocksProblem extends ResidualBlocks {
  readonly initial?: ArrayLike<number> | undefined;
}

/** `maxPasses` of residual blocks, where it is left out: Levenberg-Marquardt ends by itself. */
const BLOCK_PASSES = 1000;

/**
 * Minimises F(x) = f_0(x) + … + f_{N−1}(x). Without tuning: there is no step size to choose.
 *
 * Every f_i must be deterministic (no fresh noise from call to call). N of 25 to 100 works best; data of D rows are split
 * into about √D / 10 minibatches by `splitIntoMinibatches`. Memory 8 M K bytes at most, time 4 M K for each
 * evaluation beside the evaluation itself, K ≤ max(3N + 3, 2N + 6 + `batch`) and K ≤ M.
 *
 * The returned `x` is the best of the points at which F was measured, and `value` is F there; the evaluations that this
 * takes are counted in `monitoringEvaluations`, not in `evaluations` and `passes`.
 *
 * Blocks of residuals, f_i = ½‖r_i(x)‖² given by `blockResiduals(i, x)` and, or without, `blockJacobian(i, x)`, are minimised by incremental
 * Gauss-Newton instead: a small sample of the blocks first, one pass over groups of them that double, then Levenberg-Marquardt
 * on all, which confirms the end. `maxPasses` is 1000 there if it is left out; without a Jacobian each pass counts n + 1. Of the
 * options those of runs, `seed`, `concurrency`, `validation` and `finalize` have a part in it. `leastSquares` of
 * `@curvature/optim-core` takes the same blocks, and has bounds, losses for outliers and standard errors.
 *
 * @example
 * // y = a (1 − e^{−b t}), a residual for each of many observations
 * const t = Float64Array.from({ length: 2000 }, (_, i) => (i + 1) / 200);
 * const y = t.map((ti, i) => 5 * (1 - Math.exp(-0.5 * ti)) + 0.1 * Math.sin(i));
 * const blockResiduals = (i, [a, b]) => [a * (1 - Math.exp(-b * t[i])) - y[i]];
 * const { x } = await minimizeSum({ dimension: 2, count: t.length, blockResiduals, initial: [1, 1] }); // near 5, 0.5
 *
 * @throws CurvatureError (the promise rejects) ERR_OPTION; ERR_ARGUMENT, ERR_SHAPE or ERR_NON_FINITE for the problem and its
 *   first point; ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`. What a subfunction throws ends the run with the status `failed`.
 *   ERR_ARGUMENT for subfunction 0 if it writes into x, or leaves entries of its gradient unwritten; another one that writes
 *   into x ends the run as `failed`
 */
export const minimizeSum = facade(async function* (
  problem: SumProblem | BlocksProblem,
  options?: MinimizeSumOptions,
): FacadeSteps<SumDetails, MinimizeSumResult> {
  const settings = minimizeSumOptions.resolve("minimizeSum", options);
  checkArgument("minimizeSum", "problem", sumProblem, problem);
  const x = firstPoint(settings.initial ?? problem.initial, problem.dimension);
  if (isResidualBlocks(problem)) {
    const { minimizedBlocks } = await import("./minimize-blocks.js");
    return yield* minimizedBlocks(problem, x, { ...settings, maxPasses: options?.maxPasses ?? BLOCK_PASSES });
  }
  const { minimized } = await import("./minimize-sum-run.js");
  return yield* minimized(problem, x, settings);
});

const sumProblem = option(
  "an object { dimension, count, evaluate }: two whole numbers of at least 1, and a function (index, x, gradient?) that returns a number; or with functions blockResiduals (index, x) and perhaps blockJacobian in the place of evaluate",
  (value): value is SumProblem | BlocksProblem => {
    if (isResidualBlocks(value)) return true;
    if (typeof value !== "object" || value === null) return false;
    const sizes: readonly unknown[] = [Reflect.get(value, "dimension"), Reflect.get(value, "count")];
    return (
      sizes.every((size) => Number.isSafeInteger(size) && Number(size) >= 1) &&
      typeof Reflect.get(value, "evaluate") === "function"
    );
  },
);

/** A copy: the caller's array is his again while the solver is loaded. @throws CurvatureError */
function firstPoint(initial: ArrayLike<number> | undefined, dimension: number): Float64Array {
  if (initial === undefined)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `there is no first point. Give ${optionName("initial")}, or the problem an initial point, ${dimension} numbers.`,
      { where: "minimizeSum", path: "initial" },
    );
  const x = Float64Array.from(initial, (entry) => (typeof entry === "number" ? entry : Number.NaN));
  checkPoint("minimizeSum", x, dimension);
  return x;
}
