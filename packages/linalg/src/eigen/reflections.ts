/**
 * The product of the reflections of a tridiagonalization, in blocks: Qᵀ = H_1 H_2 ⋯ H_{n−1}, H_i = I − v_i v_iᵀ / h_i.
 *
 * Block      H_i ⋯ H_{i+b−1} = I − Vᵀ T V,  V the rows v_i … v_{i+b−1},  T upper triangular (b × b):
 *            T_jj = 1/h_j,  T_{·j} = −T_jj T (V v_j) above the diagonal
 * Rows       X ← X − ((X Vᵀ) T) V, three products, X = I at first. H_i moves the first i entries of a row alone, so that
 *            the rows from i on are still those of I
 *
 * Schreiber, Van Loan: A storage-efficient WY representation for products of Householder transformations. SIAM J. Sci.
 * Stat. Comput. 10 (1989) 53-57. 4/3 n³ operations.
 */
import { gemm } from "../kernels/product.js";

const BLOCK = 64;

/**
 * @param reflections - n × n, v_i in row i, its entries 0 … i − 1; the rest is not read
 * @param h - n; H_i is left out where it is 0
 * @returns Qᵀ, n × n
 */
export function productOfReflections(reflections: Float64Array, n: number, h: Float64Array): Float64Array {
  const X = new Float64Array(n * n);
  for (let i = 0; i < n; i++) X[i * n + i] = 1;
  for (let start = 1; start < n; start += BLOCK) {
    const end = Math.min(n, start + BLOCK);
    const b = end - start;
    const rows = end - 1;
    const V = new Float64Array(b * rows);
    for (let j = 0; j < b; j++) {
      const i = start + j;
      if (h[i] !== 0) V.set(reflections.subarray(i * n, i * n + i), j * rows);
    }
    const T = triangle(V, b, rows, h.subarray(start, end));
    const XV = new Float64Array(rows * b);
    const XVT = new Float64Array(rows * b);
    gemm(1, rows, b, rows, plain(X, n), turned(V, rows), plain(XV, b));
    gemm(1, rows, b, b, plain(XV, b), plain(T, b), plain(XVT, b));
    gemm(-1, rows, rows, b, plain(XVT, b), plain(V, rows), plain(X, n));
  }
  return X;
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
