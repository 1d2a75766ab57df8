/**
 * Orthogonal rows: w against the rows of V by classical Gram-Schmidt, twice.
 *
 * Twice is enough: Giraud, Langou, Rozložník, Numer. Math. 101 (2005) 87-100. Rows are of length n, one after the
 * other.
 */
import type { DenseMatrix } from "../dense/matrix.js";
import { gemm } from "../kernels/product.js";
import { norm2, scale } from "../kernels/vector.js";
import type { RandomGenerator } from "../random/generator.js";
import { fillNormal } from "../random/normal.js";

/** The first `count` rows of an array of rows. */
export interface Rows {
  readonly data: Float64Array;
  readonly count: number;
}

const none: Rows = { data: /* @__PURE__ */ new Float64Array(0), count: 0 };

/**
 * w ← w − Vᵀ V w; adds V w to `coefficients`. In both passes w is made orthogonal to `other` first: what rounding has
 * left of `other` in V comes into w with the first pass, and would grow from row to row if it stayed.
 */
export function project(V: Rows, w: Float64Array, coefficients: Float64Array, other: Rows = none): void {
  const n = w.length;
  const h = new Float64Array(Math.max(V.count, other.count));
  for (let pass = 0; pass < 2; pass++) {
    for (let i = 0; i < other.count; i++) h[i] = dotRow(other.data, i * n, w);
    for (let i = 0; i < other.count; i++) subtractRow(h[i], other.data, i * n, w);
    for (let i = 0; i < V.count; i++) {
      h[i] = dotRow(V.data, i * n, w);
      coefficients[i] += h[i];
    }
    for (let i = 0; i < V.count; i++) subtractRow(h[i], V.data, i * n, w);
  }
}

/**
 * A random direction of length 1 orthogonal to V and `other`, into w.
 *
 * @returns whether there is one: false where the rows span the space
 */
export function randomDirection(
  random: RandomGenerator,
  V: Rows,
  w: Float64Array,
  other: Rows = none,
): boolean {
  if (V.count + other.count >= w.length) return false;
  const scratch = new Float64Array(V.count);
  for (let attempt = 0; attempt < 5; attempt++) {
    fillNormal(random, w);
    const before = norm2(w);
    project(V, w, scratch, other);
    const after = norm2(w);
    if (after > 1e-8 * before) {
      scale(1 / after, w);
      project(V, w, scratch, other);
      return true;
    }
  }
  return false;
}

/** C V: row i of the result is Σ_j C_ij V_j, j over C's columns; V's rows have length n. */
export function combineRows(C: DenseMatrix, V: Float64Array, n: number): Float64Array {
  const rows = new Float64Array(C.rows * n);
  const block = (data: Float64Array, stride: number) => ({
    data,
    offset: 0,
    rowStride: stride,
    columnStride: 1,
  });
  gemm(1, C.rows, n, C.columns, block(C.data, C.columns), block(V, n), block(rows, n));
  return rows;
}

function dotRow(V: Float64Array, row: number, w: Float64Array): number {
  const n = w.length;
  const whole = n - (n % 4);
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let k = 0; k < whole; k += 4) {
    s0 += V[row + k] * w[k];
    s1 += V[row + k + 1] * w[k + 1];
    s2 += V[row + k + 2] * w[k + 2];
    s3 += V[row + k + 3] * w[k + 3];
  }
  for (let k = whole; k < n; k++) s0 += V[row + k] * w[k];
  return s0 + s1 + (s2 + s3);
}

function subtractRow(h: number, V: Float64Array, row: number, w: Float64Array): void {
  for (let k = 0; k < w.length; k++) w[k] -= h * V[row + k];
}
