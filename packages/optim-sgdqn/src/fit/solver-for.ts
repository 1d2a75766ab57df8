/** The solver that the settings ask for. */
import type { LinearProblem } from "@curvature/objectives/linear";
import { fingerprintOf, type Solver, withFingerprint } from "@curvature/optim-core";
import { createLinearSolver, type LinearSolverOptions } from "../create-solver.js";
import type { LinearDetails } from "../details.js";
import { OneVersusRestSolver } from "../multiclass/one-versus-rest.js";
import { isSoftmax as isSoftmaxProblem, SoftmaxNewton } from "../multiclass/softmax/softmax-newton.js";
import { solversOf } from "../multiclass/train.js";
import { withoutHeldOut } from "./holdout.js";
import type { LinearSettings } from "./options.js";
import type { Task } from "./task.js";
import { ValidatedSolver } from "./validated.js";

/**
 * @param problems - one, or one for each of more than two classes, on the same rows
 * @throws CurvatureError ERR_OPTION for options that the solver does not know, and as `checkLinearProblem`
 */
export function solverFor(
  problems: readonly LinearProblem[],
  settings: LinearSettings,
): Solver<LinearDetails> {
  const options = solverOptions(settings);
  const [first] = problems;
  if (problems.length === 1) return createLinearSolver(first, options);
  if (isSoftmax(problems, settings)) {
    const { tolerance, maxPasses } = settings;
    return new SoftmaxNewton(
      { ...first, labels: classOfRows(problems), classes: problems.length },
      { ...(tolerance !== undefined && { tolerance }), ...(maxPasses !== undefined && { maxPasses }) },
    );
  }
  const parts = solversOf(problems, (problem, { shared }) =>
    createLinearSolver(problem, { ...options, shared }),
  );
  return new OneVersusRestSolver(parts, classOfRows(problems));
}

/** Whether several classes are one softmax problem. */
export function isSoftmax(
  problems: readonly LinearProblem[],
  { solver, validationShare = 0 }: LinearSettings,
): boolean {
  if (problems.length === 1 || validationShare > 0) return false;
  if (solver !== "auto" && solver !== "newton") return false;
  return isSoftmaxProblem({ ...problems[0], classes: problems.length });
}

/** By row the class whose problem counts it as positive. */
function classOfRows(problems: readonly LinearProblem[]): Int32Array {
  return Int32Array.from(problems[0].targets, (_, i) => problems.findIndex(({ targets }) => targets[i] > 0));
}

/** The solver, on fewer rows where the settings hold some out to end by. */
export function solverOfTask(
  problems: readonly LinearProblem[],
  { settings, classOfRow }: Task,
): Solver<LinearDetails> {
  const { validationShare = 0, seed } = settings;
  if (validationShare === 0) return identified(solverFor(problems, settings), settings);
  const { training, heldOut } = withoutHeldOut(problems, classOfRow, validationShare, seed);
  return identified(new ValidatedSolver(solverFor(training, settings), heldOut), settings);
}

/** The solver refuses what it does not know. */
function solverOptions(settings: LinearSettings): LinearSolverOptions {
  const { solver, tolerance, accuracy, t0, maxPasses, seed, shuffle } = settings;
  return { solver, tolerance, accuracy, t0, maxPasses, seed, shuffle };
}

/**
 * The solver under a fingerprint that names more than its problem: going on from a checkpoint with another seed, order or
 * learning rate would not end where the uninterrupted fit does. Limits may be others.
 */
function identified(
  solver: Solver<LinearDetails>,
  { seed, shuffle, t0, accuracy, validationShare }: LinearSettings,
): Solver<LinearDetails> {
  return withFingerprint(solver, () => {
    const parts = [t0 ?? "", accuracy ?? "", validationShare ?? 0].map(String);
    return fingerprintOf(solver.fingerprint, seed, String(shuffle), ...parts);
  });
}
