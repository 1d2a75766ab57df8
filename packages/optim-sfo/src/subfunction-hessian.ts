/**
 * The Hessian of a subfunction after an evaluation: that of its history of steps and gradient changes, as a multiple of the
 * identity and a part of low rank, or as long as there is no history, a multiple of the identity by those of the others.
 *
 *   C₀ = λ I,   λ = the least singular value of Y S⁺ among the largest n                             (eq. 14)
 *   C ← C + y yᵀ / yᵀs − C s sᵀ C / sᵀC s,   from the oldest pair to the newest                      (eq. 12)
 *   C = V diag(u) Vᵀ,   u_k < γ max |u|  becomes the median of the positive u                        (section A.4)
 *   H = λ I + B diag(σ) Bᵀ,   B = R V diag(√|u − λ|),   σ = sign(u − λ)
 *
 * All of it happens in the orthonormal basis R of the pairs, which has at most 2n columns. Without pairs:
 *
 *   λ = the median eigenvalue of the mean of the active Hessians                                    (section A.4)
 *   λ = the median of the largest eigenvalues of those of few parameters, if it is one of these
 *
 * The second is not in the paper: where each parameter enters a few subfunctions only, the mean over all of them is near
 * 0 in most directions, and a step by it is far too long.
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
import { symmetricEigen, symmetricEigenvalues } from "@curvature/linalg";
import { number, stateIn, whole } from "@curvature/optim-core/state";
import type { SfoSettings } from "./options.js";
import type { LowRankHessian, SubfunctionModel } from "./subfunction-model.js";
import type { TotalModel } from "./total-model.js";
import { inner, subtract } from "./vectors.js";

/**
 * @param model - taken out of `total`
 * @param active - the active ones, this one among them if it is
 * @param memory - of the median eigenvalue
 */
export function renewHessian(
  model: SubfunctionModel,
  active: readonly SubfunctionModel[],
  total: TotalModel,
  K: number,
  settings: Pick<SfoSettings, "maxHessianRatio" | "update">,
  memory: MedianMemory,
): void {
  if (model.S.length > 0) {
    const domain = model.support.parameters;
    const cut = (vectors: readonly Float64Array[]): Float64Array[] =>
      vectors.map((v) => (domain === undefined ? v.subarray(0, K) : Float64Array.from(domain, (i) => v[i])));
    const fallback = Math.max(...active.map(({ lambda }) => lambda));
    const own = Math.max(model.lambda / 10, SMALLEST);
    model.setHessian(historyHessian(cut(model.S), cut(model.Y), { fallback, own }, settings), domain);
  } else if (model.isActive) {
    const lambda =
      sparseCurvature(model, active) ??
      memory.recall(active.length, K, () => medianCurvature(model, active, total, K));
    model.setHessian({ lambda, largest: lambda, columns: [], signs: new Float64Array(0) }, undefined);
  }
}

/** Undefined for a model of many parameters, or where no other of few has a history. */
function sparseCurvature(model: SubfunctionModel, active: readonly SubfunctionModel[]): number | undefined {
  if (model.support.parameters === undefined) return undefined;
  const others = active.filter(({ domain, S }) => domain !== undefined && S.length > 0);
  return others.length === 0 ? undefined : median(others.map(({ largest }) => largest));
}

/** The median eigenvalue of H, which still holds this model's own λ, by active subfunction. */
function medianCurvature(
  model: SubfunctionModel,
  active: readonly SubfunctionModel[],
  total: TotalModel,
  K: number,
): number {
  const isSparse = active.some(({ domain }) => domain !== undefined);
  const ranks = active.reduce(
    (sum, { columns }) => sum + (columns === model.columns ? 0 : columns.length),
    0,
  );
  const rank = isSparse ? K : ranks;
  const shift = total.lambda + model.lambda;
  return medianEigenvalue((A) => total.copyTo(A, K), K, rank, shift, model.lambda) / active.length;
}

// ── The Hessian of a history ──────────────────────────────────────────────────────────────────────────────────────────

/**
 * @param S - at least one step, newest first, each of K numbers
 * @param Y - as many gradient changes
 * @param starts - λ if the pairs say nothing of it, and if they all say 0
 */
function historyHessian(
  S: readonly Float64Array[],
  Y: readonly Float64Array[],
  starts: Starts,
  { maxHessianRatio, update }: Pick<SfoSettings, "maxHessianRatio" | "update">,
): LowRankHessian {
  const K = S[0].length;
  const basis = orthonormalBasis([...S, ...Y]);
  const s = S.map((column) => coordinates(basis, column));
  const y = Y.map((column) => coordinates(basis, column));
  const scales = startScales(s, y, starts);
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
  return { lambda, largest, columns, signs: Float64Array.from(signs) };
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

interface Starts {
  readonly fallback: number;
  readonly own: number;
}

/** λ does not fall below it, however often a subfunction is measured to be linear. */
const SMALLEST = 1e-290;

/** The positive ones of the n largest singular values of Y S⁺ in falling order; `own` if there is none, `fallback` if one is not finite. */
function startScales(
  s: readonly Float64Array[],
  y: readonly Float64Array[],
  { fallback, own }: Starts,
): readonly number[] {
  const n = s.length;
  const r = s[0].length;
  const wanted = Math.min(n, r);
  const W = timesPseudoinverse(s, y);
  const values = Array.from(singularValues(W)).sort((a, b) => b - a);
  if (values.length < wanted || !values.every(Number.isFinite)) return [fallback];
  const positive = values.slice(0, wanted).filter((value) => value > 0);
  return positive.length > 0 ? positive : [own];
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

/** eq. (12); a term that is not finite leaves C unchanged. */
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
  let size = 0;
  for (const value of u) size = Math.max(size, Math.abs(value));
  if (unseen === 0 && u.every((value) => value <= 0)) u.fill(largest);
  const floor = Math.max(size, unseen > 0 ? lambda : 0) / maxHessianRatio;
  if (u.every((value) => value >= floor)) return;
  const positive = Array.from(u).filter((value) => value > 0);
  for (let k = 0; k < unseen; k++) positive.push(lambda);
  const middle = median(positive);
  for (let k = 0; k < u.length; k++) if (u[k] < floor) u[k] = middle;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

function combination(basis: readonly Float64Array[], weights: Float64Array, scale: number): Float64Array {
  const v = new Float64Array(basis[0].length);
  for (let k = 0; k < basis.length; k++) subtract(v, -scale * weights[k], basis[k]);
  return v;
}

/** v / ‖v‖; false, and v unchanged, if ‖v‖ is not above `min`. */
function normalize(v: Float64Array, min: number): boolean {
  const length = Math.sqrt(inner(v, v));
  if (!(length > min)) return false;
  for (let i = 0; i < v.length; i++) v[i] /= length;
  return true;
}

// ── The Hessians of the others ────────────────────────────────────────────────────────────────────────────────────────

/**
 * The median of the eigenvalues of H = (low rank) + c I, without an eigendecomposition where most of them are c.
 *
 * @param copyTo - writes the K x K matrix's lower triangle, without `extra` on its diagonal
 * @param rank - of the part of low rank, at most
 * @param shift - c
 */
function medianEigenvalue(
  copyTo: (A: Float64Array) => void,
  K: number,
  rank: number,
  shift: number,
  extra: number,
): number {
  if (2 * rank < K) return shift; // fewer than half of the eigenvalues are above c, and fewer than half below
  const A = new Float64Array(K * K);
  copyTo(A);
  for (let i = 0; i < K; i++) A[i * K + i] += extra;
  return median(Array.from(symmetricEigenvalues({ rows: K, columns: K, data: A })));
}

/** Up to this dimension an eigendecomposition costs no more than the rest of a step. */
const CHEAP = 160;
/** The number of active subfunctions may have grown by this part before the median is computed anew. */
const GROWTH = 0.1;

/**
 * The last median by active subfunction. In many dimensions it stands for those of the steps that follow, since it is of
 * the mean of many Hessians, of which one changes in a step.
 */
export class MedianMemory {
  value = Number.NaN;
  /** Active subfunctions when it was computed. */
  count = 0;
  readonly state = stateIn(this, { value: number(), count: whole() });

  /** @param compute - the median eigenvalue of H by active subfunction */
  recall(count: number, K: number, compute: () => number): number {
    const isFresh = K > CHEAP && count >= this.count && count <= (1 + GROWTH) * this.count;
    if (isFresh && this.value > 0) return this.value;
    this.value = compute();
    this.count = count;
    return this.value;
  }
}

// ── Singular values by one-sided Jacobi rotations ─────────────────────────────────────────────────────────────────────
//
//   A = U Σ Vᵀ: rotations from the right make the columns of A orthogonal, A V = U Σ.
//
// Every pair of columns (p, q) is rotated by the angle with tan 2θ = 2 aₚᵀa_q / (‖a_q‖² − ‖aₚ‖²), until
// |aₚᵀa_q| ≤ ε ‖aₚ‖ ‖a_q‖ for all of them. Small singular values keep their relative accuracy, which those of AᵀA lose.
// Hestenes: Inversion of matrices by biorthogonalization and related results. J. SIAM 6 (1958) 51-90.

/** Columns of A, all of one length; they become the columns of U Σ, and those of V (the identity before) rotate along. */
function orthogonalizeColumns(A: readonly Float64Array[], V: readonly Float64Array[]): void {
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let rotated = false;
    for (let p = 0; p < A.length; p++)
      for (let q = p + 1; q < A.length; q++) rotated = rotatePair(A, V, p, q) || rotated;
    if (!rotated) return;
  }
}

/** The singular values of the matrix with these columns, which are overwritten; in no order. */
function singularValues(A: readonly Float64Array[]): Float64Array {
  orthogonalizeColumns(A, []);
  return Float64Array.from(A, (column) => Math.sqrt(inner(column, column)));
}

const SWEEPS = 30;
const EPSILON = 2 ** -52;

function rotatePair(A: readonly Float64Array[], V: readonly Float64Array[], p: number, q: number): boolean {
  const alpha = inner(A[p], A[p]);
  const beta = inner(A[q], A[q]);
  const gamma = inner(A[p], A[q]);
  if (!(Math.abs(gamma) > EPSILON * Math.sqrt(alpha) * Math.sqrt(beta))) return false;
  const zeta = (beta - alpha) / (2 * gamma);
  const t = Math.abs(zeta) > 1e150 ? 0.5 / zeta : 1 / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
  const tangent = zeta < 0 && t > 0 ? -t : t;
  const c = 1 / Math.sqrt(1 + tangent * tangent);
  const s = c * tangent;
  rotate(A[p], A[q], c, s);
  if (V.length > 0) rotate(V[p], V[q], c, s);
  return true;
}

function rotate(a: Float64Array, b: Float64Array, c: number, s: number): void {
  for (let i = 0; i < a.length; i++) {
    const x = a[i];
    const y = b[i];
    a[i] = c * x - s * y;
    b[i] = s * x + c * y;
  }
}
