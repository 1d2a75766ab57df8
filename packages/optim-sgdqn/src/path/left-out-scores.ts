/**
 * For one λ after another, each fit from the last: what the models of other rows say of each row. By approximate leave-one-out
 * where a factor is cheap, else by folds.
 */
import { exp, log, log1p } from "@curvature/linalg";
import { type LinearLoss, type LinearProblem, linearLoss, rowAccess } from "@curvature/objectives/linear";
import { asTask, run, type Solver, throwIfAborted, timeLimit } from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import { type WarmStart, warmStartFrom } from "../multiclass/create-solver.js";
import { binaryProblem, classScores, largestScore } from "../multiclass/problem.js";
import { SharedRows } from "../multiclass/shared-rows.js";
import { isSoftmax, SoftmaxNewton } from "../multiclass/softmax/softmax-newton.js";
import { DualCoordinateDescent } from "../solvers/dual/dual-coordinate-descent.js";
import { Newton } from "../solvers/newton/newton.js";
import type { Counted } from "./counted-rows.js";
import type { Folds } from "./folds.js";
import { type LeftOut, leaveOneOut, spanOf } from "./leave-one-out.js";
import { type LinearTask, partOf } from "./task.js";

export interface Fitted {
  readonly left: LeftOut | undefined;
  /** Whether the model puts every row in its class; not looked at by folds. */
  readonly separates: boolean;
}

export interface FitSettings {
  /** Of each fit. */
  readonly maxSeconds: number;
  readonly signal: AbortSignal | undefined;
}

/** The loss that is fitted: the hinge has no curvature, and its neighbour has. */
const withCurvature = (task: LinearTask): LinearTask =>
  task.loss.name === "hinge" ? { ...task, loss: linearLoss("smoothed-hinge") } : task;

/** To which the optima that are stepped from are found. */
const TOLERANCE = 1e-6;
/** A fold's model is the one that is asked for, and needs no more than what a fit has by default. */
const FOLD_TOLERANCE = 1e-3;

/** Of classification without probabilities. On many columns dual coordinate descent is several times as fast with them. */
export const isMargin = ({ task, name }: LinearLoss): boolean =>
  task === "classification" && name !== "logistic";

export function leaveOneOutFits(
  counted: Counted,
  settings: FitSettings,
): (lambda: number) => Promise<Fitted> {
  const { task: asked, left, shares } = counted;
  const { rows: n, columns: d } = asked.rows;
  const rows = d > n ? spanOf(asked.rows, asked.importances, asked.bias === "free") : asked.rows;
  const task = withCurvature({ ...asked, rows });
  if (!("labels" in task)) return binaryFits(task, left, settings);
  const { classes, labels } = task;
  if (isSoftmax(task)) {
    let initial: Float64Array | undefined;
    return async (lambda) => {
      const solver = new SoftmaxNewton({ ...task, lambda }, { initial, tolerance: TOLERANCE });
      initial = await end(solver, settings);
      return { left: solver.leaveOneOut(left), separates: separates({ ...task, lambda }, initial) };
    };
  }
  const fits = Array.from({ length: classes }, (_, k) => binaryFits(binaryProblem(task, k), left, settings));
  return async (lambda) => {
    const scores = new Float64Array(rows.rows * classes);
    let separates = true;
    for (const [k, fit] of fits.entries()) {
      const fitted = await fit(lambda);
      if (fitted.left === undefined) return { left: undefined, separates: false };
      for (let i = 0; i < rows.rows; i++) scores[i * classes + k] = fitted.left.scores[i];
      separates &&= fitted.separates;
    }
    return { left: { scores, ...classLosses(scores, labels, classes, shares, false) }, separates };
  };
}

function binaryFits(
  problem: LinearProblem,
  left: Float64Array,
  settings: FitSettings,
): (lambda: number) => Promise<Fitted> {
  let initial: Float64Array | undefined;
  return async (lambda) => {
    const asked = { ...problem, lambda };
    const solver = new Newton(asked, { initial, tolerance: TOLERANCE });
    initial = await end(solver, settings);
    return { left: leaveOneOut(asked, initial, left), separates: separates(asked, initial) };
  };
}

/**
 * Each row of the first `looked` folds is scored by the model of all the other folds.
 *
 * @param part - the rows of those folds, in order
 */
export function foldFits(
  { task: asked }: Counted,
  part: Counted,
  { foldOf }: Folds,
  looked: number,
  settings: FitSettings,
): (lambda: number) => Promise<Fitted> {
  const isDual = isMargin(asked.loss) && asked.bias !== "free";
  const task = isDual ? asked : withCurvature(asked);
  const models = "labels" in task ? task.classes : 1;
  const isOne = "labels" in task && isSoftmax(task);
  const access = rowAccess(task.rows);
  const { columns } = task.rows;
  const length = columns + (task.bias === "none" ? 0 : 1);
  const everyRow = Int32Array.from(foldOf.keys());
  const scored = everyRow.filter((i) => foldOf[i] < looked);
  const starts = Array.from({ length: looked }, () => new Array<WarmStart | undefined>(models));
  return async (lambda) => {
    const scores = new Float64Array(scored.length * models);
    for (const [fold, initials] of starts.entries()) {
      // Made anew for each λ: a read of the rows, where five copies of them would be kept.
      const others = partOf(
        task,
        everyRow.filter((i) => foldOf[i] !== fold),
      );
      const score = (k: number, x: Float64Array): void => {
        const b = task.bias === "none" ? 0 : x[columns];
        for (const [at, i] of scored.entries())
          if (foldOf[i] === fold) scores[at * models + k] = access.dot(i, x) + b;
      };
      throwIfAborted(settings.signal);
      if ("labels" in others && isOne) {
        const initial = initials[0]?.parameters;
        const solver = new SoftmaxNewton({ ...others, lambda }, { initial, tolerance: FOLD_TOLERANCE });
        const x = await end(solver, settings);
        initials[0] = { parameters: x, dual: undefined };
        for (let k = 0; k < models; k++) score(k, x.subarray(k * length, (k + 1) * length));
        continue;
      }
      let shared: SharedRows | undefined;
      for (let k = 0; k < models; k++) {
        throwIfAborted(settings.signal);
        const problem = { ...("labels" in others ? binaryProblem(others, k) : others), lambda };
        shared ??= new SharedRows(problem);
        const start = initials[k];
        const limits = { tolerance: FOLD_TOLERANCE, shared };
        const solver = isDual
          ? new DualCoordinateDescent(problem, { ...limits, initialDual: start?.dual })
          : new Newton(problem, { ...limits, initial: start?.parameters });
        const x = await end(solver, settings);
        initials[k] = warmStartFrom(solver);
        score(k, x);
      }
    }
    const { task: ofPart, shares } = part;
    const losses =
      "labels" in ofPart
        ? classLosses(scores, ofPart.labels, models, shares, isOne)
        : lossesOf({ ...ofPart, loss: task.loss }, scores, shares);
    return { left: { scores, ...losses }, separates: false };
  };
}

/** The event loop has its turn after each: a run of a few milliseconds gives it none. */
async function end(
  solver: Solver<LinearDetails>,
  { maxSeconds, signal }: FitSettings,
): Promise<Float64Array> {
  const result = await asTask(
    () => run<LinearDetails>(solver, { stop: timeLimit(maxSeconds), signal }),
    signal,
  );
  if (result.status === "failed") throw result.cause;
  throwIfAborted(signal);
  return result.x;
}

type Losses = Pick<LeftOut, "losses" | "flipped">;

function lossesOf({ loss, targets }: LinearProblem, scores: Float64Array, shares: Float64Array): Losses {
  const losses = scores.map((s, i) => loss.value(s, targets[i]));
  if (loss.task === "regression") return { losses, flipped: 0 };
  return { losses, flipped: scores.reduce((sum, s, i) => sum + shares[i] * loss.value(s, -targets[i]), 0) };
}

/** Of a class that a fold's models have not seen p would be 0. */
const MAX_LOSS = 36;

/**
 * −ln p of each row's class, and as if labels were wrong.
 *
 * @param isOne - whether p is a softmax of the scores; else the probabilities of each against the rest, divided by their sum
 */
function classLosses(
  scores: Float64Array,
  labels: Int32Array,
  classes: number,
  shares: Float64Array,
  isOne: boolean,
): Losses {
  const losses = new Float64Array(labels.length);
  let flipped = 0;
  for (let i = 0; i < labels.length; i++) {
    const logs = scores.slice(i * classes, (i + 1) * classes);
    if (!isOne) for (let k = 0; k < classes; k++) logs[k] = -softplus(-logs[k]);
    const most = Math.max(...logs);
    let sum = 0;
    for (const each of logs) sum += exp(each - most);
    const whole = most + log(sum);
    losses[i] = Math.min(MAX_LOSS, whole - logs[labels[i]]);
    let others = 0;
    for (let k = 0; k < classes; k++) if (k !== labels[i]) others += Math.min(MAX_LOSS, whole - logs[k]);
    flipped += (shares[i] * others) / (classes - 1);
  }
  return { losses, flipped };
}

const softplus = (s: number): number => Math.max(0, s) + log1p(exp(-Math.abs(s)));

/** 1 for a row in a wrong class, of numbers (s − y)². */
export function rowError(task: LinearTask, scores: Float64Array, i: number, classes: number): number {
  if ("labels" in task) return largestScore(scores, i * classes, classes) === task.labels[i] ? 0 : 1;
  const y = task.targets[i];
  if (task.loss.task === "regression") return (scores[i] - y) * (scores[i] - y);
  return scores[i] > 0 === y > 0 ? 0 : 1;
}

function separates(task: LinearTask, x: Float64Array): boolean {
  const { rows, bias } = task;
  if (task.loss.task === "regression") return false;
  const length = rows.columns + (bias === "none" ? 0 : 1);
  const classes = x.length / length;
  const { data } = classScores(rows, { rows: classes, columns: length, data: x }, bias);
  for (let i = 0; i < rows.rows; i++) if (rowError(task, data, i, classes) > 0) return false;
  return true;
}
