/** One fit of a linear model to rows in memory, and the package's errors in the command's words. */
import { CurvatureError } from "@curvature/linalg";
import {
  LinearClassifier,
  type LinearClassifierOptions,
  type LinearFitOptions,
  type LinearFitResult,
  LinearRegressor,
  type LinearRegressorOptions,
} from "@curvature/optim-sgdqn";
import { inFlags } from "../run/flag-names.js";
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
    throw asDataError(error, (row) => indices?.[row] ?? row);
  }
}

/** An argument of the package's is the user's data here. @param rowOf - the row of the data that a row of the fit is */
export function asDataError(error: unknown, rowOf: (row: number) => number): unknown {
  if (!(error instanceof CurvatureError) || error.code !== "ERR_ARGUMENT") return error;
  const message = inFlags(error).replace(
    /\b(row) (\d+) \(counted from 0\)/i,
    (_, word: string, i: string) => `${word} ${rowOf(Number(i)) + 1} of the data`,
  );
  return new CurvatureError("ERR_PARSE", message, { path: error.path ?? "", cause: error });
}
