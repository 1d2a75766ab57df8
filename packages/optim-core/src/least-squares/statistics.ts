/**
 * How well the data determine the parameters, by the linear model at x.
 *
 *   s² = Σ ψ_i² / (m − k) · (K / mean w)²      ψ = ρ′ r, w = dψ/dr; of squares ψ = r, w = K = 1
 *   K  = 1 + (k / m) var w / (mean w)²
 *   V  = s² (JᵀJ)⁻¹ = s² S⁻¹ P R⁻¹ R⁻ᵀ Pᵀ S⁻¹;   x_j ± t √V_jj, t Student's quantile with m − k degrees of freedom
 *
 * J has the columns of the parameters that are not on a bound, k is its rank. Where k is smaller than their number, those that
 * the data do not determine are known by R_11⁻¹ R_12, whose rows are those of the null space.
 *
 * Bates, Watts: Nonlinear regression analysis and its applications (1988), section 2.2. With a loss: Huber: Robust statistics
 * (1981), section 7.6, equation (6.5): residuals of one distribution, symmetric about 0.
 */
import type { DenseMatrix } from "@curvature/linalg";
import type { Box } from "../solvers/box.js";
import type { JacobianForm } from "./jacobian-form.js";
import { LinearModel } from "./linear-model.js";
import { influence, type Loss } from "./loss.js";
import { SparseForm } from "./sparse-form.js";
import { studentQuantile } from "./student.js";

export interface FitStatistics {
  /** k, of the columns of the parameters that are not on a bound. */
  readonly rank: number;
  /** m − k, at least 0. */
  readonly degreesOfFreedom: number;
  /** s; Infinity without degrees of freedom. */
  readonly residualStandardDeviation: number;
  /** V, n × n; undefined of a sparse Jacobian with m n > 10⁶ or m n² > 5 · 10⁷, of which V_jj alone is known. The data say nothing of parameters on a bound, of undetermined ones, and without degrees of freedom of any: there V_jj is Infinity, and 0 beside it. Where equal bounds fix a parameter all is 0. */
  readonly covariance: DenseMatrix | undefined;
  /** √V_jj */
  readonly standardErrors: Float64Array;
  /** Of each parameter, at `level`. */
  readonly intervals: readonly (readonly [low: number, high: number])[];
  /** The parameters that are on a bound, and those that the data do not determine, counted from 0. */
  readonly active: readonly number[];
  readonly undetermined: readonly number[];
}

/** Beside 1: what of a null space is none. */
const NOTHING = 1e-8;
/** δ */
const SHIFT = 1e-10;

export interface Fit {
  readonly x: Float64Array;
  readonly residuals: Float64Array;
  /** As its form keeps it. */
  readonly jacobian: Float64Array;
  /** The relative error of its columns. */
  readonly error: number;
  readonly box: Box;
  readonly loss: Loss;
  readonly lossScale: number;
  readonly level: number;
}

/** By QR; of a large sparse Jacobian by Cholesky, the diagonal of V alone. */
export function statisticsOf(form: JacobianForm, fit: Fit): FitStatistics {
  if (!(form instanceof SparseForm)) return denseStatistics(fit);
  return form.isSmall
    ? denseStatistics({ ...fit, jacobian: form.dense(fit.jacobian) })
    : sparseStatistics(form, fit);
}

/**
 * d(δ) = diag (S⁻¹JᵀJ S⁻¹ + δ)⁻¹. Where Cholesky fails of δ = 0, a parameter is undetermined if d_j falls to less than half as δ = 10⁻¹⁰
 * becomes 10 δ: the null space has most of it then. The rank is Σ (1 − δ d_j), rounded.
 */
function sparseStatistics(form: SparseForm, fit: Fit): FitStatistics {
  const { x, residuals, jacobian, box, loss, lossScale, level } = fit;
  const { lower, upper } = box;
  const isFixed = (j: number): boolean => lower[j] === upper[j];
  const all = Array.from(x.keys());
  const active = all.filter((j) => !isFixed(j) && (x[j] <= lower[j] || x[j] >= upper[j]));
  const held = new Set(active);
  const free = all.filter((j) => !isFixed(j) && !held.has(j));
  const model = form.sparseModel(jacobian, residuals, Int32Array.from(free), form.lengths(jacobian));
  const exact = model.hasFullRank ? model.inverseDiagonal(0) : undefined;
  const diagonal =
    exact ?? model.inverseDiagonal(SHIFT) ?? new Float64Array(x.length).fill(Number.POSITIVE_INFINITY);
  let undetermined: readonly number[] = [];
  let rank = free.length;
  if (exact === undefined) {
    const more = model.inverseDiagonal(10 * SHIFT) ?? new Float64Array(x.length);
    undetermined = free.filter((j) => !(diagonal[j] < 2 * more[j]));
    const parts = free.reduce((sum, j) => sum + Math.max(0, 1 - SHIFT * diagonal[j]), 0);
    rank = Math.min(Math.round(parts), residuals.length);
  }
  const degreesOfFreedom = Math.max(0, residuals.length - rank);
  const s = standardDeviation(residuals, rank, degreesOfFreedom, loss, lossScale);
  const unknown = new Set(s < Number.POSITIVE_INFINITY ? [...active, ...undetermined] : all);
  const standardErrors = x.map((_, j) => {
    if (isFixed(j)) return 0;
    return unknown.has(j) ? Number.POSITIVE_INFINITY : s * model.scale[j] * Math.sqrt(diagonal[j]);
  });
  return {
    ...{ rank, degreesOfFreedom, residualStandardDeviation: s, standardErrors, active, undetermined },
    covariance: undefined,
    intervals: intervalsOf(x, standardErrors, isFixed, degreesOfFreedom, level),
  };
}

function intervalsOf(
  x: Float64Array,
  standardErrors: Float64Array,
  isFixed: (j: number) => boolean,
  degreesOfFreedom: number,
  level: number,
): FitStatistics["intervals"] {
  const t = degreesOfFreedom > 0 ? studentQuantile(level, degreesOfFreedom) : 1;
  return Array.from(x, (xj, j) => {
    const reach = isFixed(j) ? 0 : t * standardErrors[j];
    return [xj - reach, xj + reach] as const;
  });
}

function denseStatistics(fit: Fit): FitStatistics {
  const { x, residuals, jacobian, error, box, loss, lossScale, level } = fit;
  const n = x.length;
  const { lower, upper } = box;
  const isFixed = (j: number): boolean => lower[j] === upper[j];
  const all = Array.from(x.keys());
  const active = all.filter((j) => !isFixed(j) && (x[j] <= lower[j] || x[j] >= upper[j]));
  const free = all.filter((j) => !isFixed(j) && !active.includes(j));
  const model = new LinearModel(
    { jacobian, residuals },
    Int32Array.from(free),
    new Float64Array(n).fill(1),
    error,
  );
  const { rank, size: k, order, lengths } = model;
  const degreesOfFreedom = Math.max(0, residuals.length - rank);
  const s = standardDeviation(residuals, rank, degreesOfFreedom, loss, lossScale);

  const inverse = inverseOf(model);
  const undetermined = all.filter((j) =>
    isUndetermined(model, inverse, order.indexOf(j), Math.max(NOTHING, 100 * error)),
  );
  const data = new Float64Array(n * n);
  for (let a = 0; a < k; a++)
    for (let b = 0; b < k; b++) {
      let sum = 0;
      for (let i = Math.max(a, b); i < rank; i++) sum += inverse[a * k + i] * inverse[b * k + i];
      data[order[a] * n + order[b]] = (s / lengths[a]) * (s / lengths[b]) * sum;
    }
  const unknown =
    s < Number.POSITIVE_INFINITY ? [...active, ...undetermined] : all.filter((j) => !isFixed(j));
  for (const j of unknown) {
    for (const i of all) data[i * n + j] = data[j * n + i] = 0;
    data[j * n + j] = Number.POSITIVE_INFINITY;
  }
  const standardErrors = x.map((_, j) => Math.sqrt(data[j * n + j]));
  return {
    ...{ rank, degreesOfFreedom, residualStandardDeviation: s, standardErrors, active, undetermined },
    covariance: { rows: n, columns: n, data },
    intervals: intervalsOf(x, standardErrors, isFixed, degreesOfFreedom, level),
  };
}

/** s */
function standardDeviation(
  residuals: Float64Array,
  rank: number,
  degrees: number,
  loss: Loss,
  scale: number,
): number {
  if (degrees === 0) return Number.POSITIVE_INFINITY;
  const m = residuals.length;
  let [squares, mean, meanSquare] = [0, 0, 0];
  for (const r of residuals) {
    const { psi, w } = influence(r, loss, scale);
    squares += psi * psi;
    mean += w / m;
    meanSquare += (w * w) / m;
  }
  if (!(mean > 0)) return Number.POSITIVE_INFINITY; // more outliers than observations
  const K = 1 + (rank / m) * Math.max(0, meanSquare / (mean * mean) - 1);
  return (Math.sqrt(squares / degrees) * K) / mean;
}

/** R_11⁻¹ in the first `rank` rows and columns, k × k. */
function inverseOf({ R, rank, size: k }: LinearModel): Float64Array {
  const inverse = new Float64Array(k * k);
  for (let j = 0; j < rank; j++) {
    inverse[j * k + j] = 1 / R[j * k + j];
    for (let i = j - 1; i >= 0; i--) {
      let sum = 0;
      for (let l = i + 1; l <= j; l++) sum += R[i * k + l] * inverse[l * k + j];
      inverse[i * k + j] = -sum / R[i * k + i];
    }
  }
  return inverse;
}

/** Whether the parameter at this place has a part in the null space. */
function isUndetermined(
  { R, rank, size: k }: LinearModel,
  inverse: Float64Array,
  place: number,
  nothing: number,
): boolean {
  if (place < 0 || place >= rank) return place >= rank;
  for (let j = rank; j < k; j++) {
    let part = 0;
    for (let i = place; i < rank; i++) part += inverse[place * k + i] * R[i * k + j];
    if (Math.abs(part) > nothing) return true;
  }
  return false;
}
