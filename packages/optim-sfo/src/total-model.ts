/**
 * The sum of the active subfunctions' models, G(z) = Σ gᵢ(z): its Hessian, its gradient, and the Newton step, without and with
 * a limit on its length.
 *
 *   H = Hs + (Σ λᵢ) I,   Hs = Σ Bᵢ diag(σᵢ) Bᵢᵀ;     q = ∇G(z) = Σ dᵢ + Hᵢ (z − tᵢ)
 *   p = −H⁻¹ q,   or   p = −(H + μ I)⁻¹ q with the μ ≥ 0 for which ‖p‖ = Δ
 *
 * The λᵢ of subfunctions of few parameters are in Hs, on these parameters' diagonal entries.
 *
 * H and q follow the changes of one subfunction, and of z, by differences (q ← q + H p), which saves a sweep over all
 * histories in every step; every so often they are added up anew, so that rounding does not pile up. μ comes from Newton's
 * method on 1/Δ − 1/‖p(μ)‖, which takes a few factorisations.
 *
 * | symbol | variable | shape                                                          |
 * |--------|----------|----------------------------------------------------------------|
 * | Hs     | Hs       | lower triangle, row after row: entry (i, j) at i (i + 1)/2 + j |
 * | q      | q        | capacity                                                       |
 * | L      | factor   | K × K, H = L Lᵀ                                                |
 *
 * Moré, Sorensen: Computing a trust region step. SIAM J. Sci. Stat. Comput. 4 (1983) 553-572, Algorithm 3.2.
 */
import { CurvatureError, DenseCholesky } from "@curvature/linalg";
import { float64, int32, number, stateIn, whole } from "@curvature/optim-core/state";
import type { SubfunctionModel } from "./subfunction-model.js";
import { inner, norm } from "./vectors.js";

/** The share of the mean diagonal that is added where H is not positive definite by rounding. */
const RIDGE = 1e-10;

export class TotalModel {
  readonly q: Float64Array;
  readonly Hs: Float64Array;
  /** Σ λᵢ */
  lambda = 0;
  /** Models whose multiple of the identity is of all coordinates, and the others of each coordinate. */
  unbounded = 0;
  readonly cover: Int32Array;
  readonly state;
  private readonly difference: Float64Array;
  private readonly scratch: Float64Array;
  private cholesky: DenseCholesky | undefined;

  constructor(capacity: number) {
    this.q = new Float64Array(capacity);
    this.Hs = new Float64Array((capacity * (capacity + 1)) / 2);
    this.cover = new Int32Array(capacity);
    this.difference = new Float64Array(capacity);
    this.scratch = new Float64Array(capacity * capacity);
    const K = (number: (name: string) => number): number => number("K");
    this.state = stateIn(this, {
      Hs: float64(this.Hs, { length: (number) => (K(number) * (K(number) + 1)) / 2 }),
      lambda: number(),
      unbounded: whole(),
      cover: int32(this.cover, { length: K }),
      q: float64(this.q, { length: K }),
    });
  }

  /** H has become another. */
  forgetFactor(): void {
    this.cholesky = undefined;
  }

  /** Puts a model in (1) or takes it out (−1), at the point z. */
  change(model: SubfunctionModel, sign: 1 | -1, z: Float64Array, K: number): void {
    if (!model.isActive) return;
    this.changeGradient(model, sign, z, K);
    this.addIdentity(model, sign);
    addSymmetric(this.Hs, K, model.columns, model.signs, sign);
    this.cholesky = undefined;
  }

  private addIdentity({ lambda, domain }: SubfunctionModel, sign: 1 | -1): void {
    if (domain === undefined) {
      this.lambda += sign * lambda;
      if (lambda > 0) this.unbounded += sign;
      return;
    }
    for (const i of domain) {
      this.Hs[(i * (i + 3)) / 2] += sign * lambda;
      this.cover[i] += sign;
    }
  }

  private changeGradient(model: SubfunctionModel, sign: 1 | -1, z: Float64Array, K: number): void {
    const { difference, q } = this;
    for (let i = 0; i < K; i++) {
      q[i] += sign * model.d[i];
      difference[i] = z[i] - model.t[i];
    }
    model.addHessianTimes(difference, sign, q, K);
  }

  /** Adds everything up anew. */
  rebuild(models: readonly SubfunctionModel[], z: Float64Array, K: number): void {
    this.Hs.fill(0);
    this.q.fill(0);
    this.lambda = 0;
    this.unbounded = 0;
    this.cover.fill(0);
    for (const model of models) this.change(model, 1, z, K);
    this.cholesky = undefined;
  }

  /** q and Hs stay; z moves by p (q ← q + H p). */
  move(p: Float64Array, K: number): void {
    this.addTimes(p, this.q, K);
  }

  /** out ← out + H v */
  private addTimes(v: Float64Array, out: Float64Array, K: number): void {
    const { Hs, lambda } = this;
    for (let i = 0, row = 0; i < K; row += ++i) {
      let sum = (Hs[row + i] + lambda) * v[i];
      const x = v[i];
      for (let j = 0; j < i; j++) {
        sum += Hs[row + j] * v[j];
        out[j] += Hs[row + j] * x;
      }
      out[i] += sum;
    }
  }

  /** pᵀ H p */
  curvatureAlong(p: Float64Array, K: number): number {
    const { difference } = this;
    difference.fill(0, 0, K);
    this.addTimes(p, difference, K);
    return inner(p, difference);
  }

  /**
   * L of H = L Lᵀ. A Hessian that is not positive definite by rounding is first added up anew, then given a ridge.
   *
   * @throws CurvatureError ERR_NOT_POSITIVE_DEFINITE if that does not help either
   */
  factor(models: readonly SubfunctionModel[], z: Float64Array, K: number): DenseCholesky {
    if (this.cholesky !== undefined) return this.cholesky;
    this.cholesky = this.tryFactor(K, 0);
    if (this.cholesky === undefined) {
      this.rebuild(models, z, K);
      this.cholesky = this.tryFactor(K, 0) ?? this.tryFactor(K, RIDGE);
    }
    if (this.cholesky === undefined)
      throw new CurvatureError("ERR_NOT_POSITIVE_DEFINITE", "The model's Hessian is not positive definite.", {
        path: "H",
      });
    return this.cholesky;
  }

  /** The factor of H + shift I, in memory of its own. @throws CurvatureError ERR_NOT_POSITIVE_DEFINITE */
  shifted(shift: number, K: number): DenseCholesky {
    const A = new Float64Array(K * K);
    this.copyTo(A, K);
    for (let i = 0; i < K; i++) A[i * K + i] += shift;
    return new DenseCholesky({ rows: K, columns: K, data: A }, true);
  }

  private tryFactor(K: number, ridge: number): DenseCholesky | undefined {
    const A = this.scratch.subarray(0, K * K);
    this.copyTo(A, K);
    let trace = 0;
    for (let i = 0; i < K; i++) trace += A[i * K + i];
    for (let i = 0; i < K; i++) A[i * K + i] += (ridge * trace) / K;
    try {
      return new DenseCholesky({ rows: K, columns: K, data: A }, true);
    } catch (error) {
      if (error instanceof CurvatureError && error.code === "ERR_NOT_POSITIVE_DEFINITE") return undefined;
      throw error;
    }
  }

  /** (z − tᵢ)ᵀ H (z − tᵢ) = ‖Lᵀ (z − tᵢ)‖² for these subfunctions. */
  distances(
    models: readonly SubfunctionModel[],
    indices: readonly number[],
    z: Float64Array,
    K: number,
  ): Float64Array {
    const L = this.factor(models, z, K).factor.data;
    const distances = new Float64Array(indices.length);
    const points = indices.map((index) => models[index].t);
    for (let k = 0; k < points.length; k += 4) {
      // A last group of less than four repeats its last point, whose sums are the same.
      const [t0, t1, t2, t3] = [0, 1, 2, 3].map((c) => points[Math.min(k + c, points.length - 1)]);
      distances.set(squaredNorms(L, K, z, t0, t1, t2, t3).slice(0, points.length - k), k);
    }
    return distances;
  }

  /** H's lower triangle, K x K; with the mean diagonal entry where no subfunction is known to depend on a parameter. */
  copyTo(A: Float64Array, K: number): void {
    const { Hs, lambda, unbounded, cover } = this;
    for (let i = 0, row = 0; i < K; row += ++i) {
      for (let j = 0; j < i; j++) A[i * K + j] = Hs[row + j];
      A[i * K + i] = Hs[row + i] + lambda;
    }
    if (unbounded > 0) return;
    let trace = 0;
    for (let i = 0; i < K; i++) trace += A[i * K + i];
    for (let i = 0; i < K; i++) if (cover[i] === 0) A[i * K + i] += trace / K;
  }
}

/** ‖Lᵀ (z − t)‖² of four points t, which share each load of L. */
function squaredNorms(
  L: Float64Array,
  K: number,
  z: Float64Array,
  t0: Float64Array,
  t1: Float64Array,
  t2: Float64Array,
  t3: Float64Array,
): number[] {
  const w0 = new Float64Array(K);
  const w1 = new Float64Array(K);
  const w2 = new Float64Array(K);
  const w3 = new Float64Array(K);
  for (let i = 0, at = 0; i < K; i++, at += K) {
    const x0 = z[i] - t0[i];
    const x1 = z[i] - t1[i];
    const x2 = z[i] - t2[i];
    const x3 = z[i] - t3[i];
    for (let j = 0; j <= i; j++) {
      const l = L[at + j];
      w0[j] += l * x0;
      w1[j] += l * x1;
      w2[j] += l * x2;
      w3[j] += l * x3;
    }
  }
  return [w0, w1, w2, w3].map((w) => inner(w, w));
}

/**
 * A ← A + sign Σ σ_c b_c b_cᵀ on the first K rows of a lower triangle; four columns at a time share each load of A.
 */
function addSymmetric(
  A: Float64Array,
  K: number,
  columns: readonly Float64Array[],
  signs: Float64Array,
  sign: 1 | -1,
): void {
  const count = columns.length;
  let c = 0;
  for (; c + 4 <= count; c += 4) {
    const [b0, b1, b2, b3] = [columns[c], columns[c + 1], columns[c + 2], columns[c + 3]];
    for (let i = 0, row = 0; i < K; row += ++i) {
      const x0 = sign * signs[c] * b0[i];
      const x1 = sign * signs[c + 1] * b1[i];
      const x2 = sign * signs[c + 2] * b2[i];
      const x3 = sign * signs[c + 3] * b3[i];
      for (let j = 0; j <= i; j++) A[row + j] += x0 * b0[j] + x1 * b1[j] + (x2 * b2[j] + x3 * b3[j]);
    }
  }
  for (; c < count; c++) {
    const b = columns[c];
    for (let i = 0, row = 0; i < K; row += ++i) {
      const x = sign * signs[c] * b[i];
      for (let j = 0; j <= i; j++) A[row + j] += x * b[j];
    }
  }
}

// ── The Newton step ───────────────────────────────────────────────────────────────────────────────────────────────────

/** Of the search for μ. */
const ITERATIONS = 20;
/** ‖p‖ may differ from Δ by this part. */
const SLACK = 0.1;

/** p = −(H + μ I)⁻¹ q for the factor of H + μ I. */
export function newtonStep(cholesky: DenseCholesky, q: Float64Array, p: Float64Array): void {
  for (let i = 0; i < p.length; i++) p[i] = -q[i];
  cholesky.solve(p);
}

/**
 * @param factor - the factor of H + μ I
 * @param p - of K numbers; becomes the step
 */
export function restrictedStep(
  factor: (shift: number) => DenseCholesky,
  q: Float64Array,
  radius: number,
  p: Float64Array,
): void {
  let shift = 0;
  for (let k = 0; k < ITERATIONS; k++) {
    const cholesky = factor(shift);
    newtonStep(cholesky, q, p);
    const length = norm(p);
    if (length <= radius * (1 + SLACK)) return;
    const inverse = inverseNorm(cholesky, p);
    shift += ((length * length) / inverse) * ((length - radius) / radius);
  }
}

export const beyondRange = (): CurvatureError =>
  new CurvatureError("ERR_NON_FINITE", "The model's step leaves the range of float64.", { path: "p" });

/** vᵀ A⁻¹ v = ‖L⁻¹ v‖² for A = L Lᵀ. */
export function inverseNorm(cholesky: DenseCholesky, v: Float64Array): number {
  const K = v.length;
  const L = cholesky.factor.data;
  const w = new Float64Array(K);
  let sum = 0;
  for (let i = 0; i < K; i++) {
    let rest = v[i];
    for (let j = 0; j < i; j++) rest -= L[i * K + j] * w[j];
    w[i] = rest / L[i * K + i];
    sum += w[i] * w[i];
  }
  return sum;
}

/** The sum of vᵀ A⁻¹ v over four vectors, which share each load of L; they are overwritten. */
export function sumOfInverseNorms(
  cholesky: DenseCholesky,
  v0: Float64Array,
  v1: Float64Array,
  v2: Float64Array,
  v3: Float64Array,
): number {
  const K = v0.length;
  const L = cholesky.factor.data;
  let sum = 0;
  for (let i = 0, at = 0; i < K; i++, at += K) {
    let r0 = v0[i];
    let r1 = v1[i];
    let r2 = v2[i];
    let r3 = v3[i];
    for (let j = 0; j < i; j++) {
      const l = L[at + j];
      r0 -= l * v0[j];
      r1 -= l * v1[j];
      r2 -= l * v2[j];
      r3 -= l * v3[j];
    }
    const pivot = L[at + i];
    v0[i] = r0 / pivot;
    v1[i] = r1 / pivot;
    v2[i] = r2 / pivot;
    v3[i] = r3 / pivot;
    sum += v0[i] * v0[i] + v1[i] * v1[i] + (v2[i] * v2[i] + v3[i] * v3[i]);
  }
  return sum;
}
