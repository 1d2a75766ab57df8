/**
 * What follows when a step fails, or a run diverges.
 *
 * A step fails if the subfunction that was evaluated after it lies further above its model than the others were to fall:
 *
 *   f or its gradient is not finite, or
 *   the first evaluation of fⱼ:  f > mean + 3 deviations of the others' values (five of them at least), or
 *   f > fⱼ and f − gⱼ(z) > predicted decrease − (fⱼ − gⱼ(z))
 *
 * Then fⱼ is evaluated at the point before it, and if it had exploded, on the way back to that point too, each time nearer
 * by a factor of 100, until it is of the expected size. The better one of the two points is kept. Both evaluations enter the
 * history, so that a failed step still improves Hⱼ. Section E.5 of the paper, with what its authors' program adds; with
 * fewer than five others the deviation says nothing.
 *
 * Divergence, for which the paper has no rule: models that are wrong may lead far above F(x₀). Once every subfunction was
 * evaluated, E = Σ (latest values) estimates F, and E₀ = Σ (first values) F near x₀. A restart is due when E > E₀ or is not
 * finite, when half of the last N steps failed, or when η is at its floor; not within N steps of the last one. It goes from
 * the point with the least estimate, where a sweep evaluates every subfunction, and its first step is at most
 *
 *   (0.3 ‖x − x₀‖/√N + 1e-3 max(1, ‖x‖)) 0.3^r  long after r restarts.
 *
 * It is a last resort: sums of functions of a few parameters, on which the authors' program diverges, are held by their
 * supports (`subfunction-model.ts`) and a trust region (`method.ts`), and with seeds 0 to 4 no restart comes on any of
 * the nine reference problems. Wrong gradients are what it is most often about.
 */
import { norm2, squaredDistance } from "@curvature/linalg";
import type { Outcome } from "@curvature/optim-core";
import { float64, maybe, number, stateIn, uint8, whole, word } from "@curvature/optim-core/state";
import { type Evaluation, SCALE_FLOOR } from "./method.js";
import type { SubfunctionModel } from "./subfunction-model.js";

// ── A failed step ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** Fewer other values say nothing of what is usual. */
const MIN_OTHERS = 5;

export function hasFailed(
  model: SubfunctionModel,
  predicted: number,
  f: number,
  predictedDecrease: number,
  models: readonly SubfunctionModel[],
): boolean {
  if (!Number.isFinite(f)) return true;
  if (model.evaluations === 1 || !model.isSeen) return isOutlier(f, models);
  if (!(f > model.f)) return false;
  return f - predicted > predictedDecrease - (model.f - predicted);
}

function isOutlier(f: number, models: readonly SubfunctionModel[]): boolean {
  const values: number[] = [];
  for (const model of models) if (model.evaluations > 1 && model.isSeen) values.push(model.f);
  if (values.length < MIN_OTHERS) return false;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / values.length;
  return f > mean + 3 * Math.sqrt(variance);
}

/** The back-off ends with a rise over the old point's value of less than 10 times what the model expected. */
function isTame(f: number, fPrevious: number, expected: number): boolean {
  return f - fPrevious < 10 * expected;
}

/** How far f was expected to be from the known value. */
function expectedChange(known: number, predicted: number, f: number, fPrevious: number): number {
  const change = Number.isFinite(known) ? Math.abs(predicted - known) : Math.abs(f - fPrevious);
  return Number.isFinite(change) && change >= 1e-12 ? change : 1e-12;
}

/** Trials on the way back. */
const MAX_TRIALS = 10;
const STEP_BACK = 0.01;

export interface Recovered {
  /** What enters the model, the kept one last; only finite ones. */
  readonly evaluations: readonly Evaluation[];
  readonly point: Float64Array;
  readonly isBack: boolean;
}

export class Recovery {
  /** The point that failed, or the last one on the way back. */
  readonly point: Float64Array;
  f: number;
  readonly gradient: Float64Array;
  fBefore = Number.NaN;
  gradientBefore: Float64Array | undefined;
  expected = 0;
  trials = 0;
  readonly state;

  /** @param count - N */
  constructor(
    failed: Evaluation,
    public index: number,
    readonly pointBefore: Float64Array,
    count: number,
  ) {
    this.point = failed.point.slice();
    this.f = failed.f;
    this.gradient = failed.gradient.slice();
    this.state = stateIn(this, {
      index: whole(0, { to: count - 1 }),
      pointBefore: float64(pointBefore),
      point: float64(this.point),
      gradient: float64(this.gradient),
      gradientBefore: maybe(float64(new Float64Array(0), { length: () => this.point.length })),
      f: number(),
      fBefore: number(),
      expected: number(),
      trials: whole(0, { to: MAX_TRIALS }),
    });
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
  take(f: number, gradient: Float64Array, known: number, predicted: number): Recovered | undefined {
    if (this.gradientBefore === undefined) {
      this.fBefore = f;
      this.gradientBefore = gradient.slice();
      this.expected = expectedChange(known, predicted, this.f, f);
    } else {
      this.f = f;
      this.gradient.set(gradient);
    }
    if (this.trials === MAX_TRIALS || isTame(this.f, this.fBefore, this.expected))
      return this.result(this.gradientBefore);
    this.trials++;
    const { point, pointBefore } = this;
    for (let i = 0; i < point.length; i++) point[i] = (1 - STEP_BACK) * pointBefore[i] + STEP_BACK * point[i];
    return undefined;
  }

  private result(gradientBefore: Float64Array): Recovered {
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
}

// ── Divergence ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** With a few subfunctions only, half of N steps is too few to tell. */
const MIN_WINDOW = 10;

export class DivergenceMonitor {
  /** The lowest estimate, and the point that it belongs to. */
  lowest = Number.POSITIVE_INFINITY;
  readonly point: Float64Array;
  /** 1 for each of the last N steps that failed, a ring. */
  readonly failures: Uint8Array;
  failureCount = 0;
  at = 0;
  sinceRestart = 0;
  readonly state;

  constructor(x: Float64Array, count: number) {
    this.point = x.slice();
    this.failures = new Uint8Array(Math.max(count, MIN_WINDOW));
    this.state = stateIn(this, {
      lowest: number(),
      point: float64(this.point),
      failures: uint8(this.failures, { from: 0, to: 1 }),
      failureCount: whole(0, { to: this.failures.length }),
      at: whole(0, { to: this.failures.length - 1 }),
      sinceRestart: whole(),
    });
  }

  /** @returns why a restart is due, if it is */
  see(
    estimate: number | undefined,
    first: number | undefined,
    x: Float64Array,
    hasFailed: boolean,
    stepScale: number,
  ): string | undefined {
    this.failureCount += Number(hasFailed) - this.failures[this.at];
    this.failures[this.at] = Number(hasFailed);
    this.at = (this.at + 1) % this.failures.length;
    this.sinceRestart++;
    if (estimate === undefined || first === undefined) return undefined;
    if (estimate < this.lowest && !hasFailed) {
      this.lowest = estimate;
      this.point.set(x);
    }
    if (this.sinceRestart <= this.failures.length) return undefined;
    if (!(estimate <= first)) return "the sum of the latest values is above that of the first";
    if (2 * this.failureCount >= this.failures.length) return "half of the last steps failed";
    if (stepScale <= SCALE_FLOOR) return "the step length is at its floor";
    return undefined;
  }

  /** The count of steps and failures begins anew. */
  restart(): void {
    this.failures.fill(0);
    this.failureCount = 0;
    this.sinceRestart = 0;
  }
}

/** How often a run that diverged began again. */
export class Restarts {
  count = 0;
  /** x₀ */
  readonly start: Float64Array;
  readonly state;

  constructor(
    x: Float64Array,
    private readonly max: number,
  ) {
    this.start = x.slice();
    this.state = stateIn(this, { count: whole(), start: float64(this.start) });
  }

  get areSpent(): boolean {
    return this.count === this.max;
  }

  /** Counts one more, if there may be one. */
  take(): void {
    if (!this.areSpent) this.count++;
  }

  isStart(point: Float64Array): boolean {
    return point.every((entry, i) => entry === this.start[i]);
  }

  firstLength(x: Float64Array, models: number): number {
    const far = Math.sqrt(squaredDistance(x, this.start)) / Math.sqrt(models);
    return (0.3 * far + 1e-3 * Math.max(1, norm2(x))) * 0.3 ** this.count;
  }
}

export type SweepPhase = "restart" | "verification";

/**
 * A look at every subfunction at one point, for a restart or to verify that a minimum was found: it measures F there, and
 * renews all models.
 */
export class Sweep {
  /** The next subfunction to ask for. */
  next = 0;
  /** How many were answered. */
  done = 0;
  sum = 0;
  readonly state;

  constructor(
    readonly point: Float64Array,
    public phase: SweepPhase,
    count: number,
  ) {
    this.state = stateIn(this, {
      point: float64(point),
      phase: word("restart", ["restart", "verification"]),
      done: whole(0, { to: count }),
      sum: number(),
    });
  }

  /** Questions that were not answered are asked anew. */
  restored(): void {
    this.next = this.done;
  }
}

export const diverged = (restarts: number, reason: string): Outcome => ({
  status: "diverged",
  message: `After ${restarts} restarts ${reason} again. Test the gradients by checkGradient, or give a larger initialHessian.`,
});

export const notFinite = (index: number): Outcome => ({
  status: "diverged",
  message: `At the first point subfunction ${index}, or its gradient, is not finite. Start where all of them are, and write every entry of the gradient.`,
});
