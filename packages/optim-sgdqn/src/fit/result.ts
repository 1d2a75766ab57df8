/** What `fit` returns: the run's result and what a report of it needs. */
import type { Warning } from "@curvature/linalg";
import type { DataWarningCode } from "@curvature/linalg/tables";
import type { RunResult } from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import type { LambdaChoice } from "../path/choose-lambda.js";
import type { LinearSettings } from "./options.js";

export interface LinearFitPhases {
  /** Checking and scaling the data; seconds. */
  readonly preparation: number;
  /** Choosing λ by `lambda: "auto"`; seconds. */
  readonly lambda: number;
  /** Making the solver and the run; seconds. */
  readonly optimization: number;
  /** Fitting the map from scores to probabilities; seconds. */
  readonly calibration: number;
}

/**
 * `x` holds the parameters on the scaled features, model after model where there are more than two classes, and
 * `value` is P (summed over the models); `model.coefficients` are those on the features as given.
 */
export interface LinearFitResult extends RunResult<LinearDetails> {
  /** (P − D)/P, an upper bound of (P − P*)/P; undefined where training ended before there was a point to measure. */
  readonly gap: number | undefined;
  /** What `gap` comes from. */
  readonly certificate: LinearDetails["certificate"];
  /** The learning rate's offset, for solvers that have one. */
  readonly t0: number | undefined;
  /** λ as used, on the scaled features. */
  readonly lambda: number;
  /**
   * What decided λ: the user, approximate leave-one-out, 5 folds (text, or more than 1000 rows and columns), or the size of the
   * data (R²/n, of a single row; R²/10,000 in streams).
   */
  readonly lambdaRule: "given" | "leave-one-out" | "folds" | "size";
  /** What `lambda: "auto"` tried, the largest first; else empty. */
  readonly triedLambdas: LambdaChoice["tried"];
  /**
   * What models of other rows say of each row (by approximate leave-one-out, or by folds) with this λ: for classes the share of wrong ones and the
   * mean loss (−ln p for the logistic loss), for regression the mean of (s − y)² and the mean loss. Undefined where λ was given.
   */
  readonly leftOut: { readonly error: number; readonly loss: number } | undefined;
  /** Of several classes: one softmax problem, or one for each against the rest. */
  readonly multiclass: "softmax" | "one-versus-rest" | undefined;
  readonly phases: LinearFitPhases;
  /** What a user should know of the data or the method; empty where all is well. The codes are those of `LinearWarningCode`. */
  readonly warnings: readonly Warning[];
  readonly options: SettingsUsed<LinearSettings> & RunResult["options"];
}

/** The settings as used, those of the run and of the solver beside those of the model; in streams with the learner's name. */
type SettingsUsed<T> = T extends unknown ? Omit<T, "solver"> & { readonly solver: string } : never;

export type LinearWarningCode =
  | Extract<DataWarningCode, "constant-columns" | "counting-column" | "distinct-labels" | "leaking-columns">
  | "absent-class"
  | "constant-targets"
  | "mostly-one-target"
  | "lost-search"
  | "never-predicted"
  | "no-better-than-majority"
  | "numbers-as-classes"
  | "separable"
  | "uncalibrated"
  | "unequal-columns"
  | "uneven-weights"
  | "unfinished-training"
  | "uninformative"
  | "unusable-model"
  | "worse-than-start";
