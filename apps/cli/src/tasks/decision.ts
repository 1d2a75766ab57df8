/** Which of two classes is the positive one, and from where on a row is taken for it. */
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import type { ErrorCosts, Label } from "@curvature/optim-sgdqn";
import type { FeatureMatrix } from "../read/rows.js";
import { type Classifier, hasProbabilities, type RowModel } from "./row-model.js";

/** As the command line says it; plain data. */
export interface DecisionRequest {
  readonly positive?: string | undefined;
  readonly threshold?: number | undefined;
  readonly costs?: ErrorCosts | undefined;
}

export interface Decision {
  readonly positive: Label;
  readonly other: Label;
  /** Of the probability of the positive class, or of its score for models without probabilities; undefined: the model's own. */
  readonly threshold: number | undefined;
}

const refused = (flag: string, sentence: string): CurvatureError =>
  new CurvatureError("ERR_OPTION", `--${flag} ${sentence}`, { path: flag });

/**
 * @returns undefined for models of more than two classes, and of numbers
 * @throws CurvatureError ERR_OPTION for what such a model has not, and for a class that it does not know
 */
export function decisionOf(model: RowModel, request: DecisionRequest): Decision | undefined {
  const { positive: name, threshold, costs } = request;
  const [asked] = Object.entries(request).flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  const isBinary = model.task === "classification" && model.classes.length === 2;
  if (!isBinary) {
    if (asked === undefined) return undefined;
    throw refused(asked, "is for models of two classes.");
  }
  const [first, second] = model.classes;
  const positive = name === undefined ? second : model.classes.find((label) => String(label) === name);
  if (positive === undefined)
    throw refused(
      "positive",
      `${name}: the classes of the model are ${String(first)} and ${String(second)}.`,
    );
  const other = positive === first ? second : first;
  const knows = hasProbabilities(model);
  if (costs !== undefined && !knows)
    throw refused(
      "costs",
      "needs a model with probabilities: train it with --loss logistic, or with --probabilities.",
    );
  if (threshold !== undefined && knows && !(threshold >= 0 && threshold <= 1))
    throw refused("threshold", `${threshold}: the model knows probabilities, which are from 0 to 1.`);
  const ofCosts = costs && costs.falsePositive / (costs.falsePositive + costs.falseNegative);
  return { positive, other, threshold: threshold ?? ofCosts };
}

/** By row the probability of the positive class; its score for models without probabilities. */
export function positiveScores(model: Classifier, rows: FeatureMatrix, { positive }: Decision): Float64Array {
  const isSecond = positive === model.classes[1];
  const probabilities = probabilitiesOf(model, rows);
  if (probabilities === undefined) {
    const { data } = model.decisionFunction(rows);
    return isSecond ? data : data.map((score) => -score);
  }
  return Float64Array.from({ length: rows.rows }, (_, i) => probabilities.data[2 * i + Number(isSecond)]);
}

/** By row the class. */
export function decided(model: Classifier, rows: FeatureMatrix, decision: Decision | undefined): Label[] {
  const threshold = decision?.threshold;
  if (decision === undefined || threshold === undefined) return model.predict(rows);
  return Array.from(positiveScores(model, rows, decision), (score) =>
    score > threshold ? decision.positive : decision.other,
  );
}

/** Undefined for a model that knows none. */
export function probabilitiesOf(model: Classifier, rows: FeatureMatrix): DenseMatrix | undefined {
  try {
    return model.predictProbabilities(rows);
  } catch (error) {
    if (error instanceof CurvatureError && error.path === "probabilities") return undefined;
    throw error;
  }
}
