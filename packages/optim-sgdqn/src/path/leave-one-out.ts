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
 * above and one far below, would send each other's score to l′/λ. Where a step moves its row's score beyond a kink, it is
 * therefore only a direction, along which P of the other rows has its minimum at a part of the step, or at the whole.
 *
 * Rows with more columns than there are rows are turned first: z = X̃-rows in the coordinates of the rows' own span, L of
 * L Lᵀ = X̃X̃ᵀ, have the same scores, and as many columns as there are rows.
 */
import {
  CurvatureError,
  DenseCholesky,
  type DenseMatrix,
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
import { lossSweep, shares } from "../solvers/newton/loss-sweep.js";
import { rowSweeps } from "../solvers/newton/sweeps/row-sweeps.js";

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
/** Halvings of the step of a row, for the part of it that lowers P of the others. */
const HALVINGS = 20;
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
  const step = new StepOfOthers(problem, x, curvature);
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
      const shift = (gain * loss.slope(s, y)) / Math.max(LEAST, 1 - gain * loss.curvature(s, y));
      const part = Math.abs(shift) > toKink ? step.part(i, left[i], direction, shift / q) : 1;
      scores[i] = s + part * shift;
      losses[i] = loss.value(scores[i], y);
      if (loss.task === "classification") flipped += c[i] * loss.value(scores[i], -y);
      total += c[i];
    }
  }
  return { scores, losses, flipped: total > 0 ? flipped / total : 0 };
}

/** How far a score moves before l″ changes as a rule; Infinity where it does so nowhere, or little by little. */
function distanceToKink({ name, width = 1 }: LinearLoss): number {
  if (name === "squared-error" || name === "logistic") return Number.POSITIVE_INFINITY;
  return name === "huber" || name === "smoothed-hinge" ? width : 1;
}

/** How much of Newton's step lowers P of all rows but one. */
class StepOfOthers {
  private readonly q: Float64Array;
  private readonly full: Float64Array;
  private readonly sweeps;

  constructor(
    private readonly problem: LinearProblem,
    private readonly x: Float64Array,
    private readonly at: InverseCurvature,
  ) {
    this.q = new Float64Array(problem.rows.rows);
    this.full = new Float64Array(x.length);
    this.sweeps = rowSweeps(problem.rows, problem.bias);
  }

  /**
   * @param i - the row that is left out
   * @param left - γᵢ
   * @param direction - C⁻¹ (xᵢ − m)
   * @param length - the step, in terms of that
   * @returns 0 to 1
   */
  part(i: number, left: number, direction: Float64Array, length: number): number {
    const { q, full, x, at } = this;
    const { loss, targets, lambda, rows } = this.problem;
    const { m, sigma, c, z } = at;
    full.set(direction);
    let [inner, squares, offset] = [0, 0, sigma > 0 ? 1 / sigma : 0];
    for (let j = 0; j < direction.length; j++) {
      inner += x[j] * direction[j];
      squares += direction[j] * direction[j];
      offset -= m[j] * direction[j];
    }
    if (full.length > direction.length) full[direction.length] = offset;
    this.sweeps.multiply(full, q, 0, rows.rows);
    const slopeAt = (part: number): number => {
      const t = part * length;
      let slope = lambda * (inner + t * squares);
      for (let k = 0; k < q.length; k++) {
        const share = k === i ? c[k] - left : c[k];
        slope += share * loss.slope(z[k] + t * q[k], targets[k]) * q[k];
      }
      return slope * length;
    };
    if (slopeAt(1) <= 0) return 1;
    let [low, high] = [0, 1];
    for (let k = 0; k < HALVINGS; k++) {
      const middle = (low + high) / 2;
      if (slopeAt(middle) > 0) high = middle;
      else low = middle;
    }
    return low;
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
