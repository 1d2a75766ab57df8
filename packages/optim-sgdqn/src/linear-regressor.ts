/**
 * The façade: rows and their targets in, a model out.
 */
import { CurvatureError, selectRows } from "@curvature/linalg";
import { type FacadeSteps, facade } from "@curvature/optim-core";
import type { LinearDetails } from "./details.js";
import type { FeatureRows, MeasuredRows, Stream } from "./fit/data.js";
import type { FittedModel } from "./fit/fitted.js";
import { selected } from "./fit/holdout.js";
import type { Label } from "./fit/labels.js";
import {
  fitSettings,
  type LinearFitOptions,
  type LinearRegressorOptions,
  type LinearRegressorSettings,
  linearRegressorOptions,
  regressorSettings,
} from "./fit/options.js";
import type { LinearFitResult } from "./fit/result.js";
import { checkSome, toTrainingRows } from "./fit/rows.js";
import { TrainedModel } from "./fit/trained-model.js";
import { countingRows, rowWeights, withMeanOne } from "./fit/weights.js";
import { regressionReport } from "./metrics/regression.js";
import { checkNumbers } from "./metrics/weights.js";
import type { TargetBatches } from "./streaming/target-batches.js";

/** A linear regressor w·x + b: least squares or the Huber loss, with λ/2 ‖w‖². */
export class LinearRegressor extends TrainedModel<Label, TargetBatches> {
  readonly task = "regression";
  readonly settings: LinearRegressorSettings;

  /**
   * @param fitted - a model found before, as `loadModel` has it; not copied
   * @throws CurvatureError ERR_OPTION; ERR_ARGUMENT for what is no fitted model
   */
  constructor(options: LinearRegressorOptions = {}, fitted?: FittedModel) {
    super("LinearRegressor");
    this.settings = regressorSettings(options);
    this.load(fitted);
  }

  /** As `LinearClassifier.fit`, with real targets. */
  fit(X: FeatureRows, y: ArrayLike<number>, options?: LinearFitOptions): Promise<LinearFitResult> {
    return facade(() => this.iterate(X, y, options))();
  }

  /** As `LinearClassifier.iterate`. */
  async *iterate(
    X: FeatureRows,
    y: ArrayLike<number>,
    options?: LinearFitOptions,
  ): FacadeSteps<LinearDetails, LinearFitResult> {
    const where = "LinearRegressor.fit";
    const { settings } = this;
    const fit = fitSettings(where, options, linearRegressorOptions);
    const all = toTrainingRows(X, `${where}: X`);
    checkSome(all, `${where}: X`);
    checkNumbers(y, all.rows, `${where}, y`);
    const measured = y instanceof Float64Array ? y : Float64Array.from(y);
    const ofAll = rowWeights(fit.sampleWeights, all.rows, where);
    const kept = countingRows(ofAll);
    const rows = kept === undefined ? all : selectRows(all, kept);
    const targets = [kept === undefined ? measured : selected(measured, kept)];
    const weights = kept === undefined ? ofAll : ofAll && selected(ofAll, kept);
    const importances = withMeanOne(weights);
    const { linearRun, reportOf, train } = await import("./fit/train.js");
    const run = linearRun(fit, settings);
    const task = { settings, rows, targets, weights, importances, classes: [], classOfRow: undefined };
    const trained = yield* train(task, fit, run);
    const { scaling, bias, width, record } = trained;
    const result = { ...trained.result, ...reportOf(run) };
    this.batches = undefined;
    if (!result.usable) {
      this.take(undefined);
      return result;
    }
    const { loss } = settings;
    const fitted: FittedModel = {
      loss,
      lossWidth: width,
      lambda: result.lambda,
      solver: result.options.solver,
      bias,
      features: rows.columns,
      classes: [],
      scaling,
      parameters: result.x,
      calibration: undefined,
      multiclass: undefined,
      shifts: undefined,
      ...record,
    };
    this.take(fitted);
    return result;
  }

  /** As `LinearClassifier.fitStream`. */
  fitStream(source: Stream<MeasuredRows>, options?: LinearFitOptions): Promise<LinearFitResult> {
    return facade(() => this.iterateStream(source, options))();
  }

  /** As `LinearClassifier.iterateStream`. */
  async *iterateStream(
    source: Stream<MeasuredRows>,
    options?: LinearFitOptions,
  ): FacadeSteps<LinearDetails, LinearFitResult> {
    const where = "LinearRegressor.fitStream";
    const fit = fitSettings(where, options, linearRegressorOptions);
    const [{ TargetBatches }, { fitStream }] = await Promise.all([
      import("./streaming/target-batches.js"),
      import("./streaming/fit-stream.js"),
    ]);
    const batches = new TargetBatches(this.settings, where);
    const result = yield* fitStream(source, batches, this.settings, fit);
    this.learned(batches);
    return result;
  }

  /** As `LinearClassifier.partialFit`. */
  async partialFit(X: FeatureRows, y: ArrayLike<number>): Promise<void> {
    const where = "LinearRegressor.partialFit";
    const { TargetBatches } = await import("./streaming/target-batches.js");
    this.checkOnline(where);
    const batches = this.batches ?? new TargetBatches(this.settings, where);
    batches.learn({ rows: X, targets: y });
    this.learned(batches);
  }

  /**
   * w·x + b of every row. Columns beyond those of the training are ignored (`unseenFeatures` counts them), missing ones
   * are 0.
   *
   * @throws CurvatureError ERR_ARGUMENT before the first fit, ERR_SHAPE, ERR_NON_FINITE
   */
  predict(X: FeatureRows): Float64Array {
    return this.scores(X, "predict").data;
  }

  /**
   * R², 1 for a perfect prediction, 0 for one as good as the mean.
   *
   * @throws CurvatureError as `predict`; ERR_ARGUMENT where all targets are equal, which leaves it undefined
   */
  score(X: FeatureRows, y: ArrayLike<number>): number {
    const { r2 } = regressionReport(y, this.predict(X));
    if (r2 !== undefined) return r2;
    throw new CurvatureError("ERR_ARGUMENT", "all targets are equal; R² compares with their spread.", {
      where: "LinearRegressor.score",
      path: "y",
      expected: "targets that differ",
    });
  }
}
