/**
 * An objective along a line, φ(α) = f(x + α p), with all the arrays that a line search needs. It is made once per
 * solver and reused, and it is also where a search leaves its result: the accepted trial.
 *
 * Every trial computes value and gradient in one call. For the objectives here the gradient comes nearly free with
 * the value, the accepted trial needs it anyway, and a search that sees φ′ needs fewer trials.
 *
 * | symbol       | field           | shape |
 * |--------------|-----------------|-------|
 * | x, f(x)      | x, value        | n, 1  |
 * | ∇f(x)        | gradient        | n     |
 * | p            | p               | n     |
 * | φ′(0)        | slope           | 1     |
 * | α            | alpha           | 1     |
 * | x + α p      | trialX          | n     |
 * | φ(α), φ′(α)  | trialValue, trialSlope | 1 |
 * | ∇f(x + α p)  | trialGradient   | n     |
 *
 * A search may set one trial aside (`keep`) and take it back (`recall`) without another evaluation, for 2 n numbers.
 */
import { dot } from "@curvature/linalg";
import type { Objective } from "../problem.js";
import type { EndingTest } from "../solver.js";
import { float64, number, stateIn, whole } from "../state.js";
import { evaluated, isLookedAt, pointWritten } from "./evaluated.js";
import { noiseOf } from "./noise.js";
import { bottomless } from "./unbounded.js";

export class SearchLine {
  readonly objective: Objective;
  x: Float64Array;
  gradient: Float64Array;
  value = Number.NaN;
  readonly p: Float64Array;
  slope = Number.NaN;
  alpha = 0;
  trialX: Float64Array;
  trialGradient: Float64Array;
  trialValue = Number.NaN;
  trialSlope = Number.NaN;
  /** All evaluations since the start. */
  evaluations = 0;
  /** The most that are allowed; a trial beyond is not made, and `isSpent` says so. */
  limit = Number.POSITIVE_INFINITY;
  isSpent = false;
  /** What the last search found that lets φ seem without a lower bound. */
  unbounded: EndingTest | undefined;
  /** The largest |f| at the accepted points. */
  largest = 0;
  readonly state;
  /** The relative error of the values. */
  readonly valueNoise: number;
  private keptX: Float64Array;
  private keptGradient: Float64Array;
  private keptValue = Number.NaN;
  private keptSlope = Number.NaN;
  private keptAlpha = 0;

  /**
   * @param x - the first point; copied
   * @param valueNoise - the relative error of the values
   */
  constructor(objective: Objective, x: Float64Array, valueNoise: number = Number.EPSILON) {
    const n = x.length;
    this.objective = objective;
    this.valueNoise = valueNoise;
    this.x = x.slice();
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
      slope: number(),
      largest: number(0),
      evaluations: whole(),
    });
  }

  /** How far apart two values near f(x) may be that are equal but for rounding. */
  get noise(): number {
    return noiseOf(this.valueNoise, this.value, this.largest);
  }

  /** f and ∇f at x. */
  evaluateStart(): void {
    this.trialX.set(this.x);
    this.value = evaluated(this.objective, this.trialX, this.gradient);
    for (let i = 0; i < this.x.length; i++) if (this.trialX[i] !== this.x[i]) throw pointWritten(i);
    this.evaluations++;
    this.largest = Math.max(this.largest, Math.abs(this.value));
  }

  /** φ′(0) = ∇f(x)ᵀp, once p is set. */
  aim(): number {
    this.unbounded = undefined;
    this.slope = dot(this.gradient, this.p);
    return this.slope;
  }

  /**
   * A trial at α. False if its value or a gradient entry is not finite: such a trial must not be accepted. False, too, where
   * no evaluation is left.
   */
  evaluate(alpha: number): boolean {
    const { x, p, trialX } = this;
    if (this.evaluations >= this.limit) {
      this.isSpent = true;
      return false;
    }
    for (let i = 0; i < x.length; i++) trialX[i] = x[i] + alpha * p[i];
    this.alpha = alpha;
    this.trialValue = evaluated(this.objective, trialX, this.trialGradient);
    this.evaluations++;
    if (isLookedAt(this.evaluations))
      for (let i = 0; i < x.length; i++) if (trialX[i] !== x[i] + alpha * p[i]) throw pointWritten(i);
    this.trialSlope = dot(this.trialGradient, p); // not finite if a gradient entry is not
    this.unbounded = bottomless(this.trialValue);
    return Number.isFinite(this.trialValue) && Number.isFinite(this.trialSlope);
  }

  /** Sets the trial aside. */
  keep(): void {
    this.exchange();
    this.keptValue = this.trialValue;
    this.keptSlope = this.trialSlope;
    this.keptAlpha = this.alpha;
  }

  /** The trial set aside is the trial again. */
  recall(): true {
    this.exchange();
    this.trialValue = this.keptValue;
    this.trialSlope = this.keptSlope;
    this.alpha = this.keptAlpha;
    return true;
  }

  private exchange(): void {
    [this.trialX, this.keptX] = [this.keptX, this.trialX];
    [this.trialGradient, this.keptGradient] = [this.keptGradient, this.trialGradient];
  }

  /** The trial becomes the point; the old point's arrays serve the next trials. */
  accept(): void {
    [this.x, this.trialX] = [this.trialX, this.x];
    [this.gradient, this.trialGradient] = [this.trialGradient, this.gradient];
    this.value = this.trialValue;
    this.largest = Math.max(this.largest, Math.abs(this.value));
  }
}
