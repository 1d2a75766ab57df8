/**
 * Rows in the order of their scores, the highest first, cut wherever a score ends: what a threshold there takes. Of it are made
 *
 *   ROC                (FP/N, TP/P)
 *   precision, recall  (TP/P, TP/(TP + FP))
 *   a threshold        that of the largest F1 = 2 TP/(P + TP + FP), or the least cost_FP FP + cost_FN (P − TP)
 *
 * P rows are of the positive class, N are not. Rows with weights are counted by them: a weight of 2 is the row twice, 0 is no row.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import type { Label, Labels } from "../fit/labels.js";
import { checkLabels } from "../fit/labels.js";
import { effectiveCount } from "../fit/weights.js";
import { checkNumbers, metricWeights } from "./weights.js";

export interface CurvePoint {
  readonly x: number;
  readonly y: number;
}

interface Cuts {
  readonly positives: number;
  readonly others: number;
  /** The least score above each cut, TP and FP there; from nothing taken to all. */
  readonly scores: readonly number[];
  readonly found: readonly number[];
  readonly wrong: readonly number[];
}

function cutsOf(
  truth: Labels,
  scores: ArrayLike<number>,
  positive: Label,
  weights: ArrayLike<number> | undefined,
  where: string,
): Cuts {
  checkLabels(truth, truth?.length, where);
  checkNumbers(scores, truth.length, `${where}, scores`);
  const weightOf = metricWeights(weights, truth.length, where);
  const order = Uint32Array.from({ length: truth.length }, (_, i) => i)
    .filter((i) => weightOf(i) > 0)
    .sort((a, b) => scores[b] - scores[a]);
  const cuts = { scores: [Number.POSITIVE_INFINITY], found: [0], wrong: [0] };
  let [found, wrong] = [0, 0];
  for (const [k, i] of order.entries()) {
    if (truth[i] === positive) found += weightOf(i);
    else wrong += weightOf(i);
    if (k + 1 < order.length && scores[order[k + 1]] === scores[i]) continue;
    cuts.scores.push(scores[i]);
    cuts.found.push(found);
    cuts.wrong.push(wrong);
  }
  return { ...cuts, positives: found, others: wrong };
}

/** Without points in the midst of a level or upright line. */
const corners = (points: readonly CurvePoint[]): CurvePoint[] =>
  points.filter(({ x, y }, k) => {
    if (k === 0 || k === points.length - 1) return true;
    const [before, after] = [points[k - 1], points[k + 1]];
    return !((before.x === x && after.x === x) || (before.y === y && after.y === y));
  });

/** Points of a picture, at most. */
const MAX_POINTS = 1000;

/** Of many a part, the first and the last among it. */
function few(points: readonly CurvePoint[]): CurvePoint[] {
  const step = Math.max(1, Math.ceil(points.length / MAX_POINTS));
  return points.filter((_, k) => k % step === 0 || k === points.length - 1);
}

/**
 * The receiver's curve from (0, 0) to (1, 1): false positive rate and true positive rate. Empty where one of the two is missing.
 *
 * @param weights - of the rows, at least 0; left out: 1 each
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT for labels, and for weights below 0 or all 0
 */
export function rocCurve(
  truth: Labels,
  scores: ArrayLike<number>,
  positive: Label,
  weights?: ArrayLike<number>,
): CurvePoint[] {
  const { found, wrong, positives, others } = cutsOf(truth, scores, positive, weights, "rocCurve");
  if (positives === 0 || others === 0) return [];
  return few(corners(found.map((tp, k) => ({ x: wrong[k] / others, y: tp / positives }))));
}

/** Recall and precision, from the highest score on. Empty where no row is positive. @throws CurvatureError as `rocCurve` */
export function precisionRecallCurve(
  truth: Labels,
  scores: ArrayLike<number>,
  positive: Label,
  weights?: ArrayLike<number>,
): CurvePoint[] {
  const { found, wrong, positives } = cutsOf(truth, scores, positive, weights, "precisionRecallCurve");
  if (positives === 0) return [];
  return few(found.map((tp, k) => ({ x: tp / positives, y: tp / (tp + wrong[k]) })).slice(1));
}

/** Rows of a bin, at least. */
const BIN_ROWS = 10;
const MAX_BINS = 10;

/**
 * Reliability: the rows in up to ten bins of as many rows each, by their probabilities; of each bin the mean probability and the
 * share of positive rows. A row that a border of bins goes through counts in both, in parts.
 *
 * @throws CurvatureError as `rocCurve`
 */
export function calibrationCurve(
  truth: Labels,
  probabilities: ArrayLike<number>,
  positive: Label,
  weights?: ArrayLike<number>,
): CurvePoint[] {
  const where = "calibrationCurve";
  checkLabels(truth, truth?.length, where);
  const n = checkNumbers(probabilities, truth.length, `${where}, probabilities`);
  const weightOf = metricWeights(weights, n, where);
  const order = Uint32Array.from({ length: n }, (_, i) => i).sort(
    (a, b) => probabilities[a] - probabilities[b],
  );
  const count = weights === undefined ? n : effectiveCount(Float64Array.from(weights));
  const bins = Math.max(1, Math.min(MAX_BINS, Math.floor(count / BIN_ROWS)));
  const total = order.reduce((sum, i) => sum + weightOf(i), 0);
  const sums = Array.from({ length: bins }, () => ({ weight: 0, probability: 0, found: 0 }));
  let before = 0;
  for (const i of order) {
    const after = before + weightOf(i);
    for (const [k, bin] of sums.entries()) {
      const share = Math.min(after, ((k + 1) * total) / bins) - Math.max(before, (k * total) / bins);
      if (!(share > 1e-9 * total)) continue;
      bin.weight += share;
      bin.probability += share * probabilities[i];
      if (truth[i] === positive) bin.found += share;
    }
    before = after;
  }
  return sums.map(({ weight, probability, found }) => ({ x: probability / weight, y: found / weight }));
}

export interface ChosenThreshold {
  /** A row is taken for positive where its score is above it: halfway between two scores. */
  readonly threshold: number;
  /** F1, or the mean cost of a row. */
  readonly value: number;
}

/** What a row costs that is taken for positive wrongly, and one that is missed. */
export interface ErrorCosts {
  readonly falsePositive: number;
  readonly falseNegative: number;
}

/**
 * The threshold with the largest F1, or the least cost, on these rows; of equal ones that which takes fewer rows.
 *
 * @param weights - of the rows, at least 0; left out: 1 each
 * @throws CurvatureError as `rocCurve`; ERR_ARGUMENT where no row is positive, or costs are below 0
 */
export function chooseThreshold(
  truth: Labels,
  scores: ArrayLike<number>,
  positive: Label,
  by: "f1" | ErrorCosts,
  weights?: ArrayLike<number>,
): ChosenThreshold {
  const where = "chooseThreshold";
  if (by !== "f1" && !(by?.falsePositive >= 0 && by?.falseNegative >= 0))
    throw new CurvatureError("ERR_ARGUMENT", `costs must be at least 0; received ${shown(by)}.`, {
      where,
      path: "by",
      expected: "numbers of at least 0",
      received: by,
    });
  const { scores: at, found, wrong, positives, others } = cutsOf(truth, scores, positive, weights, where);
  if (positives === 0)
    throw new CurvatureError("ERR_ARGUMENT", `no row is of class ${String(positive)}.`, {
      where,
      path: "truth",
    });
  const valueAt = (k: number): number =>
    by === "f1"
      ? (2 * found[k]) / (positives + found[k] + wrong[k])
      : (by.falsePositive * wrong[k] + by.falseNegative * (positives - found[k])) / (positives + others);
  const isBetter = (a: number, b: number): boolean => (by === "f1" ? a > b : a < b);
  let best = 0;
  for (let k = 1; k < at.length; k++) if (isBetter(valueAt(k), valueAt(best))) best = k;
  return { threshold: between(at[best], at[best + 1]), value: valueAt(best) };
}

/** Halfway, with as few digits as lie between them. @param below - undefined for nothing */
function between(above: number, below: number | undefined): number {
  if (below === undefined) return above - Math.max(1e-9, Math.abs(above) * 1e-6);
  if (above === Number.POSITIVE_INFINITY) return below;
  const middle = below + (above - below) / 2;
  for (let digits = 2; digits < 17; digits++) {
    const short = Number(middle.toPrecision(digits));
    if (short < above && short >= below) return short;
  }
  return below;
}
