/** The solver that the settings ask for. */
import type { LinearProblem } from "@curvature/objectives/linear";
import type { Solver } from "@curvature/optim-core";
import { createLinearSolver, type LinearSolverOptions } from "../create-solver.js";
import type { LinearDetails } from "../details.js";
import { OneVersusRestSolver } from "../multiclass/one-versus-rest.js";
import { SharedRows } from "../multiclass/shared-rows.js";
import { withoutHeldOut } from "./holdout.js";
import { identified } from "./identified.js";
import type { Settings, Task } from "./task.js";
import { ValidatedSolver } from "./validated.js";

/**
 * @param problems - one, or one for each of more than two classes, on the same rows
 * @throws CurvatureError ERR_OPTION for options that the solver does not know, and as `checkLinearProblem`
 */
export function solverFor(problems: readonly LinearProblem[], settings: Settings): Solver<LinearDetails> {
  const options = solverOptions(settings);
  const [first] = problems;
  if (problems.length === 1) return createLinearSolver(first, options);
  const shared = new SharedRows(first);
  const parts = problems.map((problem) => createLinearSolver(problem, { ...options, shared }));
  return new OneVersusRestSolver(parts, classOfRows(problems));
}

/** By row the class whose problem counts it as positive. */
function classOfRows(problems: readonly LinearProblem[]): Int32Array {
  return Int32Array.from(problems[0].targets, (_, i) => problems.findIndex(({ targets }) => targets[i] > 0));
}

/** The solver, on fewer rows where the settings hold some out to end by. */
export function solverOfTask(
  problems: readonly LinearProblem[],
  { settings, places }: Task,
): Solver<LinearDetails> {
  const { validationShare = 0, lambda, seed } = settings;
  if (validationShare === 0 || lambda === "auto") return identified(solverFor(problems, settings), settings);
  const { training, heldOut } = withoutHeldOut(problems, places, validationShare, seed);
  return identified(new ValidatedSolver(solverFor(training, settings), heldOut), settings);
}

/** What was given goes to the solver, which refuses what it does not know. */
export function solverOptions({
  solver,
  tolerance,
  accuracy,
  t0,
  maxPasses,
  seed,
  shuffle,
}: Settings): LinearSolverOptions {
  return {
    solver,
    seed,
    shuffle,
    ...(tolerance === undefined ? {} : { tolerance }),
    ...(accuracy === undefined ? {} : { accuracy }),
    ...(t0 === undefined ? {} : { t0 }),
    ...(maxPasses === undefined ? {} : { maxPasses }),
  };
}
