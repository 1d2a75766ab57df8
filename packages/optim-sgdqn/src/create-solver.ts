/**
 * All solvers of one linear problem by their names: a flat set of options, of which each solver takes those that it knows.
 */
import {
  type DefaultedOption,
  flag,
  integerFrom,
  nonNegative,
  type Option,
  type OptionsOf,
  oneOf,
  option,
  optionTable,
  positiveOrInfinity,
} from "@curvature/linalg";
import type { LinearProblem } from "@curvature/objectives/linear";
import type { Solver } from "@curvature/optim-core";
import type { LinearDetails } from "./details.js";
import { linearSolverNames } from "./solver-names.js";
import {
  DualCoordinateDescent,
  dualCoordinateDescentOptions,
} from "./solvers/dual/dual-coordinate-descent.js";
import { LinearLbfgs } from "./solvers/linear-lbfgs.js";
import { Newton, newtonOptions } from "./solvers/newton/newton.js";
import { StagedLinearSolver, stagedLinearOptions } from "./solvers/staged-linear-solver.js";
import { createStochasticSolver, stochasticOptions } from "./solvers/stochastic/stochastic-solver.js";

const undefaulted = <T>({ expected, accepts, read, words }: DefaultedOption<T>): Option<T> =>
  option(expected, accepts, read, words);
const { initial, shared } = newtonOptions.entries;
const { t0, skip, step, averageStart, memory, validationShare } = stochasticOptions.entries;

/**
 * `tolerance` and `maxPasses` are for all; `accuracy` for auto; `initial` for all but dcd; `initialDual` for dcd; `method` for
 * newton; `t0`, `skip`, `step`, `averageStart`, `memory` and `validationShare` for the stochastic ones. A solver refuses
 * what it does not know; what is left out has the default of the solver's own table.
 *
 * `tolerance` bounds (P − P*)/P, by the solver's certificate (see `LinearDetails`). Stochastic solvers have no certificate:
 * with a tolerance, they end when P hardly changes any more.
 */
export const linearSolverOptions = optionTable({
  solver: oneOf(...linearSolverNames).default("auto"),
  /** Solvers that draw nothing (newton, lbfgs) do not look at it. */
  seed: integerFrom(0).default(0),
  /** Whether the stochastic solvers visit the rows in a random order. The others do not look at it. */
  shuffle: flag.default(true),
  /** The rows, checked before, and what solvers on the same rows share. Stochastic solvers do not look at it. */
  shared,
  tolerance: nonNegative,
  maxPasses: positiveOrInfinity("a number of passes"),
  accuracy: undefaulted(stagedLinearOptions.entries.accuracy),
  initial,
  initialDual: dualCoordinateDescentOptions.entries.initialDual,
  method: undefaulted(newtonOptions.entries.method),
  t0: undefaulted(t0),
  skip,
  step: undefaulted(step),
  averageStart: undefaulted(averageStart),
  memory: undefaulted(memory),
  validationShare: undefaulted(validationShare),
});
export type LinearSolverOptions = OptionsOf<typeof linearSolverOptions>;

/**
 * A solver of a linear problem that ends by itself.
 *
 * @throws CurvatureError ERR_OPTION for an option that the solver does not know, or for a loss or bias that it cannot
 *   handle; as `checkLinearProblem` for the problem
 */
export function createLinearSolver(
  problem: LinearProblem,
  options?: LinearSolverOptions,
): Solver<LinearDetails> {
  const { solver, seed, shuffle, shared, ...others } = linearSolverOptions.resolve(
    "createLinearSolver",
    options,
  );
  const rest = withoutUndefined(others); // a solver refuses the names of others, whatever their values
  switch (solver) {
    case "auto":
      return new StagedLinearSolver(problem, { ...rest, seed, shared });
    case "newton":
      return new Newton(problem, { ...rest, shared });
    case "lbfgs":
      return new LinearLbfgs(problem, { ...rest, shared });
    case "dcd":
      return new DualCoordinateDescent(problem, { ...rest, seed, shared });
    case "asgd":
    case "olbfgs":
    case "sgd":
    case "sgdqn":
    case "sgdqn-2009":
    case "svmsgd2":
      return createStochasticSolver(problem, { ...rest, solver, seed, shuffle });
  }
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(options: T): Partial<Defined<T>> {
  const defined: Partial<Defined<T>> = {};
  for (const name in options) {
    const value = options[name];
    if (isDefined(value)) defined[name] = value;
  }
  return defined;
}

const isDefined = <V>(value: V): value is Exclude<V, undefined> => value !== undefined;
