/**
 * What a user should know of a fit, from what it has at hand. Rows count by their weights.
 *
 * | code                    | test                                                                                       |
 * |-------------------------|--------------------------------------------------------------------------------------------|
 * | uninformative           | mean of dᵢ = ℓᵢ⁰ − ℓᵢ at most one standard error of dᵢ; ℓᵢ⁰ = −ln of the share of i's class among the other rows |
 * | no-better-than-majority | the error of rows left out is no less than that of always saying the most frequent class    |
 * | never-predicted         | a class is the prediction of no row of the training                                         |
 * | constant-columns        | a column's span is at most 1e-13 of its largest entry; from 50 columns on only where at most 5 % of them are |
 * | separable               | the smallest λ of the path puts every row in its class                                      |
 * | numbers-as-classes      | labels that are numbers, more than max(20, √n) of them                                      |
 * | mostly-one-target       | Huber's loss, and more than half of the rows have one target: it predicts what is typical     |
 * | uneven-weights          | weights that are not all whole numbers leave n_eff = (Σw)²/Σw² < 0.8 n                       |
 *
 * How often they come, on 15 tables of 57 to 1500 rows and their 225 training parts of 15 folds each (`npm run bench --
 * sgdqn/defaults` has the tables), and with the labels of each table shuffled ten times:
 *
 * | code                    | parts of tables whose columns say something | shuffled labels |
 * |-------------------------|----------------------------------------------|-----------------|
 * | uninformative           | 0 of 225                                     | 143 of 150      |
 * | no-better-than-majority | 0 of 210; all 15 of a table with 3 % of one class, where it is so | 115 of 150 |
 *
 * The others are facts, which can be idle and not false: `never-predicted` came on that table (15 of 15) and on one of six classes,
 * the rarest of 9 rows (7 of 15); `separable` on the four tables that are separable as a whole (60 of 60) and on a fifth (4 of 15);
 * `constant-columns` and `numbers-as-classes` on none. Weights drawn evenly from 0 to 1 have n_eff = 0.75 n, from ½ to 1½ 0.92 n,
 * exponential ones 0.5 n: `uneven-weights` comes for the first and the last.
 *
 * A leave-one-out area under the curve below 0.5 is no test: where the columns mean nothing, these scores are anti-correlated with the
 * labels by construction.
 */
import { log, optionName } from "@curvature/linalg";
import { isSparseRows, type Rows, rowAccess } from "@curvature/objectives/linear";
import type { LambdaChoice } from "../path/choose-lambda.js";
import { majorityOf } from "../robust.js";
import type { Label } from "./labels.js";
import type { LinearWarningCode } from "./result.js";
import type { Task } from "./task.js";
import { areCopies, countsOf, effectiveCount } from "./weights.js";

/** Of a class of one row the others have none: half a row stands for it. */
const LEAST_COUNT = 0.5;
/** Of n, as many rows as uneven weights are to leave: standard errors are then 12 % larger. */
const EVEN = 0.8;
/** Different numbers that may well be classes. */
const MOST_CLASSES = 20;
/** Rows below which a constant column is no surprise. */
const FEWEST_ROWS = 10;
/** From so many columns on they may be pixels, words and the like, of which a larger share than this may well be constant. */
const MANY_COLUMNS = 50;
const MOST_OF_MANY = 0.05;

type Warn = (code: LinearWarningCode, sentence: string) => void;

export interface ClassFit {
  readonly classes: readonly Label[];
  readonly classOfRow: Int32Array;
  /** By row the class that the model gives it. */
  readonly predicted: Int32Array;
  readonly weights: Float64Array | undefined;
  readonly isLogistic: boolean;
}

export function judgeClasses(
  fit: ClassFit,
  choice: Pick<LambdaChoice, "leftOut" | "isSeparable">,
  warn: Warn,
): void {
  const { classes, classOfRow, predicted, weights } = fit;
  const counts = countsOf(weights);
  const countOf = (i: number): number => counts?.[i] ?? 1;
  const isOfCopies = weights === undefined || areCopies(weights);
  const sums = new Float64Array(classes.length);
  let total = 0;
  for (let i = 0; i < classOfRow.length; i++) {
    sums[classOfRow[i]] += countOf(i);
    total += countOf(i);
  }
  const { leftOut } = choice;
  if (leftOut !== undefined) {
    const { rows, losses, error } = leftOut;
    const isKnown = fit.isLogistic;
    let [mean, square, seen] = [0, 0, 0];
    for (const [k, loss] of losses.entries()) {
      const i = rows?.[k] ?? k;
      const left = isOfCopies ? 1 : countOf(i);
      const others = Math.max(LEAST_COUNT, sums[classOfRow[i]] - left) / Math.max(LEAST_COUNT, total - left);
      const gain = -log(Math.min(1, others)) - loss;
      mean += countOf(i) * gain;
      square += countOf(i) * gain * gain;
      seen += countOf(i);
    }
    mean /= seen;
    const deviation = Math.sqrt(Math.max(0, square / seen - mean * mean) / Math.max(1, seen - 1));
    if (isKnown && mean <= deviation)
      warn(
        "uninformative",
        "The columns say no more of the classes than how frequent they are: rows that were left out are predicted no better by them.",
      );
    const majority = 1 - Math.max(...sums) / total;
    if (error >= majority && majority > 0)
      warn(
        "no-better-than-majority",
        `Of rows left out ${percent(error)} are predicted wrong, and ${percent(majority)} by always saying the most frequent class. Scores may rank the rows all the same.`,
      );
  }
  const seen = new Set<number>();
  for (const k of predicted) seen.add(k);
  const never = classes.filter((_, k) => sums[k] > 0 && !seen.has(k));
  if (never.length > 0)
    warn(
      "never-predicted",
      `No row is predicted to be of ${never.length === 1 ? "class" : "the classes"} ${listed(never)}. Give ${optionName("classWeights", "balanced")}, or decide by probabilities with a threshold of your own.`,
    );
  if (choice.isSeparable)
    warn(
      "separable",
      "The classes can be separated without an error: how large the coefficients are is a matter of λ, not of the data.",
    );
}

/** @returns whether the labels are warned of */
export function judgeLabels({ classes, classOfRow, weights }: Task, warn: Warn): boolean {
  const count = weights === undefined ? (classOfRow?.length ?? 0) : effectiveCount(weights);
  if (classes.length <= Math.max(MOST_CLASSES, Math.sqrt(count)) || !classes.every(isNumber)) return false;
  warn(
    "numbers-as-classes",
    `The labels are ${classes.length} different numbers, each of which is taken for a class. Numbers that measure something are predicted by regression (${optionName("LinearRegressor")}).`,
  );
  return true;
}

const isNumber = (label: Label): boolean =>
  typeof label === "number" ||
  (typeof label === "string" && label.trim() !== "" && Number.isFinite(Number(label)));

/** @param varying - the columns that are not left out; undefined for all */
export function judgeColumns(rows: Rows, varying: Int32Array | undefined, warn: Warn): void {
  const { rows: n, columns: d } = rows;
  if (varying === undefined || n < FEWEST_ROWS) return;
  if (varying.length === 0) {
    warn("constant-columns", "Every column is the same in all rows: the model says the same of each row.");
    return;
  }
  const known = new Set(varying);
  const first = new Float64Array(d);
  rowAccess(rows).addTo(0, 1, first);
  // Indices that are in no sparse row are not worth a word.
  const isSeen = (j: number): boolean => !isSparseRows(rows) || first[j] !== 0;
  const constant = Array.from(first.keys()).filter((j) => !known.has(j) && isSeen(j));
  const count = constant.length;
  if (count === 0 || (d >= MANY_COLUMNS && count > MOST_OF_MANY * d)) return;
  const some = constant.slice(0, 5).join(", ") + (count > 5 ? ` and ${count - 5} more` : "");
  warn(
    "constant-columns",
    count === 1
      ? `Column ${some} (counted from 0) is the same in all rows. It is left out: its coefficient is 0.`
      : `Columns ${some} (counted from 0) are the same in all rows. They are left out: their coefficients are 0.`,
  );
}

export function judgeWeights(weights: Float64Array | undefined, warn: Warn): void {
  if (weights === undefined || areCopies(weights)) return;
  const n = weights.length;
  const effective = effectiveCount(weights);
  if (effective >= EVEN * n) return;
  const kind = "The weights are not all whole numbers, and so not copies of rows: only their ratios matter.";
  warn(
    "uneven-weights",
    `${kind} They are uneven, so that ${n} rows say as much as ${Number(effective.toPrecision(3))} of equal weights.`,
  );
}

/** @param targets - of regression */
export function judgeTargets(
  targets: Float64Array,
  weights: Float64Array | undefined,
  isHuber: boolean,
  warn: Warn,
): void {
  const majority = majorityOf(targets, weights);
  if (majority?.share === 1)
    warn("constant-targets", "All targets are the same: the model says nothing else.");
  else if (majority !== undefined && isHuber)
    warn(
      "mostly-one-target",
      `${percent(majority.share)} of the rows have the target ${majority.value}. Huber's loss predicts what is typical, here little else than that; for a mean, as of counts, take the squared error.`,
    );
}

const percent = (share: number): string => `${Number((100 * share).toPrecision(3))} %`;

const listed = (labels: readonly Label[]): string =>
  labels.length <= 5
    ? labels.map(String).join(", ")
    : `${labels.slice(0, 5).map(String).join(", ")} and ${labels.length - 5} more`;
