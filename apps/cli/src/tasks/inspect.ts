/** The work of `curvature inspect`: what a model is, as plain data. */
import type { PreparedColumn } from "@curvature/linalg/tables";
import { preparedNames } from "@curvature/linalg/tables";
import type { PlainWeights } from "@curvature/optim-sgdqn";
import { type FittedModel, featureNames, type LinearModel, plainWeights } from "@curvature/optim-sgdqn";
import type { ModelFile } from "../read/model-file.js";
import type { Channel } from "./channel.js";
import { linearModelIn } from "./predict.js";

export interface Coefficient {
  readonly name: string;
  /** In the data's units; one, or one for each of several classes. */
  readonly values: readonly number[];
  /** Standard deviations of the posterior, where they are known. */
  readonly errors?: readonly number[] | undefined;
  /** Of the column, where the training knew it. */
  readonly deviation?: number | undefined;
  /** Of a column of words: what the coefficient is for, and, of two levels, in comparison with which. */
  readonly level?: string | undefined;
  readonly base?: string | undefined;
}

export interface Inspection {
  readonly task: LinearModel["task"];
  readonly classes: FittedModel["classes"];
  /** The labels' column. */
  readonly target: string | undefined;
  readonly loss: FittedModel["loss"];
  /** Of losses that have one. */
  readonly lossWidth: number | undefined;
  readonly multiclass: FittedModel["multiclass"];
  readonly solver: string;
  readonly bias: FittedModel["bias"];
  readonly scaling: NonNullable<FittedModel["scaling"]>["method"] | "none";
  readonly lambda: number;
  readonly training: FittedModel["training"];
  readonly probabilities: "loss" | "calibrated" | undefined;
  readonly features: number;
  /** Columns of the table that they were made of. */
  readonly tableColumns: number | undefined;
  readonly intercept: Pick<Coefficient, "values" | "errors">;
  /** The ones that move the score most first: by |coefficient x deviation|, of several classes the largest. */
  readonly coefficients: readonly Coefficient[];
}

export interface InspectTaskOutput {
  readonly inspection: Inspection;
  readonly weights: PlainWeights;
}

export function inspectTask(file: ModelFile, _: Channel): InspectTaskOutput {
  const model = linearModelIn(file);
  const { task, fitted } = model;
  const weights = plainWeights(model);
  if (fitted === undefined) throw new TypeError(`${file.path} holds no fitted model.`); // plainWeights has refused it
  const { preparation, scaling, features, calibration, loss, classes, training } = fitted;
  const { lossWidth, multiclass, solver, bias, lambda } = fitted;
  const inspection: Inspection = {
    task,
    classes,
    target: preparation?.labels,
    loss,
    lossWidth: loss === "huber" || loss === "smoothed-hinge" ? lossWidth : undefined,
    multiclass,
    solver,
    bias,
    scaling: scaling?.method ?? "none",
    lambda,
    training,
    probabilities: calibration !== undefined ? "calibrated" : loss === "logistic" ? "loss" : undefined,
    features,
    tableColumns: preparation?.columns.length,
    intercept: { values: Array.from(model.intercepts), errors: errorsAt(fitted, features) },
    coefficients: sorted(coefficientsOf(model, fitted), scaling?.scales),
  };
  return { inspection, weights };
}

function coefficientsOf({ coefficients }: LinearModel, fitted: FittedModel): Coefficient[] {
  const { features, scaling, preparation } = fitted;
  const { rows: models, data } = coefficients;
  const isOfDeviations = scaling?.method === "standard" || scaling?.method === "deviation";
  const levels = preparation?.columns.flatMap((column) => levelsOf(column, preparation));
  return featureNames(fitted).map((name, j) => ({
    name,
    values: Array.from({ length: models }, (_, k) => data[k * features + j]),
    errors: errorsAt(fitted, j),
    deviation: isOfDeviations ? scaling?.scales[j] : undefined,
    ...levels?.[j],
  }));
}

/** Undefined where they are not known. @param j - the intercept's is behind those of the features */
function errorsAt({ standardErrors, features }: FittedModel, j: number): number[] | undefined {
  if (standardErrors === undefined) return undefined;
  const width = features + 1;
  return Array.from({ length: standardErrors.length / width }, (_, k) => standardErrors[k * width + j]);
}

/** By feature of the column. */
function levelsOf(
  column: PreparedColumn,
  preparation: NonNullable<FittedModel["preparation"]>,
): Pick<Coefficient, "level" | "base">[] {
  const { how, levels } = column;
  const [base] = levels;
  return preparedNames({ ...preparation, columns: [column] }).map((_, k) => {
    if (how !== "one-hot") return {};
    return levels.length === 2
      ? { level: k === 0 ? levels[1] : undefined, base: k === 0 ? base : undefined }
      : { level: levels[k] };
  });
}

function sorted(coefficients: readonly Coefficient[], scales: Float64Array | undefined): Coefficient[] {
  const sizes = coefficients.map(({ values }, j) => Math.max(...values.map(Math.abs)) * (scales?.[j] ?? 1));
  return Array.from(coefficients.keys())
    .sort((i, j) => sizes[j] - sizes[i])
    .map((j) => coefficients[j]);
}
