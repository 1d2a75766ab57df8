/**
 * The pairs of a sum over points, row by row, and the three loops over a block of pairs of one row that everything
 * else is made of. All pairs, dense weights and sparse weights share one form, so these loops exist once.
 *
 * Pair j of row n joins the points n and m = columns[columnStart[n] + j] with weight values[valueStart[n] + j].
 */
import type { Weights } from "./objective.js";

export interface PairRows {
  readonly points: number;
  /** How many pairs row n has. */
  readonly count: Int32Array;
  readonly columnStart: Float64Array;
  readonly columns: Int32Array;
  readonly valueStart: Float64Array;
  readonly values: Float64Array;
}

/** Pairs per block: three blocks of float64 stay in the first-level cache. */
export const BLOCK = 512;

/** Every pair n < m, with weight 1. */
export function allPairs(points: number): PairRows {
  const start = Float64Array.from({ length: points }, (_, n) => n + 1);
  return {
    points,
    count: Int32Array.from({ length: points }, (_, n) => points - n - 1),
    columnStart: start,
    columns: Int32Array.from({ length: points }, (_, n) => n),
    valueStart: start,
    values: new Float64Array(points).fill(1),
  };
}

/** The pairs n < m of symmetric weights; the weights are used, not copied. */
export function upperPairs(weights: Weights): PairRows {
  return rowsFrom(weights, (n) => n + 1);
}

/** All entries (n, m) of the weights, both triangles; an entry's place in `values` is its place in the weights. */
export function everyEntry(weights: Weights): PairRows {
  return rowsFrom(weights, () => 0);
}

/** The entries of row n from column `firstColumn(n)` on. */
function rowsFrom(weights: Weights, firstColumn: (n: number) => number): PairRows {
  const points = weights.rows;
  const count = new Int32Array(points);
  const columnStart = new Float64Array(points);
  const valueStart = new Float64Array(points);
  if ("data" in weights) {
    for (let n = 0; n < points; n++) {
      columnStart[n] = firstColumn(n);
      count[n] = points - columnStart[n];
      valueStart[n] = n * points + columnStart[n];
    }
    const columns = Int32Array.from({ length: points }, (_, n) => n);
    return { points, count, columnStart, columns, valueStart, values: weights.data };
  }
  const { rowPointers, columnIndices } = weights;
  for (let n = 0; n < points; n++) {
    let start = rowPointers[n];
    while (start < rowPointers[n + 1] && columnIndices[start] < firstColumn(n)) start++;
    columnStart[n] = start;
    valueStart[n] = start;
    count[n] = rowPointers[n + 1] - start;
  }
  return { points, count, columnStart, columns: columnIndices, valueStart, values: weights.values };
}

/** t_nm = ‖x_n − x_m‖² for the `count` points m that stand in `columns` from `start` on. */
export function pairDistances(
  X: Float64Array,
  d: number,
  n: number,
  columns: Int32Array,
  start: number,
  count: number,
  t: Float64Array,
): void {
  if (d === 2) {
    const x = X[2 * n];
    const y = X[2 * n + 1];
    for (let j = 0; j < count; j++) {
      const m = 2 * columns[start + j];
      const dx = x - X[m];
      const dy = y - X[m + 1];
      t[j] = dx * dx + dy * dy;
    }
    return;
  }
  for (let j = 0; j < count; j++) {
    const m = d * columns[start + j];
    let sum = 0;
    for (let i = 0; i < d; i++) {
      const delta = X[d * n + i] - X[m + i];
      sum += delta * delta;
    }
    t[j] = sum;
  }
}

/** For each of these pairs, adds s_j (x_n − x_m) to row n of `out` and takes it from row m. */
export function addForces(
  X: Float64Array,
  d: number,
  n: number,
  columns: Int32Array,
  start: number,
  count: number,
  s: Float64Array,
  out: Float64Array,
): void {
  if (d === 2) {
    const x = X[2 * n];
    const y = X[2 * n + 1];
    let gx = 0;
    let gy = 0;
    for (let j = 0; j < count; j++) {
      const m = 2 * columns[start + j];
      const fx = s[j] * (x - X[m]);
      const fy = s[j] * (y - X[m + 1]);
      gx += fx;
      gy += fy;
      out[m] -= fx;
      out[m + 1] -= fy;
    }
    out[2 * n] += gx;
    out[2 * n + 1] += gy;
    return;
  }
  for (let j = 0; j < count; j++) {
    const m = d * columns[start + j];
    const weight = s[j];
    for (let i = 0; i < d; i++) {
      const force = weight * (X[d * n + i] - X[m + i]);
      out[d * n + i] += force;
      out[m + i] -= force;
    }
  }
}

/**
 * For each of these pairs, with δ = x_n − x_m and u = v_n − v_m, adds a_j u + b_j (δ·u) δ to row n of `out` and takes
 * it from row m: the product with 4 Lap(S) ⊗ I + 8 L^xx where a = 4 φ′ and b = 8 φ″.
 */
export function addCurvature(
  X: Float64Array,
  v: Float64Array,
  d: number,
  n: number,
  columns: Int32Array,
  start: number,
  count: number,
  a: Float64Array,
  b: Float64Array,
  out: Float64Array,
): void {
  for (let j = 0; j < count; j++) {
    const m = d * columns[start + j];
    const along = b[j] * slopeAlong(X, v, d, d * n, m);
    for (let i = 0; i < d; i++) {
      const force = a[j] * (v[d * n + i] - v[m + i]) + along * (X[d * n + i] - X[m + i]);
      out[d * n + i] += force;
      out[m + i] -= force;
    }
  }
}

/** δ·u = (x_n − x_m)·(v_n − v_m), half of the change of t_nm along v; n and m are offsets into X. */
export function slopeAlong(X: Float64Array, v: Float64Array, d: number, n: number, m: number): number {
  let sum = 0;
  for (let i = 0; i < d; i++) sum += (X[n + i] - X[m + i]) * (v[n + i] - v[m + i]);
  return sum;
}

/** For each of these pairs, adds a_j + b_j δ_i² to entry i of rows n and m of `out`: the diagonal of the above. */
export function addDiagonal(
  X: Float64Array,
  d: number,
  n: number,
  columns: Int32Array,
  start: number,
  count: number,
  a: Float64Array,
  b: Float64Array,
  out: Float64Array,
): void {
  for (let j = 0; j < count; j++) {
    const m = d * columns[start + j];
    for (let i = 0; i < d; i++) {
      const delta = X[d * n + i] - X[m + i];
      const h = a[j] + b[j] * delta * delta;
      out[d * n + i] += h;
      out[m + i] += h;
    }
  }
}
