/**
 * λ by approximate leave-one-out, anchored.
 *
 * On rows with standardised columns, for λ in 10, 3.16, 1, … 1e-5 (and on to the anchor, where that is smaller), each fit from
 * the last, to a duality gap of 1e-6:
 *
 *   L(λ) = (Σᵢ ĉᵢ ℓᵢ(λ) n + f(λ)) / (n + 1),   ĉᵢ = cᵢ/Σc,  n the number of rows that count
 *
 * ℓᵢ is the loss of row i in the model of the others (`leave-one-out.ts`), f the mean loss of one more row with the wrong label:
 * rows that can be separated show no error, and leave-one-out alone would take λ to 0 on the strength of no evidence. For
 * regression f is left out, and L is the mean of ℓᵢ.
 *
 *   λ* = argmin L
 *   λ° = 1/n for classification, d/n for regression: the anchor
 *   λ  = of the values from λ° to λ*, the nearest to λ° with L(λ) − L(λ*) ≤ half a standard error of ℓᵢ(λ) − ℓᵢ(λ*), and one
 *        standard error for regression
 *
 * so that λ° holds unless the rows clearly speak against it. For Huber's loss λ* itself is taken.
 *
 * Several classes are one softmax problem, and one against the rest each where that is too large; ℓᵢ is then −ln p of the row's
 * class. The hinge's λ is that of the smoothed hinge of width 1, which has the curvature that the formula needs.
 *
 * It costs about as much as 30 Newton steps and 14 factors. Of more rows than 5·10⁸ multiplications a factor allow, as many are
 * drawn, and λ is λ° times what the choice among them was in terms of theirs.
 */
import {
  badOption,
  exp,
  flag,
  integerFrom,
  log,
  log1p,
  nonNegativeOrInfinity,
  type OptionsOf,
  object,
  optionTable,
  RandomGenerator,
} from "@curvature/linalg";
import { type LinearProblem, linearLoss, type Rows } from "@curvature/objectives/linear";
import { run, runOptions, type Solver, throwIfAborted, timeLimit } from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import { selected } from "../fit/holdout.js";
import { areCopies, effectiveCount } from "../fit/weights.js";
import { areaUnderCurve, classificationReport } from "../metrics/classification.js";
import { binaryProblem, classScores, largestScore, type MulticlassProblem } from "../multiclass/problem.js";
import { MAX_SOFTMAX_PARAMETERS, SoftmaxNewton } from "../multiclass/softmax/softmax-newton.js";
import { Newton } from "../solvers/newton/newton.js";
import { FEW_COLUMNS } from "../solvers/newton/system.js";
import { split } from "./folds.js";
import { type LambdaSelection, lambdaEntries, lambdaSelection } from "./lambdas.js";
import { type LeftOut, leaveOneOut, spanOf } from "./leave-one-out.js";
import { classesOf, type LinearTask, partOf, sharedRowsOf } from "./task.js";

export const chooseLambdaOptions = optionTable({
  /** The weights of the rows that are in the importances: whole numbers count copies. Left out: the importances themselves. */
  weights: object<ArrayLike<number>>("an array of numbers"),
  /** Left out: 10 … 1e-5, as above. */
  lambdas: lambdaEntries.lambdas,
  /** Whether the least L decides, without an anchor. */
  least: flag.default(false),
  select: lambdaSelection,
  /** Of each fit. */
  maxSeconds: nonNegativeOrInfinity("a number of seconds").default(Number.POSITIVE_INFINITY),
  /** Of the rows that are drawn where there are too many. */
  seed: integerFrom(0).default(0),
  /** Ends it between two fits, and the fit that is made: the promise rejects with its reason. */
  signal: runOptions.entries.signal,
});
export type ChooseLambdaOptions = OptionsOf<typeof chooseLambdaOptions>;

export interface TriedLambda {
  readonly lambda: number;
  /** L(λ) */
  readonly loss: number;
  /** Of L(λ) less the least L, from the differences of the rows' losses. */
  readonly standardError: number;
  /** Classification: the share of rows that the models of the others put in a wrong class. Regression: their mean (s − y)². */
  readonly error: number;
}

/** What the models of the other rows say of each row, with the λ that was chosen. */
export interface LeaveOneOutReport {
  /** Of the rows that were looked at: their indices; undefined for all. */
  readonly rows: Int32Array | undefined;
  /** n × 1, or n × K. */
  readonly scores: Float64Array;
  /** ℓᵢ */
  readonly losses: Float64Array;
  readonly error: number;
  /** Σ ĉᵢ ℓᵢ */
  readonly loss: number;
}

export interface LambdaChoice {
  readonly lambda: number;
  /** λ° */
  readonly anchor: number;
  /** What was tried, the largest λ first. */
  readonly tried: readonly TriedLambda[];
  readonly leaveOneOut: LeaveOneOutReport | undefined;
  /** Whether the model of the smallest λ puts every row in its class. */
  readonly isSeparable: boolean;
}

const RATIO = Math.sqrt(10);
/** Powers have other last digits in other engines. */
const GRID = [...[10, 1, 0.1, 0.01, 1e-3, 1e-4].flatMap((power) => [power, power / RATIO]), 1e-5];
const LEAST_LAMBDA = 1e-12;
const TOLERANCE = 1e-6;
/** Multiplications of a factor. */
const MAX_WORK = 5e8;
const MIN_ROWS = 1000;

/** Whether the choice can be made: with so many columns, or so few rows, that a factor is cheap. */
export const hasFactor = ({ rows, columns }: Rows): boolean => Math.min(rows, columns) <= FEW_COLUMNS;

/**
 * @param task - its λ is of no account
 * @throws CurvatureError (the promise rejects) as `lambdaPath`; ERR_OPTION for fewer than 2 rows, or more than 2000 rows and columns
 */
export async function chooseLambda(task: LinearTask, options?: ChooseLambdaOptions): Promise<LambdaChoice> {
  const where = "chooseLambda";
  const settings = chooseLambdaOptions.resolve(where, options);
  sharedRowsOf({ ...task, lambda: 1 }, where);
  if (!hasFactor(task.rows))
    throw badOption(where, "rows", "at most 2000 rows or 2000 columns", [task.rows.rows, task.rows.columns]);
  const whole = countingRows(task, settings.weights);
  const { rows } = whole.task.rows;
  if (rows < 2)
    throw badOption(where, "rows", "at least 2 of a weight above 0, one of them to be left out", rows);
  const part = drawn(whole, settings.seed);
  const anchor = anchorOf(part);
  const paths = await pathOf(part, lambdasDownTo(anchor, settings.lambdas), settings);
  const best = paths.reduce((a, b) => (b.loss < a.loss ? b : a));
  const chosen =
    settings.select === "log-loss"
      ? choose(paths, best, part, anchor, settings.least)
      : selectedBy(settings.select, paths, best, part, anchor);
  const factor = settings.lambdas === undefined ? anchorOf(whole) / anchor : 1;
  return {
    lambda: chosen.lambda * factor,
    anchor: anchor * factor,
    tried: paths.map((tried) => ({
      lambda: tried.lambda * factor,
      loss: tried.loss,
      standardError: errorOfDifference(tried, best, part),
      error: tried.error,
    })),
    leaveOneOut: chosen.left && {
      rows: part.indices,
      scores: chosen.left.scores,
      losses: chosen.left.losses,
      error: chosen.error,
      loss: dotOf(part.shares, chosen.left.losses),
    },
    isSeparable: paths.at(-1)?.separates ?? false,
  };
}

/** A task, and how its rows count. */
interface Counted {
  readonly task: LinearTask;
  /** Of the whole task's rows; undefined for all. */
  readonly indices: Int32Array | undefined;
  /** w */
  readonly weights: Float64Array | undefined;
  /** How many rows count: Σw of copies, (Σw)²/Σw² of importances. */
  readonly count: number;
  /** ĉ */
  readonly shares: Float64Array;
  /** γᵢ over n: what is left out of cᵢ. */
  readonly left: Float64Array;
}

/** The rows that count: one of importance 0 is as if it were not there. */
function countingRows(task: LinearTask, given: ArrayLike<number> | undefined): Counted {
  const n = task.rows.rows;
  const c = task.importances;
  const weights = given === undefined ? c : Float64Array.from(given);
  const kept = c && Int32Array.from(c.keys()).filter((i) => c[i] > 0);
  if (kept === undefined || kept.length === n) return countedRows(task, weights, undefined);
  return countedRows(partOf(task, kept), weights && selected(weights, kept), kept);
}

function countedRows(
  task: LinearTask,
  weights: Float64Array | undefined,
  indices: Int32Array | undefined,
): Counted {
  const n = task.rows.rows;
  const c = task.importances ?? new Float64Array(n).fill(1);
  const isOfCopies = weights !== undefined && areCopies(weights);
  const total = c.reduce((sum, ci) => sum + ci, 0);
  return {
    task,
    indices,
    weights,
    count: weights === undefined ? n : effectiveCount(weights),
    shares: c.map((ci) => ci / total),
    left: c.map((ci, i) => (isOfCopies ? ci / weights[i] / n : ci / n)),
  };
}

/** Of too many rows a part, of each class its share. */
function drawn(whole: Counted, seed: number): Counted {
  const { task, weights, indices } = whole;
  const n = task.rows.rows;
  const most = Math.max(MIN_ROWS, MAX_WORK / workOfRow(task));
  if (n <= most) return whole;
  const { held } = split(n, most / n, new RandomGenerator(seed), classesOf(task));
  return countedRows(
    partOf(task, held),
    weights && selected(weights, held),
    indices === undefined ? held : Int32Array.from(held, (i) => indices[i]),
  );
}

/** Multiplications of a row in a factor, or in those of all classes. */
function workOfRow(task: LinearTask): number {
  const { rows: n, columns: d } = task.rows;
  const width = Math.min(n, d);
  if (!("labels" in task)) return width * width;
  return isSoftmax(task) ? (task.classes * (d + 1)) ** 2 : task.classes * width * width;
}

const isSoftmax = ({ classes, rows, loss }: MulticlassProblem): boolean =>
  loss.name === "logistic" && classes * (rows.columns + 1) <= MAX_SOFTMAX_PARAMETERS;

const isRegression = ({ task }: Counted): boolean => task.loss.task === "regression";

const anchorOf = (counted: Counted): number =>
  (isRegression(counted) ? counted.task.rows.columns : 1) / counted.count;

function lambdasDownTo(anchor: number, asked: readonly number[] | undefined): number[] {
  if (asked !== undefined) return [...new Set(asked)].sort((a, b) => b - a);
  const lambdas = [...GRID];
  for (let last = GRID[GRID.length - 1]; last > anchor && last > LEAST_LAMBDA; ) {
    last /= RATIO;
    lambdas.push(last);
  }
  return lambdas;
}

interface Tried extends Omit<TriedLambda, "standardError"> {
  readonly left: LeftOut | undefined;
  readonly separates: boolean;
}

interface PathSettings {
  readonly maxSeconds: number;
  readonly signal: AbortSignal | undefined;
}

async function pathOf(
  counted: Counted,
  lambdas: readonly number[],
  settings: PathSettings,
): Promise<Tried[]> {
  const { task, shares, count } = counted;
  const { rows: n, columns: d } = task.rows;
  const rows = d > n ? spanOf(task.rows, task.importances, task.bias === "free") : task.rows;
  const loss = task.loss.name === "hinge" ? linearLoss("smoothed-hinge") : task.loss;
  const turned: LinearTask = "labels" in task ? { ...task, rows, loss } : { ...task, rows, loss };
  const fit = fitter(turned, counted, settings);
  const tried: Tried[] = [];
  for (const lambda of lambdas) {
    throwIfAborted(settings.signal);
    const { left, separates } = await fit(lambda);
    const mean = left === undefined ? Number.POSITIVE_INFINITY : dotOf(shares, left.losses);
    const known = Number.isFinite(mean) ? mean : Number.POSITIVE_INFINITY;
    const whole = isRegression(counted) ? known : (known * count + (left?.flipped ?? 0)) / (count + 1);
    tried.push({
      lambda,
      loss: whole,
      error: left === undefined ? 1 : errorOf(counted, left),
      left,
      separates,
    });
  }
  return tried;
}

interface Fitted {
  readonly left: LeftOut | undefined;
  readonly separates: boolean;
}

/** Fits with one λ after another, each from the last. */
function fitter(
  task: LinearTask,
  { left, shares }: Counted,
  settings: PathSettings,
): (lambda: number) => Promise<Fitted> {
  if (!("labels" in task)) return binaryFitter(task, left, settings);
  const { classes, rows, labels } = task;
  if (isSoftmax(task)) {
    let initial: Float64Array | undefined;
    return async (lambda) => {
      const solver = new SoftmaxNewton({ ...task, lambda }, { initial, tolerance: TOLERANCE });
      initial = await end(solver, settings);
      return { left: solver.leaveOneOut(left), separates: separates({ ...task, lambda }, initial) };
    };
  }
  const fits = Array.from({ length: classes }, (_, k) =>
    binaryFitter(binaryProblem(task, k), left, settings),
  );
  return async (lambda) => {
    const scores = new Float64Array(rows.rows * classes);
    let separates = true;
    for (const [k, fit] of fits.entries()) {
      const fitted = await fit(lambda);
      if (fitted.left === undefined) return { left: undefined, separates: false };
      for (let i = 0; i < rows.rows; i++) scores[i * classes + k] = fitted.left.scores[i];
      separates &&= fitted.separates;
    }
    return { left: { scores, ...coupledLosses(scores, labels, classes, shares) }, separates };
  };
}

function binaryFitter(
  problem: LinearProblem,
  left: Float64Array,
  settings: PathSettings,
): (lambda: number) => Promise<Fitted> {
  let initial: Float64Array | undefined;
  return async (lambda) => {
    const asked = { ...problem, lambda };
    const solver = new Newton(asked, { initial, tolerance: TOLERANCE });
    initial = await end(solver, settings);
    return { left: leaveOneOut(asked, initial, left), separates: separates(asked, initial) };
  };
}

async function end(
  solver: Solver<LinearDetails>,
  { maxSeconds, signal }: PathSettings,
): Promise<Float64Array> {
  const result = await run<LinearDetails>(solver, { stop: timeLimit(maxSeconds), signal });
  if (result.status === "failed") throw result.cause;
  throwIfAborted(signal);
  return result.x;
}

/** −ln p of each row's class, p the probabilities of each against the rest divided by their sum; and as if labels were wrong. */
function coupledLosses(
  scores: Float64Array,
  labels: Int32Array,
  classes: number,
  shares: Float64Array,
): { readonly losses: Float64Array; readonly flipped: number } {
  const losses = new Float64Array(labels.length);
  let flipped = 0;
  for (let i = 0; i < labels.length; i++) {
    const logs = Float64Array.from({ length: classes }, (_, k) => -softplus(-scores[i * classes + k]));
    const most = Math.max(...logs);
    let sum = 0;
    for (const each of logs) sum += exp(each - most);
    const whole = most + log(sum);
    losses[i] = whole - logs[labels[i]];
    let others = 0;
    for (let k = 0; k < classes; k++) if (k !== labels[i]) others += whole - logs[k];
    flipped += (shares[i] * others) / (classes - 1);
  }
  return { losses, flipped };
}

const softplus = (s: number): number => Math.max(0, s) + log1p(exp(-Math.abs(s)));

const dotOf = (a: Float64Array, b: Float64Array): number => a.reduce((sum, ai, i) => sum + ai * b[i], 0);

function errorOf({ task, shares }: Counted, { scores }: LeftOut): number {
  const classes = scores.length / shares.length;
  let error = 0;
  for (let i = 0; i < shares.length; i++) error += shares[i] * rowError(task, scores, i, classes);
  return error;
}

function rowError(task: LinearTask, scores: Float64Array, i: number, classes: number): number {
  if ("labels" in task) return largestScore(scores, i * classes, classes) === task.labels[i] ? 0 : 1;
  const y = task.targets[i];
  if (task.loss.task === "regression") return (scores[i] - y) * (scores[i] - y);
  return scores[i] > 0 === y > 0 ? 0 : 1;
}

/** Whether the model puts every row in its class. */
function separates(task: LinearTask, x: Float64Array): boolean {
  const { rows, bias } = task;
  if (task.loss.task === "regression") return false;
  const length = rows.columns + (bias === "none" ? 0 : 1);
  const classes = x.length / length;
  const { data } = classScores(rows, { rows: classes, columns: length, data: x }, bias);
  for (let i = 0; i < rows.rows; i++) if (rowError(task, data, i, classes) > 0) return false;
  return true;
}

/** Standard errors of ℓᵢ(λ) − ℓᵢ(λ*) within which the anchor holds. */
const CLASSIFICATION_ERRORS = 0.5;
const REGRESSION_ERRORS = 1;

function choose(
  paths: readonly Tried[],
  best: Tried,
  counted: Counted,
  anchor: number,
  isLeast: boolean,
): Tried {
  if (isLeast || best.left === undefined) return best;
  const errors = isRegression(counted) ? REGRESSION_ERRORS : CLASSIFICATION_ERRORS;
  const distance = (lambda: number): number => Math.abs(log(lambda / anchor));
  const [low, high] = [Math.min(anchor, best.lambda), Math.max(anchor, best.lambda)];
  const near = paths.filter(({ lambda }) => lambda >= low && lambda <= high);
  let chosen = best;
  for (const tried of near) {
    if (tried.left === undefined || distance(tried.lambda) >= distance(chosen.lambda)) continue;
    if (tried.loss - best.loss <= errors * errorOfDifference(tried, best, counted)) chosen = tried;
  }
  return chosen;
}

function errorOfDifference({ left }: Tried, best: Tried, { shares, count }: Counted): number {
  if (left === undefined) return Number.NaN;
  const difference = left.losses.map((loss, i) => loss - (best.left?.losses[i] ?? 0));
  const mean = dotOf(shares, difference);
  const variance = dotOf(
    shares,
    difference.map((each) => (each - mean) * (each - mean)),
  );
  return Math.sqrt(variance / Math.max(1, count - 1));
}

/** By another figure of the scores of rows left out; of equal ones the nearest to the anchor. @throws CurvatureError ERR_OPTION */
function selectedBy(
  select: Exclude<LambdaSelection, "log-loss">,
  paths: readonly Tried[],
  best: Tried,
  { task, shares }: Counted,
  anchor: number,
): Tried {
  if (task.loss.task === "regression")
    throw badOption("chooseLambda", "select", '"log-loss" for regression', select);
  if (select === "auc" && "labels" in task)
    throw badOption(
      "chooseLambda",
      "select",
      '"log-loss", "error" or "f1" for more than two classes',
      select,
    );
  const truth = "labels" in task ? task.labels : Array.from(task.targets, (y) => (y > 0 ? 1 : 0));
  const figure = ({ error, left }: Tried): number => {
    if (left === undefined) return Number.NEGATIVE_INFINITY;
    if (select === "error") return -error;
    const { scores } = left;
    if (select === "auc") return areaUnderCurve(truth, scores, 1, shares) ?? 0;
    const classes = scores.length / shares.length;
    const predicted = Array.from(shares, (_, i) =>
      classes === 1 ? (scores[i] > 0 ? 1 : 0) : largestScore(scores, i * classes, classes),
    );
    const report = classificationReport(truth, predicted, shares);
    const positive = report.classes.find(({ label }) => label === 1);
    return (classes === 1 ? positive?.f1 : report.macro.f1) ?? 0;
  };
  const distance = ({ lambda }: Tried): number => Math.abs(log(lambda / anchor));
  const figures = paths.map(figure);
  return paths.reduce((chosen, tried, k) => {
    const [ours, most] = [figures[k], figures[paths.indexOf(chosen)]];
    return ours > most || (ours === most && distance(tried) < distance(chosen)) ? tried : chosen;
  }, best);
}
