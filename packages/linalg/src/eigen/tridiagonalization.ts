/**
 * All eigenvalues of a dense symmetric matrix, in parts that can be made one at a time: Householder reduction to
 * tridiagonal form by panels, then QL.
 *
 * Panel      rows i = m − 1 … m − b of the leading m × m block, each with the reflections of its panel taken into account:
 *              row i of A − Vᵀ W − Wᵀ V;  v from it, h = vᵀv/2 (as in `symmetric.ts`)
 *              p = (A v − Vᵀ (W v) − Wᵀ (V v)) / h,  w = p − (vᵀp / 2h) v;  v and w are the next rows of V and W
 * Update     A ← A − Vᵀ W − Wᵀ V on the leading (m − b) × (m − b) block, as one product
 *
 * | symbol | variable | shape                                       |
 * |--------|----------|---------------------------------------------|
 * | A      | A        | n × n, its lower triangle; overwritten      |
 * | V, W   | V, W     | b × n, b = 32                               |
 *
 * Dongarra, Sorensen, Hammarling: Block reduction of matrices to condensed forms for eigenvalue computations. J. Comput.
 * Appl. Math. 27 (1989) 215-227 (LAPACK's dlatrd). 4/3 n³ operations, half of them in the products: twice as fast as
 * `symmetricEigenvalues` from n = 500 on, and the same values up to rounding.
 */
import { checkFinite, type DenseMatrix, zeros } from "../dense/matrix.js";
import { CurvatureError } from "../errors.js";
import { gemm } from "../kernels/product.js";
import { maxAbs } from "../kernels/vector.js";
import { timesSymmetric } from "./symmetric-product.js";
import { tridiagonalEigen } from "./tridiagonal.js";

/** Rows of a panel. */
const PANEL = 32;
/** Squares below this, of a matrix whose largest entry is 1, are nothing to it. */
const NEGLIGIBLE = 1e-280;

/** What a computation that was interrupted goes on from. */
export interface TridiagonalizationState {
  readonly A: Float64Array;
  readonly d: Float64Array;
  readonly e: Float64Array;
  readonly size: number;
  readonly remaining: number;
}

export class Tridiagonalization {
  private readonly n: number;
  private readonly A: Float64Array;
  private readonly d: Float64Array;
  private readonly e: Float64Array;
  /** The largest entry, by which A was divided so that no square overflows. */
  private size: number;
  /** Rows that are not reduced yet. */
  private remaining: number;

  /**
   * @param A - symmetric; its lower triangle is read, and A is lost
   * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(A: DenseMatrix) {
    const n = A.rows;
    if (A.columns !== n || A.data.length !== n * n)
      throw new CurvatureError(
        "ERR_SHAPE",
        `Tridiagonalization: A must be square; received ${A.rows} x ${A.columns}.`,
        { path: "A", expected: "a square matrix", received: `${A.rows} x ${A.columns}` },
      );
    for (let i = 0; i < n; i++) A.data.fill(0, i * n + i + 1, (i + 1) * n);
    checkFinite(A, "Tridiagonalization: A");
    this.n = n;
    this.A = A.data;
    this.size = maxAbs(A.data) || 1;
    for (let k = 0; k < A.data.length; k++) A.data[k] /= this.size;
    this.d = new Float64Array(n);
    this.e = new Float64Array(n);
    this.remaining = n;
  }

  /**
   * Reduces at least one panel, and as many as fit into about so many operations.
   *
   * @returns whether all rows are reduced
   */
  advance(operations = Number.POSITIVE_INFINITY): boolean {
    for (let left = operations; this.remaining > 0 && (left === operations || left > 0); ) {
      left -= 4 * PANEL * this.remaining * this.remaining;
      this.reducePanel();
    }
    return this.remaining === 0;
  }

  /** In increasing order. @throws CurvatureError ERR_NO_CONVERGENCE */
  eigenvalues(): Float64Array {
    this.advance();
    const d = this.d.slice();
    tridiagonalEigen(d, this.e.slice(), new Float64Array(0), 0);
    for (let i = 0; i < d.length; i++) d[i] *= this.size;
    return d.sort();
  }

  /** A copy. */
  save(): TridiagonalizationState {
    const { A, d, e, size, remaining } = this;
    return { A: A.slice(), d: d.slice(), e: e.slice(), size, remaining };
  }

  /** One that goes on from a state, which is copied. @throws CurvatureError ERR_SHAPE */
  static from({ A, d, e, size, remaining }: TridiagonalizationState): Tridiagonalization {
    const n = d.length;
    const resumed = new Tridiagonalization(zeros(n, n));
    if (A.length !== n * n || e.length !== n || !(remaining >= 0 && remaining <= n) || !(size > 0))
      throw new CurvatureError(
        "ERR_SHAPE",
        "Tridiagonalization: the parts of the state do not fit together.",
        {
          path: "state",
        },
      );
    resumed.A.set(A);
    resumed.d.set(d);
    resumed.e.set(e);
    resumed.size = size;
    resumed.remaining = remaining;
    return resumed;
  }

  private reducePanel(): void {
    const { n, A } = this;
    const m = this.remaining;
    const rows = Math.min(PANEL, m);
    const V = new Float64Array(2 * rows * n); // V, then W
    const W = new Float64Array(2 * rows * n); // W, then V
    for (let p = 0; p < rows; p++) this.reduceRow(V, W, rows, p);
    const rest = m - rows;
    const left = { data: V, offset: 0, rowStride: 1, columnStride: n };
    const right = { data: W, offset: 0, rowStride: n, columnStride: 1 };
    const into = { data: A, offset: 0, rowStride: n, columnStride: 1 };
    gemm(-1, rest, rest, 2 * rows, left, right, into, true);
    this.remaining = rest;
  }

  /** Row i = m − 1 − p: d_i, e_{i−1}, and rows p of V and W. */
  private reduceRow(V: Float64Array, W: Float64Array, rows: number, p: number): void {
    const { n, A, d, e } = this;
    const i = this.remaining - 1 - p;
    const row = i * n;
    for (let q = 0; q < p; q++) {
      const vi = V[q * n + i];
      const wi = W[q * n + i];
      for (let k = 0; k <= i; k++) A[row + k] -= vi * W[q * n + k] + wi * V[q * n + k];
    }
    d[i] = A[row + i];
    if (i === 0) return;
    let squares = 0;
    for (let k = 0; k < i - 1; k++) squares += A[row + k] * A[row + k];
    const x = A[row + i - 1];
    if (squares < NEGLIGIBLE) {
      e[i - 1] = x;
      return;
    }
    const norm = Math.sqrt(squares + x * x);
    e[i - 1] = x > 0 ? -norm : norm;
    const v = V.subarray(p * n, p * n + i);
    v.set(A.subarray(row, row + i));
    v[i - 1] = x - e[i - 1];
    const h = squares + x * x - x * e[i - 1];
    const w = W.subarray(p * n, p * n + i);
    timesSymmetric(A, n, v, w);
    for (let q = 0; q < p; q++) takeOff(V.subarray(q * n, q * n + i), W.subarray(q * n, q * n + i), v, w);
    let vp = 0;
    for (let k = 0; k < i; k++) {
      w[k] /= h;
      vp += v[k] * w[k];
    }
    const half = vp / (2 * h);
    for (let k = 0; k < i; k++) w[k] -= half * v[k];
    V.set(w, (rows + p) * n);
    W.set(v, (rows + p) * n);
  }
}

/** w ← w − a (bᵀv) − b (aᵀv) */
function takeOff(a: Float64Array, b: Float64Array, v: Float64Array, w: Float64Array): void {
  let av = 0;
  let bv = 0;
  for (let k = 0; k < v.length; k++) {
    av += a[k] * v[k];
    bv += b[k] * v[k];
  }
  for (let k = 0; k < v.length; k++) w[k] -= a[k] * bv + b[k] * av;
}
