/**
 * What `fit` takes beside the data, and what it returns: the run's result and what a report of it needs.
 */
import type { RunOptions, RunResult } from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import type { LambdaChoice } from "../path/choose-lambda.js";

export interface LinearFitOptions {
  /** By row, at least 0: what an error in it costs, relative to the others. Default 1 for all. */
  readonly sampleWeights?: ArrayLike<number>;
  readonly signal?: RunOptions<LinearDetails>["signal"];
  readonly onIteration?: RunOptions<LinearDetails>["onIteration"];
  /** Milliseconds after which the event loop gets its turn. Default 16. */
  readonly yieldEvery?: RunOptions["yieldEvery"];
  readonly checkpoint?: RunOptions["checkpoint"];
  /**
   * A checkpoint of a fit with the same data and options, to go on from: to the end of the uninterrupted fit, bit for
   * bit. Limits and tolerance may be others.
   */
  readonly resume?: RunOptions["resume"];
  /** Whether to keep the iterations in the result, or how many of the last ones. Default false. */
  readonly history?: RunOptions["history"];
}

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
  /** Sentences about the data or the method that a user should read; empty where all is well. */
  readonly warnings: readonly string[];
}
