/**
 * How well a method keeps the order of distances along manifolds, by bullseye scores.
 *
 * Graph    i and j are joined where either is among the N nearest others of the other one; lengths are Euclidean
 * Distance d_ij = the shortest path in it, Infinity where there is none
 * Score    with T_u(m), M_u(m) the m points that lie nearest to u by the true distances and by the method's, u itself
 *          included:  score(p) = mean over u of |T_u(m) ∩ M_u(m)| / m,  m = max(⌊n p/100⌋, 1)
 *
 * The truth is `neighborDistances` of clean points; a method's distances are `neighborDistances` of its embedding of noisy
 * points, or, for a Q of NOMAD, `geodesicDistances`. Regular sets are full of ties (two neighbours of every point of a
 * ring, all points of another component), so that points come in the order of (distance, index), the distance rounded to
 * 1e-9 of the largest finite one: without that, rounding would decide. A method that is no better than chance scores p/100.
 *
 * Tepper, Sengupta, Chklovskii, J. Mach. Learn. Res. 19 (2018), section 3.2, which leaves ties and m's rounding open.
 * n² log n per matrix; the shortest paths n³.
 */
import {
  badArgument,
  CurvatureError,
  checkArgument,
  type DenseMatrix,
  integerFrom,
  type MatrixLike,
  squaredDistances,
} from "@curvature/linalg";
import { type Edges, shortestPaths } from "./shortest-paths.js";

/** p: 1 to 5, then in steps of 5 to 50. */
export const bullseyePercentiles: readonly number[] = Object.freeze([
  1, 2, 3, 4, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50,
]);

/** Distances differ from this share of the largest one on. */
const RESOLUTION = 1e-9;

/**
 * Distances along the graph of nearest neighbours.
 *
 * @param points - n × d, n from 2 on
 * @param neighbors - N, from 1 to n − 1
 * @returns n × n; Infinity between components
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT, ERR_MEMORY
 */
export function neighborDistances(points: MatrixLike, neighbors: number): DenseMatrix {
  checkArgument("neighborDistances", "neighbors", integerFrom(1), neighbors);
  const distances = squaredDistances(points);
  const n = distances.rows;
  if (neighbors >= n)
    throw badArgument("neighborDistances", "neighbors", `below the number of points, ${n}`, neighbors);
  for (let k = 0; k < distances.data.length; k++) distances.data[k] = Math.sqrt(distances.data[k]);
  return shortestPaths(nearestNeighbors(distances, neighbors));
}

function nearestNeighbors(distances: DenseMatrix, neighbors: number): Edges {
  const { rows: n, data } = distances;
  const isJoined = new Uint8Array(n * n);
  const order = new NearestFirst(distances);
  for (let i = 0; i < n; i++) {
    let left = neighbors;
    for (const j of order.of(i)) {
      if (left === 0) break;
      if (j === i) continue;
      left--;
      isJoined[i * n + j] = 1;
      isJoined[j * n + i] = 1;
    }
  }
  const count = isJoined.reduce((sum, joined) => sum + joined, 0);
  const edges = {
    pointers: new Int32Array(n + 1),
    ends: new Int32Array(count),
    lengths: new Float64Array(count),
  };
  let at = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (isJoined[i * n + j] === 0) continue;
      edges.ends[at] = j;
      edges.lengths[at++] = data[i * n + j];
    }
    edges.pointers[i + 1] = at;
  }
  return edges;
}

/**
 * score(p) for each of the percentiles.
 *
 * @param truth - n × n distances, at least 0; Infinity is one
 * @param found - n × n likewise
 * @param percentiles - each above 0, at most 100. Default `bullseyePercentiles`
 * @returns scores from 0 to 1
 * @throws CurvatureError ERR_SHAPE unless both are square and of one size, ERR_ARGUMENT for NaN or negative distances
 *   and for percentiles
 */
export function bullseyeScores(
  truth: DenseMatrix,
  found: DenseMatrix,
  percentiles: readonly number[] = bullseyePercentiles,
): Float64Array {
  const n = checkDistances(truth, found);
  if (!Array.isArray(percentiles) || !percentiles.every((p) => p > 0 && p <= 100))
    throw badArgument("bullseyeScores", "percentiles", "numbers above 0, and at most 100", percentiles);
  const sizes = percentiles.map((p) => Math.max(1, Math.floor((n * p) / 100)));
  const scores = new Float64Array(sizes.length);
  const [byTruth, byMethod] = [new NearestFirst(truth), new NearestFirst(found)];
  const rank = new Int32Array(n);
  for (let u = 0; u < n; u++) {
    const theirs = byMethod.of(u);
    byTruth.of(u).forEach((j, place) => {
      rank[j] = place;
    });
    sizes.forEach((m, k) => {
      let common = 0;
      for (let place = 0; place < m; place++) if (rank[theirs[place]] < m) common++;
      scores[k] += common / m / n;
    });
  }
  return scores;
}

/** @returns n */
function checkDistances(truth: DenseMatrix, found: DenseMatrix): number {
  for (const [name, matrix] of Object.entries({ truth, found })) {
    const { rows, columns, data } = matrix ?? {};
    if (!(data instanceof Float64Array) || !(rows > 0) || rows !== columns || data.length !== rows * columns)
      throw new CurvatureError(
        "ERR_SHAPE",
        `${name} must be a square dense matrix with at least one row; received ${rows} x ${columns}.`,
        { where: "bullseyeScores", path: name, expected: "n x n", received: `${rows} x ${columns}` },
      );
    const k = data.findIndex((distance) => !(distance >= 0));
    if (k >= 0)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `distances must be at least 0; ${name} has ${data[k]} at row ${Math.floor(k / rows)}, column ${k % rows} (counted from 0).`,
        {
          where: "bullseyeScores",
          path: name,
          expected: "numbers of at least 0, or Infinity",
          received: data[k],
        },
      );
  }
  if (truth.rows !== found.rows)
    throw new CurvatureError(
      "ERR_SHAPE",
      `truth and found must be of one size; received ${truth.rows} and ${found.rows} rows.`,
      {
        where: "bullseyeScores",
        path: "found",
        expected: `${truth.rows} rows`,
        received: `${found.rows} rows`,
      },
    );
  return truth.rows;
}

/** The points in the order of (rounded distance, index). */
class NearestFirst {
  private readonly unit: number;
  private readonly rounded: Float64Array;
  private readonly order: Int32Array;

  constructor(private readonly distances: DenseMatrix) {
    let largest = 0;
    for (const distance of distances.data)
      if (distance > largest && distance < Number.POSITIVE_INFINITY) largest = distance;
    this.unit = largest > 0 ? RESOLUTION * largest : 1;
    this.rounded = new Float64Array(distances.rows);
    this.order = new Int32Array(distances.rows);
  }

  /** Of point u; the next call writes over it. */
  of(u: number): Int32Array {
    const { rounded, order, unit } = this;
    const { rows: n, data } = this.distances;
    for (let j = 0; j < n; j++) {
      rounded[j] = Math.round(data[u * n + j] / unit);
      order[j] = j;
    }
    return order.sort((a, b) => (rounded[a] === rounded[b] ? a - b : rounded[a] < rounded[b] ? -1 : 1));
  }
}
