/**
 * One door to all solvers of one binary (or one-output) linear problem.
 */
import { CurvatureError } from "@curvature/linalg";
import type { LinearProblem } from "@curvature/objectives/linear";
import type { Solver } from "@curvature/optim-core";
import type { LinearDetails } from "./details.js";
import type { LinearSolverName } from "./fit/options.js";
import type { SharedRows } from "./multiclass/shared-rows.js";

/** What a solver does not know it refuses. */
export interface LinearSolverOptions {
  /** Default "auto". */
  readonly solver?: LinearSolverName;
  /**
   * (P − P*)/P at which the solver ends, by its certificate (see `LinearDetails`). Solvers without one (all stochastic
   * ones) refuse it. Default 1e-3.
   */
  readonly tolerance?: number;
  /** Default 1000 for auto, newton, dcd and lbfgs, 10 for the others. */
  readonly maxPasses?: number;
  /** For auto: whether to end at `tolerance`, or as soon as the test error is expected to be that of the optimum. Default "objective". */
  readonly accuracy?: "objective" | "error";
  /** First parameters, of length `parameterCount(problem)`. Default 0 (for auto: a pass of averaged SGD). Not for dcd. */
  readonly initial?: Float64Array;
  /** Default 0. Not for newton and lbfgs, which draw nothing. */
  readonly seed?: number;
  /** Whether the stochastic solvers visit the rows in a random order. Default true. */
  readonly shuffle?: boolean;
  /** t₀ of the learning rate, for the stochastic solvers. Default c R²/λ. */
  readonly t0?: number;
  /** Rows between two decays, for svmsgd2, sgdqn and sgdqn-2009. Default by the rows' density. */
  readonly skip?: number;
  /** The rows, checked before, and what solvers on the same rows share (one class against the rest). */
  readonly shared?: SharedRows;
}

/** @throws CurvatureError ERR_OPTION, and as `checkLinearProblem` for the problem */
export function createLinearSolver(
  problem: LinearProblem,
  options: LinearSolverOptions = {},
): Solver<LinearDetails> {
  throw new CurvatureError("ERR_ARGUMENT", "This part is not finished.", { received: [problem, options] });
}
