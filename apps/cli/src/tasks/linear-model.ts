/** A linear model's figures on labelled rows, whichever kind it is. */
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import {
  areaUnderCurve,
  type ClassScores,
  type ConfusionMatrix,
  classificationReport,
  confusionMatrix,
  type FittedModel,
  type Label,
  LinearClassifier,
  type LinearModel,
  LinearRegressor,
  logLoss,
  regressionReport,
} from "@curvature/optim-sgdqn";
import type { FeatureMatrix, RowLabels } from "../linear-input.js";

export interface LabeledData {
  readonly rows: FeatureMatrix;
  readonly labels: RowLabels;
}

/** How the features of the training were told apart: what its LIBSVM text counted from, or its columns' names. */
export type FeatureNames = Pick<FittedModel, "indexBase" | "columns">;

/** The same model, that knows it. */
export function withFeatureNames(model: LinearModel, { indexBase, columns }: FeatureNames): LinearModel {
  const { fitted } = model;
  if (fitted === undefined || (indexBase === undefined && columns === undefined)) return model;
  return model.task === "classification"
    ? new LinearClassifier(model.settings, { ...fitted, indexBase, columns })
    : new LinearRegressor(model.settings, { ...fitted, indexBase, columns });
}

/** What is unknown is undefined. Shares are fractions. */
interface ClassificationFigures {
  readonly kind: "classification";
  readonly rows: number;
  readonly error: number;
  /** Of two classes: of the second; of more: means over the classes. */
  readonly precision: number | undefined;
  readonly recall: number | undefined;
  readonly f1: number | undefined;
  /** Of two classes. */
  readonly areaUnderCurve: number | undefined;
  /** Where the model gives probabilities. */
  readonly logLoss: number | undefined;
  readonly classes: readonly ClassScores[];
  readonly confusion: ConfusionMatrix;
}

interface RegressionFigures {
  readonly kind: "regression";
  readonly rows: number;
  readonly r2: number | undefined;
  readonly rootMeanSquaredError: number;
  readonly meanAbsoluteError: number;
}

export type Figures = ClassificationFigures | RegressionFigures;

/** @throws CurvatureError ERR_PARSE for labels that cannot be the model's, ERR_NON_FINITE for scores that overflow */
export function figuresOf(model: LinearModel, { rows, labels }: LabeledData): Figures {
  return model.task === "regression"
    ? regressionFigures(model, rows, labels)
    : classificationFigures(model, rows, labels);
}

function regressionFigures(
  model: LinearRegressor,
  rows: FeatureMatrix,
  labels: RowLabels,
): RegressionFigures {
  if (!(labels instanceof Float64Array)) {
    throw mismatch("The model predicts numbers, but the labels are words.", labels[0]);
  }
  return { kind: "regression", rows: rows.rows, ...regressionReport(labels, model.predict(rows)) };
}

function classificationFigures(
  model: LinearClassifier,
  rows: FeatureMatrix,
  given: RowLabels,
): ClassificationFigures {
  const labels = likeClasses(given, model.classes);
  const predicted = model.predict(rows);
  const report = classificationReport(labels, predicted);
  const isBinary = model.classes.length === 2;
  const [, positive] = model.classes;
  const summed = isBinary ? report.classes.find(({ label }) => label === positive) : report.macro;
  const known = new Set(model.classes);
  const probabilities = Array.from<Label>(labels).every((label) => known.has(label))
    ? probabilitiesOf(model, rows)
    : undefined;
  return {
    kind: "classification",
    rows: rows.rows,
    error: report.error,
    precision: summed?.precision,
    recall: summed?.recall,
    f1: summed?.f1,
    areaUnderCurve: isBinary
      ? areaUnderCurve(labels, model.decisionFunction(rows).data, positive)
      : undefined,
    logLoss: probabilities && logLoss(labels, probabilities, model.classes),
    classes: report.classes,
    confusion: confusionMatrix(labels, predicted),
  };
}

/** Undefined for a model that knows none. */
export function probabilitiesOf(model: LinearClassifier, rows: FeatureMatrix): DenseMatrix | undefined {
  try {
    return model.predictProbabilities(rows);
  } catch (error) {
    if (error instanceof CurvatureError && error.path === "probabilities") return undefined;
    throw error;
  }
}

/** Labels of the type of the model's classes: numbers may be the names of classes. */
export function likeClasses(labels: RowLabels, classes: readonly Label[]): RowLabels {
  if (typeof classes[0] === "string") {
    return labels instanceof Float64Array ? Array.from(labels, String) : labels;
  }
  if (labels instanceof Float64Array) return labels;
  throw mismatch("The classes of the model are numbers, but the labels are words.", labels[0]);
}

const mismatch = (sentence: string, received: string): CurvatureError =>
  new CurvatureError("ERR_PARSE", `${sentence} The first one is ${JSON.stringify(received.slice(0, 60))}.`, {
    path: "labels",
    received,
  });
