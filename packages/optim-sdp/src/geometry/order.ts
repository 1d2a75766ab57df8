/**
 * An order of the points in which Q, drawn, shows its manifolds, and the drawing's cells.
 *
 * By component, the largest first; within one by the angle φ of (y_1, y_2), the component's own embedding, about its mean, from the
 * largest gap between two angles on. Along a closed curve that is its circle; along an open one, whose embedding is the arc (cos t, cos 2t),
 * the gap is between its ends. Or, within that, each cluster's points together, the clusters in the order of their median positions: where
 * there is no curve. Of both orders that of the smaller Σ Q_ij |i − j|, |i − j| around the circle.
 */
import { type Components, CurvatureError, type DenseMatrix, zeros } from "@curvature/linalg";
import { checkCount } from "../arguments.js";
import type { FactoredPoint } from "../bounds/factored-point.js";
import { embeddingOfSolution } from "./embedding.js";
import { type Solution, solutionFrom } from "./solution.js";

/** Components of fewer points have no shape. */
const MIN_SHAPE = 4;
const TOLERANCE = 1e-4;
/** Cells on a side by which two orders are compared. */
const SPREAD_CELLS = 100;

export function orderOf(
  solution: Solution,
  { count, labels: componentOf }: Components,
  clusterOf: Int32Array,
): Int32Array {
  const members: number[][] = Array.from({ length: count }, () => []);
  for (let i = 0; i < solution.n; i++) members[componentOf[i]].push(i);
  members.sort((a, b) => b.length - a.length || a[0] - b[0]);
  const order = new Int32Array(solution.n);
  let at = 0;
  for (const rows of members) {
    order.set(rows.length < MIN_SHAPE ? rows : inside(solution, Int32Array.from(rows), clusterOf), at);
    at += rows.length;
  }
  return order;
}

/** The rows of one component. */
function inside(solution: Solution, rows: Int32Array, clusterOf: Int32Array): Int32Array {
  const part = rows.length === solution.n ? solution : solution.restrictedTo(rows);
  const along = alongShape(part);
  const grouped = together(along, (point) => clusterOf[rows[point]]);
  const better = spreadOf(part, grouped) < spreadOf(part, along) ? grouped : along;
  return better.map((point) => rows[point]);
}

/** The points by their angle, from the largest gap on. */
function alongShape(part: Solution): Int32Array {
  const { data } = embeddingOfSolution(part, 2, TOLERANCE).coordinates;
  const angles = Float64Array.from({ length: part.n }, (_, i) => turned(data[2 * i], data[2 * i + 1]));
  const points = [...angles.keys()].sort((a, b) => angles[a] - angles[b] || a - b);
  let cut = 0;
  let widest = 4 - angles[points[points.length - 1]] + angles[points[0]];
  for (let k = 1; k < points.length; k++) {
    const gap = angles[points[k]] - angles[points[k - 1]];
    if (gap > widest) [widest, cut] = [gap, k];
  }
  return Int32Array.from([...points.slice(cut), ...points.slice(0, cut)]);
}

/** Σ Q_ij |i − j| by cells, distances around the circle. */
function spreadOf(part: Solution, order: Int32Array): number {
  const { rows: m, data } = meansOf(part, order, SPREAD_CELLS);
  let sum = 0;
  for (let a = 0; a < m; a++)
    for (let b = 0; b < m; b++) {
      const apart = Math.abs(a - b);
      sum += data[a * m + b] * Math.min(apart, m - apart);
    }
  return sum;
}

/** Increasing with the angle of (x, y), from 0 to 4; without functions that differ between engines. */
function turned(x: number, y: number): number {
  const size = Math.abs(x) + Math.abs(y);
  if (size === 0) return 0;
  const share = y / size;
  return x < 0 ? 2 - share : y < 0 ? 4 + share : share;
}

/** The same with each cluster's points next to each other. */
function together(points: Int32Array, clusterOf: (point: number) => number): Int32Array {
  const clusters = new Map<number, { readonly own: number[]; readonly at: number[] }>();
  for (const [k, point] of points.entries()) {
    const cluster = clusters.get(clusterOf(point)) ?? { own: [], at: [] };
    cluster.own.push(point);
    cluster.at.push(k);
    clusters.set(clusterOf(point), cluster);
  }
  const middle = ({ at }: { readonly at: readonly number[] }): number => at[at.length >> 1];
  const sorted = [...clusters.values()].sort((a, b) => middle(a) - middle(b));
  return Int32Array.from(sorted.flatMap(({ own }) => own));
}

/**
 * The means of Q over cells of a square, rows and columns in this order: m × m, m = min(n, cells).
 *
 * @param Q - n × n, or as a factor: Q is not formed then
 * @param order - each of 0 … n − 1 once
 * @param cells - on a side, from 1
 * @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT
 */
export function blockMeans(Q: DenseMatrix | FactoredPoint, order: Int32Array, cells: number): DenseMatrix {
  const solution = solutionFrom("blockMeans", Q);
  const { n } = solution;
  checkCount("blockMeans", "cells", cells);
  const isListed = new Uint8Array(n);
  const isOrder =
    order instanceof Int32Array && order.length === n && order.every((i) => isListed[i]++ === 0 && i < n);
  if (!isOrder)
    throw new CurvatureError(
      "ERR_SHAPE",
      `the order must be an Int32Array with each of 0 to ${n - 1} once.`,
      { where: "blockMeans", path: "order", expected: `each of 0 to ${n - 1} once`, received: order },
    );
  return meansOf(solution, order, cells);
}

function meansOf(solution: Solution, order: Int32Array, cells: number): DenseMatrix {
  const { n } = solution;
  const m = Math.min(n, cells);
  const cellOf = new Int32Array(n);
  const sizes = new Float64Array(m);
  for (let point = 0; point < n; point++) {
    const cell = Math.floor((point * m) / n);
    cellOf[order[point]] = cell;
    sizes[cell]++;
  }
  const sums = solution.sumsOver(cellOf, m);
  const means = zeros(m, m);
  for (let i = 0; i < n; i++)
    for (let c = 0; c < m; c++) means.data[cellOf[i] * m + c] += sums.data[i * m + c];
  for (let a = 0; a < m; a++) for (let b = 0; b < m; b++) means.data[a * m + b] /= sizes[a] * sizes[b];
  return means;
}
