/**
 * Linear models ⇄ bytes, exactly, by `encodeModel` of optim-core. The numbers are the parameters, and after them the offsets and
 * scales of a scaling by columns, and standard errors.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import { decodeModel, encodeModel } from "@curvature/optim-core";
import { LinearClassifier } from "../linear-classifier.js";
import { LinearRegressor } from "../linear-regressor.js";
import { described, type Restored, restored } from "./description.js";

const FORM = { format: "curvature-linear-model", version: 3 } as const;

/** A fitted model; `task` says which kind it is. */
export type LinearModel = LinearClassifier | LinearRegressor;

/**
 * The model as a JSON text in UTF-8: everything that predictions need, bit for bit, and the options it was made with.
 * What `partialFit` would go on from is not part of it.
 *
 * @throws CurvatureError ERR_ARGUMENT for a model that was not fitted, ERR_MEMORY
 */
export function saveModel(model: LinearModel): Uint8Array {
  if (!(model instanceof LinearClassifier || model instanceof LinearRegressor))
    throw new CurvatureError("ERR_ARGUMENT", `saveModel takes a linear model; received ${shown(model)}.`, {
      path: "model",
      received: model,
    });
  const { task, settings, fitted } = model;
  if (fitted === undefined)
    throw new CurvatureError("ERR_ARGUMENT", "the model is not fitted. Call fit first.", {
      where: "saveModel",
      path: "model",
    });
  const { description, numbers } = described(task, settings, fitted);
  return encodeModel(FORM, description, numbers);
}

/**
 * The model that `saveModel` wrote.
 *
 * @throws CurvatureError ERR_PARSE for anything else: a foreign, cut or changed file, or one of another version
 */
export function loadModel(file: Uint8Array | string): LinearModel {
  const { fields, numbers } = decodeModel(FORM, file);
  return asModel(restored(fields, numbers));
}

function asModel(read: Restored): LinearModel {
  return read.task === "classification"
    ? new LinearClassifier(read.options, read.fitted)
    : new LinearRegressor(read.options, read.fitted);
}
