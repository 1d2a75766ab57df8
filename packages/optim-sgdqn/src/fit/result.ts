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
  /** An upper bound of (P − P*)/P, or a close estimate; undefined where the solver has none. */
  readonly gap: number | undefined;
  /** What `gap` comes from. */
  readonly certificate: LinearDetails["certificate"];
  /** The learning rate's offset, for solvers that have one. */
  readonly t0: number | undefined;
  /** λ as used. */
  readonly lambda: number;
  /** What `lambda: "auto"` tried, the largest first, with error and mean loss on the rows held out; else empty. */
  readonly triedLambdas: LambdaChoice["tried"];
  readonly phases: LinearFitPhases;
  /** What a user should know of the data or the method; empty where all is well. The codes are those of `LinearWarningCode`. */
  readonly warnings: readonly Warning[];
  readonly options: SettingsUsed<LinearSettings> & RunResult["options"];
}

/** The settings as used, those of the run and of the solver beside those of the model; in streams with the learner's name. */
type SettingsUsed<T> = T extends unknown ? Omit<T, "solver"> & { readonly solver: string } : never;

export type LinearWarningCode =
  | Extract<DataWarningCode, "constant-columns" | "counting-column" | "distinct-labels">
  | "absent-class"
  | "scaled-columns"
  | "uncalibrated"
  | "unequal-columns"
  | "unfinished-training"
  | "unusable-model";
