/**
 * Weights from new points to the N known ones, as the training weights are made: p_m of entropy log k (rows sum to
 * 1), and w⁻_m = D_m / Σ D for the elastic embedding, Σ D over the ordered pairs of the known points. By
 *
 *   Σ_nm ‖y_n − y_m‖² = 2 N Σ_n ‖y_n − ȳ‖²
 *
 * that sum needs no pairs. Time O(M N D) for M new points; memory M N numbers, or M K where K neighbours are used.
 */
import { badArgument, type DenseMatrix, type MatrixLike, squaredDistancesBetween } from "@curvature/linalg";
import type { Weights } from "../objective.js";
import { ownMemory } from "../threads/memory.js";
import {
  bytesPerNeighbor,
  checkedPoints,
  checkPerplexity,
  checkPointMemory,
  checkSameColumns,
} from "./check-points.js";
import { checkDistances, checkedTotal, columnMeans, squaredRowDistance } from "./distances.js";
import { checkedEntropic, type EntropicOptions } from "./entropic.js";
import { evenRowPointers, RowSorter } from "./neighbor-fits.js";
import { checkLists, type NeighborLists } from "./neighbor-lists.js";
import { nearestNeighborsOf, resultOf } from "./neighbors.js";
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
  if (!isAll) return resultOf(newPointAffinities(nearestNeighborsOf(Q, Y, neighbors), N, perplexity));
  const { data } = squaredDistancesBetween(Q, Y);
  const arrays = emptyFits(M, ownMemory);
  const fits = new RowFits(arrays, N, perplexity);
  for (let i = 0; i < M; i++) fitAlone(fits, i, data.subarray(i * N, i * N + N));
  return { affinities: { rows: M, columns: N, data }, ...summaryOf(arrays, perplexity) };
}

/** Rows that are fitted between two yields: some 5 ms. */
const STRETCH = 128;

/**
 * The same from lists of the new points' nearest known points, as `neighborSearchOf` makes them, in steps that yield the share that is
 * done.
 *
 * @param lists - M × K; their arrays become those of the affinities
 * @param points - N
 * @param outside - of each new point, 1 for one so far from all that rounding alone makes its neighbours equally near: no warning
 *   counts these; left out, all are counted. M
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT, all before the first step
 */
export function newPointAffinities(
  lists: NeighborLists,
  points: number,
  perplexity: number,
  outside?: Uint8Array,
): Generator<number, OutOfSampleAffinities, void> {
  // Lists name them by 32 bits.
  if (!(Number.isSafeInteger(points) && points >= 1 && points < 2 ** 31))
    throw badArgument("newPointAffinities", "points", "the number of known points", points);
  checkLists(lists, points);
  checkPerplexity(perplexity, points, lists.count);
  checkDistances({ rows: lists.indices.length / lists.count, columns: lists.count, data: lists.distances });
  return fitted(lists, points, perplexity, outside);
}

function* fitted(
  { count: K, indices, distances }: NeighborLists,
  points: number,
  perplexity: number,
  outside: Uint8Array | undefined,
): Generator<number, OutOfSampleAffinities, void> {
  const M = indices.length / K;
  const arrays = emptyFits(M, ownMemory);
  const fits = new RowFits(arrays, K, perplexity);
  const sorter = new RowSorter(points);
  for (let i = 0; i < M; i++) {
    const place = distances.subarray(i * K, i * K + K);
    fitAlone(fits, i, place);
    if (outside?.[i] === 1) fits.excuse(i);
    sorter.sort(indices.subarray(i * K, i * K + K), place);
    if (i % STRETCH === STRETCH - 1) yield i / M;
  }
  const affinities = {
    rows: M,
    columns: points,
    rowPointers: evenRowPointers(M, K),
    columnIndices: indices,
    values: distances,
  };
  return { affinities, ...summaryOf(arrays, perplexity) };
}

/** Distances become affinities, the same bits in any company. */
function fitAlone(fits: RowFits, i: number, place: Float64Array): void {
  fits.row.distances.set(place);
  fits.fit(i, NO_START);
  place.set(fits.row.p);
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
