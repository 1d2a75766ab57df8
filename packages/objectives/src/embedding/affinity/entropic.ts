/**
 * Entropic affinities: p_m|n ∝ exp(−β_n ‖y_n − y_m‖²), each β_n such that the entropy of its row is log k, so that
 * every point has k effective neighbours. Rows are solved by `EntropicRow`; each starts from the β of the point
 * before, and points are visited along neighbours (the nearest one not yet visited), since near points have near β.
 *
 * Time O(N² D) for all pairs, and for K neighbours that of their search; the rows take about 3 evaluations each.
 * Memory N² or N K numbers.
 *
 * Vladymyrov, Carreira-Perpiñán: Entropic affinities: properties and efficient numerical computation, ICML 2013.
 */
import {
  badOption,
  CurvatureError,
  checkDenseForm,
  checkOptions,
  type DenseMatrix,
  either,
  integerFrom,
  type MatrixLike,
  oneOf,
  positive,
  type SparseMatrix,
  squaredDistances,
  transposeSparse,
} from "@curvature/linalg";
import type { Weights } from "../objective.js";
import { bytesPerNeighbor, checkMemory } from "./check-memory.js";
import { checkedPoints } from "./check-points.js";
import { checkDistances } from "./distances.js";
import { EntropicRow } from "./entropic-row.js";
import { checkLists, type NeighborLists } from "./neighbor-lists.js";
import {
  type NeighborSearchOptions,
  neighborSearch,
  neighborSearchDefaults,
  neighborSearchRules,
  resultOf,
} from "./neighbors.js";
import { type FitSummary, Walk } from "./walk.js";

export interface EntropicOptions extends NeighborSearchOptions {
  /** k, the effective number of neighbours: above 1, below the number of neighbours used. Default 30. */
  readonly perplexity: number;
  /**
   * Neighbours per point among which the affinities are spread: all others (dense), so many nearest (sparse), or
   * "auto": the nearest min(N − 1, ⌈3k⌉). Default "auto".
   */
  readonly neighbors: "auto" | "all" | number;
}

export const entropicDefaults: EntropicOptions = Object.freeze({
  perplexity: 30,
  neighbors: "auto",
  ...neighborSearchDefaults,
});

export interface EntropicAffinities extends FitSummary {
  /** p_m|n at (n, m): rows sum to 1, zero diagonal, not symmetric. Dense for all pairs, else sparse. */
  readonly conditional: Weights;
}

/**
 * The entropic affinities of points.
 *
 * @param points - N × D, N ≥ 3
 * @throws CurvatureError ERR_OPTION (the message names the range of perplexities), ERR_SHAPE for fewer than 3 points,
 *   ERR_NON_FINITE (row and column named), ERR_MEMORY for more than 4 GiB
 */
export function entropicAffinities(
  points: MatrixLike,
  options: Partial<EntropicOptions> = {},
): EntropicAffinities {
  const Y = checkedPoints(points, "points");
  const { perplexity, neighbors, search, seed } = checkedEntropic(options, Y.rows, Y.rows - 1);
  const N = Y.rows;
  const isAll = neighbors === "all";
  checkMemory(
    "entropicAffinities",
    N,
    isAll ? 8 * N : bytesPerNeighbor * neighbors,
    "Lower neighbors or perplexity.",
  );
  return isAll
    ? affinitiesOfDistances(squaredDistances(Y), perplexity)
    : affinitiesOfNeighbors(resultOf(neighborSearch(Y, neighbors, { search, seed })), perplexity);
}

/**
 * @param points - N
 * @param most - neighbours that there are
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE
 */
export function checkedEntropic(
  options: Partial<EntropicOptions>,
  points: number,
  most: number,
): EntropicOptions & { readonly neighbors: "all" | number } {
  const { perplexity, neighbors, search, seed } = checkOptions(
    "entropicAffinities",
    options,
    entropicDefaults,
    {
      perplexity: positive,
      neighbors: either(oneOf("auto", "all"), integerFrom(2)),
      ...neighborSearchRules,
    },
  );
  const K =
    neighbors === "all" ? most : neighbors === "auto" ? Math.min(most, Math.ceil(3 * perplexity)) : neighbors;
  checkPerplexity(perplexity, points, Math.min(K, most));
  if (K > most)
    throw badOption("entropicAffinities", "neighbors", `at most ${most}, the points that there are`, K);
  return { perplexity, neighbors: neighbors === "all" ? neighbors : K, search, seed };
}

/**
 * The same from squared distances, which are overwritten by the result: N × N, nonnegative, its diagonal ignored.
 *
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT
 */
export function affinitiesOfDistances(distances: DenseMatrix, perplexity: number): EntropicAffinities {
  checkDenseForm(distances, "distances");
  const N = distances.rows;
  if (distances.columns !== N) {
    throw new CurvatureError("ERR_SHAPE", `distances must be square; received ${N} x ${distances.columns}.`, {
      path: "distances",
      expected: "square",
      received: [N, distances.columns],
    });
  }
  checkPerplexity(perplexity, N, N - 1);
  checkDistances(distances);
  const P = distances.data;
  const row = new EntropicRow(N - 1, perplexity);
  const walk = new Walk(N, perplexity);
  while (!walk.done) {
    const n = walk.current;
    const start = n * N;
    row.distances.set(P.subarray(start, start + n));
    row.distances.set(P.subarray(start + n + 1, start + N), n);
    row.fit(walk.logBeta);
    walk.record(row, nearestUnvisited(row.distances, n, walk.visited));
    P.set(row.p.subarray(0, n), start);
    P[start + n] = 0;
    P.set(row.p.subarray(n), start + n + 1);
  }
  return { conditional: distances, ...walk.summary() };
}

/**
 * The same among given neighbours: each row is spread over its listed neighbours only.
 *
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT
 */
export function affinitiesOfNeighbors(lists: NeighborLists, perplexity: number): EntropicAffinities {
  checkLists(lists);
  const { count: K, indices, distances } = lists;
  const N = indices.length / K;
  checkPerplexity(perplexity, N, K);
  checkDistances({ rows: N, columns: K, data: distances });
  const row = new EntropicRow(K, perplexity);
  const walk = new Walk(N, perplexity);
  const values = new Float64Array(N * K);
  while (!walk.done) {
    const n = walk.current;
    const start = n * K;
    row.distances.set(distances.subarray(start, start + K));
    row.fit(walk.logBeta);
    walk.record(row, firstUnvisited(indices, start, start + K, walk.visited));
    values.set(row.p, start);
  }
  return { conditional: rowsToSparse(lists, N, N, values), ...walk.summary() };
}

/** CSR with sorted rows of values that stand in the order of the neighbours; transposing twice sorts. */
export function rowsToSparse(
  { count: K, indices }: NeighborLists,
  rows: number,
  columns: number,
  values: Float64Array,
): SparseMatrix {
  const rowPointers = Int32Array.from({ length: rows + 1 }, (_, n) => n * K);
  return transposeSparse(transposeSparse({ rows, columns, rowPointers, columnIndices: indices, values }));
}

function nearestUnvisited(distances: Float64Array, own: number, visited: Uint8Array): number {
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let m = 0; m < distances.length; m++) {
    const point = m < own ? m : m + 1;
    if (visited[point] === 0 && distances[m] < least) {
      least = distances[m];
      nearest = point;
    }
  }
  return nearest;
}

function firstUnvisited(indices: Int32Array, from: number, to: number, visited: Uint8Array): number {
  for (let p = from; p < to; p++) if (visited[indices[p]] === 0) return indices[p];
  return -1;
}

/**
 * @param neighbors - the number over which a row is spread
 * @throws CurvatureError ERR_SHAPE for fewer than 3 points, ERR_OPTION unless 1 < perplexity < neighbors
 */
function checkPerplexity(perplexity: number, points: number, neighbors: number): void {
  if (!(points >= 3)) {
    throw new CurvatureError("ERR_SHAPE", `Affinities need at least 3 points; received ${points}.`, {
      path: "points",
      expected: "at least 3 rows",
      received: points,
    });
  }
  if (!(typeof perplexity === "number" && perplexity > 1 && perplexity < neighbors)) {
    throw badOption(
      "entropicAffinities",
      "perplexity",
      `above 1 and below ${neighbors}, the number of neighbours used for each of ${points} points`,
      perplexity,
    );
  }
}
