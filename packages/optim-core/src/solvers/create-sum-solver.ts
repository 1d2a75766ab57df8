/**
 * The solvers of sums that others are compared with, made by name.
 */
import { checkOptions, integerFrom } from "@curvature/linalg";
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

export interface SumSolverOptions {
  /** Of the methods that draw at random. Default 0. */
  readonly seed?: number;
}

export const sumSolverDefaults: Required<SumSolverOptions> = Object.freeze({ seed: 0 });

/**
 * A solver for `run`: `sgd`, `momentum`, `adagrad`, `adam`, `sag`, `lbfgs`, `minibatch-lbfgs` or `hessian-free`, with
 * numbers of its own behind colons, as in `adam:0.01` or `momentum:0.1:0.9`; which, `sumSolverMethods` says. All of
 * them count passes over the subfunctions of this sum. The last three need evaluations that are no promises.
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
  const { seed } = checkOptions("createSumSolver", options, sumSolverDefaults, { seed: integerFrom(0) });
  const { method, numbers } = parseSumSolverName(name);
  const [first, second] = numbers;
  const rate = first === undefined ? {} : { learningRate: first };
  switch (method) {
    case "sgd": {
      const step = first === undefined ? {} : { initialStep: first };
      return sgd(sum, x, { ...step, ...(second === undefined ? {} : { decay: second }), seed });
    }
    case "momentum": {
      const decay = second === undefined ? {} : { momentum: second };
      return driveSum(new Momentum(sum, x, { ...rate, ...decay, seed }), sum);
    }
    case "adagrad":
      return driveSum(new Adagrad(sum, x, { ...rate, seed }), sum);
    case "adam":
      return driveSum(new Adam(sum, x, { ...rate, seed }), sum);
    case "sag":
      return driveSum(new Sag(sum, x, { ...(first === undefined ? {} : { lipschitz: first }), seed }), sum);
    case "lbfgs":
      return new Lbfgs(asObjective(sum), x, first === undefined ? {} : { memory: first });
    case "minibatch-lbfgs": {
      const batches = first === undefined ? {} : { batches: first };
      const iterations = second === undefined ? {} : { iterationsPerBatch: second };
      return new MinibatchLbfgs(sum, x, { ...batches, ...iterations, seed });
    }
    case "hessian-free":
      return new HessianFree(asObjective(sum), x, first === undefined ? {} : { initialDamping: first });
  }
}
