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
 * Everything here is in the terms of aᵢ = cᵢ uᵢ, cᵢ the importance of row i over n, as the solvers have them.
 *
 * Boyd, Vandenberghe: Convex Optimization (2004), sections 3.3 and 5.1.
 */
import { type Bias, type LinearLoss, type LinearProblem, parameterCount } from "@curvature/objectives/linear";
import { slopeBound } from "../dual/dual-loss.js";
import { bestHingeBias, hingeSum } from "./best-bias.js";
import { centered } from "./centered-problem.js";
import { Line } from "./line-search.js";
import { rowSweeps } from "./sweeps/row-sweeps.js";

/** Multiples of u that are tried for the logistic loss. */
const SHRINKAGES = [1, 0.9999, 0.999, 0.997, 0.99, 0.97, 0.9, 0.8, 0.5];

/** What of a problem the dual needs. */
export interface DualProblem {
  readonly loss: LinearLoss;
  readonly targets: Float64Array;
  readonly lambda: number;
  readonly bias: Bias;
  /** cᵢ: the importances over n. */
  readonly c: Float64Array;
}

export class DualBound {
  /** M: the largest |u|. */
  private readonly bound: number;
  /** q of l*(u) = (linear in u) + q u². */
  private readonly quadratic: number;
  private readonly isClassification: boolean;

  constructor(private readonly problem: DualProblem) {
    this.bound = slopeBound(problem.loss);
    this.quadratic = 0.5 / problem.loss.curvatureBound;
    this.isClassification = problem.loss.task === "classification";
  }

  /** Makes a, where aᵢ = cᵢ uᵢ, the nearest that the dual allows, or one near to that. */
  project(a: Float64Array): void {
    const { bound } = this;
    const { targets, c, bias, loss } = this.problem;
    for (let i = 0; i < a.length; i++) {
      const largest = c[i] === 0 ? 0 : c[i] * bound;
      if (this.isClassification) {
        const size = Math.min(largest, Math.max(0, -targets[i] * a[i]));
        a[i] = -targets[i] * size;
      } else a[i] = Math.min(largest, Math.max(-largest, a[i]));
    }
    if (bias !== "free") return;
    if (loss.name === "squared-error") {
      let sum = 0;
      let total = 0;
      for (let i = 0; i < a.length; i++) {
        sum += a[i];
        total += c[i];
      }
      if (total > 0) for (let i = 0; i < a.length; i++) a[i] -= (sum / total) * c[i];
      return;
    }
    let above = 0;
    let below = 0;
    for (let i = 0; i < a.length; i++) {
      if (a[i] > 0) above += a[i];
      else below -= a[i];
    }
    const ofAbove = above > below ? below / above : 1;
    const ofBelow = below > above ? above / below : 1;
    if (ofAbove === 1 && ofBelow === 1) return;
    for (let i = 0; i < a.length; i++) a[i] *= a[i] > 0 ? ofAbove : ofBelow;
  }

  /**
   * The largest D(t u) found.
   *
   * @param a - as `project` leaves it
   * @param v - Σ aᵢ xᵢ, with the bias's entry where the problem has a bias
   * @param enough - above it no better t is looked for
   */
  value(a: Float64Array, v: Float64Array, enough = Number.POSITIVE_INFINITY): number {
    const { bound, quadratic } = this;
    const { targets, c, lambda, bias, loss } = this.problem;
    const end = bias === "free" ? v.length - 1 : v.length;
    let squares = 0;
    for (let j = 0; j < end; j++) squares += v[j] * v[j];
    const curvature = squares / (2 * lambda);
    if (loss.name === "logistic") return this.logisticValue(a, curvature, enough);
    let linear = 0;
    let square = 0;
    let largest = 0;
    for (let i = 0; i < a.length; i++) {
      if (a[i] === 0) continue;
      linear -= a[i] * targets[i]; // Σ cᵢ aᵢ of the table, and −Σ cᵢ uᵢ yᵢ for regression
      square += (a[i] / c[i]) * a[i];
      largest = Math.max(largest, Math.abs(a[i] / c[i]));
    }
    const bend = quadratic * square + curvature;
    if (!(linear > 0)) return 0;
    const best = Math.min(bend > 0 ? linear / (2 * bend) : Number.POSITIVE_INFINITY, bound / largest);
    return Number.isFinite(best) ? best * (linear - best * bend) : linear - bend;
  }

  private logisticValue(a: Float64Array, curvature: number, enough: number): number {
    let best = 0;
    for (const t of SHRINKAGES) {
      const value = this.entropy(a, t) - t * t * curvature;
      if (value > best) best = value;
      else if (t < 1) break; // D is concave in t
      if (best >= enough || best === 0) break;
    }
    return best;
  }

  /** −Σ cᵢ l*(t uᵢ) */
  private entropy(a: Float64Array, t: number): number {
    const { targets, c } = this.problem;
    let sum = 0;
    for (let i = 0; i < a.length; i++) {
      if (c[i] === 0) continue;
      const p = Math.min(1, (-targets[i] * a[i] * t) / c[i]);
      if (p > 0) sum -= c[i] * p * Math.log(p);
      if (p < 1) sum -= c[i] * (1 - p) * Math.log1p(-p);
    }
    return sum;
  }
}

/** P at a point, and how far from P* it is at most. */
export interface Certified {
  readonly value: number;
  /** (P − D)/P ≥ (P − P*)/P */
  readonly gap: number;
}

/**
 * The certificate of any point, by the slopes there, with the best bias where that is free: two reads of the rows.
 *
 * @param x - of length `parameterCount(problem)`
 */
export function certify(problem: LinearProblem, x: Float64Array): Certified {
  const inner = centered(problem, undefined);
  const { rows, bias, loss, targets } = inner.problem;
  const n = rows.rows;
  const line = new Line(inner.problem, parameterCount(problem));
  const sweeps = rowSweeps(rows, bias);
  line.w.set(inner.inward(x));
  sweeps.multiply(line.w, line.z, 0, n);
  let value = line.measure(0);
  const hinge = loss.name === "hinge" && bias === "free" ? bestHingeBias(line.z, targets, line.c) : undefined;
  if (hinge !== undefined) for (let i = 0; i < n; i++) line.z[i] += hinge.delta;
  if (hinge !== undefined || line.moveBias()) line.measure(0);
  if (loss.name === "hinge")
    value = line.regularization(0) + hingeSum(line.z, targets, line.c, -(hinge?.delta ?? 0));
  const bound = new DualBound({ ...inner.problem, c: line.c });
  bound.project(line.a);
  const v = new Float64Array(x.length);
  sweeps.addTransposed(line.a, v, 0, n);
  return { value, gap: relativeGap(value, bound.value(line.a, v)) };
}

/** (P − D)/P, where rounding makes it negative 0. */
export const relativeGap = (value: number, dual: number): number =>
  value <= dual ? 0 : (value - dual) / value;
