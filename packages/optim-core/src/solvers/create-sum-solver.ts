/**
 * The solvers of sums that others are compared with, made by name.
 */
import { integerFrom, type OptionsOf, optionTable } from "@curvature/linalg";
import { driveSum } from "../drive-sum.js";
import type { SumOfFunctions } from "../problem.js";
import type { Solver } from "../solver.js";
import { asObjective } from "../sum.js";
import { Adagrad } from "./adagrad.js";
import { Adam } from "./adam.js";
import { HessianFree } from "./hessian-free.js";
import { Lbfgs } from "./lbfgs.js";
import { MinibatchLbfgs } from "./minibatch-lbfgs.js";
import { Momentum } from "./momentum.js";
import { Sag } from "./sag.js";
import { sgd } from "./sgd.js";
import { parseSumSolverName } from "./sum-solver-name.js";

export const sumSolverOptions = optionTable({
  /** Of the methods that draw at random. */
  seed: integerFrom(0).default(0),
});
export type SumSolverOptions = OptionsOf<typeof sumSolverOptions>;

/**
 * A solver for `run`: `sgd`, `momentum`, `adagrad`, `adam`, `sag`, `lbfgs`, `minibatch-lbfgs` or `hessian-free`, with
 * numbers of its own behind colons, as in `adam:0.01` or `momentum:0.1:0.9`; which, `sumSolverMethods` says. All of
 * them count passes over the subfunctions of this sum. The last three need evaluations that are no promises. Those but `lbfgs` and
 * `hessian-free` never measure F, and may end above their start: `monitored` keeps the best point.
 *
 * @param x - the first point; copied
 * @throws CurvatureError ERR_OPTION for the name and its numbers, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
 */
export function createSumSolver(
  name: string,
  sum: SumOfFunctions,
  x: Float64Array,
  options?: SumSolverOptions,
): Solver {
  const { seed } = sumSolverOptions.resolve("createSumSolver", options);
  const { method, numbers } = parseSumSolverName(name);
  const [first, second] = numbers;
  switch (method) {
    case "sgd":
      return sgd(sum, x, { initialStep: first, decay: second, seed });
    case "momentum":
      return driveSum(new Momentum(sum, x, { learningRate: first, momentum: second, seed }), sum);
    case "adagrad":
      return driveSum(new Adagrad(sum, x, { learningRate: first, seed }), sum);
    case "adam":
      return driveSum(new Adam(sum, x, { learningRate: first, seed }), sum);
    case "sag":
      return driveSum(new Sag(sum, x, { lipschitz: first, seed }), sum);
    case "lbfgs":
      return new Lbfgs(asObjective(sum), x, { memory: first });
    case "minibatch-lbfgs":
      return new MinibatchLbfgs(sum, x, { batches: first, iterationsPerBatch: second, seed });
    case "hessian-free":
      return new HessianFree(asObjective(sum), x, { initialDamping: first, chunks: second });
  }
}
