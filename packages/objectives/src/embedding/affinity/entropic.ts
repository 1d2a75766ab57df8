/**
 * Entropic affinities: p_m|n ∝ exp(−β_n ‖y_n − y_m‖²), each β_n such that the entropy of its row is log k, so that
 * every point has k effective neighbours. Rows are solved by `EntropicRow`; each starts from the β of the point
 * before, and points are visited along neighbours (the nearest one not yet visited), since near points have near β:
 * `walk`.
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
  type DenseMatrix,
  either,
  integerFrom,
  type MatrixLike,
  type OptionsOf,
  oneOf,
  optionName,
  optionTable,
  positive,
  type SettingsOf,
  squaredDistances,
} from "@curvature/linalg";
import { ownMemory } from "../threads/memory.js";
import { bytesPerNeighbor, checkedPoints, checkPerplexity, checkPointMemory } from "./check-points.js";
import { checkDistances } from "./distances.js";
import { givenDistances, type PairMatrixLike, squaresOf } from "./given-distances.js";
import { affinitiesOfNeighbors } from "./neighbor-affinities.js";
import { neighborSearch, neighborSearchOptions, resultOf } from "./neighbors.js";
import { type EntropicAffinities, emptyFits, RowFits, summaryOf } from "./row-fits.js";
import { goThrough, stretchCount, walk } from "./walk.js";

export const entropicOptions = optionTable({
  /** k, the effective number of neighbours: above 1, below the number of neighbours used. */
  perplexity: positive.default(30),
  /**
   * Neighbours per point among which the affinities are spread: all others (dense), so many nearest (sparse), or
   * "auto": the nearest min(N − 1, ⌈3k⌉).
   */
  neighbors: either(oneOf("auto", "all"), integerFrom(2)).default("auto"),
  ...neighborSearchOptions.entries,
});
export type EntropicOptions = OptionsOf<typeof entropicOptions>;

/**
 * The entropic affinities of points.
 *
 * @param points - N × D, N ≥ 3
 * @throws CurvatureError ERR_OPTION (the message names the range of perplexities), ERR_SHAPE for fewer than 3 points,
 *   ERR_NON_FINITE (row and column named), ERR_MEMORY for more than 4 GiB
 */
export function entropicAffinities(points: MatrixLike, options?: EntropicOptions): EntropicAffinities {
  const Y = checkedPoints(points, "points");
  const { perplexity, neighbors, search, seed } = checkedEntropic(options, Y.rows, Y.rows - 1);
  const N = Y.rows;
  const isAll = neighbors === "all";
  checkPointMemory(
    "entropicAffinities",
    N,
    isAll ? 8 * N : bytesPerNeighbor * neighbors,
    `Lower ${optionName("neighbors")} or ${optionName("perplexity")}.`,
  );
  return isAll
    ? affinitiesOfSquaredDistances(squaredDistances(Y), perplexity)
    : affinitiesOfNeighbors(resultOf(neighborSearch(Y, neighbors, { search, seed })), perplexity);
}

/**
 * @param points - N
 * @param most - neighbours that there are
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE
 */
export function checkedEntropic(
  options: EntropicOptions | undefined,
  points: number,
  most: number,
): SettingsOf<typeof entropicOptions> & { readonly neighbors: "all" | number } {
  const { perplexity, neighbors, search, seed } = entropicOptions.resolve("entropicAffinities", options);
  const K =
    neighbors === "all" ? most : neighbors === "auto" ? Math.min(most, Math.ceil(3 * perplexity)) : neighbors;
  checkPerplexity(perplexity, points, Math.min(K, most));
  if (K > most)
    throw badOption("entropicAffinities", "neighbors", `at most ${most}, the points that there are`, K);
  return { perplexity, neighbors: neighbors === "all" ? neighbors : K, search, seed };
}

/**
 * The same from distances (not squared), which are left as they are.
 *
 * @param distances - N × N, symmetric, nonnegative, zero on the diagonal; or condensed
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT, the entries named
 */
export function affinitiesOfDistances(distances: PairMatrixLike, perplexity: number): EntropicAffinities {
  return affinitiesOfSquaredDistances(squaresOf(givenDistances(distances)), perplexity);
}

/**
 * The same from squared distances, which are overwritten by the result, for matrices of which there is room for one: N × N,
 * nonnegative, the diagonal ignored.
 *
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT
 */
export function affinitiesOfSquaredDistances(distances: DenseMatrix, perplexity: number): EntropicAffinities {
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
  const order = new Int32Array(N);
  walk(order, (n, visited) => nearestUnvisited(P.subarray(n * N, n * N + N), visited));
  const arrays = emptyFits(N, ownMemory);
  const fits = new RowFits(arrays, N - 1, perplexity);
  const { distances: others, p } = fits.row;
  for (let stretch = 0; stretch < stretchCount(N); stretch++) {
    goThrough(order, stretch, (n, logBeta) => {
      const start = n * N;
      others.set(P.subarray(start, start + n));
      others.set(P.subarray(start + n + 1, start + N), n);
      const next = fits.fit(n, logBeta);
      P.set(p.subarray(0, n), start);
      P[start + n] = 0;
      P.set(p.subarray(n), start + n + 1);
      return next;
    });
  }
  return { conditional: distances, ...summaryOf(arrays, perplexity) };
}

/** Its own point is visited. */
function nearestUnvisited(distances: Float64Array, visited: Uint8Array): number {
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let m = 0; m < distances.length; m++) {
    if (visited[m] === 0 && distances[m] < least) {
      least = distances[m];
      nearest = m;
    }
  }
  return nearest;
}
