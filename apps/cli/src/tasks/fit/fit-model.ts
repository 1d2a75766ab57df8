/**
 * A model of `curvature fit`: what was fitted, how rows become its inputs, and what its outputs mean. As a file it is a text of
 * JSON (`encodeModel` of optim-core) whose numbers are the parameters, then offsets and scales of the columns.
 */
import { applyScaling, CurvatureError, type DenseMatrix, type Scaling } from "@curvature/linalg";
import { isPreparation, type Preparation, preparedNames } from "@curvature/linalg/tables";
import { type Model, modelOfShape } from "@curvature/objectives/networks";
import { damagedModel, decodeModel, encodeModel } from "@curvature/optim-core";
import { formatOf } from "../../read/model-file.js";
import { denseRows, type FeatureMatrix, withColumns } from "../../read/rows.js";
import { inFlags } from "../../run/flag-names.js";
import { type ObjectiveName, objectiveNames } from "./objectives.js";

/** Of labels that are numbers: what was taken from them, and what they were divided by. */
export interface TargetScaling {
  readonly mean: number;
  readonly deviation: number;
}

export interface FitModel {
  readonly objective: ObjectiveName;
  readonly model: Model;
  readonly parameters: Float64Array;
  readonly scaling: Scaling | undefined;
  /** In the order of the outputs; empty for what has none. */
  readonly classes: readonly (string | number)[];
  /** Of a regression. */
  readonly targets: TargetScaling | undefined;
  /** How the rows were read: a table, or LIBSVM text. */
  readonly preparation: Preparation | undefined;
  readonly indexBase: 0 | 1 | undefined;
}

/** What takes rows of the columns that were fitted. */
abstract class RowsTaker {
  readonly features: number;
  readonly indexBase: FitModel["indexBase"];

  constructor({ model, indexBase }: FitModel) {
    this.features = model.shape.inputs;
    this.indexBase = indexBase;
  }

  /** How many columns lie beyond those. */
  unseenFeatures({ columns }: FeatureMatrix): number {
    return Math.max(0, columns - this.features);
  }
}

/** A class for each row. */
export class FitClassifier extends RowsTaker {
  readonly task = "classification";
  readonly classes: readonly (string | number)[];

  constructor(private readonly fit: FitModel) {
    super(fit);
    this.classes = fit.classes;
  }

  predict(rows: FeatureMatrix): (string | number)[] {
    const { columns, data } = this.decisionFunction(rows);
    return Array.from({ length: rows.rows }, (_, i) => {
      if (columns === 1) return this.classes[Number(data[i] > 0)];
      let best = 0;
      for (let k = 1; k < columns; k++) if (data[i * columns + k] > data[i * columns + best]) best = k;
      return this.classes[best];
    });
  }

  /** Of two classes one score, whose sign decides; else one for each. */
  decisionFunction(rows: FeatureMatrix): DenseMatrix {
    const scores = outputsOf(this.fit, rows, "scores");
    if (scores.columns !== 2) return scores;
    const { data } = scores;
    return {
      rows: rows.rows,
      columns: 1,
      data: Float64Array.from({ length: rows.rows }, (_, i) => data[2 * i + 1] - data[2 * i]),
    };
  }

  predictProbabilities(rows: FeatureMatrix): DenseMatrix {
    return outputsOf(this.fit, rows, "predictions");
  }
}

/** A number for each row, in the unit of the labels. */
export class FitRegressor extends RowsTaker {
  readonly task = "regression";
  private readonly targets: TargetScaling;

  constructor(private readonly fit: FitModel & { readonly targets: TargetScaling }) {
    super(fit);
    this.targets = fit.targets;
  }

  predict(rows: FeatureMatrix): Float64Array {
    const { mean, deviation } = this.targets;
    return outputsOf(this.fit, rows, "predictions").data.map((output) => mean + deviation * output);
  }
}

/** Numbers for each row: an autoencoder's code, or sources. */
export class FitTransform extends RowsTaker {
  readonly task = "transform";
  readonly objective: ObjectiveName;
  /** Of the columns. */
  readonly names: readonly string[];

  constructor(private readonly fit: FitModel) {
    super(fit);
    const { shape } = fit.model;
    this.objective = fit.objective;
    const width = fit.model.outputs(fit.parameters, [new Float64Array(shape.inputs)], this.kind).columns;
    this.names = Array.from(
      { length: width },
      (_, k) => `${shape.codeLayers === undefined ? "source" : "code"}_${k + 1}`,
    );
  }

  private get kind(): "codes" | "predictions" {
    return this.fit.model.shape.codeLayers === undefined ? "predictions" : "codes";
  }

  transform(rows: FeatureMatrix): DenseMatrix {
    return outputsOf(this.fit, rows, this.kind);
  }
}

export function usableModel(fit: FitModel): FitClassifier | FitRegressor | FitTransform {
  const { classes, targets } = fit;
  if (classes.length > 0) return new FitClassifier(fit);
  return targets === undefined ? new FitTransform(fit) : new FitRegressor({ ...fit, targets });
}

/** @throws CurvatureError ERR_NON_FINITE for outputs that overflow */
function outputsOf(
  { model, parameters, scaling }: FitModel,
  rows: FeatureMatrix,
  as: "predictions" | "scores" | "codes",
): DenseMatrix {
  const points = withColumns(denseRows(rows), model.shape.inputs);
  return model.outputs(parameters, scaling === undefined ? points : applyScaling(scaling, points), as);
}

// As a file.

const FORM = { format: "curvature-fit-model", version: 1 } as const;

export const isFitModel = (bytes: Uint8Array): boolean => formatOf(bytes) === FORM.format;

export function fitModelBytes(fit: FitModel): Uint8Array {
  const { objective, model, parameters, scaling, classes, targets, preparation, indexBase } = fit;
  const numbers = new Float64Array(parameters.length + (hasColumns(scaling) ? 2 * scaling.scales.length : 0));
  numbers.set(parameters);
  if (hasColumns(scaling)) {
    numbers.set(scaling.offsets, parameters.length);
    numbers.set(scaling.scales, parameters.length + scaling.offsets.length);
  }
  const description = {
    objective,
    shape: model.shape,
    classes,
    targets: targets ?? null,
    scaling: scaling?.method ?? "none",
    preparation: preparation ?? null,
    indexBase: indexBase ?? null,
  };
  return encodeModel(FORM, description, numbers);
}

const hasColumns = (scaling: Scaling | undefined): scaling is Scaling =>
  scaling !== undefined && scaling.method !== "unit-rows";

/** @throws CurvatureError ERR_PARSE for what `fitModelBytes` has not written */
export function fitModelIn(path: string, bytes: Uint8Array): FitModel {
  try {
    const { fields, numbers } = decodeModel(FORM, bytes);
    return restored(fields, numbers);
  } catch (error) {
    if (!(error instanceof CurvatureError)) throw error;
    const message =
      error.code === "ERR_ARGUMENT"
        ? damagedModel("describes what no model is", error.path).sentence
        : inFlags(error);
    throw new CurvatureError("ERR_PARSE", `${path}: ${message}`, { path, cause: error });
  }
}

function restored(fields: ReadonlyMap<string, unknown>, numbers: Float64Array): FitModel {
  const objective = objectiveNames.find((name) => name === fields.get("objective"));
  if (objective === undefined) throw damagedModel("has an unknown objective", fields.get("objective"));
  const model = modelOfShape(fields.get("shape"));
  const { inputs, layout, layers, link } = model.shape;
  const count = layout.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
  const method = (["none", "max-abs", "standard", "unit-rows"] as const).find(
    (each) => each === fields.get("scaling"),
  );
  if (method === undefined) throw damagedModel("has an unknown scaling", fields.get("scaling"));
  const columns = method === "none" || method === "unit-rows" ? 0 : inputs;
  if (numbers.length !== count + 2 * columns)
    throw damagedModel(`needs ${count + 2 * columns} numbers and has others`, numbers.length);
  if (!numbers.every(Number.isFinite)) throw damagedModel("has a number that is not finite");
  const scales = columns === 0 ? new Float64Array(inputs).fill(1) : numbers.slice(count + columns);
  if (!scales.every((scale) => scale > 0)) throw damagedModel("has a scale that is not above 0");
  const classes = classesIn(fields.get("classes"));
  const targets = targetsIn(fields.get("targets"));
  const last = layers[layers.length - 1];
  const width = last.kind === "dense" ? (last.isTransposed ? last.weights.columns : last.weights.rows) : 0;
  const needed = link === "logistic" ? 2 : link === "softmax" ? width : 0;
  if (classes.length !== needed || (targets !== undefined && (link !== "identity" || width !== 1)))
    throw damagedModel("has classes or targets that do not fit its outputs");
  const preparation: unknown = fields.get("preparation") ?? undefined;
  if (
    preparation !== undefined &&
    !(isPreparation(preparation) && preparedNames(preparation).length === inputs)
  )
    throw damagedModel("has a preparation that does not make its columns");
  const indexBase: unknown = fields.get("indexBase") ?? undefined;
  if (indexBase !== undefined && indexBase !== 0 && indexBase !== 1)
    throw damagedModel("has an indexBase that is neither 0 nor 1", indexBase);
  return {
    objective,
    model,
    parameters: numbers.slice(0, count),
    scaling:
      method === "none"
        ? undefined
        : {
            method,
            scales,
            offsets: columns === 0 ? new Float64Array(inputs) : numbers.slice(count, count + inputs),
          },
    classes,
    targets,
    preparation,
    indexBase,
  };
}

function classesIn(value: unknown): readonly (string | number)[] {
  if (!Array.isArray(value) || new Set(value).size !== value.length)
    throw damagedModel("has classes that are no list of different labels");
  const words = value.filter((each): each is string => typeof each === "string");
  const numbers = value.filter((each): each is number => Number.isFinite(each));
  if (words.length === value.length) return words;
  if (numbers.length === value.length) return numbers;
  throw damagedModel("has classes that are no labels");
}

function targetsIn(value: unknown): TargetScaling | undefined {
  if (value == null) return undefined;
  const [mean, deviation]: unknown[] = ["mean", "deviation"].map((name) =>
    typeof value === "object" ? Reflect.get(value, name) : undefined,
  );
  if (typeof mean === "number" && Number.isFinite(mean) && typeof deviation === "number" && deviation > 0)
    return { mean, deviation };
  throw damagedModel("has targets without a mean and a deviation");
}
