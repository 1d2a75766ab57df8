/** A linear model between its fits: what it has learned, and what is asked of it. */
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import type { FeatureRows } from "./data.js";
import { checkFitted, type FittedModel, type Ready, Scorer } from "./fitted.js";
import type { Label } from "./labels.js";
import { columnsBeyond, toRows } from "./rows.js";

/** @template B - what `partialFit` learns by */
export abstract class TrainedModel<L extends Label, B extends { fitted(): FittedModel<L> | undefined }> {
  abstract readonly task: "classification" | "regression";
  private current: Ready<L> | undefined;
  /** What `partialFit` goes on with; `current` is made of it when it is asked for. */
  protected batches: B | undefined;

  /** @param className - for messages */
  protected constructor(private readonly className: string) {}

  /** The model as plain data; undefined before the first fit. */
  get fitted(): FittedModel<L> | undefined {
    return this.ready()?.fitted;
  }

  /** d, the number of features known so far; 0 before the first fit. */
  get features(): number {
    return this.fitted?.features ?? 0;
  }

  /**
   * K × d for more than two classes, else 1 × d; on the features as given, unscaled. With `scale: "unit-rows"`, of x/‖x‖.
   */
  get coefficients(): DenseMatrix {
    return this.require("coefficients").scorer.coefficients;
  }

  /** b, one per row of `coefficients`. */
  get intercepts(): Float64Array {
    return this.require("intercepts").scorer.intercepts;
  }

  /** How many columns of X lie beyond the features of the training and hold something: they are ignored. */
  unseenFeatures(X: FeatureRows): number {
    const rows = toRows(X, `${this.className}.unseenFeatures: X`);
    return columnsBeyond(rows, this.require("unseenFeatures").fitted.features);
  }

  /** Scores w·x + b, n × models. */
  protected scores(X: FeatureRows, method: string): DenseMatrix {
    const { scorer } = this.require(method);
    return scorer.scores(toRows(X, `${this.className}.${method}: X`));
  }

  /** Takes a model that a fit has found, or none. */
  protected take(fitted: FittedModel<L> | undefined): void {
    this.current = fitted === undefined ? undefined : { fitted, scorer: new Scorer(fitted) };
  }

  /** A model found before, not copied. @throws CurvatureError ERR_ARGUMENT for what is none */
  protected load(fitted: FittedModel<L> | undefined): void {
    if (fitted === undefined) return;
    checkFitted(fitted, this.task);
    this.take(fitted);
  }

  protected learned(batches: B): void {
    this.batches = batches;
    this.current = undefined;
  }

  /** @throws CurvatureError ERR_ARGUMENT where there is a model, and nothing that goes on learning it */
  protected checkOnline(where: string): void {
    if (this.batches !== undefined || this.current === undefined) return;
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `${where} goes on from partialFit or fitStream; this model comes from fit or from a file, which keep no learning rate. Begin with a new model.`,
      { path: where },
    );
  }

  /** @throws CurvatureError ERR_ARGUMENT before the first fit */
  protected require(method: string): Ready<L> {
    const ready = this.ready();
    if (ready !== undefined) return ready;
    const where = `${this.className}.${method}`;
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `the model is not fitted, or its last fit ended without usable parameters. Call fit first.`,
      { where, path: where },
    );
  }

  private ready(): Ready<L> | undefined {
    if (this.current === undefined) this.take(this.batches?.fitted());
    return this.current;
  }
}
