/**
 * The sum of the active subfunctions' models, G(z) = Σ gᵢ(z): its Hessian, its gradient, and the Newton step.
 *
 *   H = Hs + (Σ λᵢ) I,   Hs = Σ Bᵢ diag(σᵢ) Bᵢᵀ;     q = ∇G(z) = Σ dᵢ + Hᵢ (z − tᵢ)
 *
 * The λᵢ of subfunctions of few parameters are in Hs, on these parameters' diagonal entries.
 *
 * Both follow the changes of one subfunction, and of z, by differences (q ← q + H p), which saves a sweep over all
 * histories in every step; every so often they are added up anew, so that rounding does not pile up.
 *
 * | symbol | variable | shape                                         |
 * |--------|----------|-----------------------------------------------|
 * | Hs     | Hs       | capacity x capacity, lower triangle in use     |
 * | q      | q        | capacity                                      |
 * | L      | factor   | K x K, H = L Lᵀ                                |
 */
import { CurvatureError, DenseCholesky } from "@curvature/linalg";
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { SubfunctionModel } from "./subfunction-model.js";
import { addSymmetric } from "./symmetric-kernels.js";

/** The share of the mean diagonal that is added where H is not positive definite by rounding. */
const RIDGE = 1e-10;

export class TotalModel {
  readonly q: Float64Array;
  private readonly capacity: number;
  private readonly Hs: Float64Array;
  private lambdaSum = 0;
  /** Models whose multiple of the identity is of all coordinates, and the others of each coordinate. */
  private unboundedCount = 0;
  private readonly cover: Int32Array;
  private readonly difference: Float64Array;
  private readonly scratch: Float64Array;
  private cholesky: DenseCholesky | undefined;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.q = new Float64Array(capacity);
    this.Hs = new Float64Array(capacity * capacity);
    this.cover = new Int32Array(capacity);
    this.difference = new Float64Array(capacity);
    this.scratch = new Float64Array(capacity * capacity);
  }

  /** Σ λᵢ */
  get lambda(): number {
    return this.lambdaSum;
  }

  /** Puts a model in (1) or takes it out (−1), at the point z. */
  change(model: SubfunctionModel, sign: 1 | -1, z: Float64Array, K: number): void {
    if (!model.isActive) return;
    this.changeGradient(model, sign, z, K);
    this.addIdentity(model, sign);
    addSymmetric(this.Hs, this.capacity, K, model.columns, model.signs, sign);
    this.cholesky = undefined;
  }

  private addIdentity({ lambda, domain }: SubfunctionModel, sign: 1 | -1): void {
    if (domain === undefined) {
      this.lambdaSum += sign * lambda;
      if (lambda > 0) this.unboundedCount += sign;
      return;
    }
    for (const i of domain) {
      this.Hs[i * this.capacity + i] += sign * lambda;
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
    this.lambdaSum = 0;
    this.unboundedCount = 0;
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
    const { Hs, capacity, lambdaSum } = this;
    for (let i = 0; i < K; i++) {
      const row = i * capacity;
      let sum = (Hs[row + i] + lambdaSum) * v[i];
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
    let sum = 0;
    for (let i = 0; i < K; i++) sum += p[i] * difference[i];
    return sum;
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
    const { Hs, capacity, lambdaSum, unboundedCount, cover } = this;
    for (let i = 0; i < K; i++) {
      for (let j = 0; j < i; j++) A[i * K + j] = Hs[i * capacity + j];
      A[i * K + i] = Hs[i * capacity + i] + lambdaSum;
    }
    if (unboundedCount > 0) return;
    let trace = 0;
    for (let i = 0; i < K; i++) trace += A[i * K + i];
    for (let i = 0; i < K; i++) if (cover[i] === 0) A[i * K + i] += trace / K;
  }

  /** H's lower triangle row by row, without Σ λᵢ; Σ λᵢ; q. */
  save(K: number): SnapshotValue {
    const packed = new Float64Array((K * (K + 1)) / 2);
    for (let i = 0, at = 0; i < K; at += ++i)
      packed.set(this.Hs.subarray(i * this.capacity, i * this.capacity + i + 1), at);
    const { lambdaSum, unboundedCount, q, cover } = this;
    return {
      Hs: packed,
      lambda: lambdaSum,
      unbounded: unboundedCount,
      cover: cover.slice(0, K),
      q: q.slice(0, K),
    };
  }

  /** Reads and checks; the returned function takes it over. @throws CurvatureError ERR_SNAPSHOT */
  open(state: SnapshotReader, K: number): () => void {
    const packed = state.float64("Hs", (K * (K + 1)) / 2);
    const lambda = state.number("lambda");
    const unbounded = state.integer("unbounded");
    const cover = state.int32("cover", K);
    const q = state.float64("q", K);
    return () => {
      this.Hs.fill(0);
      for (let i = 0, at = 0; i < K; at += ++i)
        this.Hs.set(packed.subarray(at, at + i + 1), i * this.capacity);
      this.lambdaSum = lambda;
      this.unboundedCount = unbounded;
      this.cover.fill(0);
      this.cover.set(cover);
      this.q.fill(0);
      this.q.set(q);
      this.cholesky = undefined;
    };
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
  return [w0, w1, w2, w3].map((w) => {
    let sum = 0;
    for (let i = 0; i < K; i++) sum += w[i] * w[i];
    return sum;
  });
}
