/** One fit of a linear model to rows in memory, and the package's errors in the command's words. */
import {
  LinearClassifier,
  type LinearClassifierOptions,
  type LinearFitOptions,
  type LinearFitResult,
  LinearRegressor,
  type LinearRegressorOptions,
} from "@curvature/optim-sgdqn";
import { asDataError } from "./data-error.js";
import type { LabeledData } from "./linear-model.js";

/** Plain data only. */
export type ModelRequest =
  | { readonly kind: "classification"; readonly options: LinearClassifierOptions }
  | { readonly kind: "regression"; readonly options: LinearRegressorOptions };

/** @throws CurvatureError as the package; what is wrong with the labels, which are data here, as ERR_PARSE */
export async function fitted(
  request: ModelRequest,
  { rows, labels, weights: sampleWeights, indices }: LabeledData,
  options: LinearFitOptions,
): Promise<{ readonly model: LinearClassifier | LinearRegressor; readonly result: LinearFitResult }> {
  const all = { ...options, sampleWeights };
  try {
    if (request.kind === "classification") {
      const model = new LinearClassifier(request.options);
      return { model, result: await model.fit(rows, labels, all) };
    }
    const model = new LinearRegressor(request.options);
    return { model, result: await model.fit(rows, Float64Array.from(labels, Number), all) };
  } catch (error) {
    throw asDataError(error, { rowOf: (row) => indices?.[row] ?? row });
  }
}
