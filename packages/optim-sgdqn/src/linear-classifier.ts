/**
 * The façade: rows and their classes in, a model out.
 */
import { CurvatureError, type DenseMatrix, exp, optionName, selectRows, zeros } from "@curvature/linalg";
import { type FacadeSteps, facade } from "@curvature/optim-core";
import { logisticSigmoid, probability } from "./calibration/sigmoid.js";
import type { LinearDetails } from "./details.js";
import type { FeatureRows, LabeledRows, Stream } from "./fit/data.js";
import { decide, type FittedModel } from "./fit/fitted.js";
import { selected } from "./fit/holdout.js";
import type { Label, Labels } from "./fit/labels.js";
import { checkClasses, checkLabels, classesOf, classIndices, tooFew } from "./fit/labels.js";
import {
  classifierSettings,
  fitSettings,
  type LinearClassifierOptions,
  type LinearClassifierSettings,
  type LinearFitOptions,
  linearClassifierOptions,
} from "./fit/options.js";
import type { LinearFitResult } from "./fit/result.js";
import { checkSome, toTrainingRows } from "./fit/rows.js";
import { checkRoom, type Task, targetsOf } from "./fit/task.js";
import { TrainedModel } from "./fit/trained-model.js";
import {
  countingRows,
  importancesOf,
  rowWeights,
  shiftsOf,
  weightsOfClasses,
  withMeanOne,
} from "./fit/weights.js";
import { errorRate } from "./metrics/classification.js";
import type { ClassBatches } from "./streaming/class-batches.js";

/**
 * A linear classifier: for two classes the sign of w·x + b, for more one such score per class (softmax, or one against the rest)
 * and the largest of them. With class weights κ that is the class of the largest κ p.
 *
 * A score above 0 means the second of two (sorted) classes, any other the first; of equal scores the first class's
 * counts.
 *
 * `L` is the type of the labels: `new LinearClassifier<string>()` predicts strings.
 */
export class LinearClassifier<L extends Label = Label> extends TrainedModel<L, ClassBatches<L>> {
  readonly task = "classification";
  readonly settings: LinearClassifierSettings;
  /** Those that the options name. */
  private readonly named: readonly L[] | undefined;

  /**
   * @param fitted - a model found before, as `loadModel` has it; not copied
   * @throws CurvatureError ERR_OPTION; ERR_ARGUMENT for what is no fitted model
   */
  constructor(options: LinearClassifierOptions<L> = {}, fitted?: FittedModel<L>) {
    super("LinearClassifier");
    this.settings = classifierSettings(options);
    this.named = options.classes;
    this.load(fitted);
  }

  /** Sorted; empty before the first fit. */
  get classes(): readonly L[] {
    return this.fitted?.classes ?? [];
  }

  /**
   * Trains on all rows, from nothing.
   *
   * @param X - n × d
   * @param y - length n, at least two classes in it
   * @throws CurvatureError (the promise rejects) ERR_SHAPE, ERR_NON_FINITE or ERR_MEMORY for the data, ERR_OPTION, ERR_ARGUMENT
   *   for labels, ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; the signal's reason if it is aborted before there is a model.
   *   A model whose calibration is aborted is kept without it, and a warning says so
   */
  fit(X: FeatureRows, y: Labels<L>, options?: LinearFitOptions): Promise<LinearFitResult> {
    return facade(() => this.iterate(X, y, options))();
  }

  /**
   * `fit`, iteration by iteration: the generator yields each of them with the parameters at that point, and returns the result.
   * Leaving the loop ends the training; the model is then as it was.
   */
  async *iterate(
    X: FeatureRows,
    y: Labels<L>,
    options?: LinearFitOptions,
  ): FacadeSteps<LinearDetails, LinearFitResult> {
    const where = "LinearClassifier.fit";
    const { settings } = this;
    const fit = fitSettings(where, options, linearClassifierOptions);
    const all = toTrainingRows(X, `${where}: X`);
    checkSome(all, `${where}: X`);
    checkLabels(y, all.rows, where);
    const ofAll = rowWeights(fit.sampleWeights, all.rows, where);
    const kept = countingRows(ofAll);
    const rows = kept === undefined ? all : selectRows(all, kept);
    const labels = kept === undefined ? y : Array.from(kept, (i) => y[i]);
    const weights = kept === undefined ? ofAll : ofAll && selected(ofAll, kept);
    const classes = this.classesAmong(labels, where);
    checkRoom(rows.rows, rows.columns, classes.length, where);
    const classOfRow = classIndices(y, classes, where, kept);
    const ofClasses = weightsOfClasses(settings.classWeights, classes, classOfRow, weights);
    const importances = importancesOf(classOfRow, ofClasses, withMeanOne(weights));
    const targets = targetsOf(classOfRow, classes.length);
    const task: Task = { settings, rows, targets, weights, importances, classes, classOfRow };
    const { linearRun, reportOf, train } = await import("./fit/train.js");
    const run = linearRun(fit, settings);
    const { result, scaling, bias, width, record } = yield* train(task, fit, run, labels);
    const { loss } = settings;
    const { lambda, x: parameters, options: used, multiclass } = result;
    const fitted: FittedModel<L> = {
      loss,
      lossWidth: width,
      lambda,
      solver: used.solver,
      bias,
      features: rows.columns,
      classes,
      scaling,
      parameters,
      calibration: undefined,
      multiclass,
      shifts:
        ofClasses && loss === "logistic" ? shiftsOf(ofClasses, classOfRow, weights, multiclass) : undefined,
      ...record,
    };
    this.batches = undefined;
    if (!result.usable) {
      this.take(undefined);
      return { ...result, ...reportOf(run) };
    }
    let calibration: FittedModel["calibration"];
    if (settings.probabilities && loss !== "logistic") {
      const { calibrate } = await import("./calibration/calibrate.js");
      calibration = await calibrate(task, fitted, run, result, fit.signal);
    }
    this.take({ ...fitted, calibration });
    for (const [k, label] of classes.entries())
      if (!classOfRow.includes(k)) run.warn("absent-class", `No row is of class ${String(label)}.`);
    return { ...result, ...reportOf(run) };
  }

  /**
   * Trains on a stream in memory that does not grow with its length, by the solvers that visit rows one by one.
   * `maxPasses` above 1 needs a function that opens the stream anew.
   *
   * @throws CurvatureError as `fit`; ERR_ARGUMENT for a class that neither `classes` nor the first batch named
   */
  fitStream(source: Stream<LabeledRows<L>>, options?: LinearFitOptions): Promise<LinearFitResult> {
    return facade(() => this.iterateStream(source, options))();
  }

  /** `fitStream`, batch by batch, as `iterate`. */
  async *iterateStream(
    source: Stream<LabeledRows<L>>,
    options?: LinearFitOptions,
  ): FacadeSteps<LinearDetails, LinearFitResult> {
    const where = "LinearClassifier.fitStream";
    const fit = fitSettings(where, options, linearClassifierOptions);
    const [{ ClassBatches }, { fitStream }] = await Promise.all([
      import("./streaming/class-batches.js"),
      import("./streaming/fit-stream.js"),
    ]);
    const batches = new ClassBatches<L>(this.settings, where, this.named);
    const result = yield* fitStream(source, batches, this.settings, fit);
    this.learned(batches);
    return result;
  }

  /**
   * One pass over these rows, from where the last `partialFit` (or `fitStream`) ended. With `shuffle` the rows of a call
   * are visited in random order. Calls count in their order, whether or not each is awaited; rows and labels are to stay
   * as they are until it is done.
   *
   * @param X - may have more columns than rows before: new features begin at 0
   * @param classes - needed in the first call unless the option `classes` or the rows name them all
   * @throws CurvatureError (the promise rejects) as `fit`; ERR_ARGUMENT after `fit` or `loadModel`, which keep no learner's state
   */
  async partialFit(X: FeatureRows, y: Labels<L>, classes?: readonly L[]): Promise<void> {
    const where = "LinearClassifier.partialFit";
    const { ClassBatches } = await import("./streaming/class-batches.js");
    this.checkOnline(where);
    const batches = this.batches ?? new ClassBatches<L>(this.settings, where, this.named);
    if (classes !== undefined) batches.name(classes);
    batches.learn({ rows: X, labels: y });
    this.learned(batches);
  }

  /**
   * The class of every row. Columns beyond those of the training are ignored (`unseenFeatures` counts them), missing ones
   * are 0.
   *
   * @throws CurvatureError ERR_ARGUMENT before the first fit, ERR_SHAPE, ERR_NON_FINITE
   */
  predict(X: FeatureRows): L[] {
    const { classes } = this.require("predict").fitted;
    return Array.from(decide(this.scores(X, "predict")), (k) => classes[k]);
  }

  /** Scores w·x + b: n × 1 for two classes, else n × K. @throws CurvatureError as `predict` */
  decisionFunction(X: FeatureRows): DenseMatrix {
    return this.scores(X, "decisionFunction");
  }

  /**
   * n × K, rows of sum 1, columns in the order of `classes`: softmax, or for more than two classes, where each was set against
   * the rest, those probabilities divided by their sum. Class weights do not change them: they are those of the rows as they are.
   *
   * @throws CurvatureError as `predict`; ERR_ARGUMENT unless the loss is logistic or the option `probabilities` was on
   */
  predictProbabilities(X: FeatureRows): DenseMatrix {
    const where = "LinearClassifier.predictProbabilities";
    const { classes, loss, calibration, shifts, multiclass } = this.require("predictProbabilities").fitted;
    if (calibration === undefined && loss !== "logistic")
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `the scores of the ${loss} loss are no probabilities. Fit with ${optionName("probabilities", "true")}, or with ${optionName("loss", "logistic")}.`,
        { where, path: "probabilities", expected: "true", received: false },
      );
    const scores = this.scores(X, "predictProbabilities");
    const K = classes.length;
    const out = zeros(scores.rows, K);
    if (shifts !== undefined)
      for (let p = 0; p < scores.data.length; p++) scores.data[p] -= shifts[p % shifts.length];
    for (let i = 0; i < scores.rows; i++) {
      const row = out.data.subarray(i * K, (i + 1) * K);
      if (multiclass === "softmax") {
        softmax(scores.data.subarray(i * K, (i + 1) * K), row);
        continue;
      }
      if (scores.columns === 1) {
        row[1] = probability(calibration?.[0] ?? logisticSigmoid, scores.data[i]);
        row[0] = 1 - row[1];
        continue;
      }
      let sum = 0;
      for (let k = 0; k < K; k++) {
        row[k] = Math.max(
          MIN_PROBABILITY,
          probability(calibration?.[k] ?? logisticSigmoid, scores.data[i * K + k]),
        );
        sum += row[k];
      }
      for (let k = 0; k < K; k++) row[k] /= sum;
    }
    return out;
  }

  /** The share of rows, at least one, whose class is predicted right. @throws CurvatureError as `predict`; for labels as `fit` */
  score(X: FeatureRows, y: Labels): number {
    const predicted = this.predict(X);
    checkLabels(y, predicted.length, "LinearClassifier.score");
    return 1 - errorRate(y, predicted);
  }

  private classesAmong(y: Labels<L>, where: string): readonly L[] {
    const present = classesOf(y);
    if (present.length < 2) throw tooFew(present, where);
    return this.named === undefined ? present : checkClasses(this.named, where);
  }
}

/** e^{s_k} / Σ e^{s_j} */
function softmax(scores: Float64Array, out: Float64Array): void {
  const largest = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  let sum = 0;
  for (let k = 0; k < scores.length; k++) {
    out[k] = exp(scores[k] - largest);
    sum += out[k];
  }
  for (let k = 0; k < scores.length; k++) out[k] /= sum;
}

/** So that the sum over classes is never 0. */
const MIN_PROBABILITY = 1e-300;
