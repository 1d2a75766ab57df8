/**
 * From checked rows and targets to parameters: scaling, λ, solver, run.
 */
import { CurvatureError, fitScaling, type Scaling } from "@curvature/linalg";
import { type DataWarningOptions, dataWarnings } from "@curvature/linalg/tables";
import { type Bias, type LinearProblem, primalCost, type Rows } from "@curvature/objectives/linear";
import {
  FacadeRun,
  type FacadeSteps,
  type Iteration,
  type RunOptions,
  type RunResult,
  reopened,
  throwIfAborted,
} from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import { scalingFor } from "./column-sizes.js";
import type { LinearFitPhase, LinearFitSettings, LinearSettings } from "./options.js";
import { resolveLambda } from "./resolve-lambda.js";
import type { LinearFitResult } from "./result.js";
import { scaledRows } from "./rows.js";
import { solverOfTask } from "./solver-for.js";
import { biasOf, lossOf, type Task } from "./task.js";

export type LinearRun = FacadeRun<LinearDetails, LinearFitPhase>;

/** A result but for the phases and warnings, of which there may be more to come; `run` has them. */
export interface Trained {
  readonly result: Omit<LinearFitResult, "phases" | "warnings">;
  readonly scaling: Scaling | undefined;
  readonly bias: Bias;
}

/** @throws the signal's reason if it is aborted already */
export const linearRun = (
  fit: LinearFitSettings,
  { maxSeconds }: Pick<LinearSettings, "maxSeconds">,
): LinearRun =>
  new FacadeRun<LinearDetails, LinearFitPhase>({
    ...fit,
    maxSeconds: maxSeconds ?? Number.POSITIVE_INFINITY,
  });

/** The last iteration is always kept: it knows gap and t₀. `trimmed` leaves it out where nobody asked. */
export const keptOf = ({ history, resume }: LinearFitSettings): Pick<RunOptions, "history" | "resume"> => ({
  history: history === false || history === 0 ? 1 : history,
  resume: resume && reopened(resume),
});

export const trimmed = (
  history: readonly Iteration<LinearDetails>[],
  asked: LinearFitSettings["history"],
): readonly Iteration<LinearDetails>[] => (asked === false || asked === 0 ? [] : history);

/** What is said of a run, with its phases. */
export const reportOf = (run: LinearRun): Pick<LinearFitResult, "phases" | "warnings"> => ({
  phases: run.phases("preparation", "lambda", "optimization", "calibration"),
  warnings: run.warnings,
});

/** Rows that come again weigh more, which may be meant, and columns of other units are scaled. */
const checks = ["distinct-labels", "counting-column", "constant-columns"] as const;
const remedies = {
  "distinct-labels":
    "A class is what several rows share; for numbers to be predicted there is LinearRegressor.",
} as const;

/**
 * @param labels - of classes
 * @throws CurvatureError as `LinearClassifier.fit`; whatever ends a run as `failed`; the signal's reason if it is aborted
 *   before the first iteration
 */
export async function* train(
  task: Task,
  fit: LinearFitSettings,
  run: LinearRun,
  labels?: DataWarningOptions["labels"],
): FacadeSteps<LinearDetails, Trained> {
  const { settings, targets, importances } = task;
  const { signal } = fit;
  const bias = biasOf(settings, task.rows.columns);
  const odd = await run.phase("preparation", () => dataWarnings(task.rows, { labels, checks, remedies }));
  run.warnings.push(...odd);
  const { rows, scaling } = await run.phase("preparation", () => prepare(task, run));
  const used = { scale: scaling?.method ?? ("none" as const), bias };
  const problems = (lambda: number): LinearProblem[] =>
    targets.map((y) => ({ rows, targets: y, loss: lossOf(settings), lambda, bias, importances }));
  const { lambda, tried } = await run.phase("lambda", () => resolveLambda(problems(1), task, signal));
  const solver = await run.phase("optimization", () => solverOfTask(problems(lambda), task));
  const ran = yield* run.optimize(solver, [], keptOf(fit));
  checkRan(ran, signal);
  if (ran.status === "diverged" || ran.status === "stalled" || !ran.usable) warnOfEnd(ran, run);
  const last = ran.history.at(-1);
  const value = ran.value ?? totalCost(problems(lambda), ran.x);
  const result = {
    ...ran,
    value,
    usable: ran.usable && Number.isFinite(value),
    monitoringEvaluations:
      ran.monitoringEvaluations + (ran.value === undefined ? rows.rows * targets.length : 0),
    history: trimmed(ran.history, fit.history),
    gap: last?.details.gap,
    certificate: last?.details.certificate,
    t0: last?.details.t0,
    lambda,
    triedLambdas: tried,
    options: { ...ran.options, ...settings, ...used, lambda },
  };
  return { result, scaling, bias };
}

/** @throws what ended the run, or the signal's reason, where there is nothing to show */
function checkRan(ran: RunResult<LinearDetails>, signal: AbortSignal | undefined): void {
  if (ran.status === "failed") throw ran.cause;
  if (ran.iterations > 0 || ran.status !== "aborted") return;
  throwIfAborted(signal);
  throw new CurvatureError("ERR_ARGUMENT", ran.message, { path: "signal" });
}

function prepare(
  { rows, settings }: Task,
  run: LinearRun,
): { readonly rows: Rows; readonly scaling: Scaling | undefined } {
  const method = scalingFor(rows, settings, (code, sentence) => run.warn(code, sentence));
  if (method === "none") return { rows, scaling: undefined };
  const scaling = fitScaling(rows, method);
  return { rows: scaledRows(scaling, rows), scaling };
}

/** Σ P over the models, for solvers that did not measure it. */
function totalCost(problems: readonly LinearProblem[], x: Float64Array): number {
  const length = x.length / problems.length;
  return problems.reduce(
    (sum, problem, k) => sum + primalCost(problem, x.subarray(k * length, (k + 1) * length)),
    0,
  );
}

function warnOfEnd({ usable, message }: RunResult, run: LinearRun): void {
  if (usable) run.warn("unfinished-training", `The training did not come to its end: ${message}`);
  else run.warn("unusable-model", `There is no usable model: ${message}`);
}
