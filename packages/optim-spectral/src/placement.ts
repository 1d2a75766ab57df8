/**
 * New points in a finished map: each is placed by itself, against training points that stay where they are.
 *
 * Problem    min_x E(x) = a Σ_m p_m A(t_m) + λ R(x),   t_m = ‖x − x_m‖², p the new point's affinities, Σ p = 1
 *            R = log Σ_m K(t_m), a = 1                     (t-SNE, s-SNE, SNE)
 *            R = 2 Σ_m w⁻_m K(t_m), a = 2/N                (EE, t-EE; w⁻ scaled as in training)
 * Iteration  x ← x − α ∇E / (2 a Σ_m p_m A′(t_m)),   Armijo with c₁ = 0.1, ρ = 0.8, from the α before
 * Start      x = Σ_m p_m x_m; x stays within twice the map's radius, for where the repulsion wins E falls without end
 *
 * | symbol | variable  | shape                       |
 * |--------|-----------|-----------------------------|
 * | x_m    | map       | N × d                       |
 * | p, w⁻  | p, w      | N, of one new point         |
 *
 * Carreira-Perpiñán: The elastic embedding algorithm for dimensionality reduction, ICML 2010, section 5. The step is
 * the spectral direction's, whose matrix is a number here. Differs: A′ is taken at x, not at 0, which majorises the
 * attraction just as well and takes longer steps where the kernel's tail is heavy. Time O(N d) per iteration.
 */
import { type DenseMatrix, exp, log, log1p, zeros } from "@curvature/linalg";

/** A finished map and its model. */
export interface TrainedMap {
  readonly map: DenseMatrix;
  readonly kernel: "gaussian" | "student";
  readonly isNormalized: boolean;
  readonly lambda: number;
}

const maxIterations = 500;
const maxReductions = 60;
const sufficientDecrease = 0.1;
const shrink = 0.8;
const tolerance = 1e-7;

/**
 * @param affinities - M × N, rows of sum 1
 * @param repulsion - w⁻ of the new points, M × N; "constant" 1/(N(N − 1)); left alone for normalised models
 * @returns M × d
 */
export function placeNewPoints(
  trained: TrainedMap,
  affinities: Iterable<Float64Array>,
  count: number,
  repulsion: DenseMatrix | "constant",
): DenseMatrix {
  const { rows: N, columns: d } = trained.map;
  const out = zeros(count, d);
  const placement = new Placement(trained);
  const w = new Float64Array(N).fill(1 / (N * (N - 1)));
  let i = 0;
  for (const p of affinities) {
    if (repulsion !== "constant") w.set(repulsion.data.subarray(i * N, (i + 1) * N));
    placement.place(p, w, out.data.subarray(i * d, (i + 1) * d));
    i += 1;
  }
  return out;
}

/** One point at a time; the arrays are shared. */
class Placement {
  private readonly centre: Float64Array;
  private readonly radius: number;
  private readonly gradient: Float64Array;
  private readonly trial: Float64Array;
  private readonly t: Float64Array;
  /** 2 a Σ p A′ at the point last differentiated. */
  private curvature = 0;

  constructor(private readonly trained: TrainedMap) {
    const { map } = trained;
    const { rows: N, columns: d } = map;
    this.centre = new Float64Array(d);
    for (let k = 0; k < N * d; k++) this.centre[k % d] += map.data[k] / N;
    let farthest = 0;
    for (let m = 0; m < N; m++) {
      let square = 0;
      for (let i = 0; i < d; i++) {
        const difference = map.data[m * d + i] - this.centre[i];
        square += difference * difference;
      }
      farthest = Math.max(farthest, square);
    }
    this.radius = Math.sqrt(farthest);
    this.gradient = new Float64Array(d);
    this.trial = new Float64Array(d);
    this.t = new Float64Array(N);
  }

  /** Writes the place of the point with affinities p and repulsive weights w into `x`. */
  place(p: Float64Array, w: Float64Array, x: Float64Array): void {
    const { gradient, trial, radius } = this;
    const { data } = this.trained.map;
    const d = x.length;
    x.fill(0);
    for (let m = 0; m < p.length; m++) for (let i = 0; i < d; i++) x[i] += p[m] * data[m * d + i];
    const nearly = tolerance * radius;
    let alpha = 1;
    for (let k = 0; k < maxIterations; k++) {
      const E = this.value(p, w, x);
      this.differentiate(p, w, x);
      let moved = 0;
      let reductions = 0;
      for (; reductions < maxReductions; reductions++) {
        for (let i = 0; i < d; i++) trial[i] = x[i] - (alpha * gradient[i]) / this.curvature;
        this.pullIn(trial);
        let promised = 0;
        moved = 0;
        for (let i = 0; i < d; i++) {
          promised += gradient[i] * (trial[i] - x[i]);
          moved += (trial[i] - x[i]) * (trial[i] - x[i]);
        }
        if (this.value(p, w, trial) <= E + sufficientDecrease * promised) break;
        alpha *= shrink;
      }
      if (reductions === maxReductions) return;
      x.set(trial);
      if (moved <= nearly * nearly) return;
    }
  }

  /** Onto the ball of twice the map's radius. */
  private pullIn(x: Float64Array): void {
    const { centre } = this;
    let square = 0;
    for (let i = 0; i < x.length; i++) square += (x[i] - centre[i]) * (x[i] - centre[i]);
    const limit = 2 * this.radius;
    if (square <= limit * limit) return;
    const scale = limit / Math.sqrt(square);
    for (let i = 0; i < x.length; i++) x[i] = centre[i] + scale * (x[i] - centre[i]);
  }

  private measure(x: Float64Array): void {
    const { data } = this.trained.map;
    const d = x.length;
    for (let m = 0, k = 0; m < this.t.length; m++) {
      let square = 0;
      for (let i = 0; i < d; i++, k++) square += (x[i] - data[k]) * (x[i] - data[k]);
      this.t[m] = square;
    }
  }

  private value(p: Float64Array, w: Float64Array, x: Float64Array): number {
    const { t } = this;
    const { kernel, isNormalized, lambda } = this.trained;
    const N = t.length;
    this.measure(x);
    const least = isNormalized && kernel === "gaussian" ? leastOf(t) : 0;
    let attraction = 0;
    let repulsion = 0;
    for (let m = 0; m < N; m++) {
      attraction += p[m] * (kernel === "gaussian" ? t[m] : log1p(t[m]));
      const K = kernel === "gaussian" ? exp(least - t[m]) : 1 / (1 + t[m]);
      repulsion += isNormalized ? K : w[m] * K;
    }
    return isNormalized
      ? attraction + lambda * (log(repulsion) - least)
      : 2 * (attraction / N + lambda * repulsion);
  }

  private differentiate(p: Float64Array, w: Float64Array, x: Float64Array): void {
    const { t, gradient } = this;
    const { kernel, isNormalized, lambda, map } = this.trained;
    const N = t.length;
    const d = x.length;
    this.measure(x);
    const least = isNormalized && kernel === "gaussian" ? leastOf(t) : 0;
    let sum = 0;
    if (isNormalized)
      for (let m = 0; m < N; m++) sum += kernel === "gaussian" ? exp(least - t[m]) : 1 / (1 + t[m]);
    const a = isNormalized ? 1 : 2 / N;
    let pull = 0;
    gradient.fill(0);
    for (let m = 0; m < N; m++) {
      const K = kernel === "gaussian" ? exp(least - t[m]) : 1 / (1 + t[m]);
      const slope = kernel === "gaussian" ? 1 : K; // A′, and −K′/K
      const push = isNormalized ? lambda * (K / sum) : 2 * lambda * w[m] * K;
      const force = 2 * slope * (a * p[m] - push);
      pull += slope * p[m];
      for (let i = 0; i < d; i++) gradient[i] += force * (x[i] - map.data[m * d + i]);
    }
    this.curvature = 2 * a * pull;
  }
}

function leastOf(t: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let m = 0; m < t.length; m++) if (t[m] < least) least = t[m];
  return least;
}
