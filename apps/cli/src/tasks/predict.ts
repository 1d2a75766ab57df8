/** The work of `curvature predict` and `curvature evaluate`: what a model says of rows, and how right it is. */
import { CurvatureError } from "@curvature/linalg";
import { numericPreparation } from "@curvature/linalg/tables";
import {
  type ErrorCosts,
  type Label,
  LinearClassifier,
  type LinearModel,
  LinearRegressor,
  loadModel,
} from "@curvature/optim-sgdqn";
import type { ModelFile } from "../read/model-file.js";
import { alignedRows, checkColumns, type FeatureMatrix, type RowsRead, unseenWarning } from "../read/rows.js";
import { inFlags } from "../run/flag-names.js";
import { isClusterModel } from "./assign.js";
import type { Channel } from "./channel.js";
import { type Decision, type DecisionRequest, decided, decisionOf, probabilitiesOf } from "./decision.js";
import {
  type Choice,
  type ClassCurves,
  chosenOn,
  curvesOf,
  type Intervals,
  intervalsOf,
} from "./evaluation.js";
import { type FitTransform, fitModelIn, isFitModel, usableModel } from "./fit/fit-model.js";
import {
  type Figures,
  figuresOf,
  type KnownRows,
  type LabeledData,
  likeClasses,
  unknownLabels,
} from "./linear-model.js";
import type { RowModel } from "./row-model.js";
import { isMapModel, mapInstead } from "./transform.js";

/** How a model wants its rows to be read. */
export function modelRowsTask(file: ModelFile): KnownRows {
  if (isFitModel(file.bytes)) {
    const { preparation, indexBase, model } = fitModelIn(file.path, file.bytes);
    return { indexBase, preparation: preparation ?? numericPreparation(model.shape.inputs) };
  }
  const { features, fitted } = linearModelIn(file);
  return { indexBase: fitted?.indexBase, preparation: fitted?.preparation ?? numericPreparation(features) };
}

export interface PredictTaskInput {
  readonly model: ModelFile;
  readonly data: RowsRead;
  readonly also: readonly ("scores" | "probabilities")[];
  readonly decision: DecisionRequest;
}

export interface PredictTaskOutput {
  readonly kind: RowModel["task"] | "transform";
  /** By row; none of a transform. */
  readonly predictions: Float64Array | readonly Label[];
  /** Columns beside them, with their names. */
  readonly names: readonly string[];
  readonly columns: Float64Array;
  /** Columns of the data that the model does not know. */
  readonly unseen: number;
  readonly warnings: readonly string[];
}

export function predictTask(
  { model: file, data, also, decision: request }: PredictTaskInput,
  channel: Channel,
): PredictTaskOutput {
  const model = loadedModel(file);
  if (model.task === "transform") return transformed(model, file, data, also, request, channel);
  const decision = decisionOf(model, request);
  const { rows, unseen, warnings } = rowsFor(model, data);
  channel.phase("predicting");
  const predictions = model.task === "regression" ? model.predict(rows) : decided(model, rows, decision);
  return {
    kind: model.task,
    predictions,
    ...beside(also.map((which) => columnsOf(model, file.path, rows, which, decision))),
    unseen,
    warnings,
  };
}

function transformed(
  model: FitTransform,
  { path }: ModelFile,
  data: RowsRead,
  also: PredictTaskInput["also"],
  request: DecisionRequest,
  channel: Channel,
): PredictTaskOutput {
  const [asked] = [
    ...also,
    ...Object.entries(request).flatMap(([name, value]) => (value === undefined ? [] : [name])),
  ];
  if (asked !== undefined)
    throw new CurvatureError(
      "ERR_OPTION",
      `--${asked} is for models of classes; ${path} is an ${model.objective}.`,
      {
        path: asked,
      },
    );
  const { rows, unseen, warnings } = rowsFor(model, data);
  channel.phase("predicting");
  const { data: columns } = model.transform(rows);
  return { kind: model.task, predictions: [], names: model.names, columns, unseen, warnings };
}

/** With their features where the model has them. */
function rowsFor(
  model: RowModel | FitTransform,
  data: RowsRead,
): { readonly rows: FeatureMatrix; readonly unseen: number; readonly warnings: readonly string[] } {
  const isLinear = model instanceof LinearClassifier || model instanceof LinearRegressor;
  const rows = alignedRows(data, isLinear ? model.fitted?.indexBase : model.indexBase);
  checkColumns(rows, data.path, model.features);
  const unseen = model.unseenFeatures(rows);
  const warning = unseenWarning(unseen);
  return { rows, unseen, warnings: warning === undefined ? [] : [warning] };
}

type Columns = Pick<PredictTaskOutput, "names" | "columns">;

/** Side by side. */
function beside(parts: readonly Columns[]): Columns {
  if (parts.length < 2) return parts[0] ?? { names: [], columns: new Float64Array(0) };
  const names = parts.flatMap((part) => part.names);
  const rows = parts[0].columns.length / parts[0].names.length;
  const columns = new Float64Array(rows * names.length);
  for (let i = 0, at = 0; i < rows; i++)
    for (const part of parts) {
      const width = part.names.length;
      columns.set(part.columns.subarray(i * width, (i + 1) * width), at);
      at += width;
    }
  return { names, columns };
}

function columnsOf(
  model: RowModel,
  path: string,
  rows: FeatureMatrix,
  also: PredictTaskInput["also"][number],
  decision: Decision | undefined,
): Columns {
  if (model.task === "regression") {
    throw new CurvatureError("ERR_OPTION", `--${also} is for models of classes; ${path} predicts numbers.`, {
      path: also,
    });
  }
  const names = model.classes.map(String);
  if (also === "scores") {
    const { columns, data } = model.decisionFunction(rows);
    if (columns > 1) return { names: names.map((name) => `score_${name}`), columns: data };
    const isFirst = decision?.positive === model.classes[0];
    return { names: ["score"], columns: isFirst ? data.map((score) => -score) : data };
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
  readonly data: RowsRead & Pick<LabeledData, "labels" | "weights">;
  readonly decision: DecisionRequest;
  readonly choose: "f1" | ErrorCosts | undefined;
  readonly curves: boolean;
}

export interface EvaluateTaskOutput {
  readonly figures: Figures;
  /** Of models of two classes. */
  readonly decision: Decision | undefined;
  /** Of models of classes. */
  readonly intervals: Intervals | undefined;
  readonly choice: Choice | undefined;
  readonly curves: readonly ClassCurves[];
  readonly unseen: number;
  readonly warnings: readonly string[];
}

export function evaluateTask(
  { model: file, data, decision: request, choose, curves }: EvaluateTaskInput,
  channel: Channel,
): EvaluateTaskOutput {
  const model = loadedModel(file);
  if (model.task === "transform")
    throw new CurvatureError(
      "ERR_OPTION",
      `${file.path} is an ${model.objective}, which predicts no labels; curvature predict gives its outputs.`,
      { path: "model" },
    );
  const decision = decisionOf(model, request);
  const { rows, unseen, warnings } = rowsFor(model, data);
  channel.phase("measuring the model");
  const figures = figuresOf(model, { ...data, rows }, data.path, decision);
  const unknown = unknownLabels(model, data);
  const plain = {
    figures,
    decision,
    unseen,
    warnings: unknown === undefined ? warnings : [...warnings, unknown],
  };
  if (model.task === "regression") {
    if (curves || choose !== undefined)
      throw new CurvatureError(
        "ERR_OPTION",
        `--${curves ? "plot" : "choose-threshold"} is for models of classes; ${file.path} predicts numbers.`,
        { path: curves ? "plot" : "chooseThreshold" },
      );
    return { ...plain, intervals: undefined, choice: undefined, curves: [] };
  }
  if (choose !== undefined && decision === undefined)
    throw new CurvatureError("ERR_OPTION", "--choose-threshold is for models of two classes.", {
      path: "chooseThreshold",
    });
  const labels = likeClasses(data.labels, model.classes);
  return {
    ...plain,
    // Of rows that count differently they are not known.
    intervals: data.weights === undefined ? intervalsOf(model, rows, labels, decision) : undefined,
    choice: choose && decision && chosenOn(model, rows, labels, decision, choose, data.weights),
    curves: curves ? curvesOf(model, rows, labels, decision, data.weights) : [],
  };
}

/** A model of true and false is one of their names here: labels in files are words or numbers. */
function withNamedClasses(model: LinearModel): LinearModel {
  const { fitted } = model;
  if (model.task === "regression" || typeof fitted?.classes[0] !== "boolean") return model;
  return new LinearClassifier<Label>(model.settings, { ...fitted, classes: fitted.classes.map(String) });
}

/** @throws CurvatureError ERR_PARSE, with the file's name */
function loadedModel(file: ModelFile): RowModel | FitTransform {
  return isFitModel(file.bytes) ? usableModel(fitModelIn(file.path, file.bytes)) : linearModelIn(file);
}

/** @throws CurvatureError as `loadModel`, with the file's name */
export function linearModelIn({ path, bytes }: ModelFile): LinearModel {
  if (isClusterModel(bytes))
    throw new CurvatureError(
      "ERR_PARSE",
      `${path} is a model of clusters, by curvature disentangle; curvature assign says where rows belong, curvature inspect what it is.`,
      { path },
    );
  if (isMapModel(bytes)) throw mapInstead(path);
  if (isFitModel(bytes))
    throw new CurvatureError("ERR_PARSE", `${path} is a model of curvature fit, and no linear one.`, {
      path,
    });
  try {
    return withNamedClasses(loadModel(bytes));
  } catch (error) {
    if (!(error instanceof CurvatureError)) throw error;
    throw new CurvatureError(error.code, `${path}: ${inFlags(error)}`, { path, cause: error });
  }
}
