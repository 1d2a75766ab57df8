/**
 * A fitted model ⇄ what stands in its file: a description in words and a row of numbers. Nothing is taken over that was
 * not checked.
 */
import { CurvatureError, type Scaling, type ScalingMethod } from "@curvature/linalg";
import type { Preparation } from "@curvature/linalg/tables";
import { type Bias, type LinearLossName, linearLoss, linearLossNames } from "@curvature/objectives/linear";
import { damagedModel as damaged } from "@curvature/optim-core";
import type { Sigmoid } from "../calibration/sigmoid.js";
import { type FittedModel, makesFeatures, modelCount } from "../fit/fitted.js";
import type { Label } from "../fit/labels.js";
import { areLabels, checkClasses } from "../fit/labels.js";
import {
  classifierSettings,
  type LinearClassifierSettings,
  type LinearRegressorSettings,
  type LinearSettings,
  regressorSettings,
} from "../fit/options.js";
import { isTrainingRecord, type TrainingRecord } from "../fit/training-record.js";

/** What stands in words. */
export interface Description {
  readonly task: "classification" | "regression";
  /** A limit that is none is "Infinity", which JSON has no number for. */
  readonly options: object;
  readonly loss: string;
  readonly lossWidth: number;
  readonly lambda: number;
  readonly solver: string;
  readonly bias: string;
  readonly features: number;
  readonly classes: readonly Label[];
  readonly scaling: string;
  /** [slope, offset] for each model. */
  readonly calibration: readonly (readonly [number, number])[] | null;
  readonly multiclass: "softmax" | "one-versus-rest" | null;
  /** What class weights add to the scores, by model. */
  readonly shifts: readonly number[] | null;
  readonly indexBase: 0 | 1 | null;
  readonly preparation: Preparation | null;
  readonly training: TrainingRecord | null;
  /** Whether they are the last of the numbers. */
  readonly standardErrors: boolean;
}

export type Restored =
  | {
      readonly task: "classification";
      readonly options: LinearClassifierSettings;
      readonly fitted: FittedModel;
    }
  | { readonly task: "regression"; readonly options: LinearRegressorSettings; readonly fitted: FittedModel };

export function described(
  task: Description["task"],
  options: LinearSettings,
  fitted: FittedModel,
): { readonly description: Description; readonly numbers: Float64Array } {
  const { loss, lossWidth, lambda, solver, bias, features, classes, scaling, parameters, calibration } =
    fitted;
  const ofColumns = scaling === undefined || scaling.method === "unit-rows" ? undefined : scaling;
  const errors = fitted.standardErrors;
  const ofScaling = ofColumns === undefined ? 0 : 2 * features;
  const numbers = new Float64Array(parameters.length + ofScaling + (errors?.length ?? 0));
  numbers.set(parameters);
  if (ofColumns !== undefined) {
    numbers.set(ofColumns.offsets, parameters.length);
    numbers.set(ofColumns.scales, parameters.length + features);
  }
  if (errors !== undefined) numbers.set(errors, parameters.length + ofScaling);
  const description: Description = {
    task,
    options: withNames(options),
    loss,
    lossWidth,
    lambda,
    solver,
    bias,
    features,
    classes,
    scaling: scaling?.method ?? "none",
    calibration: calibration?.map(({ slope, offset }) => [slope, offset] as const) ?? null,
    multiclass: fitted.multiclass ?? null,
    shifts: fitted.shifts === undefined ? null : Array.from(fitted.shifts),
    indexBase: fitted.indexBase ?? null,
    preparation: fitted.preparation ?? null,
    training: fitted.training ?? null,
    standardErrors: errors !== undefined,
  };
  return { description, numbers };
}

/** @throws CurvatureError ERR_PARSE for what no model can be */
export function restored(fields: ReadonlyMap<string, unknown>, numbers: Float64Array): Restored {
  const task = oneOf(fields, "task", ["classification", "regression"]);
  const features = fields.get("features");
  if (typeof features !== "number" || !Number.isSafeInteger(features) || features < 1)
    throw damaged("has a number of features that it cannot have", features);
  const classes = task === "classification" ? classesOf(fields.get("classes")) : [];
  const bias: Bias = oneOf(fields, "bias", ["none", "regularized", "free"]);
  const models = modelCount(classes);
  const parameterCount = models * (features + (bias === "none" ? 0 : 1));
  const scaling = oneOf(fields, "scaling", ["none", "max-abs", "rms", "deviation", "standard", "unit-rows"]);
  const columns = scaling === "none" || scaling === "unit-rows" ? 0 : features;
  const scaledCount = parameterCount + 2 * columns;
  const hasErrors = fields.get("standardErrors") === true;
  const count = scaledCount + (hasErrors ? models * (features + 1) : 0);
  if (numbers.length !== count) throw damaged(`needs ${count} numbers and has others`, numbers.length);
  if (!numbers.every(Number.isFinite)) throw damaged("has a parameter that is not finite");
  const losses = linearLossNames.filter((name) => linearLoss(name).task === task);
  const fitted: FittedModel = {
    loss: oneOf<LinearLossName>(fields, "loss", losses),
    lossWidth: positiveNumber(fields, "lossWidth"),
    lambda: positiveNumber(fields, "lambda"),
    solver: text(fields, "solver"),
    bias,
    features,
    classes,
    scaling:
      scaling === "none"
        ? undefined
        : scalingOf(scaling, features, numbers.subarray(parameterCount, scaledCount)),
    parameters: numbers.slice(0, parameterCount),
    calibration: calibrationOf(fields.get("calibration"), models),
    multiclass: multiclassOf(fields.get("multiclass"), models),
    shifts: shiftsOf(fields.get("shifts"), models),
    indexBase: indexBaseOf(fields.get("indexBase")),
    preparation: preparationOf(fields.get("preparation"), features),
    standardErrors: hasErrors ? numbers.slice(scaledCount) : undefined,
    training: trainingOf(fields.get("training")),
  };
  return task === "classification"
    ? { task, options: readable(() => classifierSettings(asOptions(fields))), fitted }
    : { task, options: readable(() => regressorSettings(asOptions(fields))), fitted };
}

function scalingOf(method: ScalingMethod, features: number, numbers: Float64Array): Scaling {
  if (method === "unit-rows")
    return { method, offsets: new Float64Array(features), scales: new Float64Array(features).fill(1) };
  const scales = numbers.slice(features);
  if (!scales.every((scale) => scale > 0)) throw damaged("has a scale that is not above 0");
  return { method, offsets: numbers.slice(0, features), scales };
}

function classesOf(value: unknown): readonly Label[] {
  if (!areLabels(value)) throw damaged("has classes that are no labels", value);
  const sorted = readable(() => checkClasses(value, "model file"));
  if (sorted.some((label, k) => label !== value[k])) throw damaged("has classes that are not in order");
  return sorted;
}

function calibrationOf(value: unknown, models: number): readonly Sigmoid[] | undefined {
  if (value === null) return undefined;
  if (!Array.isArray(value) || value.length !== models)
    throw damaged("has a calibration that does not fit its classes", value);
  return value.map((pair: unknown) => {
    const [slope, offset]: readonly unknown[] = Array.isArray(pair) ? pair : [];
    if (!isFiniteNumber(slope) || !isFiniteNumber(offset) || slope > 0)
      throw damaged("has a calibration that it cannot have", pair);
    return { slope, offset };
  });
}

function multiclassOf(value: unknown, models: number): FittedModel["multiclass"] {
  if (value === null && models === 1) return undefined;
  if ((value === "softmax" || value === "one-versus-rest") && models > 1) return value;
  throw damaged("has a way of several classes that does not fit them", value);
}

function shiftsOf(value: unknown, models: number): Float64Array | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value) && value.length === models && value.every(isFiniteNumber))
    return Float64Array.from(value);
  throw damaged("has shifts of the scores that do not fit its classes", value);
}

function indexBaseOf(value: unknown): 0 | 1 | undefined {
  if (value === null || value === undefined) return undefined;
  if (value === 0 || value === 1) return value;
  throw damaged("has an indexBase that is neither 0 nor 1", value);
}

function preparationOf(value: unknown, features: number): Preparation | undefined {
  if (value === null || value === undefined) return undefined;
  if (makesFeatures(value, features)) return value;
  throw damaged("has a preparation that does not make its features", value);
}

function trainingOf(value: unknown): TrainingRecord | undefined {
  if (value === null || value === undefined) return undefined;
  if (isTrainingRecord(value)) return value;
  throw damaged("has an account of its training that it cannot have", value);
}

/** The options object, for the options' own table to check. */
function asOptions(fields: ReadonlyMap<string, unknown>): object {
  const options = fields.get("options");
  if (typeof options !== "object" || options === null) throw damaged("has no options", options);
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, isLimit(name, value) ? UNLIMITED : value]),
  );
}

function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof CurvatureError) throw damaged(`cannot be right: ${cause.message}`, undefined, cause);
    throw cause;
  }
}

function oneOf<T extends string>(
  fields: ReadonlyMap<string, unknown>,
  name: string,
  choices: readonly T[],
): T {
  const value = fields.get(name);
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw damaged(`has a ${name} that is none of ${choices.join(", ")}`, value);
  return found;
}

function positiveNumber(fields: ReadonlyMap<string, unknown>, name: string): number {
  const value = fields.get(name);
  if (!isFiniteNumber(value) || value <= 0) throw damaged(`has a ${name} that is not above 0`, value);
  return value;
}

function text(fields: ReadonlyMap<string, unknown>, name: string): string {
  const value = fields.get(name);
  if (typeof value !== "string") throw damaged(`has a ${name} that is no text`, value);
  return value;
}

const isFiniteNumber = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value);

const UNLIMITED = Number.POSITIVE_INFINITY;

const isLimit = (name: string, value: unknown): boolean =>
  (name === "maxPasses" || name === "maxSeconds") && value === "Infinity";

const withNames = (options: LinearSettings): object =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, value === UNLIMITED ? "Infinity" : value]),
  );
