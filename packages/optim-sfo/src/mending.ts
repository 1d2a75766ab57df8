/**
 * What follows a failed step (section E.5): fⱼ is evaluated at the point before it, and if it had exploded, on the way
 * back to that point too, each time nearer by a factor of 100, until it is of the expected size. The better one of the
 * two points is kept. Both evaluations enter the history, so that a failed step still improves Hⱼ.
 */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { expectedChange, isTame } from "./failure.js";
import type { Evaluation } from "./workings.js";

/** Trials on the way back. */
const TRIALS = 10;
const STEP_BACK = 0.01;

export interface Mended {
  /** What enters the model, the kept one last; only finite ones. */
  readonly evaluations: readonly Evaluation[];
  readonly point: Float64Array;
  readonly isBack: boolean;
}

export class Mending {
  readonly index: number;
  readonly pointBefore: Float64Array;
  /** The point that failed, or the last one on the way back. */
  readonly point: Float64Array;
  private f: number;
  private readonly gradient: Float64Array;
  private fBefore = Number.NaN;
  private gradientBefore: Float64Array | undefined;
  private expected = 0;
  private trials = 0;

  constructor(failed: Evaluation, index: number, pointBefore: Float64Array) {
    this.index = index;
    this.pointBefore = pointBefore;
    this.point = failed.point.slice();
    this.f = failed.f;
    this.gradient = failed.gradient.slice();
  }

  /** Where fⱼ is to be evaluated next. */
  get next(): Float64Array {
    return this.gradientBefore === undefined ? this.pointBefore : this.point;
  }

  get gradients(): readonly Float64Array[] {
    const { gradient, gradientBefore } = this;
    const all = gradientBefore === undefined ? [gradient] : [gradient, gradientBefore];
    return all.filter((v) => v.every(Number.isFinite));
  }

  /**
   * Takes an answer.
   *
   * @param known - fⱼ's latest recorded value, NaN if there is none
   * @param predicted - what its model said of the point that failed
   * @returns what came of it, undefined as long as there is more to evaluate
   */
  take(f: number, gradient: Float64Array, known: number, predicted: number): Mended | undefined {
    if (this.gradientBefore === undefined) {
      this.fBefore = f;
      this.gradientBefore = gradient.slice();
      this.expected = expectedChange(known, predicted, this.f, f);
    } else {
      this.f = f;
      this.gradient.set(gradient);
    }
    if (this.trials === TRIALS || isTame(this.f, this.fBefore, this.expected))
      return this.result(this.gradientBefore);
    this.trials++;
    const { point, pointBefore } = this;
    for (let i = 0; i < point.length; i++) point[i] = (1 - STEP_BACK) * pointBefore[i] + STEP_BACK * point[i];
    return undefined;
  }

  private result(gradientBefore: Float64Array): Mended {
    const { f, fBefore, point, pointBefore, gradient } = this;
    const recent = { point, f, gradient };
    const old = { point: pointBefore, f: fBefore, gradient: gradientBefore };
    const isBack = !Number.isFinite(f) || fBefore <= f;
    const inOrder = isBack ? [recent, old] : [old, recent];
    return {
      evaluations: inOrder.filter((evaluation) => Number.isFinite(evaluation.f)),
      point: isBack ? pointBefore : point,
      isBack,
    };
  }

  save(): SnapshotValue {
    const { index, pointBefore, point, f, gradient, fBefore, gradientBefore, expected, trials } = this;
    return {
      index,
      pointBefore: pointBefore.slice(),
      point: point.slice(),
      gradient: gradient.slice(),
      gradientBefore: gradientBefore?.slice() ?? null,
      numbers: Float64Array.of(f, fBefore, expected, trials),
    };
  }

  /** @throws CurvatureError ERR_SNAPSHOT */
  static from(state: SnapshotReader, dimension: number, count: number): Mending {
    const point = state.float64("point", dimension);
    const pointBefore = state.float64("pointBefore", dimension);
    const gradient = state.float64("gradient", dimension);
    const [f, fBefore, expected, trials] = state.float64("numbers", 4);
    const mending = new Mending(
      { point, f, gradient },
      state.integer("index", 0, count - 1),
      pointBefore.slice(),
    );
    if (state.has("gradientBefore"))
      mending.gradientBefore = state.float64("gradientBefore", dimension).slice();
    mending.fBefore = fBefore;
    mending.expected = expected;
    mending.trials = trials;
    return mending;
  }
}
