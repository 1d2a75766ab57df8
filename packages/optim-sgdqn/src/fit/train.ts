/**
 * From checked rows and targets to parameters: scaling, λ, solver, run.
 */
import { CurvatureError, type Scaling } from "@curvature/linalg";
import { type DataWarningOptions, dataWarnings } from "@curvature/linalg/tables";
import { type Bias, type LinearProblem, primalCost } from "@curvature/objectives/linear";
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
import { classScores, largestScore } from "../multiclass/problem.js";
import { certify } from "../solvers/newton/certificate.js";
import type { FittedModel } from "./fitted.js";
import { judgeClasses, judgeColumns, judgeLabels, judgeTargets, judgeWeights } from "./judge.js";
import type { LinearFitPhase, LinearFitSettings, LinearSettings } from "./options.js";
import { resolveLambda } from "./resolve-lambda.js";
import type { LinearFitResult } from "./result.js";
import { scaledRows } from "./rows.js";
import { scalingFor } from "./scale.js";
import { isSoftmax, solverOfTask } from "./solver-for.js";
import { standardErrors } from "./standard-errors.js";
import { biasOf, lossOf, type Task } from "./task.js";
import { forColumns, inAllColumns, onlyColumns, varyingColumns } from "./varying-columns.js";
import { effectiveCount } from "./weights.js";

export type LinearRun = FacadeRun<LinearDetails, LinearFitPhase>;

/** A result but for the phases and warnings, of which there may be more to come; `run` has them. */
export interface Trained {
  readonly result: Omit<LinearFitResult, "phases" | "warnings">;
  readonly scaling: Scaling | undefined;
  readonly bias: Bias;
  readonly width: number;
  readonly record: Pick<FittedModel, "standardErrors" | "training">;
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

/**
 * The duality gap of a run that used up its passes, above which it is warned of. Of 432 runs of the stochastic solvers (12 sets,
 * 3 losses, 2 λ), 318 were: 190 of the 201 whose least P was over 5 % lower, and 18 of the 94 where it was within 1 %.
 */
const MAX_OPEN_GAP = 0.3;

/** Rows that come again weigh more, which may be meant, and columns of other units are scaled. */
const checks = ["distinct-labels", "leaking-columns", "counting-column"] as const;
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
  const { settings, targets, importances, classOfRow, weights } = task;
  const { signal } = fit;
  const bias = biasOf(settings, task.rows);
  const warn: LinearRun["warn"] = (code, sentence) => run.warn(code, sentence);
  await run.phase("preparation", () => {
    const asked = labels === undefined || judgeLabels(task, warn) ? undefined : labels;
    run.warnings.push(
      ...dataWarnings(task.rows, {
        labels: asked,
        targets: labels === undefined ? targets[0] : undefined,
        checks,
        remedies,
      }),
    );
    judgeWeights(weights, warn);
    if (classOfRow === undefined) judgeTargets(targets[0], weights, settings.loss === "huber", warn);
  });
  const { rows, scaling, varying } = await run.phase("preparation", () => {
    const found = scalingFor(task.rows, settings, bias, weights, warn);
    const columns = varyingColumns(task.rows, bias === "free" || found?.method === "standard");
    judgeColumns(task.rows, columns, warn);
    const scaled = found === undefined ? task.rows : scaledRows(found, task.rows);
    return { scaling: found, varying: columns, rows: onlyColumns(scaled, columns) };
  });
  const problem = { rows, targets: targets[0], loss: lossOf(settings, 1), lambda: 1, bias, importances };
  const choice = await run.phase("lambda", () => resolveLambda(problem, task, signal));
  const { lambda, width, rule } = choice;
  const loss = lossOf(settings, width);
  const problems = targets.map((y): LinearProblem => ({ ...problem, targets: y, loss, lambda }));
  const solver = await run.phase("optimization", () =>
    inAllColumns(solverOfTask(problems, task), targets.length, varying, task.rows.columns),
  );
  const ran = yield* run.optimize(solver, [], keptOf(fit));
  checkRan(ran, signal);
  // An end by the error on rows held out is what was asked for.
  const isStalled = ran.status === "stalled" && (settings.validationShare ?? 0) === 0;
  if (ran.status === "diverged" || isStalled || !ran.usable) warnOfEnd(ran, run);
  const last = ran.history.at(-1);
  if (last?.details.isSearchLost === true)
    run.warn(
      "lost-search",
      "The search for t0 found no value at which a pass over a tenth of the rows ends below its start. The default was taken.",
    );
  if (last?.details.isStart === true)
    run.warn(
      "worse-than-start",
      "The training ended at a larger P than it began with: the start is the result (of several classes, for some). Allow more passes, give a larger t0, or take another solver.",
    );
  const x = forColumns(ran.x, targets.length, varying, task.rows.columns);
  const value = ran.value ?? totalCost(problems, x);
  const usable = ran.usable && Number.isFinite(value);
  const isAtOnce = isSoftmax(problems, settings);
  const gap = last?.details.gap ?? (usable && !isAtOnce ? certifiedGap(problems, x) : undefined);
  if (ran.status === "max-iterations" && usable && gap !== undefined && gap > MAX_OPEN_GAP)
    run.warn(
      "unfinished-training",
      `The passes are used up, and the least P may be up to ${Math.min(100, Math.ceil(100 * gap))} % lower (duality gap). Allow more passes, or take the default solver.`,
    );
  if (usable && classOfRow !== undefined)
    judgeClasses(
      {
        classes: task.classes,
        classOfRow,
        predicted: predictedOf(problems, x),
        weights,
        isLogistic: settings.loss === "logistic",
      },
      choice,
      warn,
    );
  const result = {
    ...ran,
    value,
    usable,
    monitoringEvaluations:
      ran.monitoringEvaluations + (ran.value === undefined ? rows.rows * targets.length : 0),
    history: trimmed(ran.history, fit.history),
    gap,
    certificate: gap === undefined ? undefined : ("duality-gap" as const),
    t0: last?.details.t0,
    lambda,
    lambdaRule: rule,
    triedLambdas: choice.tried,
    leftOut: choice.leftOut && { error: choice.leftOut.error, loss: choice.leftOut.loss },
    multiclass: multiclassOf(targets.length, isAtOnce),
    options: {
      ...ran.options,
      ...settings,
      scale: scaling?.method ?? ("none" as const),
      bias,
      lambda,
      lossWidth: width,
    },
  };
  const count = weights === undefined ? rows.rows : effectiveCount(weights);
  // Weights of classes say what an error costs, and are no rows.
  const isPosterior =
    ran.status === "converged" && !("classWeights" in settings && settings.classWeights !== undefined);
  const record = {
    standardErrors: isPosterior
      ? await run.phase("optimization", () =>
          standardErrors({
            problems,
            x,
            softmax: isAtOnce ? classOfRow : undefined,
            scaling,
            varying,
            columns: task.rows.columns,
            count,
          }),
        )
      : undefined,
    training: {
      rows: rows.rows,
      lambdaRule: rule,
      anchor: choice.tried.length > 0 && settings.loss !== "huber" ? choice.anchor : undefined,
      leftOut: result.leftOut,
    },
  };
  return { result, scaling, bias, width, record };
}

const multiclassOf = (models: number, isAtOnce: boolean): LinearFitResult["multiclass"] => {
  if (models === 1) return undefined;
  return isAtOnce ? "softmax" : "one-versus-rest";
};

/** By row the class of the largest score, of two classes of the sign. */
function predictedOf(problems: readonly LinearProblem[], x: Float64Array): Int32Array {
  const [{ rows, bias }] = problems;
  const models = problems.length;
  const { data } = classScores(rows, { rows: models, columns: x.length / models, data: x }, bias);
  return Int32Array.from({ length: rows.rows }, (_, i) =>
    models === 1 ? Number(data[i] > 0) : largestScore(data, i * models, models),
  );
}

/** Of the sum of the problems' P, at a point whose solver has none. */
function certifiedGap(problems: readonly LinearProblem[], x: Float64Array): number | undefined {
  const length = x.length / problems.length;
  let [difference, total] = [0, 0];
  for (const [k, problem] of problems.entries()) {
    const { value, gap } = certify(problem, x.subarray(k * length, (k + 1) * length));
    difference += gap * value;
    total += value;
  }
  const gap = difference === 0 ? 0 : difference / total;
  return Number.isNaN(gap) ? undefined : gap;
}

/** @throws what ended the run, or the signal's reason, where there is nothing to show */
function checkRan(ran: RunResult<LinearDetails>, signal: AbortSignal | undefined): void {
  if (ran.status === "failed") throw ran.cause;
  if (ran.iterations > 0 || ran.status !== "aborted") return;
  throwIfAborted(signal);
  throw new CurvatureError("ERR_ARGUMENT", ran.message, { path: "signal" });
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
