/** Models ⇄ bytes. */
import { CurvatureError } from "@curvature/linalg";
import type { LinearClassifier } from "../linear-classifier.js";
import type { LinearRegressor } from "../linear-regressor.js";

/** A fitted model, told apart by `task`. */
export type LinearModel = LinearClassifier | LinearRegressor;

/**
 * The model as a JSON text in UTF-8: everything that predictions need, bit for bit.
 *
 * @throws CurvatureError ERR_ARGUMENT for a model that was not fitted
 */
export function saveModel(model: LinearModel): Uint8Array {
  throw new CurvatureError("ERR_ARGUMENT", "This part is not finished.", { received: model });
}

/**
 * The model that `saveModel` wrote.
 *
 * @throws CurvatureError ERR_PARSE for anything else: a foreign, cut or changed file, or one of another version
 */
export function loadModel(bytes: Uint8Array | string): LinearModel {
  throw new CurvatureError("ERR_PARSE", "This part is not finished.", { received: bytes });
}
