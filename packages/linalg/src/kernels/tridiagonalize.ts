/**
 * Householder reduction of a symmetric matrix to tridiagonal form by panels.
 *
 * Panel      rows i = m − 1 … m − b of the leading m × m block, each with the reflections of its panel taken into account:
 *              row i of A − Vᵀ W − Wᵀ V;  x its entries left of the diagonal,  v = x ± ‖x‖ e_{i−1},  h = vᵀv/2
 *              p = (A v − Vᵀ (W v) − Wᵀ (V v)) / h,  w = p − (vᵀp / 2h) v;  v and w are the next rows of V and W
 * Update     A ← A − Vᵀ W − Wᵀ V on the leading (m − b) × (m − b) block, as one product
 *
 * | symbol | variable | shape                                                        |
 * |--------|----------|--------------------------------------------------------------|
 * | A      | A        | n × n, its lower triangle; overwritten, v in row i up to i − 1 |
 * | V, W   | V, W     | b × n, b = 32                                                |
 *
 * Dongarra, Sorensen, Hammarling: Block reduction of matrices to condensed forms for eigenvalue computations. J. Comput.
 * Appl. Math. 27 (1989) 215-227 (LAPACK's dlatrd). 4/3 n³ operations, half of them in the products.
 */

import { gemmInTypeScript, ProductWorkspace } from "./gemm.js";
import { timesSymmetric } from "./symmetric-product.js";
import { dot } from "./vector.js";

/** Rows of a panel. */
export const PANEL = 32;
/** Squares below this, of a matrix whose largest entry is 1, are nothing to it. */
const NEGLIGIBLE = 1e-280;

/**
 * Reduces so many panels of the leading `remaining` rows: d_i, e_{i−1} and h_i (0 where no reflection was needed) of
 * their rows i.
 */
export type Tridiagonalize = (
  A: Float64Array,
  n: number,
  remaining: number,
  panels: number,
  d: Float64Array,
  e: Float64Array,
  h: Float64Array,
) => void;

export const tridiagonalizeInTypeScript: Tridiagonalize = (A, n, remaining, panels, d, e, h) => {
  const workspace = new ProductWorkspace();
  const reduction = { A, n, d, e, h };
  for (let m = remaining, left = panels; left > 0 && m > 0; left--, m -= PANEL) {
    const rows = Math.min(PANEL, m);
    const V = new Float64Array(2 * rows * n); // V, then W
    const W = new Float64Array(2 * rows * n); // W, then V
    for (let p = 0; p < rows; p++) reduceRow(reduction, m - 1 - p, V, W, rows, p);
    const columns = { data: V, offset: 0, rowStride: 1, columnStride: n };
    const right = { data: W, offset: 0, rowStride: n, columnStride: 1 };
    const into = { data: A, offset: 0, rowStride: n, columnStride: 1 };
    gemmInTypeScript(-1, m - rows, m - rows, 2 * rows, columns, right, into, true, workspace);
  }
};

interface Reduction {
  readonly A: Float64Array;
  readonly n: number;
  readonly d: Float64Array;
  readonly e: Float64Array;
  readonly h: Float64Array;
}

/** d_i, e_{i−1}, h_i, and rows p of V and W. */
function reduceRow(
  { A, n, d, e, h }: Reduction,
  i: number,
  V: Float64Array,
  W: Float64Array,
  rows: number,
  p: number,
): void {
  const row = i * n;
  for (let q = 0; q < p; q++) {
    const vi = V[q * n + i];
    const wi = W[q * n + i];
    for (let k = 0; k <= i; k++) A[row + k] -= vi * W[q * n + k] + wi * V[q * n + k];
  }
  d[i] = A[row + i];
  if (i === 0) return;
  const left = A.subarray(row, row + i - 1);
  const squares = dot(left, left);
  const x = A[row + i - 1];
  if (squares < NEGLIGIBLE) {
    e[i - 1] = x;
    return;
  }
  const norm = Math.sqrt(squares + x * x);
  e[i - 1] = x > 0 ? -norm : norm;
  h[i] = squares + x * x - x * e[i - 1];
  A[row + i - 1] = x - e[i - 1];
  const v = V.subarray(p * n, p * n + i);
  v.set(A.subarray(row, row + i));
  const w = W.subarray(p * n, p * n + i);
  timesSymmetric(A, n, v, w);
  for (let q = 0; q < p; q++) takeOff(V.subarray(q * n, q * n + i), W.subarray(q * n, q * n + i), v, w);
  for (let k = 0; k < i; k++) w[k] /= h[i];
  const half = dot(v, w) / (2 * h[i]);
  for (let k = 0; k < i; k++) w[k] -= half * v[k];
  V.set(w, (rows + p) * n);
  W.set(v, (rows + p) * n);
}

/** w ← w − a (bᵀv) − b (aᵀv) */
function takeOff(a: Float64Array, b: Float64Array, v: Float64Array, w: Float64Array): void {
  const av = dot(a, v);
  const bv = dot(b, v);
  for (let k = 0; k < v.length; k++) w[k] -= a[k] * bv + b[k] * av;
}
