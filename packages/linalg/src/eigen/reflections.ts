/**
 * Rows times the reflections of a tridiagonalization, in blocks: X Qᵀ, Qᵀ = H_1 H_2 ⋯ H_{n−1}, H_i = I − v_i v_iᵀ / h_i.
 *
 * Block      H_i ⋯ H_{i+b−1} = I − Vᵀ T V,  V the rows v_i … v_{i+b−1},  T upper triangular (b × b):
 *            T_jj = 1/h_j,  T_{·j} = −T_jj T (V v_j) above the diagonal
 * Rows       X ← X − ((X Vᵀ) T) V, three products. H_i moves the first i entries of a row alone
 *
 * Schreiber, Van Loan: A storage-efficient WY representation for products of Householder transformations. SIAM J. Sci.
 * Stat. Comput. 10 (1989) 53-57. 2 n³ operations.
 */
import { ProductWorkspace } from "../kernels/gemm.js";
import { gemm } from "../kernels/product.js";

const BLOCK = 64;

/**
 * X ← X Qᵀ
 *
 * @param X - n × n
 * @param reflections - n × n, v_i in row i, its entries 0 … i − 1; the rest is not read
 * @param h - n; H_i is left out where it is 0
 */
export function reflectRows(X: Float64Array, reflections: Float64Array, n: number, h: Float64Array): void {
  const workspace = new ProductWorkspace();
  for (let start = 1; start < n; start += BLOCK) {
    const end = Math.min(n, start + BLOCK);
    const b = end - start;
    const length = end - 1;
    const V = new Float64Array(b * length);
    for (let j = 0; j < b; j++) {
      const i = start + j;
      if (h[i] !== 0) V.set(reflections.subarray(i * n, i * n + i), j * length);
    }
    const T = triangle(V, b, length, h.subarray(start, end));
    const XV = new Float64Array(n * b);
    const XVT = new Float64Array(n * b);
    gemm(1, n, b, length, plain(X, n), turned(V, length), plain(XV, b), false, workspace, true);
    gemm(1, n, b, b, plain(XV, b), plain(T, b), plain(XVT, b), false, workspace, true);
    gemm(-1, n, length, b, plain(XVT, b), plain(V, length), plain(X, n), false, workspace);
  }
}

/** T */
function triangle(V: Float64Array, b: number, length: number, h: Float64Array): Float64Array {
  const G = new Float64Array(b * b);
  gemm(1, b, b, length, plain(V, length), turned(V, length), plain(G, b), true);
  const T = new Float64Array(b * b);
  for (let j = 0; j < b; j++) {
    if (h[j] === 0) continue;
    const factor = 1 / h[j];
    for (let i = 0; i < j; i++) {
      let sum = 0;
      for (let k = i; k < j; k++) sum += T[i * b + k] * G[j * b + k];
      T[i * b + j] = -factor * sum;
    }
    T[j * b + j] = factor;
  }
  return T;
}

const plain = (data: Float64Array, stride: number) => ({
  data,
  offset: 0,
  rowStride: stride,
  columnStride: 1,
});
const turned = (data: Float64Array, stride: number) => ({
  data,
  offset: 0,
  rowStride: 1,
  columnStride: stride,
});
