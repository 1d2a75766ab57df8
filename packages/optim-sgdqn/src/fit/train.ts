/**
 * From checked rows and targets to parameters: scaling, λ, solver, run.
 */
import { CurvatureError, fitScaling, type Scaling } from "@curvature/linalg";
import { type Bias, type LinearProblem, primalCost, type Rows } from "@curvature/objectives/linear";
import { run, throwIfAborted, timed } from "@curvature/optim-core";
import { chooseLambda } from "./choose-lambda.js";
import { scalingFor } from "./column-sizes.js";
import type { LinearFitOptions, LinearFitResult } from "./result.js";
import { scaledRows } from "./rows.js";
import { runOptions, trimmed } from "./run-options.js";
import { solverOfTask } from "./solver-for.js";
import { biasOf, lossOf, type Task } from "./task.js";

export interface Trained {
  readonly result: LinearFitResult;
  readonly scaling: Scaling | undefined;
  readonly bias: Bias;
}

/**
 * @throws CurvatureError as `LinearClassifier.fit`; whatever ends a run as `failed`; the signal's reason if it is aborted
 *   before the first iteration
 */
export async function train(task: Task, options: LinearFitOptions): Promise<Trained> {
  const { settings, targets, importances } = task;
  const { signal } = options;
  const bias = biasOf(settings, task.rows.columns);
  const prepared = await timed(() => prepare(task), signal);
  const { rows, scaling, warnings } = prepared.value;
  const scale = scaling?.method ?? "none";
  const problems = (lambda: number): LinearProblem[] =>
    targets.map((y) => ({ rows, targets: y, loss: lossOf(settings), lambda, bias, importances }));
  const chosen = await timed(() => chooseLambda(problems(1), task, signal), signal);
  const { lambda } = chosen.value;
  const made = await timed(() => solverOfTask(problems(lambda), task), signal);
  const ran = await run(made.value, runOptions(options, settings));
  if (ran.status === "failed") throw ran.cause;
  if (ran.iterations === 0 && ran.status === "aborted") {
    throwIfAborted(signal);
    throw new CurvatureError("ERR_ARGUMENT", ran.message, { path: "signal" });
  }
  const last = ran.history.at(-1);
  const value = ran.value ?? totalCost(problems(lambda), ran.x);
  const result: LinearFitResult = {
    ...ran,
    value,
    usable: ran.usable && Number.isFinite(value),
    monitoringEvaluations:
      ran.monitoringEvaluations + (ran.value === undefined ? rows.rows * targets.length : 0),
    history: trimmed(ran.history, options.history),
    gap: last?.details.gap,
    certificate: last?.details.certificate,
    t0: last?.details.t0,
    lambda,
    triedLambdas: chosen.value.tried,
    phases: {
      preparation: prepared.seconds,
      lambda: chosen.seconds,
      optimization: made.seconds + ran.elapsedSeconds,
      calibration: 0,
    },
    warnings: [...warnings, ...endWarnings(ran.status, ran.usable, ran.message)],
    options: { ...ran.options, ...settings, scale, bias, lambda },
  };
  return { result, scaling, bias };
}

function prepare({ rows, settings }: Task): {
  readonly rows: Rows;
  readonly scaling: Scaling | undefined;
  readonly warnings: readonly string[];
} {
  const { method, warnings } = scalingFor(rows, settings);
  if (method === "none") return { rows, scaling: undefined, warnings };
  const scaling = fitScaling(rows, method);
  return { rows: scaledRows(scaling, rows), scaling, warnings };
}

/** Σ P over the models, for solvers that did not measure it. */
function totalCost(problems: readonly LinearProblem[], x: Float64Array): number {
  const length = x.length / problems.length;
  return problems.reduce(
    (sum, problem, k) => sum + primalCost(problem, x.subarray(k * length, (k + 1) * length)),
    0,
  );
}

function endWarnings(status: string, usable: boolean, message: string): readonly string[] {
  if (!usable) return [`There is no usable model: ${message}`];
  return status === "diverged" || status === "stalled"
    ? [`The training did not come to its end: ${message}`]
    : [];
}
