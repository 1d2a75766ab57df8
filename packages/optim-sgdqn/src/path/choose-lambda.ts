/**
 * λ by the loss of rows left out, anchored.
 *
 * For one λ after another, each fit from the last,
 *
 *   L(λ) = (Σᵢ ĉᵢ ℓᵢ(λ) n + f(λ)) / (n + 1),   ĉᵢ = cᵢ/Σc,  n the number of rows that count
 *
 * ℓᵢ is the loss of row i in a model of other rows, f the mean loss of one more row with the wrong label: rows that can be separated
 * show no error, and their losses alone would take λ to 0 on the strength of no evidence. For regression f is left out, and L is the
 * mean of ℓᵢ.
 *
 *   λ* = argmin L
 *   λ° : the anchor
 *   λ  = of the values from λ° to λ*, the nearest to λ° with L(λ) − L(λ*) ≤ half a standard error of ℓᵢ(λ) − ℓᵢ(λ*), and one
 *        standard error for regression
 *
 * so that λ° holds unless the rows clearly speak against it. For Huber's loss λ* itself is taken.
 *
 * |       | leave-one-out                                           | folds                                                  |
 * |-------|---------------------------------------------------------|--------------------------------------------------------|
 * | where | a factor is cheap: m ≤ 1000, m = min(n, d); of several  | else; text: sparse, more than 2000 columns             |
 * |       | classes K (m + 1) ≤ 500, or K m² ≤ 10⁶ for each against |                                                        |
 * |       | the rest; no text                                       |                                                        |
 * | ℓᵢ    | approximate leave-one-out (`leave-one-out.ts`)          | by the model of the other four of 5 folds; of          |
 * |       |                                                         | 2·10⁷/f folds only, f > 4·10⁶ entries times classes    |
 * | λ°    | 1/n for classification, d/n for regression              | R²/(30 n), and R²/n; R² the mean of ‖x‖²               |
 * | tried | 10, 3.16, 1, … 1e-5, and on to λ° where that is         | λ°, and by √10 to smaller ones as long as L falls;     |
 * |       | smaller; of numbers on as long as L falls by 1 %;       |                                                        |
 * |       | where a factor takes above 10⁸ multiplications          | where the first is no better, to larger ones           |
 * |       | as by folds                                             |                                                        |
 * | costs | about 30 Newton steps and 14 factors                    | 5 fits (or fewer) for each of some 4 values            |
 *
 * Of text the hinges and the modified Huber loss have λ = R²/n, unless values or another figure than the loss are asked
 * for. They have no probabilities that could be wrong, and their test errors are then within 0.7 points of those of the best λ on five
 * of six texts (2.8 on six classes of short questions); folds by the squared hinge lost 0.5 and 2.3 points on two of two.
 *
 * Leave-one-out is meant for standardised columns, which text has not. Of more rows than 5·10⁸ multiplications a factor allow, as many are drawn, and λ is
 * λ° times what the choice among them was in terms of theirs. Folds are dealt by what rows hold (`folds.ts`).
 *
 * Several classes are one softmax problem, and one against the rest each where that is too large; ℓᵢ is then −ln p of the row's
 * class. The hinge's λ is that of the smoothed hinge of width 1, which has the curvature that the formula needs.
 */
import {
  badOption,
  flag,
  integerFrom,
  log,
  nonNegativeOrInfinity,
  type OptionsOf,
  object,
  optionTable,
  RandomGenerator,
  type SettingsOf,
} from "@curvature/linalg";
import { rowAccess } from "@curvature/objectives/linear";
import { runOptions, throwIfAborted } from "@curvature/optim-core";
import { areaUnderCurve, classificationReport } from "../metrics/classification.js";
import { largestScore } from "../multiclass/problem.js";
import { isSoftmax } from "../multiclass/softmax/softmax-newton.js";
import { isText } from "../solvers/newton/system.js";
import { type Counted, countingRows, isRegression, partOfCounted } from "./counted-rows.js";
import { dealContents, split } from "./folds.js";
import { type LambdaSelection, lambdaEntries, lambdaSelection } from "./lambdas.js";
import type { LeftOut } from "./leave-one-out.js";
import { type Fitted, foldFits, isMargin, leaveOneOutFits, rowError } from "./left-out-scores.js";
import { classesOf, type LinearTask, sharedRowsOf } from "./task.js";

export const chooseLambdaOptions = optionTable({
  /** The weights of the rows that are in the importances: whole numbers count copies. Left out: the importances themselves. */
  weights: object<ArrayLike<number>>("an array of numbers"),
  /** Left out: as above. */
  lambdas: lambdaEntries.lambdas,
  /** Whether the least L decides, without an anchor. */
  least: flag.default(false),
  select: lambdaSelection,
  /** Of each fit. */
  maxSeconds: nonNegativeOrInfinity("a number of seconds").default(Number.POSITIVE_INFINITY),
  /** Of the rows that are drawn where there are too many, and of folds. */
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
export interface LeftOutReport {
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
  /** What ℓᵢ is. "size": nothing was tried, and λ is λ°. */
  readonly rule: "leave-one-out" | "folds" | "size";
  /** λ° */
  readonly anchor: number;
  /** What was tried, the largest λ first. */
  readonly tried: readonly TriedLambda[];
  readonly leftOut: LeftOutReport | undefined;
  /** Whether the model of the smallest λ puts every row in its class; folds do not look. */
  readonly isSeparable: boolean;
}

const RATIO = Math.sqrt(10);
/** Powers have other last digits in other engines. */
const GRID = [...[10, 1, 0.1, 0.01, 1e-3, 1e-4].flatMap((power) => [power, power / RATIO]), 1e-5];
const LEAST_LAMBDA = 1e-12;
/** Of L, from one λ to the next. */
const CLEARLY = 0.01;
/** Multiplications of a factor. */
const MAX_WORK = 5e8;
const MIN_ROWS = 1000;
/** Of a factor, up to which the whole path is tried. */
const MAX_WORK_OF_PATH = 1e8;
/** Of a row in a factor: 1000 columns, or rows. */
const MAX_WORK_OF_ROW = 1e6;
/** The same for one softmax, whose fits for folds cost little beside a factor: 500 parameters. */
const MAX_WORK_OF_SOFTMAX = 2.5e5;

const FOLDS = 5;
/** Entries of the rows times models, of the fits for one λ: some 7 seconds. */
const MAX_ENTRIES = 2e7;
/** Of R²/n, the anchor of folds for the logistic loss. */
const FOLDS_ANCHOR = 1 / 30;
/** Of the anchor: how far folds go. */
const FARTHEST = 1e4;

/** Whether there are so few columns, or rows, that a factor is cheap, and columns of one size. */
function hasFactor(task: LinearTask): boolean {
  const most = "labels" in task && isSoftmax(task) ? MAX_WORK_OF_SOFTMAX : MAX_WORK_OF_ROW;
  return !isText(task.rows) && workOfRow(task) <= most;
}

/**
 * @param task - its λ is of no account
 * @throws CurvatureError (the promise rejects) as `lambdaPath`; ERR_OPTION for fewer than 2 rows
 */
export async function chooseLambda(task: LinearTask, options?: ChooseLambdaOptions): Promise<LambdaChoice> {
  const where = "chooseLambda";
  const settings = chooseLambdaOptions.resolve(where, options);
  sharedRowsOf({ ...task, lambda: 1 }, where);
  const whole = countingRows(task, settings.weights);
  const { rows } = whole.task.rows;
  if (rows < 2)
    throw badOption(where, "rows", "at least 2 of a weight above 0, one of them to be left out", rows);
  return hasFactor(whole.task) ? byLeaveOneOut(whole, settings) : byFolds(whole, settings);
}

type Settings = SettingsOf<typeof chooseLambdaOptions>;

async function byLeaveOneOut(whole: Counted, settings: Settings): Promise<LambdaChoice> {
  const part = drawn(whole, settings.seed);
  const anchor = anchorOf(part);
  const fit = leaveOneOutFits(part, settings);
  const isDear = workOfRow(part.task) * part.task.rows.rows > MAX_WORK_OF_PATH;
  const tried =
    isDear && settings.lambdas === undefined
      ? await walk(part, fit, anchor, settings)
      : await triedOf(part, fit, lambdasDownTo(anchor, settings.lambdas), settings.signal);
  if (isRegression(part) && settings.lambdas === undefined) await goOn(tried, part, fit, settings.signal);
  const factor = settings.lambdas === undefined ? anchorOf(whole) / anchor : 1;
  return { ...choiceOf(tried, part, { ...settings, anchor, factor }), rule: "leave-one-out" };
}

async function byFolds(counted: Counted, settings: Settings): Promise<LambdaChoice> {
  const { task } = counted;
  const { lambdas, seed, signal, select } = settings;
  const anchor = foldsAnchorOf(counted);
  const isAsked = lambdas !== undefined || select !== "log-loss";
  const folds = dealContents(task.rows, FOLDS, seed, classesOf(task));
  if (folds.count < 2 || (isMargin(task.loss) && isText(task.rows) && !isAsked))
    return { lambda: anchor, rule: "size", anchor, tried: [], leftOut: undefined, isSeparable: false };
  const looked = Math.min(folds.count, Math.max(1, Math.floor(MAX_ENTRIES / entriesOf(task))));
  const part =
    looked === folds.count
      ? counted
      : partOfCounted(
          counted,
          Int32Array.from(folds.foldOf.keys()).filter((i) => folds.foldOf[i] < looked),
        );
  const fit = foldFits(counted, part, folds, looked, settings);
  const tried =
    lambdas === undefined
      ? await walk(part, fit, anchor, settings)
      : await triedOf(part, fit, largestFirst(lambdas), signal);
  return { ...choiceOf(tried, part, { ...settings, anchor, factor: 1 }), rule: "folds" };
}

const entriesOf = (task: LinearTask): number =>
  rowAccess(task.rows).storedEntries * ("labels" in task ? task.classes : 1);

interface ChoiceRequest extends Pick<Settings, "select" | "least"> {
  readonly anchor: number;
  /** Of the whole's λ in terms of those that were tried. */
  readonly factor: number;
}

/** @param paths - the largest λ first */
function choiceOf(
  paths: readonly Tried[],
  part: Counted,
  { select, least, anchor, factor }: ChoiceRequest,
): Omit<LambdaChoice, "rule"> {
  const best = paths.reduce((a, b) => (b.loss < a.loss ? b : a));
  const chosen =
    select === "log-loss"
      ? choose(paths, best, part, anchor, least)
      : selectedBy(select, paths, best, part, anchor);
  return {
    lambda: chosen.lambda * factor,
    anchor: anchor * factor,
    tried: paths.map((tried) => ({
      lambda: tried.lambda * factor,
      loss: tried.loss,
      standardError: errorOfDifference(tried, best, part),
      error: tried.error,
    })),
    leftOut: chosen.left && {
      rows: part.indices,
      scores: chosen.left.scores,
      losses: chosen.left.losses,
      error: chosen.error,
      loss: dotOf(part.shares, chosen.left.losses),
    },
    isSeparable: paths.at(-1)?.separates ?? false,
  };
}

/** Of too many rows a part, of each class its share. */
function drawn(whole: Counted, seed: number): Counted {
  const { task } = whole;
  const n = task.rows.rows;
  const most = Math.max(MIN_ROWS, MAX_WORK / workOfRow(task));
  if (n <= most) return whole;
  const { held } = split(n, most / n, new RandomGenerator(seed), classesOf(task));
  return partOfCounted(whole, held);
}

/** Multiplications of a row in a factor, or in those of all classes. */
function workOfRow(task: LinearTask): number {
  const { rows: n, columns: d } = task.rows;
  const width = Math.min(n, d);
  if (!("labels" in task)) return width * width;
  return isSoftmax(task) ? (task.classes * (width + 1)) ** 2 : task.classes * width * width;
}

const anchorOf = (counted: Counted): number =>
  (isRegression(counted) ? counted.task.rows.columns : 1) / counted.count;

/** R²/(30 n) for the logistic loss, R²/n for the others, R² the mean of ‖x‖² over the rows by their weights; 1 for empty rows. */
function foldsAnchorOf({ task, weights, count }: Counted): number {
  const access = rowAccess(task.rows);
  let [sum, total] = [0, 0];
  for (let i = 0; i < task.rows.rows; i++) {
    const weight = weights === undefined ? 1 : weights[i];
    sum += weight * access.squaredNorm(i);
    total += weight;
  }
  const meanSquare = sum > 0 ? sum / total : 1;
  return ((task.loss.name === "logistic" ? FOLDS_ANCHOR : 1) * meanSquare) / count;
}

const largestFirst = (lambdas: readonly number[]): number[] => [...new Set(lambdas)].sort((a, b) => b - a);

function lambdasDownTo(anchor: number, asked: readonly number[] | undefined): number[] {
  if (asked !== undefined) return largestFirst(asked);
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

type Fit = (lambda: number) => Promise<Fitted>;

async function triedOf(
  counted: Counted,
  fit: Fit,
  lambdas: readonly number[],
  signal: AbortSignal | undefined,
): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const lambda of lambdas) {
    throwIfAborted(signal);
    tried.push(measured(counted, lambda, await fit(lambda)));
  }
  return tried;
}

function measured(counted: Counted, lambda: number, { left, separates }: Fitted): Tried {
  const { shares, count } = counted;
  const mean = left === undefined ? Number.POSITIVE_INFINITY : dotOf(shares, left.losses);
  const known = Number.isFinite(mean) ? mean : Number.POSITIVE_INFINITY;
  const loss = isRegression(counted) ? known : (known * count + (left?.flipped ?? 0)) / (count + 1);
  return { lambda, loss, error: left === undefined ? 1 : errorOf(counted, left), left, separates };
}

/** To smaller λ still, as long as L clearly falls: of columns that nearly repeat one another, as spectra, the best are far below. */
async function goOn(
  tried: Tried[],
  counted: Counted,
  fit: Fit,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (;;) {
    const [before, last] = tried.slice(-2);
    if (last === undefined || last.lambda <= LEAST_LAMBDA) return;
    if (!(last.loss < (1 - CLEARLY) * before.loss)) return;
    tried.push(...(await triedOf(counted, fit, [last.lambda / RATIO], signal)));
  }
}

/** From the anchor to smaller λ, and where the first of them is no better to larger ones, until one is no better than the last. */
async function walk(
  counted: Counted,
  fit: Fit,
  anchor: number,
  { select, signal }: Settings,
): Promise<Tried[]> {
  const [first] = await triedOf(counted, fit, [anchor], signal);
  const figure = select === "log-loss" ? undefined : figureOf(select, counted);
  const sides: Tried[][] = [];
  for (const ratio of [1 / RATIO, RATIO]) {
    const side: Tried[] = [];
    sides.push(side);
    for (let last = first; ; ) {
      const lambda = last.lambda * ratio;
      if (Math.abs(log(lambda / anchor)) > log(FARTHEST)) break;
      const [next] = await triedOf(counted, fit, [lambda], signal);
      side.push(next);
      const isBetter = figure === undefined ? next.loss < last.loss : figure(next) > figure(last);
      if (!isBetter) break;
      last = next;
    }
    if (side.length > 1) break;
  }
  const [smaller, larger = []] = sides;
  return [...larger.reverse(), first, ...smaller];
}

const dotOf = (a: Float64Array, b: Float64Array): number => a.reduce((sum, ai, i) => sum + ai * b[i], 0);

function errorOf({ task, shares }: Counted, { scores }: LeftOut): number {
  const classes = scores.length / shares.length;
  let error = 0;
  for (let i = 0; i < shares.length; i++) error += shares[i] * rowError(task, scores, i, classes);
  return error;
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

/** Another figure of the scores of rows left out, the larger the better. @throws CurvatureError ERR_OPTION */
function figureOf(
  select: Exclude<LambdaSelection, "log-loss">,
  { task, shares }: Counted,
): (tried: Tried) => number {
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
  return ({ error, left }) => {
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
}

/** By another figure; of equal ones the nearest to the anchor. @throws CurvatureError ERR_OPTION */
function selectedBy(
  select: Exclude<LambdaSelection, "log-loss">,
  paths: readonly Tried[],
  best: Tried,
  counted: Counted,
  anchor: number,
): Tried {
  const distance = ({ lambda }: Tried): number => Math.abs(log(lambda / anchor));
  const figures = paths.map(figureOf(select, counted));
  return paths.reduce((chosen, tried, k) => {
    const [ours, most] = [figures[k], figures[paths.indexOf(chosen)]];
    return ours > most || (ours === most && distance(tried) < distance(chosen)) ? tried : chosen;
  }, best);
}
