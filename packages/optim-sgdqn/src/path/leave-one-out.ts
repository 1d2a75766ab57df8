/**
 * Approximate leave-one-out: the score of each row in the model of the others, by one Newton step of those from the optimum of all.
 *
 *   qᵢ = (xᵢ − m)ᵀ C⁻¹ (xᵢ − m) + 1/σ,   C = λ I + Σ hᵢ xᵢxᵢᵀ − σ m mᵀ,   σ = Σ hᵢ,  m = Σ hᵢ xᵢ/σ
 *   s₋ᵢ = sᵢ + qᵢ γᵢ l′ᵢ / max(1e-9, 1 − qᵢ γᵢ l″ᵢ)
 *
 * with hᵢ = cᵢ l″ᵢ and γᵢ what is left out of cᵢ: the row, or one copy of it. For the squared error it is exact. Where the bias
 * is not free, it is one more column (or there is none), m = 0, and 1/σ is left out.
 *
 * Losses of pieces (Huber's and the hinges) have no curvature where they are straight: two rows that alone hold a column, one far
 * above and one far below, would send each other's score to l′/λ; and where rows can be separated, those that are no support
 * vectors have none, and hold the others' optimum where it is once they are. A step that nears its row's kink is therefore only
 * the first of several, by conjugate gradients, to the optimum of the other rows.
 *
 * Rows with more columns than there are rows are turned first: z = X̃-rows in the coordinates of the rows' own span, L of
 * L Lᵀ = X̃X̃ᵀ, have the same scores, and as many columns as there are rows.
 */
import {
  CurvatureError,
  DenseCholesky,
  type DenseMatrix,
  dot,
  inverse,
  multiply,
  multiplyTranspose,
  zeros,
} from "@curvature/linalg";
import {
  type LinearLoss,
  type LinearProblem,
  parameterCount,
  type Rows,
  rowAccess,
} from "@curvature/objectives/linear";
import { type Derivatives, type LossSweep, lossSweep, shares } from "../solvers/newton/loss-sweep.js";
import { rowSweeps } from "../solvers/newton/sweeps/row-sweeps.js";
import type { RowSweeps } from "../solvers/newton/sweeps/sweeps.js";

/** What the models of the other rows say of each. */
export interface LeftOut {
  /** n, or n × K: the scores. */
  readonly scores: Float64Array;
  /** n: the loss of each row. */
  readonly losses: Float64Array;
  /** The mean loss with the label turned, over the rows by their weights; 0 for regression. */
  readonly flipped: number;
}

/** Under 1 − qᵢ γᵢ l″ᵢ: of rows that alone hold a direction it is rounding. */
const LEAST = 1e-9;
/** Of the way to a kink, within which a step is taken as it is: few other rows pass theirs by it. */
const NEAR = 0.25;
/** Steps towards the optimum of the others: as many as can be paid for. */
const LEAST_ITERATIONS = 20;
const MOST_ITERATIONS = 300;
/** Of what the first step lowers P by, at which another counts as none. */
const LEAST_DECREASE = 1e-7;
/** Of P along a step, and what may be left of its slope. */
const EVALUATIONS = 20;
const SLOPE_LEFT = 0.05;
/** Multiplications of all these searches, where a factor has fewer. */
const MAX_WORK = 2e7;
/** Rows that are worked on together. */
const BLOCK = 256;

/**
 * @param problem - with at most some thousand columns
 * @param x - its optimum
 * @param left - γᵢ, over n
 * @returns undefined where C has no factor in double precision
 */
export function leaveOneOut(
  problem: LinearProblem,
  x: Float64Array,
  left: Float64Array,
): LeftOut | undefined {
  const { rows, bias, loss, targets } = problem;
  const n = rows.rows;
  const curvature = inverseCurvature(problem, x);
  if (curvature === undefined) return undefined;
  const { inverted, m, sigma, c, z } = curvature;
  const d = m.length;
  const access = rowAccess(rows);
  const scores = new Float64Array(n);
  const losses = new Float64Array(n);
  const toKink = distanceToKink(loss);
  const shifts = new Float64Array(n);
  const far: number[] = [];
  let flipped = 0;
  let total = 0;
  for (let from = 0; from < n; from += BLOCK) {
    const to = Math.min(n, from + BLOCK);
    const block = zeros(to - from, d);
    for (let i = from; i < to; i++) {
      const row = block.data.subarray((i - from) * d, (i - from + 1) * d);
      for (let j = 0; j < d; j++) row[j] = -m[j];
      access.addTo(i, 1, row);
      if (bias === "regularized") row[d - 1] = 1;
    }
    const turned = multiply(block, inverted);
    for (let i = from; i < to; i++) {
      const start = (i - from) * d;
      const direction = turned.data.subarray(start, start + d);
      let q = sigma > 0 ? 1 / sigma : 0;
      for (let j = 0; j < d; j++) q += block.data[start + j] * direction[j];
      const s = z[i];
      const y = targets[i];
      const gain = q * left[i];
      shifts[i] = (gain * loss.slope(s, y)) / Math.max(LEAST, 1 - gain * loss.curvature(s, y));
      if (Math.abs(shifts[i]) > NEAR * toKink) far.push(i);
    }
  }
  if (far.length > 0) moveFar(shifts, far, left, new OthersOptimum(problem, x, curvature));
  for (let i = 0; i < n; i++) {
    const y = targets[i];
    scores[i] = z[i] + shifts[i];
    losses[i] = loss.value(scores[i], y);
    if (loss.task === "classification") flipped += c[i] * loss.value(scores[i], -y);
    total += c[i];
  }
  return { scores, losses, flipped: total > 0 ? flipped / total : 0 };
}

/**
 * Steps that near a kink go to the optimum of the others. Of more than can be paid for, some are searched, from the longest to
 * the shortest, and those between are changed in proportion as the next longer one was.
 */
function moveFar(
  shifts: Float64Array,
  far: readonly number[],
  left: Float64Array,
  optimum: OthersOptimum,
): void {
  const longestFirst = far.toSorted((i, k) => Math.abs(shifts[k]) - Math.abs(shifts[i]) || i - k);
  const stride = Math.ceil((far.length * LEAST_ITERATIONS) / optimum.affordable);
  const iterations = Math.min(MOST_ITERATIONS, Math.max(LEAST_ITERATIONS, optimum.affordable / far.length));
  let part = 1;
  for (const [at, i] of longestFirst.entries()) {
    const whole = shifts[i];
    if (at % stride === 0) part = optimum.shift(i, left[i], whole, iterations) / whole;
    shifts[i] = part * whole;
  }
}

/** How far a score moves before l″ changes as a rule; Infinity where it does so nowhere, or little by little. */
function distanceToKink({ name, width = 1 }: LinearLoss): number {
  if (name === "squared-error" || name === "logistic") return Number.POSITIVE_INFINITY;
  return name === "huber" || name === "smoothed-hinge" ? width : 1;
}

/** Towards the optimum of all rows but one: conjugate gradients with the Hessian of all as preconditioner, from Newton's step on. */
class OthersOptimum {
  /** cᵢ, and of the row that is left out what remains of it. */
  private readonly others: Float64Array;
  private readonly loss: LossSweep;
  private readonly sweeps: RowSweeps;
  private readonly slopes: Float64Array;
  private readonly unused: Float64Array;
  private readonly q: Float64Array;
  private readonly derivatives: Derivatives = { slope: 0, curvature: 0 };

  constructor(
    private readonly problem: LinearProblem,
    private readonly x: Float64Array,
    private readonly at: InverseCurvature,
  ) {
    const n = problem.rows.rows;
    this.others = at.c.slice();
    this.loss = lossSweep(problem.loss, problem.targets, this.others);
    this.sweeps = rowSweeps(problem.rows, problem.bias);
    [this.slopes, this.unused, this.q] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  }

  /** Iterations that cost no more than a factor, or MAX_WORK. */
  get affordable(): number {
    const [n, d] = [this.problem.rows.rows, this.at.m.length];
    return Math.max(MAX_WORK, n * d * d) / (n * (2 * d + EVALUATIONS) + d * d);
  }

  /**
   * @param i - the row that is left out
   * @param left - γᵢ
   * @param shift - of its score, by Newton's step
   * @param iterations - at most
   * @returns that of its score near the optimum of the others
   */
  shift(i: number, left: number, shift: number, iterations: number): number {
    const { others, at, q, sweeps, slopes, unused, loss, x } = this;
    const { rows, lambda } = this.problem;
    const n = rows.rows;
    others[i] -= left;
    const z = at.z.slice();
    const w = x.slice();
    let gradient = new Float64Array(x.length);
    slopes.fill(0);
    slopes[i] = 1;
    sweeps.addTransposed(slopes, gradient, 0, n);
    const step = this.preconditioned(gradient);
    sweeps.multiply(step, q, 0, n);
    const scale = shift / q[i];
    for (let j = 0; j < step.length; j++) step[j] *= scale;
    for (let k = 0; k < n; k++) q[k] *= scale;
    let [decrease, product] = [0, 0];
    for (let k = 0; k < iterations; k++) {
      if (k > 0) sweeps.multiply(step, q, 0, n);
      const { length, lowers } = this.search(w, z, step, k === 0);
      for (let j = 0; j < w.length; j++) w[j] += length * step[j];
      for (let j = 0; j < n; j++) z[j] += length * q[j];
      if (k === 0) decrease = lowers;
      else if (!(lowers > LEAST_DECREASE * decrease)) break;
      loss.measure(z, q, 0, slopes, unused);
      const next = new Float64Array(w.length);
      for (let j = 0; j < this.penalized; j++) next[j] = lambda * w[j];
      sweeps.addTransposed(slopes, next, 0, n);
      const turned = this.preconditioned(next);
      const now = dot(turned, next);
      const share = k === 0 ? 0 : Math.max(0, (now - dot(turned, gradient)) / product);
      for (let j = 0; j < step.length; j++) step[j] = share * step[j] - turned[j];
      gradient = next;
      product = now;
    }
    others[i] = at.c[i];
    return z[i] - at.z[i];
  }

  private get penalized(): number {
    return this.at.m.length;
  }

  /** H⁻¹ g */
  private preconditioned(g: Float64Array): Float64Array {
    const { m, sigma, inverted } = this.at;
    const d = m.length;
    const isFree = g.length > d;
    const centered = zeros(1, d);
    for (let j = 0; j < d; j++) centered.data[j] = g[j] - (isFree ? m[j] * g[d] : 0);
    const out = new Float64Array(g.length);
    out.set(multiply(centered, inverted).data);
    if (isFree) {
      out[d] = g[d] / (sigma > 0 ? sigma : 1);
      for (let j = 0; j < d; j++) out[d] -= m[j] * out[j];
    }
    return out;
  }

  /** The least P along w + t s, by Newton's method between bounds; and half of what the slope at 0 lowers it by. */
  private search(
    w: Float64Array,
    z: Float64Array,
    step: Float64Array,
    isNewton: boolean,
  ): { length: number; lowers: number } {
    const { q, derivatives, loss } = this;
    const { lambda } = this.problem;
    let [inner, squares] = [0, 0];
    for (let j = 0; j < this.penalized; j++) {
      inner += w[j] * step[j];
      squares += step[j] * step[j];
    }
    const measure = (t: number): void => {
      loss.along(z, q, t, derivatives);
      derivatives.slope += lambda * (inner + t * squares);
      derivatives.curvature += lambda * squares;
    };
    measure(0);
    const first = derivatives.slope;
    if (!(first < 0)) return { length: 0, lowers: 0 };
    let [low, high] = [0, Number.POSITIVE_INFINITY];
    let t = isNewton || !(derivatives.curvature > 0) ? 1 : -first / derivatives.curvature;
    for (let k = 0; k < EVALUATIONS; k++) {
      measure(t);
      if (derivatives.slope > 0) high = t;
      else low = t;
      if (Math.abs(derivatives.slope) <= SLOPE_LEFT * -first) break;
      const newton = t - derivatives.slope / derivatives.curvature;
      if (newton > low && newton < high && (high < Number.POSITIVE_INFINITY || newton < 10 * t)) t = newton;
      else t = high < Number.POSITIVE_INFINITY ? (low + high) / 2 : 10 * t;
    }
    return { length: t, lowers: (-first * t) / 2 };
  }
}

/** The Hessian of P at a point: C⁻¹, with m and σ of a free bias, and the margins with their curvatures. */
export interface InverseCurvature {
  readonly inverted: DenseMatrix;
  readonly m: Float64Array;
  readonly sigma: number;
  /** c, and the scores at x. */
  readonly c: Float64Array;
  readonly z: Float64Array;
}

/** @returns undefined where C has no factor in double precision */
export function inverseCurvature(problem: LinearProblem, x: Float64Array): InverseCurvature | undefined {
  const { rows, bias, lambda, loss, targets } = problem;
  const n = rows.rows;
  const D = parameterCount(problem);
  const isFree = bias === "free";
  const d = isFree ? D - 1 : D;
  const sweeps = rowSweeps(rows, bias);
  const c = shares(problem);
  const [z, h] = [new Float64Array(n), new Float64Array(n)];
  sweeps.multiply(x, z, 0, n);
  lossSweep(loss, targets, c).measure(z, z, 0, new Float64Array(n), h);
  const H = new Float64Array(D * D);
  sweeps.addOuterProducts(h, H, 0, n);
  const sigma = isFree ? h.reduce((sum, hi) => sum + hi, 0) : 0;
  const m = new Float64Array(d);
  if (sigma > 0) for (let j = 0; j < d; j++) m[j] = H[d * D + j] / sigma;
  const C = zeros(d, d);
  for (let j = 0; j < d; j++) {
    for (let k = 0; k <= j; k++) C.data[j * d + k] = H[j * D + k] - sigma * m[j] * m[k];
    C.data[j * d + j] += lambda;
  }
  const inverted = inverseOf(C);
  return inverted && { inverted, m, sigma, c, z };
}

function inverseOf(C: DenseMatrix): DenseMatrix | undefined {
  try {
    return inverse(new DenseCholesky(C, true));
  } catch (error) {
    if (error instanceof CurvatureError && error.code === "ERR_NOT_POSITIVE_DEFINITE") return undefined;
    throw error;
  }
}

/** Of the mean square of a row: what makes the Cholesky factor of X̃X̃ᵀ, whose rank may be lower, one. */
const JITTER = 1e-12;

/**
 * n × n rows with the scalar products of the centered rows.
 *
 * @param weights - of the rows, of which the mean is to be 0; it is only subtracted where the bias is free
 */
export function spanOf(rows: Rows, weights: Float64Array | undefined, isCentered: boolean): DenseMatrix {
  const { rows: n, columns: d } = rows;
  const access = rowAccess(rows);
  const mean = new Float64Array(d);
  if (isCentered) {
    const total = weights?.reduce((sum, weight) => sum + weight, 0) ?? n;
    for (let i = 0; i < n; i++) access.addTo(i, (weights?.[i] ?? 1) / total, mean);
  }
  const X = zeros(n, d);
  for (let i = 0; i < n; i++) {
    const row = X.data.subarray(i * d, (i + 1) * d);
    for (let j = 0; j < d; j++) row[j] = -mean[j];
    access.addTo(i, 1, row);
  }
  const K = multiplyTranspose(X, X);
  let trace = 0;
  for (let i = 0; i < n; i++) trace += K.data[i * n + i];
  for (let i = 0; i < n; i++) K.data[i * n + i] += (JITTER * trace) / n || 1;
  const { factor } = new DenseCholesky(K, true);
  return factor;
}
