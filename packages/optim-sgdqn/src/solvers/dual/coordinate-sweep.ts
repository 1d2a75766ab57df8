/**
 * The inner loop of dual coordinate descent: one coordinate after the other is set to its exact optimum.
 *
 * With a_i for the dual variable of row i, σ_i = y_i (classification) or 1 (regression), and
 *
 *   v = Σ_i a_i σ_i x_i,    w = v/(λ n),
 *
 * the dual problem is to maximise
 *
 *   D(a) = (1/n) Σ_i [a_i σ_i y_i − a_i²/(2 c_i L)] − λ/2 ‖w‖²,    a_i in [0, c_i M] or [−c_i M, c_i M].
 *
 * A row's visit:
 *
 *   G  = σ (w·x − y) + a/(c L)                          that is −n ∂D/∂a                               (1)
 *   PG = min(G, 0) at the lower bound, max(G, 0) at the upper one, else G
 *   a' = clip(a − G/(‖x‖²/(λ n) + 1/(c L)));   v += (a' − a) σ x                                       (2)
 *
 * A row is dropped for a while (shrinking) if it rests on a bound and G points out of the interval by more than any
 * row's PG did in the sweep before: G > max PG at the lower bound, G < min PG at the upper one.
 *
 * The first sweep grows: it takes the rows seen so far for all there are, so that n in (1) and (2) is the count of
 * visits including this one. The bounds of a do not depend on n; so the end of that sweep is a feasible dual point
 * for the true n, and the sweep itself is as good as one of stochastic gradients. The gap after it, with and without
 * growth: 2.9 and 16 % on 300,000 rows of text, 31 and 34 % on 11,000.
 *
 * | symbol     | variable             |                                                |
 * |------------|----------------------|------------------------------------------------|
 * | a, v       | a, v                 | n; d, and one more for the bias                |
 * | y, c, ‖x‖² | y, c, squaredNorms   | n                                              |
 * | 1/L, M     | flatness, slopeBound |                                                |
 * | n in (1)   | seen                 | while growing from 0 to n                      |
 *
 * Hsieh, Chang, Lin, Keerthi, Sundararajan: A dual coordinate descent method for large-scale linear SVM. ICML
 * 2008, Algorithms 1 and 3. Their α is a/(λ n): in a, bounds and start do not depend on λ. The growing sweep is ours.
 */
import { dot, scale } from "@curvature/linalg";
import type { RowAccess } from "@curvature/objectives/linear";
import { float64, number, stateIn, whole } from "@curvature/optim-core/state";
import { exactSum } from "../double-sum.js";
import { ofSum } from "../rounding.js";
import { firstPoint } from "../start.js";
import type { DualLoss } from "./dual-loss.js";

/** A projected gradient of at most this size makes no step; LIBLINEAR's constant. */
export const NO_STEP = 1e-12;

/** The problem as the sweeps see it. */
export interface DualProblem {
  readonly rows: RowAccess;
  readonly y: Float64Array;
  readonly c: Float64Array;
  /** −1 where not known yet. */
  readonly squaredNorms: Float64Array;
  readonly lambda: number;
  readonly loss: DualLoss;
  readonly hasBias: boolean;
}

/** Whether a row counts: its importance is not 0, nor so near to it that 1/(c L) overflows. */
export const isWeighed = (c: number, flatness: number): boolean =>
  c > 0 && flatness / c < Number.POSITIVE_INFINITY;

export class CoordinateSweep {
  readonly a: Float64Array;
  /** Length d + 1; the last entry is the bias's, or stays 0. */
  readonly v: Float64Array;
  seen = 0;
  /** What a visit adds to `seen`; 0 unless the sweep grows. */
  growth = 0;
  /** Rows at their lower bound are dropped for a G above the one, rows at their upper for a G below the other. */
  dropAbove = Number.POSITIVE_INFINITY;
  dropBelow = Number.NEGATIVE_INFINITY;
  /** The largest and the least PG of this sweep so far. */
  largest = Number.NEGATIVE_INFINITY;
  least = Number.POSITIVE_INFINITY;
  /** Rows visited so far, in all sweeps. */
  visits = 0;
  /** How far v was from Σ aᵢ σᵢ xᵢ at most when `renewedAt` rows had been visited: each step since adds its rounding. */
  drift = 0;
  renewedAt = 0;
  readonly state;
  private readonly problem: DualProblem;

  constructor(problem: DualProblem) {
    this.problem = problem;
    this.a = new Float64Array(problem.rows.rows);
    this.v = new Float64Array(problem.rows.columns + 1);
    const kinds = {
      a: float64(this.a),
      v: float64(this.v),
      seen: number(),
      growth: number(),
      dropAbove: number(),
      dropBelow: number(),
      largest: number(),
      least: number(),
      visits: whole(),
      drift: number(),
      renewedAt: whole(),
    };
    this.state = stateIn<CoordinateSweep, keyof typeof kinds>(this, kinds);
  }

  /** 1/(λ n), n as far as it is seen: v times this is w. */
  get scale(): number {
    return this.seen > 0 ? 1 / (this.problem.lambda * this.seen) : 0;
  }

  /**
   * Starts from dual variables, brought into their bounds, and then from the best multiple t of them:
   *
   *   D(t a) = t S − t² (R/2 + λ/2 ‖w‖²),    S = (1/n) Σ a σ y,  R = (1/n) Σ a²/(c L)
   *
   * so that a solution for another λ is neither 1/λ times too large nor as small as it was (t = 1 keeps a, t = λ/λ'
   * keeps w; the truth lies between them). With bounds t is at most 1.
   *
   * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE
   */
  startFrom(initial: ArrayLike<number>, where: string): void {
    const { rows, y, c, hasBias } = this.problem;
    const { flatness, slopeBound, isClassification } = this.problem.loss;
    const { a, v } = this;
    const dual = firstPoint(where, "initialDual", initial, a.length);
    this.seen = a.length;
    this.growth = 0;
    let S = 0;
    let R = 0;
    let sizes = 0;
    for (let i = 0; i < a.length; i++) {
      if (dual[i] === 0 || !isWeighed(c[i], flatness)) continue;
      const upper = slopeBound * c[i];
      a[i] = Math.max(isClassification ? 0 : -upper, Math.min(upper, dual[i]));
      const change = isClassification ? y[i] * a[i] : a[i];
      rows.addTo(i, change, v);
      if (hasBias) v[v.length - 1] += change;
      S += change * y[i];
      R += (flatness / c[i]) * a[i] * a[i];
      sizes += Math.abs(change) * Math.sqrt(rows.squaredNorm(i) + Number(hasBias));
    }
    this.drift = ofSum(a.length) * sizes;
    // n times numerator and denominator: λ n ‖w‖² = ‖v‖² / (λ n)
    const best = S / (R + this.scale * dot(v, v));
    if (!Number.isFinite(best)) return;
    const t = slopeBound < Number.POSITIVE_INFINITY ? Math.min(1, best) : best;
    scale(Math.max(0, t), a);
    scale(Math.max(0, t), v);
    this.drift *= Math.max(0, t);
  }

  /** v ← Σ aᵢ σᵢ xᵢ in twice the precision, then rounded; as it was where entries overflow. */
  renew(): void {
    const { a, v, problem } = this;
    const { rows, y, hasBias, loss } = problem;
    const factors = loss.isClassification ? a.map((ai, i) => y[i] * ai) : a;
    const sum = exactSum(rows, factors, rows.columns + Number(hasBias));
    if (!Number.isFinite(dot(sum, sum))) return;
    v.set(sum);
    this.drift = ofSum(0) * Math.sqrt(dot(v, v));
    this.renewedAt = this.visits;
  }

  /**
   * Visits the blocks `order[from … to − 1]`; block b are the rows at the indices b·blockSize … of the first `count`
   * of `active`. The rows that it drops are left there as ~i.
   */
  visit(
    active: Int32Array,
    count: number,
    order: Int32Array,
    blockSize: number,
    from: number,
    to: number,
  ): void {
    const { a, v, growth, dropAbove, dropBelow } = this;
    const { rows, y, c, squaredNorms, lambda } = this.problem;
    const { flatness, slopeBound, isClassification } = this.problem.loss;
    const bias = this.problem.hasBias ? 1 : 0;
    const d = rows.columns;
    let { seen, largest, least, visits } = this;
    for (let b = from; b < to; b++) {
      const start = order[b] * blockSize;
      const end = Math.min(count, start + blockSize);
      visits += end - start;
      for (let k = start; k < end; k++) {
        const i = active[k];
        seen += growth;
        const perSeen = 1 / (lambda * seen);
        const sigma = isClassification ? y[i] : 1;
        const ridge = flatness / c[i];
        const upper = slopeBound * c[i];
        const lower = isClassification ? 0 : -upper;
        const before = a[i];
        const score = perSeen * (rows.dot(i, v) + bias * v[d]);
        const G = sigma * (score - y[i]) + ridge * before; // (1)
        let PG = G;
        if (before <= lower) {
          if (G > dropAbove) {
            active[k] = ~i;
            continue;
          }
          if (G > 0) PG = 0;
        } else if (before >= upper) {
          if (G < dropBelow) {
            active[k] = ~i;
            continue;
          }
          if (G < 0) PG = 0;
        }
        if (PG > largest) largest = PG;
        if (PG < least) least = PG;
        if (PG <= NO_STEP && PG >= -NO_STEP) continue;
        if (squaredNorms[i] < 0) squaredNorms[i] = rows.squaredNorm(i); // while the row is in the cache
        // An empty row under the hinge has nothing to divide by: it goes to the bound that G points to.
        const optimum = before - G / (perSeen * (squaredNorms[i] + bias) + ridge); // (2)
        const after = Math.max(lower, Math.min(upper, optimum));
        a[i] = after;
        const change = (after - before) * sigma;
        rows.addTo(i, change, v);
        v[d] += bias * change;
      }
    }
    this.seen = seen;
    this.largest = largest;
    this.least = least;
    this.visits = visits;
  }
}
