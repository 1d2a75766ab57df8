/**
 * What is trained along a path or over folds: one linear model, or one for each of several classes.
 */
import { badOption, type DenseMatrix, selectRows } from "@curvature/linalg";
import type { LinearProblem } from "@curvature/objectives/linear";
import { type RunResult, run, throwIfAborted, timeLimit } from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import { importancesOfPart, selected } from "../fit/holdout.js";
import { type CreateLinearSolver, type WarmStart, warmStartFrom } from "../multiclass/create-solver.js";
import { OneVersusRestSolver } from "../multiclass/one-versus-rest.js";
import {
  binaryProblem,
  binaryProblems,
  checkMulticlass,
  classScores,
  largestScore,
  type MulticlassProblem,
} from "../multiclass/problem.js";
import { SharedRows } from "../multiclass/shared-rows.js";
import { solversOf } from "../multiclass/train.js";

/** Its λ is of no account where a path or a choice of λ is asked for. */
export type LinearTask = LinearProblem | MulticlassProblem;

/** A task trained with one λ. */
export interface TrainedTask {
  readonly lambda: number;
  /** 1 row, or one for each class; d columns, and 1 more with a bias. */
  readonly parameters: DenseMatrix;
  readonly result: RunResult<LinearDetails>;
}

/** What a solver is measured by on rows that it has not seen (or has); means weighted by the importances. */
export interface Score {
  /** Classification: the share of rows in a wrong class. Regression: the mean of (s − y)². */
  readonly error: number;
  /** The mean of the loss, summed over the classes. */
  readonly loss: number;
  /** The sum of the weights. */
  readonly weight: number;
}

const isMulticlass = (task: LinearTask): task is MulticlassProblem => "labels" in task;

/** @throws CurvatureError as `checkLinearProblem` and `trainOneVersusRest` */
export function sharedRowsOf(task: LinearTask, where: string): SharedRows {
  if (typeof task === "object" && task !== null && isMulticlass(task)) {
    checkMulticlass(task, where);
    return new SharedRows(binaryProblem(task, 0), where);
  }
  return new SharedRows(task, where);
}

/** The class of row i, for classification. */
export function classesOf(task: LinearTask): ((i: number) => number) | undefined {
  if (isMulticlass(task)) return (i) => task.labels[i];
  return task.loss.task === "classification" ? (i) => task.targets[i] : undefined;
}

/** The same task on some of the rows. */
export function partOf<T extends LinearTask>(task: T, indices: Int32Array): LinearTask {
  const { importances } = task;
  const part = {
    rows: selectRows(task.rows, indices),
    importances: importances && importancesOfPart(importances, indices),
  };
  return isMulticlass(task)
    ? { ...task, ...part, labels: Int32Array.from(indices, (i) => task.labels[i]) }
    : { ...task, ...part, targets: selected(task.targets, indices) };
}

/** @throws CurvatureError ERR_OPTION where there is none */
export function neededSolver(
  where: string,
  createSolver: CreateLinearSolver | undefined,
): CreateLinearSolver {
  if (createSolver === undefined) throw badOption(where, "createSolver", "a function", createSolver);
  return createSolver;
}

/** What a path hands from one λ to the next. */
export interface Fit {
  readonly trained: TrainedTask;
  readonly starts: readonly WarmStart[];
}

/** What may end a fit before its solver does. */
export interface FitLimits {
  readonly signal: AbortSignal | undefined;
  readonly maxSeconds?: number | undefined;
}

/**
 * Trains with this λ, from where another λ ended.
 *
 * @throws what the solver threw, if the run failed; the signal's reason, if it was aborted
 */
export async function fitTask(
  task: LinearTask,
  lambda: number,
  shared: SharedRows,
  createSolver: CreateLinearSolver,
  starts: readonly WarmStart[] | undefined,
  { signal, maxSeconds = Number.POSITIVE_INFINITY }: FitLimits,
): Promise<Fit> {
  const parts = solversOf(problemsOf({ ...task, lambda }), createSolver, starts, shared);
  const solver = isMulticlass(task) ? new OneVersusRestSolver(parts, task.labels) : parts[0];
  const result = await run<LinearDetails>(solver, { stop: timeLimit(maxSeconds), signal });
  if (result.status === "failed") throw result.cause;
  throwIfAborted(signal);
  const columns = result.x.length / parts.length;
  return {
    trained: { lambda, parameters: { rows: parts.length, columns, data: result.x }, result },
    starts: parts.map(warmStartFrom),
  };
}

const problemsOf = (task: LinearTask): readonly LinearProblem[] =>
  isMulticlass(task) ? binaryProblems(task) : [task];

/** Infinite for parameters that are not finite. */
export function scoreOf(task: LinearTask, parameters: DenseMatrix): Score {
  const { rows, loss, bias, importances } = task;
  const classes = parameters.rows;
  const { data } = classScores(rows, parameters, bias);
  const targets = problemsOf(task).map((problem) => problem.targets);
  let [errors, losses, weight] = [0, 0, 0];
  for (let i = 0; i < rows.rows; i++) {
    const c = importances === undefined ? 1 : importances[i];
    weight += c;
    errors += c * errorOf(task, data, i, classes);
    for (let k = 0; k < classes; k++) losses += c * loss.value(data[i * classes + k], targets[k][i]);
  }
  const mean = (sum: number): number => {
    if (weight === 0) return 0;
    return Number.isFinite(sum) ? sum / weight : Number.POSITIVE_INFINITY;
  };
  return { error: mean(errors), loss: mean(losses), weight };
}

function errorOf(task: LinearTask, scores: Float64Array, i: number, classes: number): number {
  if (isMulticlass(task)) return largestScore(scores, i * classes, classes) === task.labels[i] ? 0 : 1;
  const y = task.targets[i];
  if (task.loss.task === "regression") return (scores[i] - y) * (scores[i] - y);
  return scores[i] > 0 === y > 0 ? 0 : 1;
}
