/**
 * The certificate of a linear model: P(w, b) − P* ≤ P(w, b) − D(u) for every u that the dual allows.
 *
 *   D(u) = −Σ cᵢ l*(uᵢ) − ‖v‖²/(2λ),   v = Σ cᵢ uᵢ xᵢ,   uᵢ in the domain of l*, and Σ cᵢ uᵢ = 0 for a free bias
 *
 * A regularised bias has (Σ cᵢ uᵢ)² in ‖v‖² instead of the constraint; without a bias there is neither. u is made one that is
 * allowed in two steps:
 *
 *   1. each uᵢ is cut to the domain;
 *   2. of u > 0 and u < 0 the side with the larger Σ cᵢ |uᵢ| is shrunk to the other's, for a free bias: the domain is
 *      convex and holds 0. For the squared error, whose domain is everything, the mean is subtracted.
 *
 * Then D(t u) is as large as t ∈ [0, M / max|u|] makes it, M the bound of the domain: a parabola in t, but for the logistic loss.
 *
 * With a = −y u, and u itself for regression:
 *
 * | loss                    | domain   | l*                              |
 * |-------------------------|----------|---------------------------------|
 * | logistic                | [0, 1]   | a ln a + (1 − a) ln(1 − a)      |
 * | squared hinge           | [0, ∞)   | −a + a²/2                       |
 * | smoothed hinge, width h | [0, 1]   | −a + h a²/2                     |
 * | hinge                   | [0, 1]   | −a                              |
 * | modified Huber          | [0, 4]   | −a + a²/4                       |
 * | squared error           | ℝ        | u y + u²/2                      |
 * | Huber, width δ          | [−δ, δ]  | u y + u²/2                      |
 *
 * D is lowered by what rounding may have added to it, P raised likewise (`rounding.ts`): a gap that is claimed is one in exact
 * arithmetic, and at tolerances that doubles cannot reach there is no claim. Sums of D over rows are made in twice the
 * precision, v where its rounding would be too much.
 *
 * Everything here is in the terms of aᵢ = cᵢ uᵢ, cᵢ the importance of row i over n, as the solvers have them.
 *
 * Boyd, Vandenberghe: Convex Optimization (2004), sections 3.3 and 5.1.
 */
import { log, log1p } from "@curvature/linalg";
import { type LinearProblem, rowAccess } from "@curvature/objectives/linear";
import { exactSum, sumError } from "../double-sum.js";
import { slopeBound } from "../dual/dual-loss.js";
import { BLURRED, exactCost, ofExact } from "../exact-cost.js";
import { ofSum, reachOf, slopeNorm } from "../rounding.js";
import { bestHingeBias } from "./best-bias.js";
import { type CenteredProblem, centered } from "./centered-problem.js";
import { Line } from "./line-search.js";
import { rowSweeps } from "./sweeps/row-sweeps.js";

/** Multiples of u that are tried for the logistic loss. */
const SHRINKAGES = [1, 0.9999, 0.999, 0.997, 0.99, 0.97, 0.9, 0.8, 0.5];

/** |ln(1 − p)| is at most 37 for p < 1 in doubles; `ofSum(0)` has room for the rest. */
const LOGARITHM = 16;

/** A bound of P*. */
export interface Bound {
  /** D, lowered. */
  readonly value: number;
  /** What of that is for rounding. */
  readonly rounding: number;
}

/** D(0) */
const NOTHING: Bound = { value: 0, rounding: 0 };

export class DualBound {
  /** M: the largest |u|. A number, so that 0 times it is 0. */
  private readonly bound: number;
  /** q of l*(u) = (linear in u) + q u². */
  private readonly quadratic: number;
  private readonly isClassification: boolean;

  private readonly problem: LinearProblem;
  private readonly c: Float64Array;
  private readonly sizes: Float64Array;

  /** @param loss - in place of the problem's */
  constructor({ problem, c, sizes }: CenteredProblem, loss = problem.loss) {
    this.problem = { ...problem, loss };
    this.c = c;
    this.sizes = sizes;
    this.bound = Math.min(slopeBound(loss), Number.MAX_VALUE);
    this.quadratic = 0.5 / loss.curvatureBound;
    this.isClassification = loss.task === "classification";
  }

  /**
   * Makes a, where aᵢ = cᵢ uᵢ, the nearest that the dual allows, or one near to that.
   *
   * @returns how far it was moved: (Σ Δaᵢ²/cᵢ)^½, or more
   */
  project(a: Float64Array): number {
    const { bound, c, isClassification } = this;
    const { targets, bias, loss } = this.problem;
    let cut = 0;
    // Without branches, which signs in no order would mispredict.
    for (let i = 0; i < a.length; i++) {
      const largest = c[i] * bound;
      const given = a[i];
      const size = -targets[i] * given;
      const allowed = isClassification
        ? -targets[i] * Math.min(largest, 0.5 * (size + Math.abs(size)))
        : Math.min(largest, Math.max(-largest, given));
      a[i] = allowed;
      const change = allowed - given;
      cut += (change / (c[i] || 1)) * change;
    }
    const moved = Math.sqrt(cut);
    if (bias !== "free") return moved;
    if (loss.name === "squared-error") {
      let sum = 0;
      let total = 0;
      for (let i = 0; i < a.length; i++) {
        sum += a[i];
        total += c[i];
      }
      if (total === 0) return moved;
      for (let i = 0; i < a.length; i++) a[i] -= (sum / total) * c[i];
      return moved + Math.abs(sum) / Math.sqrt(total);
    }
    let above = 0;
    let below = 0;
    for (let i = 0; i < a.length; i++) {
      const size = Math.abs(a[i]);
      above += size + a[i];
      below += size - a[i];
    }
    const ofAbove = above > below ? below / above : 1;
    const ofBelow = below > above ? above / below : 1;
    const least = Math.min(ofAbove, ofBelow);
    if (least === 1) return moved;
    const norm = slopeNorm(a, c);
    for (let i = 0; i < a.length; i++) {
      const size = Math.abs(a[i]);
      a[i] = 0.5 * (ofAbove * (size + a[i]) - ofBelow * (size - a[i]));
    }
    return moved + (1 - least) * norm;
  }

  /**
   * The largest D(t u) found.
   *
   * @param a - as `project` leaves it
   * @param v - Σ aᵢ xᵢ, with the bias's entry where the problem has a bias
   * @param enough - above it no better t is looked for
   * @param moved - how far a was moved since v was summed (see `project`)
   * @param near - a point near whose slopes a is, measured last there: saves the logistic loss most of its logarithms
   * @param isExact - whether v is the `exactSum`
   */
  value(
    a: Float64Array,
    v: Float64Array,
    enough: number,
    moved: number,
    near?: Line,
    isExact = false,
  ): Bound {
    const { quadratic, c, sizes } = this;
    const { targets, lambda, bias, loss } = this.problem;
    const isFree = bias === "free";
    const end = isFree ? v.length - 1 : v.length;
    let linear = 0;
    let linearRest = 0;
    let square = 0;
    let squareRest = 0;
    let sum = 0;
    let sumRest = 0;
    let terms = 0;
    let size = 0;
    let largest = 0;
    for (let i = 0; i < a.length; i++) {
      const ai = a[i];
      const term = -ai * targets[i]; // Σ cᵢ aᵢ of the table, and −Σ cᵢ uᵢ yᵢ for regression
      linearRest += sumError(linear, term);
      linear += term;
      const u = ai / (c[i] || 1);
      squareRest += sumError(square, u * ai);
      square += u * ai;
      sumRest += sumError(sum, ai);
      sum += ai;
      terms += Math.abs(term);
      size += Math.abs(ai);
      largest = Math.max(largest, Math.abs(u));
    }
    linear += linearRest;
    square += squareRest;
    if (!(linear > 0)) return NOTHING;
    let squares = 0;
    let sizesSquared = 0;
    for (let j = 0; j < end; j++) {
      squares += v[j] * v[j];
      sizesSquared += sizes[j] * sizes[j];
    }
    const curvature = squares / (2 * lambda);
    const reach = reachOf(v, sizes, end);
    const ofCurvature = (off: number): number => (off * reach + 0.5 * off * off * sizesSquared) / lambda;
    const isLogistic = loss.name === "logistic";
    // The part of its larger side that u has to give up yet for Σ cᵢ uᵢ = 0 exactly, each side being half of `size`.
    const imbalance = isFree ? (3 * Math.abs(sum + sumRest)) / size : 0;
    const off = (imbalance + (isExact ? 0 : ofSum(a.length))) * Math.sqrt(square);
    const { t, value, ofTerms } = isLogistic
      ? this.logisticValue(a, curvature, enough, near)
      : parabola(linear, quadratic * square + curvature, this.bound / largest);
    const bend = t * t * curvature;
    // The logistic loss's terms have one sign: their sum is that of their sizes. A last place of u is one of logarithms, too.
    const sums = isLogistic ? value + bend : t * (terms + t * quadratic * square);
    const ofLogarithms = isLogistic ? LOGARITHM * (ofSum(0) + 3 * imbalance) * t * terms : 0;
    const ofSums = (ofSum(0) + 2 * imbalance) * sums + ofLogarithms + ofTerms + ofSum(end) * bend;
    const rounding = ofSums + t * t * ofCurvature(off);
    const lowered = value - rounding - t * t * (ofCurvature(off + moved) - ofCurvature(off));
    return lowered > 0 ? { value: lowered, rounding } : NOTHING;
  }

  /** Σ aᵢ xᵢ with all its digits, at ten to twenty times the price of a read of the rows; NaN where entries overflow. */
  exactSum(a: Float64Array): Float64Array {
    return exactSum(rowAccess(this.problem.rows), a, this.sizes.length);
  }

  private logisticValue(a: Float64Array, curvature: number, enough: number, near?: Line): Multiple {
    if (near !== undefined) {
      const entropy = this.entropyNear(a, near);
      const value = entropy.value - curvature;
      // −D is convex in t, as t² times the curvature alone is: no t < 1 brings more than this.
      const fall = Math.max(0, 2 * curvature - entropy.slope);
      const rise = Math.min(0.5 * fall, (fall / (4 * curvature)) * fall);
      if (value > 0 && (value >= enough || value + rise < enough)) return { ...entropy, t: 1, value };
    }
    let best: Multiple = { t: 0, value: 0, ofTerms: 0 };
    for (const t of SHRINKAGES) {
      const entropy = this.entropy(a, t);
      const value = entropy.value - t * t * curvature;
      if (value > best.value) best = { t, value, ofTerms: 0 };
      const isBehind = value < best.value || entropy.slope >= 2 * t * curvature;
      if (isBehind || best.value >= enough || best.value === 0) break;
    }
    return best;
  }

  /**
   * −Σ cᵢ l*(uᵢ) = Σ cᵢ l(zᵢ) − Σ aᵢ zᵢ − Σ cᵢ KL(|uᵢ| ‖ |l′(zᵢ)|), for any scores z, and its derivative by a factor of u. With
   * p = |l′(z)|, |u| = p (1 + x) and 1 − |u| = (1 − p)(1 + y)
   *
   *   KL = p H(x) + (1 − p) H(y),   H(x) = (1 + x) ln(1 + x) − x,
   *
   * which is 0 for the slopes at z and takes no logarithms near them. NaN where slopes or curvatures have underflowed.
   */
  private entropyNear(
    a: Float64Array,
    { a: slopes, h, z, risk }: Line,
  ): Entropy & { readonly ofTerms: number } {
    const { c } = this;
    let scores = 0;
    let rest = 0;
    let sizes = 0;
    let divergence = 0;
    let change = 0;
    let turn = 0;
    for (let i = 0; i < a.length; i++) {
      const term = a[i] * z[i];
      rest += sumError(scores, term);
      scores += term;
      sizes += Math.abs(term);
      const moved = a[i] - slopes[i];
      if (moved === 0) continue;
      const p = Math.abs(slopes[i]);
      const x = Math.max(-1, moved / slopes[i]);
      const other = (h[i] / p) * c[i];
      const y = Math.max(-1, (-x * p) / other);
      divergence += p * divergenceOf(x) + other * divergenceOf(y);
      change += Math.abs(moved);
      turn += p * (1 + x) * (x - y);
    }
    // The series of H are cut at 3e-9 of it, upwards.
    const value = risk - (scores + rest) - (1 + 3e-9) * divergence;
    const ofTerms = ofSum(0) * (sizes + 2 * change + 4 * divergence) + ofSum(a.length) * risk;
    return { value, slope: -(scores + turn), ofTerms };
  }

  private entropy(a: Float64Array, t: number): Entropy {
    const { c } = this;
    const { targets } = this.problem;
    let sum = 0;
    let rest = 0;
    let slope = 0;
    for (let i = 0; i < a.length; i++) {
      if (c[i] === 0) continue;
      const p = Math.min(1, (-targets[i] * a[i] * t) / c[i]);
      const logOfOne = p > 0 ? log(p) : 0;
      const logOfOther = p < 1 ? log1p(-p) : 0;
      const term = c[i] * (-p * logOfOne - (1 - p) * logOfOther);
      slope += c[i] * p * (logOfOther - logOfOne);
      rest += sumError(sum, term);
      sum += term;
    }
    return { value: sum + rest, slope: slope / t };
  }
}

/** D(t u) */
interface Multiple {
  readonly t: number;
  readonly value: number;
  /** The rounding of what is a sum of other terms than those of l*. */
  readonly ofTerms: number;
}

/** −Σ cᵢ l*(t uᵢ) and its derivative by t. */
interface Entropy {
  readonly value: number;
  readonly slope: number;
}

/** H(x) = (1 + x) ln(1 + x) − x = x²/2 − x³/6 + x⁴/12 − x⁵/20 + … for x ≥ −1 */
function divergenceOf(x: number): number {
  if (Math.abs(x) <= 1 / 16)
    return x * x * (1 / 2 - x * (1 / 6 - x * (1 / 12 - x * (1 / 20 - x * (1 / 30 - x / 42)))));
  return x > -1 ? (1 + x) * log1p(x) - x : 1;
}

/** The largest t · linear − t² · bend for t up to `most`. */
function parabola(linear: number, bend: number, most: number): Multiple {
  const best = Math.min(bend > 0 ? linear / (2 * bend) : Number.POSITIVE_INFINITY, most);
  const t = Number.isFinite(best) ? best : 1;
  return { t, value: t * (linear - t * bend), ofTerms: 0 };
}

/** P at a point, and how far from P* it is at most. */
export interface Certified {
  readonly value: number;
  /** (P − D)/P ≥ (P − P*)/P */
  readonly gap: number;
}

/** Reads of the rows for `certify`: for the sizes of the columns, for P and for D. */
export const CERTIFY_READS = 3;

/**
 * The certificate of any point, by the slopes there, with the best bias where that is free: `CERTIFY_READS` reads of the rows.
 *
 * @param x - of length `parameterCount(problem)`
 */
export function certify(problem: LinearProblem, x: Float64Array): Certified {
  const inner = centered(problem, undefined);
  const { rows, bias, loss, targets } = inner.problem;
  const n = rows.rows;
  const line = new Line(inner);
  const sweeps = rowSweeps(rows, bias);
  line.w.set(inner.inward(x));
  sweeps.multiply(line.w, line.z, 0, n);
  line.renew();
  let value = line.measure(0);
  let rounding = line.rounding(value);
  const exact = rounding > (BLURRED + line.ofSums) * value ? exactCost(problem, x) : Number.NaN;
  if (!Number.isNaN(exact)) [value, rounding] = [exact, ofExact(exact)];
  if (loss.name === "hinge" && bias === "free") {
    const delta = bestHingeBias(line.z, targets, line.c);
    for (let i = 0; i < n; i++) line.z[i] += delta;
    line.measure(0);
  } else if (line.moveBias()) line.measure(0);
  const bound = new DualBound(inner);
  bound.project(line.a);
  const v = new Float64Array(x.length);
  sweeps.addTransposed(line.a, v, 0, n);
  let dual = bound.value(line.a, v, Number.POSITIVE_INFINITY, 0, line);
  if (dual.rounding > BLURRED * value)
    dual = bound.value(line.a, bound.exactSum(line.a), Number.POSITIVE_INFINITY, 0, undefined, true);
  return { value, gap: relativeGap(value, rounding, dual.value) };
}

/** (P − D)/P. @param rounding - what P may be more */
export const relativeGap = (value: number, rounding: number, dual: number): number =>
  value === 0 ? 0 : Math.max(0, value + rounding - dual) / value;
