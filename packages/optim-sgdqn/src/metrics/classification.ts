/**
 * How good a classification is.
 *
 * For a class k with TP rows of it found, FP rows taken for it and FN rows of it missed:
 *   precision = TP/(TP + FP),  recall = TP/(TP + FN),  F1 = 2 TP/(2 TP + FP + FN)
 * A ratio 0/0 is undefined, and left out of the means.
 */
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import type { Labels } from "../fit/data.js";
import type { Label } from "../fit/options.js";

export interface ConfusionMatrix {
  /** Sorted: all that occur in either list. */
  readonly classes: readonly Label[];
  /** counts[i][j]: rows of class i that were taken for class j. */
  readonly counts: readonly (readonly number[])[];
}

/** @throws CurvatureError ERR_SHAPE for lists of different or no length, ERR_ARGUMENT for labels of mixed types */
export function confusionMatrix(truth: Labels, predicted: Labels): ConfusionMatrix {
  throw unfinished([truth, predicted]);
}

/** The share of rows whose class is wrong. */
export function errorRate(truth: Labels, predicted: Labels): number {
  throw unfinished([truth, predicted]);
}

export interface ClassScores {
  readonly label: Label;
  readonly precision: number | undefined;
  readonly recall: number | undefined;
  readonly f1: number | undefined;
  /** Rows of the class. */
  readonly count: number;
}

export interface ClassificationReport {
  readonly classes: readonly ClassScores[];
  /** Means over the classes for which they are defined. */
  readonly macro: Pick<ClassScores, "precision" | "recall" | "f1">;
  readonly error: number;
}

export function classificationReport(truth: Labels, predicted: Labels): ClassificationReport {
  throw unfinished([truth, predicted]);
}

/**
 * The area under the receiver's curve: the chance that a row of the positive class scores higher than one of another,
 * ties counted by half. Undefined where one of the two is missing.
 */
export function areaUnderCurve(
  truth: Labels,
  scores: ArrayLike<number>,
  positive: Label,
): number | undefined {
  throw unfinished([truth, scores, positive]);
}

/** −mean log of the probability given to the true class; probabilities below 1e-15 count as that. */
export function logLoss(truth: Labels, probabilities: DenseMatrix, classes: readonly Label[]): number {
  throw unfinished([truth, probabilities, classes]);
}

const unfinished = (received?: unknown): CurvatureError =>
  new CurvatureError("ERR_ARGUMENT", "This part is not finished.", { received });
