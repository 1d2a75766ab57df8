/**
 * The Hessian that a history of steps and gradient changes speaks for, as a multiple of the identity and a part of
 * low rank.
 *
 *   C₀ = λ I,   λ = the least singular value of Y S⁺ among the largest n                             (eq. 14)
 *   C ← C + y yᵀ / yᵀs − C s sᵀ C / sᵀC s,   from the oldest pair to the newest                      (eq. 12)
 *   C = V diag(u) Vᵀ,   u_k < γ max |u|  becomes the median of the positive u                        (section A.4)
 *   H = λ I + B diag(σ) Bᵀ,   B = R V diag(√|u − λ|),   σ = sign(u − λ)
 *
 * All of it happens in the orthonormal basis R of the pairs, which has at most 2n columns.
 *
 * | symbol | variable     | shape                                                   |
 * |--------|--------------|---------------------------------------------------------|
 * | S, Y   | S, Y         | n pairs of K numbers, newest first                      |
 * | R      | basis        | r ≤ 2n columns of K numbers                             |
 * | C      | C            | r x r                                                   |
 * | B, σ   | columns, signs | rank columns of K numbers, rank                       |
 * | λ      | lambda       |                                                         |
 *
 * Sohl-Dickstein, Poole, Ganguli: Fast large-scale optimization by unifying stochastic gradient and quasi-Newton
 * methods. ICML 2014, sections 3.2 and A.4. Differs from the paper: the singular values come from a Jacobi SVD, not
 * from AᵀA, which halves their digits; directions in which all pairs agree to 14 digits are left out of R, since
 * there C is λ I anyway; and γ acts on max |u|, since C may be indefinite (pairs of negative curvature are kept).
 */
import { symmetricEigen } from "@curvature/linalg";
import { orthogonalizeColumns, singularValues } from "../small/singular-values.js";

export interface HistoryHessian {
  readonly lambda: number;
  /** The largest of the singular values, an estimate of the largest eigenvalue. */
  readonly largest: number;
  /** B, column by column, each of K numbers. */
  readonly columns: readonly Float64Array[];
  /** σ, −1 or 1 each. */
  readonly signs: readonly number[];
}

export type SecantUpdate = "bfgs" | "rank-one";

export interface HistoryHessianSettings {
  /** 1/γ. */
  readonly maxHessianRatio: number;
  readonly update: SecantUpdate;
}

/**
 * @param S - at least one step, newest first, each of K numbers
 * @param Y - as many gradient changes
 * @param fallback - λ if the pairs say nothing of it
 */
export function historyHessian(
  S: readonly Float64Array[],
  Y: readonly Float64Array[],
  fallback: number,
  { maxHessianRatio, update }: HistoryHessianSettings,
): HistoryHessian {
  const K = S[0].length;
  const basis = orthonormalBasis([...S, ...Y]);
  const s = S.map((column) => coordinates(basis, column));
  const y = Y.map((column) => coordinates(basis, column));
  const scales = startScales(s, y, fallback);
  const largest = scales[0];
  const lambda = Math.max(scales[scales.length - 1], largest / maxHessianRatio);

  const r = basis.length;
  const C = new Float64Array(r * r);
  for (let i = 0; i < r; i++) C[i * r + i] = lambda;
  const apply = update === "bfgs" ? bfgsUpdate : rankOneUpdate;
  for (let k = S.length - 1; k >= 0; k--) apply(C, ...unitStep(s[k], y[k]));

  const { values: u, vectors: V } = symmetricEigen({ rows: r, columns: r, data: C });
  const unseen = Math.min(2 * S.length, K) - r;
  makePositive(u, unseen, lambda, largest, maxHessianRatio);
  const columns: Float64Array[] = [];
  const signs: number[] = [];
  for (let k = 0; k < r; k++) {
    const excess = u[k] - lambda;
    if (excess === 0) continue;
    columns.push(combination(basis, V.data.subarray(k * r, (k + 1) * r), Math.sqrt(Math.abs(excess))));
    signs.push(Math.sign(excess));
  }
  return { lambda, largest, columns, signs };
}

/** What is left of a unit vector below this is rounding. */
const DEPENDENT = 1e-14;

/** Gram and Schmidt, twice over each column. */
function orthonormalBasis(columns: readonly Float64Array[]): Float64Array[] {
  const basis: Float64Array[] = [];
  for (const column of columns) {
    const v = column.slice();
    if (!normalize(v, 0)) continue;
    let independent = true;
    for (let sweep = 0; sweep < 2 && independent; sweep++) {
      for (const e of basis) subtract(v, inner(e, v), e);
      independent = normalize(v, DEPENDENT);
    }
    if (independent) basis.push(v);
  }
  return basis;
}

function coordinates(basis: readonly Float64Array[], v: Float64Array): Float64Array {
  return Float64Array.from(basis, (e) => inner(e, v));
}

/** The n largest singular values of Y S⁺ in falling order; `fallback` alone if one of them is 0 or not finite. */
function startScales(
  s: readonly Float64Array[],
  y: readonly Float64Array[],
  fallback: number,
): readonly number[] {
  const n = s.length;
  const r = s[0].length;
  const wanted = Math.min(n, r);
  const W = timesPseudoinverse(s, y);
  const values = Array.from(singularValues(W)).sort((a, b) => b - a);
  if (values.length < wanted || !(values[wanted - 1] > 0) || !Number.isFinite(values[0])) return [fallback];
  return values.slice(0, wanted);
}

/** Below this share of the largest, a singular value of S counts as 0. */
const PSEUDOINVERSE_CUTOFF = 1e-15;

/** Columns that have the singular values of Y S⁺, those of Y V Σ⁻¹ (S = U Σ Vᵀ). */
function timesPseudoinverse(s: readonly Float64Array[], y: readonly Float64Array[]): Float64Array[] {
  const n = s.length;
  const r = s[0].length;
  // With n > r the rotations act on the r columns of Sᵀ, whose right singular vectors are the left ones of S.
  const isTall = n <= r;
  const A = isTall ? s.map((column) => column.slice()) : transposed(s, r);
  const V = A.map((_, i) => Float64Array.from(A, (_column, j) => (i === j ? 1 : 0)));
  orthogonalizeColumns(A, V);
  const sigma = A.map((column) => Math.sqrt(inner(column, column)));
  const cutoff = PSEUDOINVERSE_CUTOFF * Math.max(...sigma);
  const W: Float64Array[] = [];
  for (let k = 0; k < A.length; k++) {
    if (!(sigma[k] > cutoff)) continue;
    const right = isTall ? V[k] : A[k].map((entry) => entry / sigma[k]);
    const w = new Float64Array(r);
    for (let j = 0; j < n; j++) subtract(w, -right[j] / sigma[k], y[j]);
    W.push(w);
  }
  return W;
}

function transposed(columns: readonly Float64Array[], r: number): Float64Array[] {
  return Array.from({ length: r }, (_, i) => Float64Array.from(columns, (column) => column[i]));
}

function unitStep(s: Float64Array, y: Float64Array): [Float64Array, Float64Array] {
  const length = Math.sqrt(inner(s, s));
  return [s.map((entry) => entry / length), y.map((entry) => entry / length)];
}

/** eq. (12); a term that is not finite leaves C as it is. */
function bfgsUpdate(C: Float64Array, s: Float64Array, y: Float64Array): void {
  const h = symmetricTimes(C, s);
  const curvature = inner(y, s);
  const known = inner(s, h);
  if (curvature === 0 || known === 0 || !Number.isFinite(1 / curvature) || !Number.isFinite(1 / known))
    return;
  addOuter(C, y, 1 / curvature);
  addOuter(C, h, -1 / known);
}

/** C + v vᵀ / vᵀs, v = y − C s; left out where v is nearly orthogonal to s, as is the custom. */
function rankOneUpdate(C: Float64Array, s: Float64Array, y: Float64Array): void {
  const v = symmetricTimes(C, s);
  for (let i = 0; i < v.length; i++) v[i] = y[i] - v[i];
  const weight = inner(v, s);
  if (!(Math.abs(weight) > 1e-8 * Math.sqrt(inner(v, v)) * Math.sqrt(inner(s, s)))) return;
  addOuter(C, v, 1 / weight);
}

function symmetricTimes(C: Float64Array, s: Float64Array): Float64Array {
  const r = s.length;
  const h = new Float64Array(r);
  for (let i = 0; i < r; i++) for (let j = 0; j < r; j++) h[i] += C[i * r + j] * s[j];
  return h;
}

function addOuter(C: Float64Array, v: Float64Array, weight: number): void {
  const r = v.length;
  for (let i = 0; i < r; i++) for (let j = 0; j < r; j++) C[i * r + j] += weight * v[i] * v[j];
}

/** Too small and negative eigenvalues become the median of the positive ones; `unseen` further ones are λ. */
function makePositive(
  u: Float64Array,
  unseen: number,
  lambda: number,
  largest: number,
  maxHessianRatio: number,
): void {
  let most = 0;
  for (const value of u) most = Math.max(most, Math.abs(value));
  if (unseen === 0 && u.every((value) => value <= 0)) u.fill(largest);
  const floor = Math.max(most, unseen > 0 ? lambda : 0) / maxHessianRatio;
  if (u.every((value) => value >= floor)) return;
  const positive = Array.from(u).filter((value) => value > 0);
  for (let k = 0; k < unseen; k++) positive.push(lambda);
  const middle = median(positive);
  for (let k = 0; k < u.length; k++) if (u[k] < floor) u[k] = middle;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

function combination(basis: readonly Float64Array[], weights: Float64Array, scale: number): Float64Array {
  const v = new Float64Array(basis[0].length);
  for (let k = 0; k < basis.length; k++) subtract(v, -scale * weights[k], basis[k]);
  return v;
}

function inner(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function subtract(v: Float64Array, weight: number, e: Float64Array): void {
  for (let i = 0; i < v.length; i++) v[i] -= weight * e[i];
}

/** v / ‖v‖; false, and v as it is, if ‖v‖ is not above `least`. */
function normalize(v: Float64Array, least: number): boolean {
  const length = Math.sqrt(inner(v, v));
  if (!(length > least)) return false;
  for (let i = 0; i < v.length; i++) v[i] /= length;
  return true;
}
