/**
 * The pairs of a sum over points, row by row, and the loops over a block of pairs of one row that everything else is
 * made of. All pairs, dense weights and sparse weights share one form, so these loops exist once.
 *
 * Pair j of row n joins the points n and m = columns[columnStart[n] + j] with weight values[valueStart[n] + j].
 */
import type { Weights } from "./objective.js";

export interface PairRows {
  readonly points: number;
  /** How many pairs row n has. */
  readonly count: Int32Array;
  readonly columnStart: Int32Array;
  readonly columns: Int32Array;
  readonly valueStart: Int32Array;
  readonly values: Float64Array;
}

/** Pairs per block: what is kept of a block stays in the first-level cache. */
export const BLOCK = 500;

/** Every pair m < n, with weight 1. */
export function allPairs(points: number): PairRows {
  const start = new Int32Array(points);
  return {
    points,
    count: counting(points),
    columnStart: start,
    columns: counting(points),
    valueStart: start,
    values: new Float64Array(points).fill(1),
  };
}

/** A row of N ones that stands for each of M rows. */
export function sameRow(M: number, N: number): PairRows {
  return {
    points: M,
    count: new Int32Array(M).fill(N),
    columnStart: new Int32Array(M),
    columns: counting(N),
    valueStart: new Int32Array(M),
    values: new Float64Array(N).fill(1),
  };
}

/** The pairs m < n of symmetric weights; the weights are used, not copied. */
export function lowerPairs(weights: Weights): PairRows {
  return rowsFrom(weights, true);
}

/** All entries (n, m) of the weights, both triangles; an entry's place in `values` is its place in the weights. */
export function everyEntry(weights: Weights): PairRows {
  return rowsFrom(weights, false);
}

/** The entries of each row, or those left of the diagonal. */
function rowsFrom(weights: Weights, isLower: boolean): PairRows {
  const { rows: points, columns: width } = weights;
  if ("data" in weights) {
    const count = isLower ? counting(points) : new Int32Array(points).fill(width);
    const columnStart = new Int32Array(points);
    return {
      points,
      count,
      columnStart,
      columns: counting(width),
      valueStart: counting(points, width),
      values: weights.data,
    };
  }
  const { rowPointers, columnIndices, values } = weights;
  const start = rowPointers.slice(0, points);
  const count = new Int32Array(points);
  for (let n = 0; n < points; n++) {
    const end = isLower ? n : width;
    let stop = start[n];
    while (stop < rowPointers[n + 1] && columnIndices[stop] < end) stop++;
    count[n] = stop - start[n];
  }
  return { points, count, columnStart: start, columns: columnIndices, valueStart: start, values };
}

/** 0, step, 2 step … */
function counting(length: number, step = 1): Int32Array {
  const numbers = new Int32Array(length);
  for (let n = 0; n < length; n++) numbers[n] = n * step;
  return numbers;
}

/** t_nm = ‖x_n − x_m‖² for the `count` points m that stand in `columns` from `start` on. */
export function pairDistances(
  X: readonly Float64Array[],
  n: number,
  columns: Int32Array,
  start: number,
  count: number,
  t: Float64Array,
): void {
  firstSquares(X[0], n, columns, start, count, t);
  for (let i = 1; i < X.length; i++) addSquares(X[i], n, columns, start, count, t);
}

function firstSquares(
  x: Float64Array,
  n: number,
  columns: Int32Array,
  start: number,
  count: number,
  t: Float64Array,
): void {
  const own = x[n];
  for (let j = 0; j < count; j++) {
    const delta = own - x[columns[start + j]];
    t[j] = delta * delta;
  }
}

function addSquares(
  x: Float64Array,
  n: number,
  columns: Int32Array,
  start: number,
  count: number,
  t: Float64Array,
): void {
  const own = x[n];
  for (let j = 0; j < count; j++) {
    const delta = own - x[columns[start + j]];
    t[j] += delta * delta;
  }
}

/** r_j = δ·u = (x_n − x_m)·(v_n − v_m), half of the change of t_nm along v, for each of these pairs. */
export function slopesAlong(
  X: readonly Float64Array[],
  V: readonly Float64Array[],
  n: number,
  columns: Int32Array,
  start: number,
  count: number,
  r: Float64Array,
): void {
  r.fill(0, 0, count);
  for (let i = 0; i < X.length; i++) {
    const x = X[i];
    const v = V[i];
    for (let j = 0; j < count; j++) {
      const m = columns[start + j];
      r[j] += (x[n] - x[m]) * (v[n] - v[m]);
    }
  }
}

/** For each of these pairs and each coordinate, adds s_j (x_n − x_m) to entry n of `out` and takes it from entry m. */
export function addForces(
  X: readonly Float64Array[],
  n: number,
  columns: Int32Array,
  start: number,
  count: number,
  s: Float64Array,
  out: readonly Float64Array[],
): void {
  for (let i = 0; i < X.length; i++) addForce(X[i], n, columns, start, count, s, out[i]);
}

function addForce(
  x: Float64Array,
  n: number,
  columns: Int32Array,
  start: number,
  count: number,
  s: Float64Array,
  out: Float64Array,
): void {
  const own = x[n];
  let sum = 0;
  for (let j = 0; j < count; j++) {
    const m = columns[start + j];
    const force = s[j] * (own - x[m]);
    sum += force;
    out[m] -= force;
  }
  out[n] += sum;
}

/** For each of these pairs and each coordinate, adds a_j + b_j (x_n − x_m)² to entries n and m of `out`. */
export function addDiagonal(
  X: readonly Float64Array[],
  n: number,
  columns: Int32Array,
  start: number,
  count: number,
  a: Float64Array,
  b: Float64Array,
  out: readonly Float64Array[],
): void {
  for (let i = 0; i < X.length; i++) {
    const x = X[i];
    const h = out[i];
    for (let j = 0; j < count; j++) {
      const m = columns[start + j];
      const delta = x[n] - x[m];
      const term = a[j] + b[j] * delta * delta;
      h[n] += term;
      h[m] += term;
    }
  }
}
