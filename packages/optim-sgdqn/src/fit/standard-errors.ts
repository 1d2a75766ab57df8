/**
 * Standard deviations of the coefficients, in the data's units, by the Hessian at the optimum.
 *
 * N P(w)/φ is the negative log posterior of the prior w ~ N(0, φ/(N λ)), on the scaled columns, a free bias flat; N rows count, φ is 1
 * for the logistic loss and the variance of the noise for the squared error. Near the optimum the posterior is
 *
 *   N(ŵ, φ/N · H⁻¹),   H the Hessian of P
 *
 * (Laplace; exact for the squared error). These are its standard deviations: of the coefficient w_j/s_j, and of the intercept
 * b − Σ w_j o_j/s_j. They do not know that a large coefficient was shrunk towards 0: see the README for how often the intervals
 * hold a true coefficient.
 *
 *   φ̂ = N Σ ĉᵢ rᵢ²/(N − k),   k = d − λ tr C⁻¹, and one more for a free bias
 *
 * k is the trace of the hat matrix: the mean of rᵢ r₋ᵢ, r₋ᵢ = rᵢ/(1 − kᵢ) by leave-one-out, with the mean of the kᵢ for each. The mean of
 * r₋ᵢ² would be too large by what the coefficients' own errors add.
 *
 * Weights of classes are no rows: with them there is no posterior, and no standard deviations. Columns that were left out have 0.
 */
import { inverse, type Scaling } from "@curvature/linalg";
import { type LinearProblem, parameterCount } from "@curvature/objectives/linear";
import { fromContrasts } from "../multiclass/softmax/contrasts.js";
import { RowBlocks } from "../multiclass/softmax/row-blocks.js";
import { SoftmaxHessian } from "../multiclass/softmax/softmax-hessian.js";
import { inverseCurvature } from "../path/leave-one-out.js";

/** Multiplications of all Hessians and their inverses: about a second. */
const MAX_WORK = 1e9;

export interface Optimum {
  /** One, or one for each of several classes, on the scaled columns that vary. */
  readonly problems: readonly LinearProblem[];
  /** Model after model. */
  readonly x: Float64Array;
  /** Of several classes: by row its class where they are one softmax problem. */
  readonly softmax: Int32Array | undefined;
  readonly scaling: Scaling | undefined;
  /** Which columns these are; undefined for all d. */
  readonly varying: Int32Array | undefined;
  readonly columns: number;
  /** N */
  readonly count: number;
}

/**
 * Model after model d standard deviations of the coefficients, and that of the intercept.
 *
 * @returns undefined for other losses than these two, for more work than a second, and where the Hessian has no factor
 */
export function standardErrors(optimum: Optimum): Float64Array | undefined {
  const { problems, x, softmax, scaling, varying, columns: d } = optimum;
  const [first] = problems;
  const { loss, rows } = first;
  if (loss.name !== "logistic" && loss.name !== "squared-error") return undefined;
  const models = problems.length;
  const D = parameterCount(first);
  const width = softmax === undefined ? D : (models - 1) * D;
  if ((rows.rows + width) * width * width * (softmax === undefined ? models : 1) > MAX_WORK) return undefined;
  const columnOf = (c: number): number => varying?.[c] ?? c;
  const out = new Float64Array(models * (d + 1));
  const scales = Float64Array.from({ length: rows.columns }, (_, c) => scaling?.scales[columnOf(c)] ?? 1);
  const shifts = scales.map((scale, c) => (scaling?.offsets[columnOf(c)] ?? 0) / scale);
  const take = (k: number, { ofWeights, ofIntercept }: Variances): void => {
    for (const [c, variance] of ofWeights.entries())
      out[k * (d + 1) + columnOf(c)] = Math.sqrt(Math.max(0, variance)) / scales[c];
    out[k * (d + 1) + d] = Math.sqrt(Math.max(0, ofIntercept));
  };
  if (softmax !== undefined) {
    const ofClasses = softmaxVariances(optimum, softmax, shifts);
    if (ofClasses === undefined) return undefined;
    for (const [k, variances] of ofClasses.entries()) take(k, variances);
  } else {
    for (const [k, problem] of problems.entries()) {
      const variances = variancesOf(problem, x.subarray(k * D, (k + 1) * D), shifts, optimum.count);
      if (variances === undefined) return undefined;
      take(k, variances);
    }
  }
  return out.every(Number.isFinite) ? out : undefined;
}

interface Variances {
  /** Of the scaled columns. */
  readonly ofWeights: Float64Array;
  /** Of b − Σ w_j shift_j */
  readonly ofIntercept: number;
}

function variancesOf(
  problem: LinearProblem,
  x: Float64Array,
  shifts: Float64Array,
  count: number,
): Variances | undefined {
  const { rows, bias, lambda, loss, targets } = problem;
  const curvature = inverseCurvature(problem, x);
  if (curvature === undefined) return undefined;
  const { inverted, m, sigma, c, z } = curvature;
  const d = rows.columns;
  const size = inverted.rows;
  let phi = 1;
  if (loss.name === "squared-error") {
    let [squares, total, trace] = [0, 0, 0];
    for (let i = 0; i < rows.rows; i++) {
      squares += c[i] * (z[i] - targets[i]) ** 2;
      total += c[i];
    }
    for (let j = 0; j < size; j++) trace += inverted.data[j * (size + 1)];
    const parameters = size - lambda * trace + (bias === "free" ? 1 : 0);
    if (!(parameters < count)) return undefined;
    phi = ((squares / total) * count) / (count - parameters);
  }
  const u = Float64Array.from({ length: size }, (_, j) => (j < d ? -(m[j] + shifts[j]) : 1));
  const ofWeights = Float64Array.from({ length: d }, (_, j) => (phi * inverted.data[j * (size + 1)]) / count);
  const ofIntercept = (phi * ((sigma > 0 ? 1 / sigma : 0) + form(inverted.data, size, u))) / count;
  return { ofWeights, ofIntercept };
}

/** uᵀ A u */
function form(A: Float64Array, size: number, u: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) sum += u[i] * A[i * size + j] * u[j];
  return sum;
}

/** Class after class; undefined where a class has no rows. */
function softmaxVariances(
  { problems, x, count }: Optimum,
  labels: Int32Array,
  shifts: Float64Array,
): Variances[] | undefined {
  const K = problems.length;
  const [{ rows, bias, loss, lambda, importances }] = problems;
  const blocks = new RowBlocks({ rows, labels, classes: K, loss, lambda, bias, importances });
  const own = Int32Array.from(blocks.indices, (i) => labels[i]);
  if (new Set(own).size < K) return undefined;
  const D = blocks.width;
  const d = rows.columns;
  const W = x.slice();
  if (D > d)
    for (let k = 0; k < K; k++) for (let j = 0; j < d; j++) W[k * D + d] += W[k * D + j] * blocks.shift[j];
  const scores = new Float64Array(blocks.count * K);
  blocks.multiply(W, K, scores, 0, blocks.count);
  const hessian = new SoftmaxHessian(blocks, K);
  hessian.add(scores, own, 0, blocks.count);
  const factor = hessian.factor(lambda, bias === "free");
  if (factor === undefined) return undefined;
  const { data, rows: N } = inverse(factor);
  const u = Float64Array.from({ length: D }, (_, j) => (j < d ? -(blocks.shift[j] + shifts[j]) : 1));
  const m = K - 1;
  return Array.from({ length: K }, (_, k) => {
    const v = contrastsOf(k, K);
    const ofWeights = new Float64Array(d);
    let ofIntercept = 0;
    for (let a = 0; a < m; a++)
      for (let b = 0; b < m; b++) {
        const weight = (v[a] * v[b]) / count;
        for (let j = 0; j < d; j++) ofWeights[j] += weight * data[(a * D + j) * N + b * D + j];
        for (let i = 0; i < D; i++)
          for (let j = 0; j < D; j++) ofIntercept += weight * u[i] * data[(a * D + i) * N + b * D + j] * u[j];
      }
    return { ofWeights, ofIntercept };
  });
}

/** Of class k: what each contrast adds to its parameters. */
function contrastsOf(k: number, K: number): Float64Array {
  const column = new Float64Array(K);
  return Float64Array.from({ length: K - 1 }, (_, a) => {
    const unit = new Float64Array(K - 1);
    unit[a] = 1;
    fromContrasts(K, unit, 0, 1, column, 0, 1);
    return column[k];
  });
}
