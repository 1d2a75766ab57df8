/**
 * How well a map keeps the neighbourhoods of the data.
 *
 *   kept_i            E |V_k(i) ∩ W_k(i)| / k                                          knnPreservation = mean of kept
 *   trust_i           1 − 2/(k (2N − 3k − 1)) E Σ_{j ∈ W_k(i) \ V_k(i)} (r(i, j) − k)    trustworthiness = mean of trust
 *   regional_i        (trust_i + E Σ_{j ∈ W_k(i)} trust_j / k) / 2
 *
 * | symbol  | meaning                                                                    |
 * |---------|----------------------------------------------------------------------------|
 * | V_k(i)  | the k nearest other points of i in the data                                |
 * | W_k(i)  | the same in the map                                                        |
 * | r(i, j) | the rank of j among the others by distance from i in the data, from 1      |
 * | E       | the mean over all orders of the rows, of which the first goes first among ties, in data and map |
 * | n       | points that are compared: all N, or a random sample of `maxRows`           |
 *
 * Distances tie that are equal but for the rounding of the coordinates (`tiesWithin`). No row is preferred, so that permuted rows
 * give the same; a lattice that was only turned has 1. Both are 1 for a map that keeps all neighbourhoods. A random map has
 * about k/(N − 1) and 1/2. k shrinks to the largest number below N/2 (the formula's range); with fewer than 3 points there is
 * none and the value is undefined. Time O(n N (D + d)), memory O(N D + n k).
 *
 * Venna, Kaski: Local multidimensional scaling. Neural Networks 19 (2006) 889-899, eq. for M_trustworthiness.
 * Differs: the mean over the order of ties, in closed form (`tie-orders.ts`).
 */
import {
  CurvatureError,
  type DenseMatrix,
  integerFrom,
  isSparse,
  type MatrixLike,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  sampleWithoutReplacement,
  selectRows,
  toDense,
} from "@curvature/linalg";
import {
  nearestNeighbors,
  nearestNeighborsOf,
  squaredRowDistance,
  tieRule,
} from "@curvature/objectives/embedding";
import { inRange } from "./columns.js";
import { DistanceRanks } from "./distance-ranks.js";
import { embedOptions } from "./embed-options.js";
import { type GivenSettings, givenNeighborhoods } from "./given-quality.js";
import { type EmbedInput, isGiven } from "./source.js";
import {
  AMONG_TIES,
  meanCommon,
  meanPenalty,
  meanStretch,
  type Nearest,
  nearestUpTo,
  OUTSIDE,
  type TieRule,
  writePlaces,
} from "./tied-neighbors.js";

export const mapQualityOptions = optionTable({
  /** k */
  neighbors: integerFrom(1).default(10),
  /** With more points than this, only a random sample of so many is compared (with all N). */
  maxRows: integerFrom(1).default(5000),
  /** Of the sample. */
  seed: integerFrom(0).default(0),
  /** How far points of the data lie apart, as in `embed`. */
  metric: embedOptions.entries.metric,
});
export type MapQualityOptions = OptionsOf<typeof mapQualityOptions>;

/** How a quality was measured. */
export interface Measured {
  /** k as used. */
  readonly k: number;
  /** The size of the random sample, or false where all points were compared. */
  readonly sampled: number | false;
}

export interface MapQuality extends Measured {
  readonly knnPreservation: number | undefined;
  readonly trustworthiness: number | undefined;
}

/** From 0 to 1; undefined for fewer than 3 points. */
export interface QualityMeasure extends Measured {
  readonly value: number | undefined;
}

/**
 * Both measures for the neighbour search of one.
 *
 * @param points - the data, N × D, or what `embed` was given in their place; of a graph of neighbours and of affinities
 *   trustworthiness is undefined
 * @param embedding - the map, N × d
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION
 */
export function mapQuality(
  points: EmbedInput,
  embedding: MatrixLike,
  options?: MapQualityOptions,
): MapQuality {
  const settings = mapQualityOptions.resolve("mapQuality", options);
  if (isGiven(points) || isSparse(points) || settings.metric !== "euclidean")
    return ofGiven(points, toDense(embedding, "embedding"), settings);
  const both = new Neighborhoods(points, embedding, options);
  return { ...both.measured, knnPreservation: both.overlap(), trustworthiness: both.trustworthiness() };
}

function ofGiven(points: EmbedInput, map: DenseMatrix, settings: GivenSettings): MapQuality {
  const { k, sampled, kept, trust } = givenNeighborhoods(points, map, settings);
  if (k === 0) return { k, sampled, knnPreservation: undefined, trustworthiness: undefined };
  const trustworthiness = trust.some(Number.isNaN) ? undefined : mean(trust);
  return { k, sampled, knnPreservation: mean(kept), trustworthiness };
}

/** The mean share of the k nearest neighbours that data and map have in common; parameters as for `mapQuality`. */
export function knnPreservation(
  points: MatrixLike,
  embedding: MatrixLike,
  options?: MapQualityOptions,
): QualityMeasure {
  const both = new Neighborhoods(points, embedding, options);
  return { ...both.measured, value: both.overlap() };
}

/** How little the map's neighbourhoods hold that is far in the data; parameters as for `mapQuality`. */
export function trustworthiness(
  points: MatrixLike,
  embedding: MatrixLike,
  options?: MapQualityOptions,
): QualityMeasure {
  const both = new Neighborhoods(points, embedding, options);
  return { ...both.measured, value: both.trustworthiness() };
}

export const mapTrustOptions = optionTable({
  /** k */
  neighbors: mapQualityOptions.entries.neighbors,
  /** How far points of the data lie apart, as in `embed`. */
  metric: embedOptions.entries.metric,
});
export type MapTrustOptions = OptionsOf<typeof mapTrustOptions>;

/** How far each point's neighbourhood may be believed. */
export interface MapTrust {
  /** Of each point, the share of its k nearest neighbours that data and map have in common; the mean is `knnPreservation`. */
  readonly kept: Float64Array;
  /**
   * Of each point, how little the map's neighbourhood holds that is far in the data: 1 where nothing, about 1/2 at random; the mean
   * is `trustworthiness`. Single points may be below 0; where more than k are equally near, trust is below 1 and distortion is 1. NaN for a graph of neighbours and for affinities.
   */
  readonly trust: Float64Array;
  /**
   * Of each point, the mean of its trust and of the mean trust of its k nearest in the map: what finds points among strangers.
   * Whether a place of the map holds strangers is a matter of the place, of which the trust of single points is a noisy
   * measurement: on a manifold whose sheets meet at an edge the area under the curve is 0.91 to 0.92, that of trust alone 0.89; on
   * two without such places 0.96 to 0.99, by up to 0.01 less than of trust (docs/results/spectral/trust.md). Half is the point's
   * own: as one of eleven it would have 0.07 to 0.11 less in four draws of a slab. Points that went astray one by one are found as
   * well by trust, or better. NaN as `trust`.
   */
  readonly regional: Float64Array;
  /**
   * Of each point, how many times as far as the k-th nearest in the data the map's k nearest are there: the geometric mean of what is
   * above 1, so that 1 is none. NaN as `trust`.
   */
  readonly distortion: Float64Array;
  /** k as used; 0 with fewer than 3 points, for which there are no such numbers, but NaN. */
  readonly k: number;
}

/**
 * The measures point by point, for all N, in time O(N² (D + d)): a permutation of the rows permutes them.
 *
 * ```ts
 * import { mapTrust } from "@curvature/optim-spectral";
 *
 * const points = [[0, 0], [1, 0], [2, 0], [9, 9], [9, 8], [8, 9]];
 * const map = [[0, 0], [1, 0], [2, 0], [5, 5], [5, 4], [0, 1]]; // the last one lies among strangers
 * const { kept, trust, regional, distortion } = mapTrust(points, map, { neighbors: 2 });
 * console.log(regional.indexOf(Math.min(...regional))); // 5
 * console.log(kept[5], trust[5]); // 0 and 0: nothing of what is near it there is near in the data
 * console.log(distortion[0], distortion[5]); // 2.45 and 8.29: their neighbours in the map are so many times too far
 * ```
 *
 * @param points - the data, N × D, or what `embed` was given in their place
 * @param embedding - the map, N × d
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION, ERR_ARGUMENT
 */
export function mapTrust(points: EmbedInput, embedding: MatrixLike, options?: MapTrustOptions): MapTrust {
  const { neighbors, metric } = mapTrustOptions.resolve("mapTrust", options);
  const settings = { neighbors, metric, maxRows: Number.MAX_SAFE_INTEGER, seed: 0 };
  if (isGiven(points) || isSparse(points) || metric !== "euclidean") {
    const map = toDense(embedding, "embedding");
    const { k, kept, trust, distortion } = givenNeighborhoods(points, map, settings);
    const regional = meanWithNearest(trust, new Neighbors(inRange(map), undefined, k), k);
    return { kept, trust, regional, distortion, k };
  }
  const both = new Neighborhoods(points, embedding, settings);
  const trust = both.trust();
  const regional = meanWithNearest(trust, both.map, both.measured.k);
  return { kept: both.kept(), trust, regional, distortion: both.distortion(), k: both.measured.k };
}

/** The column `kept` alone. */
export function keptShares(points: DenseMatrix, map: DenseMatrix, neighbors: number): Float64Array {
  return new Neighborhoods(points, map, { neighbors, maxRows: Number.MAX_SAFE_INTEGER }).kept();
}

/** The neighbours of the compared points in data and map. */
class Neighborhoods {
  readonly measured: Measured;
  private readonly k: number;
  private readonly compared: number;
  private readonly data: Neighbors;
  readonly map: Neighbors;
  /** Of the points about one of them: in V, at its end among ties, or neither. */
  private readonly places: Uint8Array;

  constructor(points: MatrixLike, embedding: MatrixLike, options: MapQualityOptions | undefined) {
    const { neighbors, maxRows, seed } = mapQualityOptions.resolve("mapQuality", options);
    const data = inRange(toDense(points, "points"));
    const map = inRange(toDense(embedding, "embedding"));
    checkSameRows(data, map);
    const N = map.rows;
    this.k = Math.min(neighbors, Math.max(0, Math.ceil(N / 2) - 1));
    const sample =
      N > maxRows ? sampleWithoutReplacement(new RandomGenerator(seed), maxRows, N).sort() : undefined;
    this.compared = sample?.length ?? N;
    this.measured = { k: this.k, sampled: sample === undefined ? false : this.compared };
    this.data = new Neighbors(data, sample, this.k);
    this.map = new Neighbors(map, sample, this.k);
    this.places = new Uint8Array(N);
  }

  overlap(): number | undefined {
    return this.k === 0 ? undefined : mean(this.kept());
  }

  trustworthiness(): number | undefined {
    return this.k === 0 ? undefined : mean(this.trust());
  }

  kept(): Float64Array {
    const { k, compared } = this;
    if (k === 0) return new Float64Array(compared).fill(Number.NaN);
    return Float64Array.from({ length: compared }, (_, c) => {
      const V = this.data.of(c);
      return meanCommon(V, this.map.of(c), this.placesIn(V)) / k;
    });
  }

  trust(): Float64Array {
    const { k, compared, data } = this;
    if (k === 0) return new Float64Array(compared).fill(Number.NaN);
    const penalties = new Float64Array(compared);
    const queries: { readonly i: number; readonly others: Int32Array }[] = [];
    const owners: number[] = [];
    for (let c = 0; c < compared; c++) {
      const V = data.of(c);
      const W = this.map.of(c);
      if (W.tied.length > 0) {
        // The order decides about the map's neighbours, too: by all distances.
        const i = data.pointAt(c);
        penalties[c] = meanPenalty(data.distancesFrom(i), i, k, W, data.tieRuleOf(i));
        continue;
      }
      const places = this.placesIn(V);
      const m = V.tied.length;
      const beyond = m - V.open;
      for (const j of W.nearer)
        if (places[j] === AMONG_TIES) penalties[c] += (beyond * (beyond + 1)) / (2 * m);
      const others = W.nearer.filter((j) => places[j] === OUTSIDE);
      if (others.length === 0) continue;
      queries.push({ i: data.pointAt(c), others });
      for (let p = 0; p < others.length; p++) owners.push(c);
    }
    let next = 0;
    new DistanceRanks(data.points).forEach(queries, (nearer, tied) => {
      penalties[owners[next++]] += nearer + 0.5 * (tied + 1) - k;
    });
    const scale = 2 / (k * (2 * this.data.points.rows - 3 * k - 1));
    return penalties.map((penalty) => 1 - scale * penalty);
  }

  distortion(): Float64Array {
    const { k, compared, data } = this;
    if (k === 0) return new Float64Array(compared).fill(Number.NaN);
    return Float64Array.from({ length: compared }, (_, c) => {
      const i = data.pointAt(c);
      const { columns, data: coordinates } = data.points;
      const squared = (j: number) => squaredRowDistance(coordinates, i, coordinates, j, columns);
      return Math.sqrt(meanStretch(squared, () => data.distancesFrom(i), data.lastOf(c), this.map.of(c)));
    });
  }

  private placesIn(V: Nearest): Uint8Array {
    writePlaces(V, this.places);
    return this.places;
  }
}

class Neighbors {
  /** Row by row: the k + 1 nearest others. */
  private readonly indices: Int32Array;
  private readonly distances: Float64Array;
  private readonly toAll: Float64Array;

  /** @param sample - the compared points; undefined for all */
  constructor(
    readonly points: DenseMatrix,
    private readonly sample: Int32Array | undefined,
    private readonly k: number,
  ) {
    this.toAll = new Float64Array(points.rows);
    const { indices, distances } =
      k === 0
        ? { indices: new Int32Array(0), distances: new Float64Array(0) }
        : sample === undefined
          ? nearestNeighbors(points, k + 1)
          : othersOf(points, sample, k + 1);
    this.indices = indices;
    this.distances = distances;
  }

  /** The row of a compared point. */
  pointAt(c: number): number {
    return this.sample?.[c] ?? c;
  }

  of(c: number): Nearest {
    const { k, indices, distances } = this;
    const start = c * (k + 1);
    const i = this.pointAt(c);
    const last = distances[start + k - 1];
    const tieOf = this.tieRuleOf(i);
    if (distances[start + k] > last + tieOf(last))
      return { nearer: indices.subarray(start, start + k), tied: new Int32Array(0), open: 0 };
    return nearestUpTo(this.distancesFrom(i), i, k, last, tieOf);
  }

  /** The squared distance of the k-th nearest of a compared point. */
  lastOf(c: number): number {
    return this.distances[c * (this.k + 1) + this.k - 1];
  }

  tieRuleOf(i: number): TieRule {
    return tieRule(this.points.data, i, this.points.columns);
  }

  /** From row i to all rows; overwritten by the next call. */
  distancesFrom(i: number): Float64Array {
    const { rows, columns, data } = this.points;
    for (let j = 0; j < rows; j++) this.toAll[j] = squaredRowDistance(data, i, data, j, columns);
    return this.toAll;
  }
}

/** The nearest others of the sampled rows. */
function othersOf(
  points: DenseMatrix,
  sample: Int32Array,
  count: number,
): { readonly indices: Int32Array; readonly distances: Float64Array } {
  // A point may have duplicates before it, so that it is not among its own nearest.
  const found = nearestNeighborsOf(selectRows(points, sample), points, count + 1);
  const indices = new Int32Array(sample.length * count);
  const distances = new Float64Array(indices.length);
  for (const [c, i] of sample.entries()) {
    let at = c * count;
    for (let p = c * (count + 1); p < (c + 1) * (count + 1) && at < (c + 1) * count; p++) {
      if (found.indices[p] === i) continue;
      indices[at] = found.indices[p];
      distances[at++] = found.distances[p];
    }
  }
  return { indices, distances };
}

/** Of each point, the mean of its value and of the mean of its k nearest; ties share the last places. */
function meanWithNearest(values: Float64Array, near: Neighbors, k: number): Float64Array {
  if (k === 0) return values.slice();
  return values.map((own, i) => {
    const { nearer, tied, open } = near.of(i);
    let sum = 0;
    for (const j of nearer) sum += values[j];
    let ofTied = 0;
    for (const j of tied) ofTied += values[j];
    if (tied.length > 0) sum += (ofTied * open) / tied.length;
    return (own + sum / k) / 2;
  });
}

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function checkSameRows(data: DenseMatrix, map: DenseMatrix): void {
  if (data.rows === map.rows) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `The data has ${data.rows} points, the map ${map.rows}. Give both the same points in the same order.`,
    { path: "embedding", expected: `${data.rows} rows`, received: map.rows },
  );
}
