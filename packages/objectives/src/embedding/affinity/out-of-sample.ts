/**
 * Weights from new points to the N known ones, as the training weights are made: p_m of entropy log k (rows sum to
 * 1), and w⁻_m = D_m / Σ D for the elastic embedding, Σ D over the ordered pairs of the known points. By
 *
 *   Σ_nm ‖y_n − y_m‖² = 2 N Σ_n ‖y_n − ȳ‖²
 *
 * that sum needs no pairs. Time O(M N D) for M new points; memory M N numbers, or M K where K neighbours are used.
 */
import { type DenseMatrix, type MatrixLike, squaredDistancesBetween } from "@curvature/linalg";
import type { Weights } from "../objective.js";
import { ownMemory } from "../threads/memory.js";
import { bytesPerNeighbor, checkedPoints, checkPointMemory, checkSameColumns } from "./check-points.js";
import { checkedTotal, columnMeans, squaredRowDistance } from "./distances.js";
import { checkedEntropic, type EntropicOptions } from "./entropic.js";
import { evenRowPointers, RowSorter } from "./neighbor-fits.js";
import { nearestNeighborsOf } from "./neighbors.js";
import { emptyFits, type FitSummary, RowFits, summaryOf } from "./row-fits.js";

const NO_START = Number.NaN;
const FEWER = "Take fewer new points at a time.";

export interface OutOfSampleAffinities extends FitSummary {
  /** p_m of new point i at (i, m): M × N, rows sum to 1. Dense for all known points, else sparse. */
  readonly affinities: Weights;
}

/**
 * The entropic affinities of new points to the known points.
 *
 * @param queries - M × D, the new points
 * @param points - N × D, N ≥ 3, the known points
 * @param options - as for the known points; `neighbors` may be up to N. The search is exact
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE, ERR_MEMORY for more than 4 GiB
 */
export function outOfSampleAffinities(
  queries: MatrixLike,
  points: MatrixLike,
  options?: EntropicOptions,
): OutOfSampleAffinities {
  const { Q, Y } = checkedPair(queries, points);
  const [M, N] = [Q.rows, Y.rows];
  const { perplexity, neighbors } = checkedEntropic(options, N, N);
  const isAll = neighbors === "all";
  checkPointMemory("outOfSampleAffinities", M, isAll ? 8 * N : bytesPerNeighbor * neighbors, FEWER);
  const lists = isAll ? undefined : nearestNeighborsOf(Q, Y, neighbors);
  const distances = lists?.distances ?? squaredDistancesBetween(Q, Y).data;
  const K = lists?.count ?? N;
  const arrays = emptyFits(M, ownMemory);
  const fits = new RowFits(arrays, K, perplexity);
  const sorter = new RowSorter(N);
  for (let i = 0; i < M; i++) {
    const place = distances.subarray(i * K, i * K + K);
    fits.row.distances.set(place);
    fits.fit(i, NO_START); // so that a new point's row has the same bits in any company
    place.set(fits.row.p);
    if (lists !== undefined) sorter.sort(lists.indices.subarray(i * K, i * K + K), place);
  }
  const affinities =
    lists === undefined
      ? { rows: M, columns: N, data: distances }
      : {
          rows: M,
          columns: N,
          rowPointers: evenRowPointers(M, K),
          columnIndices: lists.indices,
          values: distances,
        };
  return { affinities, ...summaryOf(arrays, perplexity) };
}

/**
 * w⁻_m = ‖y − y_m‖² / Σ D of each new point y: M × N.
 *
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT if all known points are equal, ERR_MEMORY for more than
 *   4 GiB
 */
export function outOfSampleDistanceWeights(queries: MatrixLike, points: MatrixLike): DenseMatrix {
  const { Q, Y } = checkedPair(queries, points);
  checkPointMemory("outOfSampleDistanceWeights", Q.rows, 8 * Y.rows, FEWER);
  const weights = squaredDistancesBetween(Q, Y);
  const sum = sumOfSquaredDistances(Y);
  for (let k = 0; k < weights.data.length; k++) weights.data[k] /= sum;
  return weights;
}

function checkedPair(queries: MatrixLike, points: MatrixLike): { Q: DenseMatrix; Y: DenseMatrix } {
  const Q = checkedPoints(queries, "queries");
  const Y = checkedPoints(points, "points");
  checkSameColumns(Q, Y, "queries");
  return { Q, Y };
}

function sumOfSquaredDistances(points: DenseMatrix): number {
  const { rows: N, columns: D, data: Y } = points;
  const mean = columnMeans(points);
  let sum = 0;
  for (let n = 0; n < N; n++) sum += squaredRowDistance(Y, n, mean, 0, D);
  return checkedTotal(2 * N * sum, "known points");
}
