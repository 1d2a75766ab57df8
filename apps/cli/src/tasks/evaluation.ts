/** What `curvature evaluate` adds to the figures: how far each may be off, curves, and a threshold chosen on these rows. */
import { CurvatureError } from "@curvature/linalg";
import {
  areaInterval,
  type CurvePoint,
  calibrationCurve,
  chooseThreshold,
  classificationReport,
  type ErrorCosts,
  type Interval,
  type Label,
  type Labels,
  lossInterval,
  precisionRecallCurve,
  rocCurve,
  shareInterval,
} from "@curvature/optim-sgdqn";
import type { FeatureMatrix, RowLabels } from "../read/rows.js";
import { type Decision, decided, positiveScores, probabilitiesOf } from "./decision.js";
import type { Classifier } from "./row-model.js";

/** 95 % each; undefined where the rows do not say. */
export interface Intervals {
  /** Wilson's */
  readonly error: Interval;
  /** DeLong's */
  readonly areaUnderCurve: Interval | undefined;
  /** Of the mean, on the logarithm's scale */
  readonly logLoss: Interval | undefined;
}

/** Of one class against the others. */
export interface ClassCurves {
  readonly label: Label;
  readonly share: number;
  readonly roc: readonly CurvePoint[];
  readonly precisionRecall: readonly CurvePoint[];
  /** Empty for a model without probabilities. */
  readonly calibration: readonly CurvePoint[];
}

export interface Choice {
  readonly by: "f1" | ErrorCosts;
  readonly positive: Label;
  readonly threshold: number;
  /** F1, or the mean cost of a row, there and by the model's own decision. */
  readonly value: number;
  readonly own: number;
}

/** @param labels - of the type of the model's classes */
export function intervalsOf(
  model: Classifier,
  rows: FeatureMatrix,
  labels: RowLabels,
  decision: Decision | undefined,
): Intervals {
  const predicted = decided(model, rows, decision);
  const wrong = predicted.reduce<number>((sum, label, i) => sum + Number(label !== labels[i]), 0);
  const probabilities = probabilitiesOf(model, rows);
  const places = new Map(model.classes.map((label, k) => [label, k]));
  const losses = Array.from<Label, number>(labels, (label, i) => {
    const place = places.get(label);
    if (place === undefined || probabilities === undefined) return Number.NaN;
    return -Math.log(Math.max(1e-15, probabilities.data[i * probabilities.columns + place]));
  });
  return {
    error: shareInterval(wrong, rows.rows),
    areaUnderCurve:
      decision && areaInterval(labels, positiveScores(model, rows, decision), decision.positive),
    logLoss: losses.some(Number.isNaN) ? undefined : lossInterval(losses),
  };
}

/** Classes that a picture has room for: the most frequent ones. */
const MAX_CLASSES = 6;

/** Of the positive one of two classes, else of each against the rest. @param weights - of the rows; left out: 1 each */
export function curvesOf(
  model: Classifier,
  rows: FeatureMatrix,
  labels: RowLabels,
  decision: Decision | undefined,
  weights: Float64Array | undefined,
): ClassCurves[] {
  const probabilities = probabilitiesOf(model, rows);
  const { columns, data } = probabilities ?? model.decisionFunction(rows);
  const counts = new Map<Label, number>();
  let total = 0;
  for (const [i, label] of labels.entries()) {
    const weight = weights?.[i] ?? 1;
    counts.set(label, (counts.get(label) ?? 0) + weight);
    total += weight;
  }
  const count = (label: Label): number => counts.get(label) ?? 0;
  const drawn =
    decision === undefined
      ? [...model.classes].sort((a, b) => count(b) - count(a)).slice(0, MAX_CLASSES)
      : [decision.positive];
  return model.classes.flatMap((label, k) => {
    if (!drawn.includes(label)) return [];
    const scores =
      decision === undefined
        ? Float64Array.from({ length: rows.rows }, (_, i) => data[i * columns + k])
        : positiveScores(model, rows, decision);
    return [
      {
        label,
        share: count(label) / total,
        roc: rocCurve(labels, scores, label, weights),
        precisionRecall: precisionRecallCurve(labels, scores, label, weights),
        calibration: probabilities === undefined ? [] : calibrationCurve(labels, scores, label, weights),
      },
    ];
  });
}

/** @throws CurvatureError ERR_PARSE where no row is of the positive class */
export function chosenOn(
  model: Classifier,
  rows: FeatureMatrix,
  labels: RowLabels,
  decision: Decision,
  by: "f1" | ErrorCosts,
  weights: Float64Array | undefined,
): Choice {
  const { positive } = decision;
  if (!Array.from<Label>(labels).includes(positive))
    throw new CurvatureError(
      "ERR_PARSE",
      `No row is of class ${String(positive)}: there is no threshold to choose.`,
      {
        path: "labels",
      },
    );
  const { threshold, value } = chooseThreshold(
    labels,
    positiveScores(model, rows, decision),
    positive,
    by,
    weights,
  );
  const predicted = decided(model, rows, { ...decision, threshold: undefined });
  const own =
    by === "f1"
      ? (classificationReport(labels, predicted, weights).classes.find(({ label }) => label === positive)
          ?.f1 ?? 0)
      : meanCost(labels, predicted, positive, by, weights);
  return { by, positive, threshold, value, own };
}

function meanCost(
  labels: RowLabels,
  predicted: Labels,
  positive: Label,
  { falsePositive, falseNegative }: ErrorCosts,
  weights: Float64Array | undefined,
): number {
  let [cost, total] = [0, 0];
  for (const [i, label] of labels.entries()) {
    const weight = weights?.[i] ?? 1;
    total += weight;
    if (predicted[i] !== label) cost += weight * (label === positive ? falseNegative : falsePositive);
  }
  return cost / total;
}
