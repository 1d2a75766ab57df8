/** What `predict` and `evaluate` ask of a model of labels, whether it is linear or one of `curvature fit`. */
import { LinearClassifier, type LinearRegressor } from "@curvature/optim-sgdqn";
import type { FitClassifier, FitRegressor } from "./fit/fit-model.js";

export type Classifier = LinearClassifier | FitClassifier;
export type Regressor = LinearRegressor | FitRegressor;
export type RowModel = Classifier | Regressor;

export const hasProbabilities = (model: Classifier): boolean =>
  !(model instanceof LinearClassifier) || model.settings.probabilities || model.fitted?.loss === "logistic";
