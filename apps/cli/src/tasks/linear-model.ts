/** A model's figures on labelled rows, whichever kind it is. */
import { CurvatureError } from "@curvature/linalg";
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
import { inFile } from "../read/file.js";
import { isNumber } from "../read/label-values.js";
import type { FeatureMatrix, RowLabels } from "../read/rows.js";
import { count } from "../run/terminal.js";
import { type Decision, decided, probabilitiesOf } from "./decision.js";
import type { Classifier, Regressor, RowModel } from "./row-model.js";

export interface LabeledData {
  readonly rows: FeatureMatrix;
  readonly labels: RowLabels;
  /** What each row counts; left out: 1. */
  readonly weights?: Float64Array | undefined;
  /** Where the rows stand in the data that they are a part of. */
  readonly indices?: ArrayLike<number>;
}

/** How the rows of the training were read: what LIBSVM text counted from, or how a table became a matrix. */
export type KnownRows = Pick<FittedModel, "indexBase" | "preparation">;

/** The same model, that knows it. */
export function withKnownRows(model: LinearModel, { indexBase, preparation }: KnownRows): LinearModel {
  const { fitted } = model;
  if (fitted === undefined || (indexBase === undefined && preparation === undefined)) return model;
  return model.task === "classification"
    ? new LinearClassifier(model.settings, { ...fitted, indexBase, preparation })
    : new LinearRegressor(model.settings, { ...fitted, indexBase, preparation });
}

/** What is unknown is undefined. Shares are fractions. */
interface ClassificationFigures {
  readonly kind: "classification";
  readonly rows: number;
  readonly error: number;
  /** Of two classes: of the positive one, the second unless another is named; of more: means over the classes. */
  readonly precision: number | undefined;
  readonly recall: number | undefined;
  readonly f1: number | undefined;
  /** Of two classes. */
  readonly areaUnderCurve: number | undefined;
  /** Where the model gives probabilities. */
  readonly logLoss: number | undefined;
  readonly classes: readonly ClassScores[];
  /** Undefined for thousands of classes. */
  readonly confusion: ConfusionMatrix | undefined;
}

interface RegressionFigures {
  readonly kind: "regression";
  readonly rows: number;
  readonly r2: number | undefined;
  readonly rootMeanSquaredError: number;
  readonly meanAbsoluteError: number;
}

export type Figures = ClassificationFigures | RegressionFigures;

/**
 * @param path - of a file that has been read for this alone: it is named in what is wrong with the labels
 * @throws CurvatureError ERR_PARSE for labels that cannot be the model's, ERR_NON_FINITE for scores that overflow
 */
export function figuresOf(
  model: RowModel,
  { rows, labels, weights }: LabeledData,
  path?: string,
  decision?: Decision,
): Figures {
  return ofFile(path, () =>
    model.task === "regression"
      ? regressionFigures(model, rows, labels, weights)
      : classificationFigures(model, rows, labels, weights, decision),
  );
}

/**
 * Whether the labels of a file of test rows can be those of a model of these; to be asked before it is trained.
 *
 * @param classes - of the model, where they are given beforehand
 * @throws CurvatureError ERR_PARSE
 */
export function checkTestLabels(
  task: LinearModel["task"],
  classes: ArrayLike<Label> | undefined,
  { labels }: LabeledData,
  test: { readonly labels: RowLabels; readonly path: string },
): void {
  ofFile(test.path, () =>
    task === "regression"
      ? numbersOf(test.labels)
      : likeClasses(test.labels, classes ? Array.from(classes) : distinct(labels)),
  );
}

/** What is said of rows whose labels are no classes of the model; undefined where there are none. */
export function unknownLabels(model: RowModel, { labels }: Pick<LabeledData, "labels">): string | undefined {
  if (model.task === "regression") return undefined;
  const known = new Set<Label>(model.classes);
  const others = Array.from<Label>(likeClasses(labels, model.classes)).filter((label) => !known.has(label));
  if (others.length === 0) return undefined;
  const [have, they] = others.length === 1 ? ["row has", "It counts"] : ["rows have", "They count"];
  const are = new Set(others).size === 1 ? "a label" : "labels";
  return `${count(others.length)} ${have} ${are} that the model does not know: ${examples(others)}. ${they} as wrong, and there is no log loss. Look at their spelling, leave them out, or train the model on such rows, too.`;
}

const distinct = (labels: RowLabels): readonly Label[] =>
  labels instanceof Float64Array ? [...new Set(labels.toSorted())] : [...new Set(labels)].toSorted();

/** What is wrong with the labels of a file that was read for them alone names it. */
function ofFile<T>(path: string | undefined, look: () => T): T {
  try {
    return look();
  } catch (error) {
    const isOfLabels = error instanceof CurvatureError && error.code === "ERR_PARSE";
    throw isOfLabels && path !== undefined ? inFile(path, error) : error;
  }
}

function regressionFigures(
  model: Regressor,
  rows: FeatureMatrix,
  labels: RowLabels,
  weights: Float64Array | undefined,
): RegressionFigures {
  const report = regressionReport(numbersOf(labels), model.predict(rows), weights);
  return { kind: "regression", rows: rows.rows, ...report };
}

function numbersOf(labels: RowLabels): Float64Array {
  if (labels instanceof Float64Array) return labels;
  if (labels.every(isNumber)) return Float64Array.from(labels, Number); // with leading zeros
  throw new CurvatureError(
    "ERR_PARSE",
    `The model predicts numbers, but the labels are words (${examples(labels)}). Name the column of the numbers with --labels.`,
    { path: "labels", expected: "numbers", received: "words" },
  );
}

function classificationFigures(
  model: Classifier,
  rows: FeatureMatrix,
  raw: RowLabels,
  weights: Float64Array | undefined,
  decision: Decision | undefined,
): ClassificationFigures {
  const labels = likeClasses(raw, model.classes);
  const predicted = decided(model, rows, decision);
  const report = classificationReport(labels, predicted, weights);
  const isBinary = model.classes.length === 2;
  const { positive } = decision ?? { positive: model.classes[1] };
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
      ? areaUnderCurve(labels, model.decisionFunction(rows).data, model.classes[1], weights)
      : undefined,
    logLoss: probabilities && logLoss(labels, probabilities, model.classes, weights),
    classes: report.classes,
    confusion: confusionOf(labels, predicted, weights),
  };
}

/** Undefined for more classes than its table has room for. */
function confusionOf(...lists: Parameters<typeof confusionMatrix>): ConfusionMatrix | undefined {
  try {
    return confusionMatrix(...lists);
  } catch (error) {
    if (error instanceof CurvatureError && error.code === "ERR_MEMORY") return undefined;
    throw error;
  }
}

/**
 * Labels of the type of the model's classes: numbers may be the names of classes.
 *
 * @throws CurvatureError ERR_PARSE where one side is of words and the other of numbers, and they have nothing in common
 */
export function likeClasses(labels: RowLabels, classes: readonly Label[]): RowLabels {
  if (typeof classes[0] !== "string") {
    if (labels instanceof Float64Array) return labels;
    throw mismatch("numbers", classes, "words", labels);
  }
  if (!(labels instanceof Float64Array)) return labels;
  const known = new Set<Label>(classes);
  // 1.0 is a word among words, and is read as the number 1 where all labels are numbers.
  const names = new Map<number, string>();
  for (const name of classes.map(String)) if (isNumber(name)) names.set(Number(name), name);
  const words = Array.from(labels, String).map((word, i) =>
    known.has(word) ? word : (names.get(labels[i]) ?? word),
  );
  if (words.some((word) => known.has(word))) return words;
  throw mismatch("words", classes, "numbers", Array.from(labels));
}

function mismatch(
  ofModel: string,
  classes: readonly Label[],
  ofLabels: string,
  labels: readonly Label[],
): CurvatureError {
  return new CurvatureError(
    "ERR_PARSE",
    `The classes of the model are ${ofModel} (${examples(classes)}), but the labels are ${ofLabels} (${examples(labels)}). Write the labels as those that the model was trained on, or train it anew on labels like these.`,
    { path: "labels", expected: ofModel, received: ofLabels },
  );
}

const SHOWN = 3;

/** The first few that differ. */
function examples(labels: readonly Label[]): string {
  const distinct = [...new Set(labels)];
  const words = distinct
    .slice(0, SHOWN)
    .map((label) => (typeof label === "string" ? JSON.stringify(label.slice(0, 60)) : String(label)));
  return [...words, ...(distinct.length > SHOWN ? ["…"] : [])].join(", ");
}
