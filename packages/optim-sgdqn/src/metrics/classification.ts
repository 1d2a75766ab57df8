/**
 * How good a classification is.
 *
 * For a class k with TP rows of it found, FP rows taken for it and FN rows of it missed:
 *   precision = TP/(TP + FP),  recall = TP/(TP + FN),  F1 = 2 TP/(2 TP + FP + FN)
 * A ratio 0/0 is undefined, and left out of the means. Where the rows have weights, rows are counted by them: a weight of 2 is the row
 * twice, one of 0 is no row.
 */
import { CurvatureError, type DenseMatrix, log, shown } from "@curvature/linalg";
import type { Label, Labels } from "../fit/labels.js";
import { checkLabels, classesOf, classIndices } from "../fit/labels.js";
import { metricWeights } from "./weights.js";

export interface ConfusionMatrix {
  /** Sorted: all that occur in either list. */
  readonly classes: readonly Label[];
  /** counts[i][j]: rows of class i that were taken for class j, or the sum of their weights. */
  readonly counts: readonly (readonly number[])[];
}

/** Counts of a table: 256 MiB. */
const MAX_COUNTS = 2 ** 25;

/**
 * @param weights - of the rows, at least 0; left out: 1 each
 * @throws CurvatureError ERR_SHAPE for lists of different or no length, ERR_ARGUMENT for labels of mixed types and for weights below 0
 *   or all 0, ERR_NON_FINITE for weights that are no finite numbers, ERR_MEMORY for more than 5,792 classes
 */
export function confusionMatrix(
  truth: Labels,
  predicted: Labels,
  weights?: ArrayLike<number>,
): ConfusionMatrix {
  const { classes, rows, columns } = confusion(truth, predicted, "confusionMatrix");
  const weightOf = metricWeights(weights, truth.length, "confusionMatrix");
  const K = classes.length;
  if (K ** 2 > MAX_COUNTS)
    throw new CurvatureError(
      "ERR_MEMORY",
      `${K} classes make a table of ${K ** 2} counts, and ${MAX_COUNTS} are the most. classificationReport takes any number of classes; if the labels are measurements, take regressionReport.`,
      {
        where: "confusionMatrix",
        path: "truth",
        expected: `at most ${Math.floor(Math.sqrt(MAX_COUNTS))} classes`,
        received: K,
      },
    );
  const counts = classes.map(() => classes.map(() => 0));
  for (let i = 0; i < rows.length; i++) counts[rows[i]][columns[i]] += weightOf(i);
  return { classes, counts };
}

/** The share of rows whose class is wrong. @throws CurvatureError as `confusionMatrix` */
export function errorRate(truth: Labels, predicted: Labels, weights?: ArrayLike<number>): number {
  checkPair(truth, predicted, "errorRate");
  const weightOf = metricWeights(weights, truth.length, "errorRate");
  let wrong = 0;
  let all = 0;
  for (let i = 0; i < truth.length; i++) {
    const weight = weightOf(i);
    all += weight;
    if (truth[i] !== predicted[i]) wrong += weight;
  }
  return wrong / all;
}

export interface ClassScores {
  readonly label: Label;
  readonly precision: number | undefined;
  readonly recall: number | undefined;
  readonly f1: number | undefined;
  /** Rows of the class, or the sum of their weights. */
  readonly count: number;
}

export interface ClassificationReport {
  readonly classes: readonly ClassScores[];
  /** Means over the classes for which they are defined. */
  readonly macro: Pick<ClassScores, "precision" | "recall" | "f1">;
  readonly error: number;
}

/** Precision, recall and F1 by class and in the mean. @throws CurvatureError as `confusionMatrix`, for any number of classes */
export function classificationReport(
  truth: Labels,
  predicted: Labels,
  weights?: ArrayLike<number>,
): ClassificationReport {
  const { classes, rows, columns } = confusion(truth, predicted, "classificationReport");
  const weightOf = metricWeights(weights, truth.length, "classificationReport");
  const [found, count, taken] = Array.from({ length: 3 }, () => new Float64Array(classes.length));
  for (let i = 0; i < rows.length; i++) {
    const weight = weightOf(i);
    if (rows[i] === columns[i]) found[rows[i]] += weight;
    count[rows[i]] += weight;
    taken[columns[i]] += weight;
  }
  const scored = classes.map(
    (label, k): ClassScores => ({
      label,
      precision: ratio(found[k], taken[k]),
      recall: ratio(found[k], count[k]),
      f1: ratio(2 * found[k], count[k] + taken[k]),
      count: count[k],
    }),
  );
  return {
    classes: scored,
    macro: {
      precision: mean(scored.map(({ precision }) => precision)),
      recall: mean(scored.map(({ recall }) => recall)),
      f1: mean(scored.map(({ f1 }) => f1)),
    },
    error: (total([...count]) - total([...found])) / total([...count]),
  };
}

/**
 * The area under the receiver's curve: the chance that a row of the positive class scores higher than one of another,
 * ties counted by half. Undefined where one of the two is missing.
 *
 * By the statistic of Mann and Whitney: Σ over groups of equal scores of p (n₋ + n/2), p and n the weights of the group's positive and
 * other rows and n₋ that of the other rows below it, over P N.
 *
 * @param weights - of the rows, at least 0; left out: 1 each
 * @throws CurvatureError as `confusionMatrix`, ERR_NON_FINITE for a NaN among the scores
 */
export function areaUnderCurve(
  truth: Labels,
  scores: ArrayLike<number>,
  positive: Label,
  weights?: ArrayLike<number>,
): number | undefined {
  const where = "areaUnderCurve";
  checkList(truth, truth?.length, where);
  const n = truth.length;
  checkScores(scores, n, where);
  const weightOf = metricWeights(weights, n, where);
  const order = Int32Array.from({ length: n }, (_, i) => i).sort((a, b) =>
    scores[a] < scores[b] ? -1 : scores[a] > scores[b] ? 1 : 0,
  );
  let positives = 0;
  let others = 0;
  let twicePairs = 0; // exact where weights are whole
  for (let start = 0; start < n; ) {
    let end = start;
    let [among, besides] = [0, 0];
    for (; end < n && scores[order[end]] === scores[order[start]]; end++)
      if (truth[order[end]] === positive) among += weightOf(order[end]);
      else besides += weightOf(order[end]);
    twicePairs += among * (2 * others + besides);
    positives += among;
    others += besides;
    start = end;
  }
  return positives === 0 || others === 0 ? undefined : twicePairs / (2 * positives * others);
}

/**
 * −mean log of the probability given to the true class; probabilities below 1e-15 count as that.
 *
 * @param probabilities - n × K
 * @param classes - the K columns' classes
 * @param weights - of the rows, at least 0; left out: 1 each
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT for a label that is none of the classes or a probability that is none
 */
export function logLoss(
  truth: Labels,
  probabilities: DenseMatrix,
  classes: readonly Label[],
  weights?: ArrayLike<number>,
): number {
  const where = "logLoss";
  checkList(truth, truth?.length, where);
  if (!Array.isArray(classes))
    throw new CurvatureError("ERR_ARGUMENT", `classes must be an array; received ${shown(classes)}.`, {
      where,
      path: "classes",
      expected: "an array",
      received: classes,
    });
  const [rows, columns] = [probabilities?.rows, probabilities?.columns];
  if (rows !== truth.length || columns !== classes.length || probabilities.data?.length !== rows * columns)
    throw new CurvatureError(
      "ERR_SHAPE",
      `probabilities must be ${truth.length} x ${classes.length}; received ${shown(rows)} x ${shown(columns)}.`,
      {
        where,
        path: "probabilities",
        expected: `${truth.length} x ${classes.length}`,
        received: [rows, columns],
      },
    );
  const { data } = probabilities;
  const classOfRow = classIndices(truth, classes, where);
  const weightOf = metricWeights(weights, rows, where);
  let [sum, all] = [0, 0];
  for (let i = 0; i < rows; i++) {
    const p = data[i * columns + classOfRow[i]];
    if (!(p >= 0 && p <= 1))
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `row ${i} (counted from 0) has ${p} for its class, which is no probability.`,
        { where, path: `probabilities, row ${i}`, expected: "from 0 to 1", received: p },
      );
    const weight = weightOf(i);
    sum -= weight * log(Math.max(p, 1e-15));
    all += weight;
  }
  return sum / all;
}

/** By row the indices of its class and of the one that it was taken for. */
interface Confusion {
  readonly classes: readonly Label[];
  readonly rows: Int32Array;
  readonly columns: Int32Array;
}

function confusion(truth: Labels, predicted: Labels, where: string): Confusion {
  checkPair(truth, predicted, where);
  const classes = classesOf([...classesOf(truth), ...classesOf(predicted)]);
  return {
    classes,
    rows: classIndices(truth, classes, where),
    columns: classIndices(predicted, classes, where),
  };
}

function checkPair(truth: Labels, predicted: Labels, where: string): void {
  checkList(truth, truth?.length, where);
  checkList(predicted, truth.length, `${where}, predicted`);
  if (typeof truth[0] !== typeof predicted[0])
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `the true labels are ${typeof truth[0]}s and the predicted ones ${typeof predicted[0]}s.`,
      { where, path: "predicted", expected: typeof truth[0], received: typeof predicted[0] },
    );
}

function checkList(labels: Labels, length: number, where: string): void {
  checkLabels(labels, length, where);
  if (length === 0)
    throw new CurvatureError("ERR_SHAPE", `there must be at least one row.`, { where, path: "labels" });
}

function checkScores(scores: ArrayLike<number>, n: number, where: string): void {
  if (scores?.length !== n)
    throw new CurvatureError(
      "ERR_SHAPE",
      `there must be one score for each of the ${n} rows; received ${shown(scores)}.`,
      { where, path: "scores", expected: `${n} scores`, received: scores },
    );
  for (let i = 0; i < n; i++)
    if (typeof scores[i] !== "number" || Number.isNaN(scores[i]))
      throw new CurvatureError(
        "ERR_NON_FINITE",
        `score ${i} (counted from 0) is ${shown(scores[i])}, which has no rank.`,
        { where, path: `scores[${i}]`, expected: "a number", received: scores[i] },
      );
}

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const ratio = (part: number, whole: number): number | undefined => (whole === 0 ? undefined : part / whole);

function mean(values: readonly (number | undefined)[]): number | undefined {
  const defined = values.filter((value) => value !== undefined);
  return ratio(total(defined), defined.length);
}
