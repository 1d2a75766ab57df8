/**
 * One door to all solvers of one linear problem: a flat set of options, of which each solver takes those that it knows.
 */
import { badOption, checkOptions, flag, integerFrom, oneOf, optional } from "@curvature/linalg";
import type { LinearProblem } from "@curvature/objectives/linear";
import type { Solver } from "@curvature/optim-core";
import type { LinearDetails } from "./details.js";
import type { LinearSolverName } from "./fit/options.js";
import { type SharedRows, sharedRows } from "./multiclass/shared-rows.js";
import { Auto, type AutoOptions } from "./solvers/auto.js";
import type { DualCoordinateDescentOptions } from "./solvers/dual/options.js";
import { DualCoordinateDescent } from "./solvers/dual-coordinate-descent.js";
import { LinearLbfgs, type LinearLbfgsOptions } from "./solvers/linear-lbfgs.js";
import { Newton } from "./solvers/newton/newton.js";
import type { NewtonOptions } from "./solvers/newton/options.js";
import type { StochasticOptions } from "./solvers/stochastic/options.js";
import { createStochasticSolver } from "./solvers/stochastic/stochastic-solver.js";

interface CommonOptions {
  /** Default "auto". */
  readonly solver?: LinearSolverName;
  /** Default 0. Solvers that draw nothing (newton, lbfgs) do not look at it. */
  readonly seed?: number;
  /** Whether the stochastic solvers visit the rows in a random order. Default true. The others do not look at it. */
  readonly shuffle?: boolean;
  /** The rows, checked before, and what solvers on the same rows share. Stochastic solvers do not look at it. */
  readonly shared?: SharedRows | undefined;
}

/**
 * Beside the common ones: `tolerance` and `maxPasses` for all; `accuracy` for auto; `initial` for all but dcd;
 * `initialDual` for dcd; `method` for newton; `t0`, `skip`, `step`, `averageStart`, `memory` and `validationShare` for the
 * stochastic ones. A solver refuses what it does not know.
 *
 * `tolerance` bounds (P − P*)/P, by the solver's certificate (see `LinearDetails`), and is 1e-3 by default. Stochastic
 * solvers have no certificate: given a tolerance, they end when P hardly changes any more.
 */
export type LinearSolverOptions = CommonOptions &
  AutoOptions &
  NewtonOptions &
  Omit<LinearLbfgsOptions, "initial"> &
  DualCoordinateDescentOptions &
  Omit<StochasticOptions, "solver" | "initial">;

type Common = Required<Omit<CommonOptions, "shared">> & Pick<CommonOptions, "shared">;

/** The other defaults are those of the solvers. */
export const linearSolverDefaults: Common = Object.freeze({
  solver: "auto",
  seed: 0,
  shuffle: true,
  shared: undefined,
});

/**
 * A solver of a linear problem that ends by itself.
 *
 * @throws CurvatureError ERR_OPTION for an option that the solver does not know, or for a loss or bias that it cannot
 *   handle; as `checkLinearProblem` for the problem
 */
export function createLinearSolver(
  problem: LinearProblem,
  options: LinearSolverOptions = {},
): Solver<LinearDetails> {
  if (typeof options !== "object" || options === null)
    throw badOption("createLinearSolver", "options", "an object", options);
  const { solver, seed, shuffle, shared, ...rest } = withoutUndefined(options);
  const common = checkOptions<Common>(
    "createLinearSolver",
    withoutUndefined({ solver, seed, shuffle, shared }),
    linearSolverDefaults,
    { solver: oneOf(...names), seed: integerFrom(0), shuffle: flag, shared: optional(sharedRows) },
  );
  switch (common.solver) {
    case "auto":
      return new Auto(problem, { ...rest, seed: common.seed, shared });
    case "newton":
      return new Newton(problem, { ...rest, shared });
    case "lbfgs":
      return new LinearLbfgs(problem, { ...rest, shared });
    case "dcd":
      return new DualCoordinateDescent(problem, { ...rest, seed: common.seed, shared });
    case "asgd":
    case "olbfgs":
    case "sgd":
    case "sgdqn":
    case "sgdqn-2009":
    case "svmsgd2":
      return createStochasticSolver(problem, {
        ...rest,
        solver: common.solver,
        seed: common.seed,
        shuffle: common.shuffle,
      });
  }
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** An option that is there but undefined counts as left out. */
function withoutUndefined<T extends object>(options: T): Partial<Defined<T>> {
  const defined: Partial<Defined<T>> = {};
  for (const name in options) {
    const value = options[name];
    if (isDefined(value)) defined[name] = value;
  }
  return defined;
}

const isDefined = <V>(value: V): value is Exclude<V, undefined> => value !== undefined;

const names: readonly LinearSolverName[] = [
  "auto",
  "sgd",
  "svmsgd2",
  "sgdqn",
  "sgdqn-2009",
  "asgd",
  "olbfgs",
  "dcd",
  "newton",
  "lbfgs",
];
