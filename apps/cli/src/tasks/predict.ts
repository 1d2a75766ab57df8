/** The work of `curvature predict` and `curvature evaluate`: what a model says of rows, and how right it is. */
import { CurvatureError } from "@curvature/linalg";
import { numericPreparation } from "@curvature/linalg/tables";
import { type Label, LinearClassifier, type LinearModel, loadModel } from "@curvature/optim-sgdqn";
import { alignedRows, checkColumns, type FeatureMatrix, type RowsRead, unseenWarning } from "../read/rows.js";
import { inFlags } from "../run/flag-names.js";
import type { Channel } from "./channel.js";
import {
  type Figures,
  figuresOf,
  type KnownRows,
  type LabeledData,
  probabilitiesOf,
} from "./linear-model.js";

/** A model's file. */
export interface ModelFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** How a model wants its rows to be read. */
export function modelRowsTask(file: ModelFile): KnownRows {
  const { features, fitted } = loadedModel(file);
  return { indexBase: fitted?.indexBase, preparation: fitted?.preparation ?? numericPreparation(features) };
}

export interface PredictTaskInput {
  readonly model: ModelFile;
  readonly data: RowsRead;
  readonly also: "scores" | "probabilities" | undefined;
}

export interface PredictTaskOutput {
  readonly kind: LinearModel["task"];
  /** By row. */
  readonly predictions: Float64Array | readonly Label[];
  /** Columns beside them, with their names. */
  readonly names: readonly string[];
  readonly columns: Float64Array;
  /** Columns of the data that the model does not know. */
  readonly unseen: number;
  readonly warnings: readonly string[];
}

export function predictTask(
  { model: file, data, also }: PredictTaskInput,
  channel: Channel,
): PredictTaskOutput {
  const model = loadedModel(file);
  const { rows, unseen, warnings } = rowsFor(model, data);
  channel.phase("predicting");
  const predictions = model.predict(rows);
  return {
    kind: model.task,
    predictions,
    ...beside(model, file.path, rows, also),
    unseen,
    warnings,
  };
}

/** With their features where the model has them. */
function rowsFor(
  model: LinearModel,
  data: RowsRead,
): { readonly rows: FeatureMatrix; readonly unseen: number; readonly warnings: readonly string[] } {
  const rows = alignedRows(data, model.fitted?.indexBase);
  checkColumns(rows, data.path, model.features);
  const unseen = model.unseenFeatures(rows);
  const warning = unseenWarning(unseen);
  return { rows, unseen, warnings: warning === undefined ? [] : [warning] };
}

function beside(
  model: LinearModel,
  path: string,
  rows: FeatureMatrix,
  also: PredictTaskInput["also"],
): Pick<PredictTaskOutput, "names" | "columns"> {
  if (also === undefined) return { names: [], columns: new Float64Array(0) };
  if (model.task === "regression") {
    throw new CurvatureError("ERR_OPTION", `--${also} is for models of classes; ${path} predicts numbers.`, {
      path: also,
    });
  }
  const names = model.classes.map(String);
  if (also === "scores") {
    const { columns, data } = model.decisionFunction(rows);
    return { names: columns === 1 ? ["score"] : names.map((name) => `score_${name}`), columns: data };
  }
  const probabilities = probabilitiesOf(model, rows);
  if (probabilities === undefined) {
    throw new CurvatureError(
      "ERR_OPTION",
      `--probabilities: the model ${path} knows none. Train it with --loss logistic, or with --probabilities.`,
      { path: also },
    );
  }
  return { names: names.map((name) => `probability_${name}`), columns: probabilities.data };
}

export interface EvaluateTaskInput {
  readonly model: ModelFile;
  readonly data: RowsRead & Pick<LabeledData, "labels">;
}

export interface EvaluateTaskOutput {
  readonly figures: Figures;
  readonly unseen: number;
  readonly warnings: readonly string[];
}

export function evaluateTask({ model: file, data }: EvaluateTaskInput, channel: Channel): EvaluateTaskOutput {
  const model = loadedModel(file);
  const { rows, unseen, warnings } = rowsFor(model, data);
  channel.phase("measuring the model");
  const figures = figuresOf(model, { rows, labels: data.labels }, data.path);
  return { figures, unseen, warnings };
}

/** A model of true and false is one of their names here: labels in files are words or numbers. */
function withNamedClasses(model: LinearModel): LinearModel {
  const { fitted } = model;
  if (model.task === "regression" || typeof fitted?.classes[0] !== "boolean") return model;
  return new LinearClassifier<Label>(model.settings, { ...fitted, classes: fitted.classes.map(String) });
}

/** @throws CurvatureError as `loadModel`, with the file's name */
export function loadedModel({ path, bytes }: ModelFile): LinearModel {
  try {
    return withNamedClasses(loadModel(bytes));
  } catch (error) {
    if (!(error instanceof CurvatureError)) throw error;
    throw new CurvatureError(error.code, `${path}: ${inFlags(error)}`, { path, cause: error });
  }
}
