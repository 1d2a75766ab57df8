/**
 * The façade: rows and their targets in, a model out.
 */
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import type { FeatureRows, MeasuredRows, Stream } from "./fit/data.js";
import {
  type LinearRegressorOptions,
  type LinearRegressorSettings,
  regressorSettings,
} from "./fit/options.js";
import type { LinearFitOptions, LinearFitResult } from "./fit/result.js";

/** A linear regressor w·x + b: least squares or the Huber loss, with λ/2 ‖w‖². */
export class LinearRegressor {
  readonly task = "regression";
  readonly settings: LinearRegressorSettings;

  /** @throws CurvatureError ERR_OPTION */
  constructor(options: LinearRegressorOptions = {}) {
    this.settings = regressorSettings(options);
  }

  /** d, the number of features known so far; 0 before the first fit. */
  get features(): number {
    throw unfinished();
  }

  /** 1 × d, on the features as given, unscaled. With `scale: "unit-rows"`, of x/‖x‖. */
  get coefficients(): DenseMatrix {
    throw unfinished();
  }

  /** b, length 1. */
  get intercepts(): Float64Array {
    throw unfinished();
  }

  /** As `LinearClassifier.fit`, with real targets. */
  async fit(X: FeatureRows, y: ArrayLike<number>, options: LinearFitOptions = {}): Promise<LinearFitResult> {
    throw unfinished([X, y, options]);
  }

  /** As `LinearClassifier.fitStream`. */
  async fitStream(source: Stream<MeasuredRows>, options: LinearFitOptions = {}): Promise<LinearFitResult> {
    throw unfinished([source, options]);
  }

  /** One pass over these rows, from where the last `partialFit` (or `fitStream`) ended. */
  partialFit(X: FeatureRows, y: ArrayLike<number>): void {
    throw unfinished([X, y]);
  }

  /** w·x + b of every row. Columns beyond those of the training are ignored, missing ones are 0. */
  predict(X: FeatureRows): Float64Array {
    throw unfinished(X);
  }

  /** R², 1 for a perfect prediction, 0 for one as good as the mean. */
  score(X: FeatureRows, y: ArrayLike<number>): number {
    throw unfinished([X, y]);
  }

  /** As `LinearClassifier.unseenFeatures`. */
  unseenFeatures(X: FeatureRows): number {
    throw unfinished(X);
  }
}

const unfinished = (received?: unknown): CurvatureError =>
  new CurvatureError("ERR_ARGUMENT", "This part is not finished.", { received });
