/**
 * An objective along the projection of a line onto a box, f(P(x + α p)) with P(x)_i = min(max(x_i, l_i), u_i), and the
 * search along it; with all the arrays that it needs, made once per solver and reused.
 *
 * Condition  f(P(x + α p)) ≤ f(x) + c₁ gᵀ(P(x + α p) − x) + noise,   c₁ = 1e-4                                       (37)
 * Growth     a trial with (37) at which the slope over the coordinates that still move is steeper than 0.9 of that at 0 is
 *            kept, and a longer one is tried: where the slope would vanish if it went on as between the two, 2 to 10 times as
 *            long, and never beyond the last bound on the way, where the path ends. The kept one is taken if that is no better
 * Reduction  α ← α times the minimiser of the quadratic through f(x), the slope gᵀ(P(x + α p) − x) and the trial, cut to
 *            between a tenth and a half; × 0.3, without an evaluation, where the trial is not downhill of x
 *
 * Without growth the search would creep where no pair of a quasi-Newton method has a positive curvature: along straight and
 * concave pieces.
 *
 * | symbol        | field         | shape                                               |
 * |---------------|---------------|-----------------------------------------------------|
 * | l, u          | lower, upper  | n each, ±Infinity for none                          |
 * | x, f(x), g    | x, value, gradient | n, 1, n; in the box                            |
 * | p             | p             | n                                                   |
 * | P(x + α p)    | trialX        | n; trialValue, trialGradient there                  |
 * | α             | alpha         | 1, of the trial |
 * | c             | unit          | 1, or a power of two near max |g_i| where it was chosen, over the coordinates that may move |
 *
 * Values and gradients are held in units of c where their squares would vanish or overflow, so that f and 10⁻²⁰⁰ f have the same
 * minimisers here.
 *
 * Bertsekas: Projected Newton methods for optimization problems with simple constraints. SIAM J. Control Optim. 20
 * (1982) 221-246.
 */
import { dot, norm2, powerOfTwoBelow } from "@curvature/linalg";
import type { Objective } from "../problem.js";
import type { EndingTest } from "../solver.js";
import { float64, number, stateIn, whole } from "../state.js";
import { evaluated, isLookedAt, pointWritten } from "./evaluated.js";
import { noiseOf } from "./noise.js";
import { bottomless, endless } from "./unbounded.js";

const SUFFICIENT_DECREASE = 1e-4;
const MAX_TRIALS = 40;
/** A slope that is still so much of the first is one to go on along. */
const STEEP = 0.9;
/** Gradients between these have squares, and products of four, that are numbers. */
export const SMALLEST = 2 ** -200;
export const LARGEST = 2 ** 200;
/** A value in units of c is to be a number, too. */
const LARGEST_VALUE = 2 ** 900;

export class ProjectedLine {
  x: Float64Array;
  gradient: Float64Array;
  value = Number.NaN;
  readonly p: Float64Array;
  trialX: Float64Array;
  trialGradient: Float64Array;
  /** c: values and gradients are in this unit. */
  unit = 1;
  alpha = 0;
  trialValue = Number.NaN;
  /** All evaluations since the start. */
  evaluations = 0;
  /** The most that are allowed; a trial beyond is not made, and `isSpent` says so. */
  limit = Number.POSITIVE_INFINITY;
  isSpent = false;
  /** What the last search found that lets f seem without a lower bound. */
  unbounded: EndingTest | undefined;
  /** The largest |f| at the accepted points. */
  largest = 0;
  readonly state;
  private keptX: Float64Array;
  private keptGradient: Float64Array;
  private keptValue = Number.NaN;
  private keptAlpha = 0;

  /**
   * @param x - the first point; copied, and moved into the box
   * @param valueNoise - the relative error of the values
   */
  constructor(
    readonly objective: Objective,
    x: Float64Array,
    readonly lower: Float64Array,
    readonly upper: Float64Array,
    private readonly valueNoise: number,
  ) {
    const n = x.length;
    this.x = x.map((entry, i) => Math.min(Math.max(entry, lower[i]), upper[i]));
    this.gradient = new Float64Array(n).fill(Number.NaN); // an entry that is not written shows
    this.p = new Float64Array(n);
    this.trialX = new Float64Array(n);
    this.trialGradient = new Float64Array(n);
    this.keptX = new Float64Array(n);
    this.keptGradient = new Float64Array(n);
    this.state = stateIn(this, {
      x: float64(this.x),
      gradient: float64(this.gradient),
      value: number(),
      unit: number(),
      largest: number(0),
      evaluations: whole(),
    });
  }

  /** How far apart two values near f(x) may be that are equal but for rounding. */
  get noise(): number {
    return noiseOf(this.valueNoise, this.value, this.largest);
  }

  /** f and g at x, and the unit from them. */
  evaluateStart(): void {
    const { gradient, trialX, x } = this;
    trialX.set(x);
    this.value = evaluated(this.objective, trialX, gradient);
    for (let i = 0; i < x.length; i++) if (trialX[i] !== x[i]) throw pointWritten(i);
    this.evaluations++;
    const unit = this.unitHere();
    this.unit = unit;
    if (unit !== 1) {
      this.value /= unit;
      for (let i = 0; i < gradient.length; i++) gradient[i] /= unit;
    }
    this.largest = Math.max(this.largest, Math.abs(this.value));
  }

  private unitHere(): number {
    const { x, gradient, lower, upper } = this;
    let largest = 0;
    for (let i = 0; i < x.length; i++)
      if (!isHeld(x[i], gradient[i], lower[i], upper[i])) largest = Math.max(largest, Math.abs(gradient[i]));
    const isUsual = largest === 0 || (largest >= SMALLEST && largest <= LARGEST);
    const size = Math.max(largest, Math.abs(this.value) / LARGEST_VALUE);
    return isUsual || !Number.isFinite(size) ? 1 : powerOfTwoBelow(size);
  }

  /** Searches from α = `first`. @returns whether a trial was accepted; it is then the one at hand */
  search(first: number): boolean {
    this.unbounded = undefined;
    const { value, noise } = this;
    const last = this.lastBound();
    const slope0 = this.slopeWithin(this.gradient, 0);
    let alpha = Math.min(first, last);
    let isReduced = false;
    let isKept = false;
    let isSteep = false;
    for (let trial = 0; trial < MAX_TRIALS; trial++) {
      const slope = this.project(alpha); // gᵀ(P(x + α p) − x)
      if (!(slope < 0)) {
        if (isKept) return this.recall();
        isReduced = true;
        alpha *= 0.3;
        continue;
      }
      const isUsable = this.evaluate(alpha);
      const isEnough = isUsable && this.trialValue <= value + SUFFICIENT_DECREASE * slope + noise; // eq. (37)
      if (isKept && !(isEnough && this.trialValue < this.keptValue)) return this.recall();
      if (this.isSpent || this.unbounded) return false;
      if (isEnough) {
        const rest = this.slopeWithin(this.trialGradient, alpha);
        if (alpha >= last || rest >= STEEP * slope0 || isReduced) return true;
        this.keep();
        isKept = true;
        isSteep = rest <= 0.5 * slope0;
        const guess = (alpha * slope0) / (slope0 - rest);
        const growth = guess > 0 ? Math.max(2 * alpha, Math.min(guess, 10 * alpha)) : 10 * alpha;
        alpha = Math.min(growth, last);
        continue;
      }
      if (isUsable && -slope <= noise) return false;
      isReduced = true;
      const minimum = (-0.5 * slope) / (this.trialValue - value - slope); // of the quadratic, in units of α
      alpha *= isUsable && minimum > 0.1 ? Math.min(minimum, 0.5) : 0.1;
    }
    if (!isKept) return false;
    this.recall();
    if (isSteep) this.unbounded = endless(this.alpha, first, norm2(this.p), norm2(this.x));
    return true;
  }

  /** The trial at hand, evaluated. False if it must not be accepted, or no evaluation is left. */
  evaluate(alpha: number): boolean {
    const { trialX, trialGradient, unit, x, p } = this;
    if (this.evaluations >= this.limit) {
      this.isSpent = true;
      return false;
    }
    this.alpha = alpha;
    this.trialValue = evaluated(this.objective, trialX, trialGradient) / unit;
    this.evaluations++;
    if (isLookedAt(this.evaluations))
      for (let i = 0; i < x.length; i++) if (trialX[i] !== this.at(i, alpha)) throw pointWritten(i);
    if (unit !== 1) for (let i = 0; i < trialGradient.length; i++) trialGradient[i] /= unit;
    this.unbounded = bottomless(this.trialValue);
    return Number.isFinite(this.trialValue) && Number.isFinite(dot(trialGradient, p));
  }

  /** P(x + α p)_i */
  private at(i: number, alpha: number): number {
    return Math.min(Math.max(this.x[i] + alpha * this.p[i], this.lower[i]), this.upper[i]);
  }

  /** α from which on the path stands still. */
  private lastBound(): number {
    const { x, p, lower, upper } = this;
    let last = 0;
    for (let i = 0; i < x.length; i++) {
      if (p[i] === 0) continue;
      last = Math.max(last, (p[i] > 0 ? upper[i] - x[i] : x[i] - lower[i]) / Math.abs(p[i]));
    }
    return last;
  }

  /** Σ g_i p_i over the coordinates that are still to move at α. */
  private slopeWithin(gradient: Float64Array, alpha: number): number {
    const { x, p, lower, upper } = this;
    let slope = 0;
    for (let i = 0; i < x.length; i++) {
      const there = x[i] + alpha * p[i];
      if (p[i] > 0 ? there < upper[i] : there > lower[i]) slope += gradient[i] * p[i];
    }
    return slope;
  }

  private keep(): void {
    this.exchange();
    this.keptValue = this.trialValue;
    this.keptAlpha = this.alpha;
  }

  private recall(): true {
    this.exchange();
    this.trialValue = this.keptValue;
    this.alpha = this.keptAlpha;
    return true;
  }

  private exchange(): void {
    [this.trialX, this.keptX] = [this.keptX, this.trialX];
    [this.trialGradient, this.keptGradient] = [this.keptGradient, this.trialGradient];
  }

  /** The trial P(x + α p). @returns gᵀ(P(x + α p) − x) */
  project(alpha: number): number {
    const { x, gradient, trialX } = this;
    let slope = 0;
    for (let i = 0; i < x.length; i++) {
      const moved = this.at(i, alpha);
      trialX[i] = moved;
      slope += gradient[i] * (moved - x[i]);
    }
    return slope;
  }

  /** The trial becomes the point; the old point's arrays serve the next trials. */
  accept(): void {
    [this.x, this.trialX] = [this.trialX, this.x];
    [this.gradient, this.trialGradient] = [this.trialGradient, this.gradient];
    this.value = this.trialValue;
    this.largest = Math.max(this.largest, Math.abs(this.value));
  }
}

/** Whether a coordinate is at a bound that −g leads out of. */
export const isHeld = (x: number, g: number, lower: number, upper: number): boolean =>
  (x <= lower && g >= 0) || (x >= upper && g <= 0);
