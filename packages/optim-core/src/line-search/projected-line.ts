/**
 * An objective along the projection of a line onto a box, f(P(x + α p)) with P(x)_i = min(max(x_i, l_i), u_i), and the
 * backtracking along it; with all the arrays that it needs, made once per solver and reused.
 *
 * Condition  f(P(x + α p)) ≤ f(x) + c₁ gᵀ(P(x + α p) − x),   c₁ = 1e-4                                              (37)
 * Iteration  α ← α times the minimiser of the quadratic through f(x), the slope gᵀ(P(x + α p) − x) and the trial, cut to
 *            between a tenth and a half; × 0.3, without an evaluation, where the trial is not downhill of x
 *
 * | symbol        | field         | shape                                               |
 * |---------------|---------------|-----------------------------------------------------|
 * | l, u          | lower, upper  | n each, ±Infinity for none                          |
 * | x, f(x), g    | x, value, gradient | n, 1, n; in the box                            |
 * | p             | p             | n                                                   |
 * | P(x + α p)    | trialX        | n; trialValue, trialGradient there                  |
 * | c             | unit          | 1, or a power of two near max |g_i| where it was chosen, over the coordinates that may move |
 *
 * Values and gradients are held in units of c where their squares would vanish or overflow, so that f and 10⁻²⁰⁰ f have the same
 * minimisers here.
 *
 * Bertsekas: Projected Newton methods for optimization problems with simple constraints. SIAM J. Control Optim. 20
 * (1982) 221-246.
 */
import { dot, powerOfTwoBelow } from "@curvature/linalg";
import type { Objective } from "../problem.js";
import { float64, number, stateIn, whole } from "../state.js";
import { evaluated } from "./search-line.js";

const SUFFICIENT_DECREASE = 1e-4;
const MAX_TRIALS = 40;
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
  /** All evaluations since the start. */
  evaluations = 0;
  readonly state;
  private trialValue = Number.NaN;

  /** @param x - the first point; copied, and moved into the box */
  constructor(
    private readonly objective: Objective,
    x: Float64Array,
    readonly lower: Float64Array,
    readonly upper: Float64Array,
  ) {
    const n = x.length;
    this.x = x.map((entry, i) => Math.min(Math.max(entry, lower[i]), upper[i]));
    this.gradient = new Float64Array(n).fill(Number.NaN); // an entry that is not written shows
    this.p = new Float64Array(n);
    this.trialX = new Float64Array(n);
    this.trialGradient = new Float64Array(n);
    this.state = stateIn(this, {
      x: float64(this.x),
      gradient: float64(this.gradient),
      value: number(),
      unit: number(),
      evaluations: whole(),
    });
  }

  /** f and g at x, and the unit from them. */
  evaluateStart(): void {
    this.value = evaluated(this.objective, this.x, this.gradient);
    this.evaluations++;
    const { gradient } = this;
    const unit = this.unitHere();
    this.unit = unit;
    if (unit === 1) return;
    this.value /= unit;
    for (let i = 0; i < gradient.length; i++) gradient[i] /= unit;
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

  /** Searches from α = `first` downwards. @returns α of the accepted trial, or undefined if there is none */
  search(first: number): number | undefined {
    const { objective, trialX, trialGradient, value, unit } = this;
    for (let alpha = first, trial = 0; trial < MAX_TRIALS; trial++) {
      const slope = this.project(alpha); // gᵀ(P(x + α p) − x)
      if (!(slope < 0)) {
        alpha *= 0.3;
        continue;
      }
      this.trialValue = evaluated(objective, trialX, trialGradient) / unit;
      if (unit !== 1) for (let i = 0; i < trialGradient.length; i++) trialGradient[i] /= unit;
      this.evaluations++;
      const isUsable = Number.isFinite(this.trialValue) && Number.isFinite(dot(trialGradient, this.p));
      const excess = this.trialValue - value - slope;
      if (isUsable && this.trialValue <= value + SUFFICIENT_DECREASE * slope && this.trialValue < value)
        return alpha; // eq. (37)
      const minimum = (-0.5 * slope) / excess; // of the quadratic, in units of α
      alpha *= isUsable && minimum > 0.1 ? Math.min(minimum, 0.5) : 0.1;
    }
    return undefined;
  }

  /** The trial P(x + α p). @returns gᵀ(P(x + α p) − x) */
  private project(alpha: number): number {
    const { x, p, gradient, lower, upper, trialX } = this;
    let slope = 0;
    for (let i = 0; i < x.length; i++) {
      const moved = Math.min(Math.max(x[i] + alpha * p[i], lower[i]), upper[i]);
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
  }
}

/** Whether a coordinate is at a bound that −g leads out of. */
export const isHeld = (x: number, g: number, lower: number, upper: number): boolean =>
  (x <= lower && g >= 0) || (x >= upper && g <= 0);
