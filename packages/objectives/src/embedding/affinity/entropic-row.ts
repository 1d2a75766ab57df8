/**
 * One row of entropic affinities: the Gaussian around a point whose entropy is that of k equally likely neighbours.
 *
 * Problem    find β > 0 with H(β) = log k,   p_m = exp(−β (D_m − D_1)) / S,   H = −Σ_m p_m log p_m = log S + β ⟨δ⟩
 * Iteration  a ← a − f / (H′ − f H″ / (2 H′)),   f = H − log k,  a = log β                               (Halley)
 *            H′(a) = −β² Var_p(δ) ≤ 0,   H″(a) = β² (β E_p[(δ − ⟨δ⟩)³] − 2 Var_p(δ))
 *            kept inside a bracket that every evaluation shrinks; a bisection where the step leaves it or stalls
 * Bracket    β ≥ max( n log(n/k) / ((n − 1) (D_n − D_1)),  √( log(n/k) / (D_n² − D_1²) ) )                 (lower)
 *            β ≤ log( (n − 1) p_1 / (1 − p_1) ) / (D_2 − D_1)                                              (upper)
 *            with p_1 in [3/4, 1) from 2 (1 − p_1) log( n / (2 (1 − p_1)) ) = log min(√(2n), k)
 *
 * | symbol        | variable    | meaning                                                                  |
 * |---------------|-------------|--------------------------------------------------------------------------|
 * | n             | n           | candidates: neighbours among which the affinity is spread                |
 * | D_1 ≤ … ≤ D_n | distances   | squared distances to them, in any order                                  |
 * | δ_m           | delta       | (D_m − D_1)/(D_n − D_1), in [0, 1]: the row in its own unit              |
 * | a             | a, logBeta  | log(β (D_n − D_1)) inside the iteration, log β outside                   |
 * | H, H′, H″     | entropy, slope, curvature |                                                            |
 *
 * Vladymyrov, Carreira-Perpiñán: Entropic affinities: properties and efficient numerical computation, ICML 2013.
 * Where c ≥ k candidates tie for the nearest place no β exists (H ≥ log c for all β); the row is then the limit
 * β → ∞, uniform on the tied, which the paper does not treat.
 */
import { exp, log } from "@curvature/linalg";

/** |H − log k| at which a row is done, but for a last step to first order. */
const TOLERANCE = 1e-10;
/** The largest last step of log β: no exponent, at most 745, changes by more than 0.1. */
const FIRST_ORDER = 1e-4;
const MAX_EVALUATIONS = 200;
/** Distances this close, relative to the nearest one, count as tied: rounding must not choose among them. */
const TIE = 1e-12;
/** exp(±700) is a number; a bracket needs to reach no further. */
const LARGEST_LOG = 700;

export class EntropicRow {
  /** In: squared distances, length n. */
  readonly distances: Float64Array;
  /** Out: the affinities, length n, sum 1. */
  readonly p: Float64Array;
  /** Out: log β; +∞ for a row of ties. */
  logBeta = 0;
  /** Out: how many candidates tie at the least distance, where they are k or more; else 0. */
  tied = 0;
  /** Out: evaluations of H that this row took. */
  evaluations = 0;
  /** Out: whether |H − log k| came below the tolerance. */
  converged = false;

  private readonly delta: Float64Array;
  private readonly target: number;
  /** The parts of the bracket that all rows share: log( n log(n/k)/(n − 1) ), log log(n/k), log log( (n − 1) p_1/(1 − p_1) ). */
  private readonly lowerByRange: number;
  private readonly lowerBySquares: number;
  private readonly upper: number;
  private nearest = 0;
  private range = 0;
  private gap = 0;
  private entropy = 0;
  private slope = 0;
  private curvature = 0;
  private sum = 0;
  private mean = 0;

  /**
   * @param n - candidates per row, at least 2
   * @param perplexity - k, above 1 and below n
   */
  constructor(
    readonly n: number,
    private readonly perplexity: number,
  ) {
    this.distances = new Float64Array(n);
    this.p = new Float64Array(n);
    this.delta = new Float64Array(n);
    this.target = log(perplexity);
    this.lowerByRange = log((n * log(n / perplexity)) / (n - 1));
    this.lowerBySquares = log(log(n / perplexity));
    const u = twiceTheRest(n, perplexity);
    this.upper = log(log(((n - 1) * (2 - u)) / u));
  }

  /** Fits β to `distances` and writes `p`, starting at log β = `start` where the bracket allows it (NaN: inside the bracket). */
  fit(start: number): void {
    this.evaluations = 0;
    this.tied = 0;
    this.measure();
    const tied = this.countTied();
    if (tied >= this.perplexity) this.becomeUniform(tied);
    else this.solve(start);
  }

  /** The nearest, the range and the gap of the distances, and δ. */
  private measure(): void {
    const { n, distances, delta } = this;
    let first = Number.POSITIVE_INFINITY;
    let second = Number.POSITIVE_INFINITY;
    let last = 0;
    for (let m = 0; m < n; m++) {
      const D = distances[m];
      if (D < first) {
        second = first;
        first = D;
      } else if (D < second) second = D;
      if (D > last) last = D;
    }
    this.nearest = first;
    this.gap = second - first;
    this.range = last - first;
    for (let m = 0; m < n; m++) delta[m] = this.range > 0 ? (distances[m] - first) / this.range : 0;
  }

  private countTied(): number {
    const limit = this.nearest * (1 + TIE);
    let tied = 0;
    for (let m = 0; m < this.n; m++) if (this.distances[m] <= limit) tied += 1;
    return tied;
  }

  private becomeUniform(tied: number): void {
    const limit = this.nearest * (1 + TIE);
    for (let m = 0; m < this.n; m++) this.p[m] = this.distances[m] <= limit ? 1 / tied : 0;
    this.tied = tied;
    this.logBeta = Number.POSITIVE_INFINITY;
    this.converged = tied === this.perplexity;
  }

  private solve(start: number): void {
    const unit = log(this.range);
    let { low, high } = this.bracket();
    let a = start + unit;
    if (!(a > low && a < high)) a = high === LARGEST_LOG ? low + 1 : 0.5 * (low + high);
    let lastStep = Number.POSITIVE_INFINITY;
    this.converged = false;
    while (this.evaluations < MAX_EVALUATIONS) {
      this.evaluate(exp(a));
      const excess = this.entropy - this.target;
      if (Math.abs(excess) < TOLERANCE) {
        this.converged = true;
        break;
      }
      if (excess > 0) low = a;
      else high = a;
      const halley = a - excess / (this.slope - (0.5 * excess * this.curvature) / this.slope);
      const useful = halley > low && halley < high && Math.abs(halley - a) <= 0.75 * lastStep;
      const next = useful ? halley : high === LARGEST_LOG ? Math.min(low + 2, high) : 0.5 * (low + high);
      if (next === a) break;
      lastStep = useful ? Math.abs(next - a) : Number.POSITIVE_INFINITY;
      a = next;
    }
    this.logBeta = a - unit + this.refine(exp(a));
  }

  /**
   * p, normalised, after a last Newton step of a to first order, which takes no exponentials: what is left of f is its square, so that
   * p does not depend, to 1e-12, on where the iteration started, which the order of the points decides. Returns the step.
   */
  private refine(beta: number): number {
    const { n, p, delta, sum, mean, slope } = this;
    const newton = -(this.entropy - this.target) / slope;
    const step = this.converged && Math.abs(newton) < FIRST_ORDER ? newton : 0;
    for (let m = 0; m < n; m++) p[m] = (p[m] / sum) * (1 - step * beta * (delta[m] - mean));
    return step;
  }

  /** The bracket of a, widened by a hair against rounding; open above (LARGEST_LOG) where the two nearest tie. */
  bracket(): { low: number; high: number } {
    const { nearest, range, gap } = this;
    const unit = log(range);
    const squares = 0.5 * (this.lowerBySquares + unit - log(2 * nearest + range)); // D_n² − D_1² = (D_n − D_1)(D_n + D_1)
    const low = Math.max(this.lowerByRange, squares, -LARGEST_LOG) - 1e-9;
    const high = gap > 0 ? this.upper + unit - log(gap) + 1e-9 : LARGEST_LOG;
    return { low, high: Math.min(high, LARGEST_LOG) };
  }

  /** S, H, H′ and H″ at β (in units of 1/(D_n − D_1)); `p` is left unnormalised. */
  private evaluate(beta: number): void {
    const { n, delta, p } = this;
    let sum = 0;
    let first = 0;
    let second = 0;
    let third = 0;
    for (let m = 0; m < n; m++) {
      const d = delta[m];
      const e = exp(-beta * d);
      const ed = e * d;
      p[m] = e;
      sum += e;
      first += ed;
      second += ed * d;
      third += ed * d * d;
    }
    const mean = first / sum;
    this.sum = sum;
    this.mean = mean;
    this.entropy = log(sum) + beta * mean;
    const variance = second / sum - mean * mean;
    const skew = third / sum - mean * (3 * variance + mean * mean);
    this.slope = -beta * beta * variance;
    this.curvature = beta * beta * (beta * skew - 2 * variance);
    this.evaluations += 1;
  }
}

/** u = 2 (1 − p_1) in (0, 1/2] with u log(n/u) = log min(√(2n), k): the left side grows there. */
function twiceTheRest(n: number, k: number): number {
  const target = log(Math.min(Math.sqrt(2 * n), k));
  let low = 0;
  let high = 0.5;
  for (let step = 0; step < 60; step++) {
    const u = 0.5 * (low + high);
    if (u * log(n / u) < target) low = u;
    else high = u;
  }
  return high;
}
