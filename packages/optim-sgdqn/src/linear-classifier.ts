/**
 * The façade: rows and their classes in, a model out.
 */
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import type { FeatureRows, LabeledRows, Labels, Stream } from "./fit/data.js";
import {
  classifierSettings,
  type Label,
  type LinearClassifierOptions,
  type LinearClassifierSettings,
} from "./fit/options.js";
import type { LinearFitOptions, LinearFitResult } from "./fit/result.js";

/**
 * A linear classifier: for two classes the sign of w·x + b, for more one such score per class (one against the rest)
 * and the largest of them.
 *
 * A score above 0 means the second of two (sorted) classes, any other the first; of equal scores the first class's
 * counts.
 */
export class LinearClassifier {
  readonly task = "classification";
  readonly settings: LinearClassifierSettings;

  /** @throws CurvatureError ERR_OPTION */
  constructor(options: LinearClassifierOptions = {}) {
    this.settings = classifierSettings(options);
  }

  /** Sorted; empty before the first fit. */
  get classes(): readonly Label[] {
    throw unfinished();
  }

  /** d, the number of features known so far; 0 before the first fit. */
  get features(): number {
    throw unfinished();
  }

  /** 1 × d for two classes, else K × d; on the features as given, unscaled. With `scale: "unit-rows"`, of x/‖x‖. */
  get coefficients(): DenseMatrix {
    throw unfinished();
  }

  /** b, one per row of `coefficients`. */
  get intercepts(): Float64Array {
    throw unfinished();
  }

  /**
   * Trains on all rows, from nothing.
   *
   * @param X - n × d
   * @param y - length n, at least two classes in it
   * @throws CurvatureError (the promise rejects) ERR_SHAPE or ERR_NON_FINITE for the data, ERR_OPTION, ERR_ARGUMENT for
   *   labels, ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; the signal's reason if it is aborted before there is a model
   */
  async fit(X: FeatureRows, y: Labels, options: LinearFitOptions = {}): Promise<LinearFitResult> {
    throw unfinished([X, y, options]);
  }

  /**
   * Trains on a stream in memory that does not grow with its length, by the solvers that visit rows one by one.
   * `maxPasses` above 1 needs a function that opens the stream anew.
   *
   * @throws CurvatureError as `fit`; ERR_ARGUMENT for a class that neither `classes` nor the first batch named
   */
  async fitStream(source: Stream<LabeledRows>, options: LinearFitOptions = {}): Promise<LinearFitResult> {
    throw unfinished([source, options]);
  }

  /**
   * One pass over these rows, from where the last `partialFit` (or `fitStream`) ended.
   *
   * @param classes - needed in the first call unless the option `classes` or the rows name them all
   * @throws CurvatureError as `fit`
   */
  partialFit(X: FeatureRows, y: Labels, classes?: readonly Label[]): void {
    throw unfinished([X, y, classes]);
  }

  /** The class of every row. Columns beyond those of the training are ignored, missing ones are 0. */
  predict(X: FeatureRows): Label[] {
    throw unfinished(X);
  }

  /** Scores w·x + b: n × 1 for two classes, else n × K. */
  decisionFunction(X: FeatureRows): DenseMatrix {
    throw unfinished(X);
  }

  /**
   * n × K, rows of sum 1, columns in the order of `classes`.
   *
   * @throws CurvatureError ERR_ARGUMENT unless the loss is logistic or the option `probabilities` was on
   */
  predictProbabilities(X: FeatureRows): DenseMatrix {
    throw unfinished(X);
  }

  /** The share of rows whose class is predicted right. */
  score(X: FeatureRows, y: Labels): number {
    throw unfinished([X, y]);
  }

  /** How many columns of X lie beyond the features of the training and hold something: they are ignored. */
  unseenFeatures(X: FeatureRows): number {
    throw unfinished(X);
  }
}

const unfinished = (received?: unknown): CurvatureError =>
  new CurvatureError("ERR_ARGUMENT", "This part is not finished.", { received });
