/**
 * The leading eigenpairs of a symmetric matrix that changes a little from call to call: Chebyshev-filtered subspace
 * iteration from the last call's vectors.
 *
 * Filter       Y = T_m((M − c I)/h) V,  [c − h, c + h] = [λ_min, the smallest Ritz value that is kept]: what lies in
 *              this interval stays as it is, what lies above it grows like T_m
 * Basis        B = an orthonormal basis of Y's rows, orthogonal to 1
 * Ritz         H = B M Bᵀ = S Θ Sᵀ;  V ← S B, by decreasing θ
 *
 * | symbol | variable | shape                            |
 * |--------|----------|----------------------------------|
 * | V      | V        | k × n, rows orthonormal, V 1 = 0  |
 * | m      | degree   |                                  |
 * | λ_min  | lowest   | from twelve Lanczos vectors       |
 *
 * Zhou, Saad, Tiago, Chelikowsky: Self-consistent-field calculations using Chebyshev-filtered subspace iteration.
 * J. Comput. Phys. 219 (2006) 172-184. (m + 1) 2 k n² + O(n k²) operations per sweep.
 */
import {
  type DenseMatrix,
  fillNormal,
  multiplyTranspose,
  type RandomGenerator,
  scale,
  symmetricEigen,
  zeros,
} from "@curvature/linalg";
import { matrix, number, stateIn } from "@curvature/optim-core/state";
import { Krylov } from "../../krylov.js";
import { combineReversed, orthonormalRows } from "./rows.js";
import type { SymmetricSum } from "./symmetric-sum.js";

export class LeadingSubspace {
  V: DenseMatrix;
  /** Ritz value of the last row, or NaN where it belongs to another matrix. */
  cut = Number.NaN;
  lowest = Number.NaN;
  readonly state;

  constructor(private readonly n: number) {
    this.V = zeros(0, n);
    this.state = stateIn(this, {
      V: matrix(this.V, { columns: n, maxRows: n }),
      cut: number(),
      lowest: number(),
    });
  }

  /** Starts from the span of these rows, copied. */
  start(rows: DenseMatrix): void {
    this.V = { ...rows, data: rows.data.slice() };
    this.forget();
  }

  /** The matrix is another one now: its Ritz values are to be found anew. */
  forget(): void {
    this.cut = Number.NaN;
    this.lowest = Number.NaN;
  }

  /** Adds random rows. */
  widen(by: number, random: RandomGenerator): void {
    const { n, V } = this;
    const wider = zeros(V.rows + by, n);
    fillNormal(random, wider.data);
    scale(1 / Math.sqrt(n), wider.data);
    wider.data.set(V.data);
    this.V = wider;
  }

  /** Keeps the first k rows, whose smallest Ritz value is `cut`. */
  narrow(k: number, cut: number): void {
    this.V = { rows: k, columns: this.n, data: this.V.data.slice(0, k * this.n) };
    this.cut = cut;
  }

  /** λ_min anew, its residual below what Lanczos finds. */
  lookBelow(M: SymmetricSum, random: RandomGenerator): void {
    const { n } = this;
    const negative = (v: Float64Array, out: Float64Array): void => {
      M.multiplyVector(v, out);
      scale(-1, out);
    };
    const start = new Float64Array(n);
    fillNormal(random, start);
    let sum = 0;
    for (let i = 0; i < n; i++) sum += start[i];
    for (let i = 0; i < n; i++) start[i] -= sum / n;
    const krylov = new Krylov(negative, n, { tolerance: 1e-3, vectors: 12, restarts: 0 });
    const { value, residual } = krylov.largest(start, random);
    this.lowest = -value - residual;
  }

  /**
   * One filtered step. @returns the Ritz values in decreasing order; undefined where the rows are not independent, V is
   * then lost
   */
  sweep(M: SymmetricSum, degree: number, random: RandomGenerator): Float64Array | undefined {
    if (!Number.isFinite(this.lowest)) this.lookBelow(M, random);
    if (!Number.isFinite(this.cut)) {
      const basis = orthonormalRows({ ...this.V, data: this.V.data.slice() });
      if (basis === undefined || this.ritz(M, basis) === undefined) return undefined;
    }
    const filtered = this.filtered(M, degree);
    const basis = filtered === undefined ? undefined : orthonormalRows(filtered);
    return basis === undefined ? undefined : this.ritz(M, basis);
  }

  /** T_m((M − c I)/h) V */
  private filtered(M: SymmetricSum, degree: number): DenseMatrix | undefined {
    const half = (this.cut - this.lowest) / 2;
    const centre = (this.cut + this.lowest) / 2;
    if (!(half > 0)) return undefined;
    let before = this.V;
    let Y = M.multiply(before);
    for (let k = 0; k < Y.data.length; k++) Y.data[k] = (Y.data[k] - centre * before.data[k]) / half;
    for (let m = 2; m <= degree; m++) {
      const next = M.multiply(Y);
      const twice = 2 / half;
      for (let k = 0; k < Y.data.length; k++)
        next.data[k] = twice * (next.data[k] - centre * Y.data[k]) - before.data[k];
      before = Y;
      Y = next;
    }
    return Y;
  }

  /** The Ritz pairs of M in the span of `basis`. */
  private ritz(M: SymmetricSum, basis: DenseMatrix): Float64Array | undefined {
    const H = multiplyTranspose(basis, M.multiply(basis));
    for (let k = 0; k < H.data.length; k++) if (!Number.isFinite(H.data[k])) return undefined;
    const { values, vectors } = symmetricEigen(H);
    this.V = combineReversed(vectors, basis);
    const theta = values.reverse();
    this.cut = theta[theta.length - 1];
    if (!(this.cut > this.lowest)) this.lowest = this.cut - 0.01 * (theta[0] - this.cut);
    return theta;
  }
}
