/**
 * The search along a line w + t s: the objective there costs O(n + d) a value of t, since the margins z = X w and their change
 * q = X s are at hand.
 *
 *   P(w + t s) = ½ (w + t s)ᵀΛ(w + t s) + Σᵢ cᵢ l(zᵢ + t qᵢ, yᵢ)
 *   aᵢ = cᵢ l′(zᵢ + t qᵢ, yᵢ),   hᵢ = cᵢ l″(zᵢ + t qᵢ, yᵢ)
 *
 * cᵢ is the importance of row i over n, Λ is λ, and 0 for a free bias.
 *
 * Step length   the minimum of the convex φ(t) = P(w + t s) by its derivatives: Newton's method from t = 1, kept within the
 *               bracket in which φ′ changes its sign,
 *
 *                 t ← t − φ′/φ″ if that lies within the bracket, else the root of the secant through its ends, at least a
 *                 tenth of its length from either, or 4 t while no end beyond the minimum is known.
 *
 *               It ends at |φ′(t)| ≤ 0.05 |φ′(0)|, or after 40 values of t at the largest that was seen before the
 *               minimum: φ is convex, so that is downhill
 * Decrease      from there on  t ← t/2  until  P(w + t s) ≤ P(w) + c₁ t g·s,   c₁ = 1e-4. The first t nearly always does.
 *               Not so where P is rounded, or overflowed; it ends without a decrease after 40 halvings, or where t g·s is
 *               lost in the rounding of P
 */
import { axpy } from "@curvature/linalg";
import type { LinearLoss, LinearProblem } from "@curvature/objectives/linear";
import { boolean, float64, number, stateIn, stateOf, whole } from "@curvature/optim-core/state";
import { slopeBound } from "../dual/dual-loss.js";
import { ofSum, reachOf, slopeNorm } from "../rounding.js";
import { bestBias } from "./best-bias.js";
import type { CenteredProblem } from "./centered-problem.js";
import { type Derivatives, type LossSweep, lossSweep } from "./loss-sweep.js";

export class Line {
  readonly w: Float64Array;
  readonly s: Float64Array;
  readonly z: Float64Array;
  readonly q: Float64Array;
  readonly a: Float64Array;
  readonly h: Float64Array;
  /** Λ */
  readonly diagonal: Float64Array;
  /** cᵢ */
  readonly c: Float64Array;
  readonly state;
  /** The sizes of all sums that z was made by since it was computed anew (see `rounding.ts`): its errors are in proportion. */
  reach = 0;
  /** Whether z has moved since it was computed anew. */
  isStale = false;
  /** Σ cᵢ lᵢ where P was measured last. */
  risk = 0;
  private readonly problem: LinearProblem;
  private readonly sizes: Float64Array;
  private readonly longest: number;
  /** Σ cᵢ */
  private readonly weight: number;
  /** The size of the targets that were moved: they were rounded by it. */
  private readonly targetSize: number;
  private losses: LossSweep;
  /** Whether that is the problem's: then a are its slopes. */
  private isOwnLoss = true;
  /** n times 1, for a free bias: the change of the scores along it. */
  private readonly ones: Float64Array | undefined;
  private readonly out: Derivatives = { slope: 0, curvature: 0 };

  constructor({ problem, c, sizes, longest }: CenteredProblem) {
    const { loss, targets, lambda, bias } = problem;
    const n = c.length;
    const dimension = sizes.length;
    this.problem = problem;
    this.c = c;
    this.sizes = sizes;
    this.longest = longest;
    this.losses = lossSweep(loss, targets, c);
    this.ones = bias === "free" ? new Float64Array(n).fill(1) : undefined;
    let weight = 0;
    let squares = 0;
    for (let i = 0; i < n; i++) {
      weight += c[i];
      squares += c[i] * targets[i] * targets[i];
    }
    this.weight = weight;
    this.targetSize = loss.task === "regression" && bias === "free" ? Math.sqrt(squares) : 0;
    this.diagonal = new Float64Array(dimension);
    this.w = new Float64Array(dimension);
    this.s = new Float64Array(dimension);
    this.z = new Float64Array(n);
    this.q = new Float64Array(n);
    this.a = new Float64Array(n);
    this.h = new Float64Array(n);
    this.regularize(lambda);
    this.state = stateIn<Line, "w" | "s" | "z" | "q" | "a" | "h" | "reach" | "isStale" | "risk">(this, {
      w: float64(this.w),
      s: float64(this.s),
      z: float64(this.z),
      q: float64(this.q),
      a: float64(this.a),
      h: float64(this.h),
      reach: number(0),
      isStale: boolean(),
      risk: number(0),
    });
  }

  regularize(lambda: number): void {
    const { diagonal, ones } = this;
    diagonal.fill(lambda);
    if (ones !== undefined) diagonal[diagonal.length - 1] = 0;
  }

  /** The loss from now on. */
  use(loss: LinearLoss): void {
    this.isOwnLoss = loss === this.problem.loss;
    this.losses = lossSweep(loss, this.problem.targets, this.c);
  }

  /** ½ wᵀΛw at w + t s */
  regularization(t: number): number {
    const { w, s, diagonal } = this;
    let squares = 0;
    for (let j = 0; j < w.length; j++) squares += diagonal[j] * (w[j] + t * s[j]) * (w[j] + t * s[j]);
    return 0.5 * squares;
  }

  /** P at w + t s; a and h are those there from now on. */
  measure(t: number): number {
    const { z, q, a, h } = this;
    this.risk = this.losses.measure(z, q, t, a, h);
    return this.regularization(t) + this.risk;
  }

  /** dP/dt and d²P/dt² at w + t s; the object is the line's own. */
  derivatives(t: number): Derivatives {
    const { w, s, diagonal, z, q, out } = this;
    this.losses.along(z, q, t, out);
    for (let j = 0; j < w.length; j++) {
      out.slope += diagonal[j] * s[j] * (w[j] + t * s[j]);
      out.curvature += diagonal[j] * s[j] * s[j];
    }
    return out;
  }

  /** w ← w + t s, z ← z + t q */
  move(t: number): void {
    axpy(t, this.s, this.w);
    axpy(t, this.q, this.z);
    this.isStale = true;
    this.reach += reachOf(this.w, this.sizes) + t * reachOf(this.s, this.sizes);
  }

  /** Says that z = X w was computed anew. */
  renew(): void {
    this.isStale = false;
    this.reach = reachOf(this.w, this.sizes);
  }

  /** What of P the rounding of its own sums may be, however well the scores are known. */
  get ofSums(): number {
    return ofSum(this.c.length + this.w.length);
  }

  /**
   * How far the problem's P at w may lie above what was computed from z.
   *
   * @param value - P
   * @param delta - what was added to the scores, of a loss that is not the line's own
   */
  rounding(value: number, delta = 0): number {
    const added = Math.sqrt(this.weight) * Math.abs(delta);
    return this.ofSums * value + this.risen(ofSum(this.longest) * (this.reach + this.targetSize + added));
  }

  /** What the risk may be more if scores are off. @param off - by how much: (Σ cᵢ rᵢ²)^½ */
  private risen(off: number): number {
    if (off === 0) return 0;
    const { a, c, weight, risk } = this;
    const { loss } = this.problem;
    const { curvatureBound } = loss;
    const ofAny = slopeBound(loss) * Math.sqrt(weight) * off;
    if (!this.isOwnLoss || curvatureBound === Number.POSITIVE_INFINITY) return ofAny;
    const bySlopes = (slopes: number): number => Math.min(ofAny, (slopes + 0.5 * curvatureBound * off) * off);
    // l′² ≤ 2 l″ l where l ≥ 0 and l″ is bounded. The slopes themselves cost a loop over the rows.
    const byRisk = bySlopes(Math.sqrt(2 * curvatureBound * risk));
    return byRisk <= this.ofSums * risk ? byRisk : bySlopes(slopeNorm(a, c));
  }

  /**
   * Makes a free bias the best one for these w, a and h being those at z.
   *
   * @param enough - |Σ aᵢ| over Σ |aᵢ| at which it stays as it is, where the next step can better it
   * @returns whether it moved
   */
  moveBias(enough = 0): boolean {
    const { ones, z, w, a, h } = this;
    if (ones === undefined) return false;
    let sum = 0;
    let slopes = 0;
    let curvatures = 0;
    for (let i = 0; i < a.length; i++) {
      sum += a[i];
      slopes += Math.abs(a[i]);
      curvatures += h[i];
    }
    if (curvatures > 0 && Math.abs(sum) <= enough * slopes) return false;
    const delta = bestBias(this.losses, z, ones, { slope: sum, curvature: curvatures }, slopes);
    if (delta === 0) return false;
    w[w.length - 1] += delta;
    for (let i = 0; i < z.length; i++) z[i] += delta;
    this.reach += reachOf(w, this.sizes);
    return true;
  }
}

const ENOUGH = 0.05;
const MAX_TRIALS = 40;

export class StepLength {
  readonly state = stateOf({
    /** The value of t that is tried, or at the end the step length. */
    t: number(1),
    slopeAtZero: number(0),
    low: number(0),
    slopeAtLow: number(0),
    /** Infinity until a t with φ′(t) > 0 is known. */
    high: number(Number.POSITIVE_INFINITY),
    slopeAtHigh: number(0),
    trials: whole(),
  });

  /** @param slope - φ′(0) < 0 */
  start(slope: number): void {
    const high = Number.POSITIVE_INFINITY;
    const start = { t: 1, slopeAtZero: slope, low: 0, slopeAtLow: slope, high, slopeAtHigh: 0, trials: 0 };
    Object.assign(this.state, start);
  }

  /** Takes φ′(t) and φ″(t). @returns whether t is the step length now; else it is the next trial */
  take({ slope, curvature }: Derivatives): boolean {
    const { state } = this;
    if (Math.abs(slope) <= -ENOUGH * state.slopeAtZero) return true;
    if (++state.trials === MAX_TRIALS) {
      if (state.low > 0) state.t = state.low;
      return true;
    }
    if (slope < 0) {
      state.low = state.t;
      state.slopeAtLow = slope;
    } else {
      // A slope that overflowed is one beyond the minimum, too.
      state.high = state.t;
      state.slopeAtHigh = Number.isFinite(slope) ? slope : Number.MAX_VALUE;
    }
    const newton = state.t - slope / curvature;
    state.t = newton > state.low && newton < state.high ? newton : this.secant();
    return false;
  }

  private secant(): number {
    const { low, high, slopeAtLow, slopeAtHigh } = this.state;
    if (high === Number.POSITIVE_INFINITY) return 4 * low;
    const share = slopeAtLow / (slopeAtLow - slopeAtHigh);
    return low + Math.min(0.9, Math.max(0.1, share)) * (high - low);
  }
}

const SUFFICIENT_DECREASE = 1e-4;
const MAX_HALVINGS = 40;
/** Below this part of P, a change of P is lost in its rounding. */
export const ROUNDING = 1e-13;

export interface Backtracked {
  readonly t: number;
  /** P(w + t s) */
  readonly value: number;
  /** Whether that is a sufficient decrease. */
  readonly isLower: boolean;
}

/**
 * @param measure - gives P(w + t s)
 * @param first - the first t
 * @param before - P(w), and `slope` g·s
 */
export function backtrack(
  measure: (t: number) => number,
  first: number,
  before: number,
  slope: number,
): Backtracked {
  let t = first;
  let value = measure(t);
  for (let k = 0; !isDecrease(before, value, t * slope) && k < MAX_HALVINGS; k++) {
    if (Math.abs(t * slope) <= ROUNDING * before) break;
    t /= 2;
    value = measure(t);
  }
  return { t, value, isLower: isDecrease(before, value, t * slope) };
}

const isDecrease = (before: number, value: number, predicted: number): boolean =>
  value <= before + SUFFICIENT_DECREASE * predicted;
