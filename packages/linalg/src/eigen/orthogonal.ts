/**
 * Orthogonal rows: w against the rows of V by classical Gram-Schmidt, twice.
 *
 * Twice is enough: Giraud, Langou, Rozložník, Numer. Math. 101 (2005) 87-100. Rows are of length n, one after the
 * other.
 */
import type { DenseMatrix } from "../dense/matrix.js";
import { matrixTimesVector } from "../dense/product.js";
import { gemm } from "../kernels/product.js";
import { norm2, scale } from "../kernels/vector.js";
import type { RandomGenerator } from "../random/generator.js";
import { fillNormal } from "../random/generator.js";

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
  const h = new Float64Array(Math.max(V.count, other.count));
  for (let pass = 0; pass < 2; pass++) {
    subtract(other, w, h);
    subtract(V, w, h);
    for (let i = 0; i < V.count; i++) coefficients[i] += h[i];
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

/** h ← V w;  w ← w − Vᵀ h, row by row */
function subtract({ data, count }: Rows, w: Float64Array, h: Float64Array): void {
  const n = w.length;
  matrixTimesVector({ rows: count, columns: n, data }, w, h);
  let i = 0;
  for (; i + 4 <= count; i += 4) subtractFour(data, i * n, h[i], h[i + 1], h[i + 2], h[i + 3], w);
  for (; i < count; i++) for (let k = 0; k < n; k++) w[k] -= h[i] * data[i * n + k];
}

/** One row after the other, with one walk through w. */
function subtractFour(
  V: Float64Array,
  row: number,
  h0: number,
  h1: number,
  h2: number,
  h3: number,
  w: Float64Array,
): void {
  const n = w.length;
  const r1 = row + n;
  const r2 = r1 + n;
  const r3 = r2 + n;
  for (let k = 0; k < n; k++)
    w[k] = w[k] - h0 * V[row + k] - h1 * V[r1 + k] - h2 * V[r2 + k] - h3 * V[r3 + k];
}
