/**
 * How well a map keeps the neighbourhoods of the data.
 *
 *   knnPreservation   1/(n k) Σ_i |V_k(i) ∩ W_k(i)|
 *   trustworthiness   1 − 2/(n k (2N − 3k − 1)) Σ_i Σ_{j ∈ W_k(i) \ V_k(i)} (r(i, j) − k)
 *
 * | symbol  | meaning                                                                    |
 * |---------|----------------------------------------------------------------------------|
 * | V_k(i)  | the k nearest other points of i in the data; ties go to the lower index    |
 * | W_k(i)  | the same in the map                                                        |
 * | r(i, j) | the rank of j among the others by distance from i in the data, from 1      |
 * | n       | points that are compared: all N, or a random sample of `maxRows`           |
 *
 * Both are 1 for a map that keeps all neighbourhoods. A random map has about k/(N − 1) and 1/2. k shrinks to the
 * largest number below N/2 (the formula's range); with fewer than 3 points there is none and the value is undefined.
 * Time O(n N (D + d)), memory O(N D + n k).
 *
 * Venna, Kaski: Local multidimensional scaling. Neural Networks 19 (2006) 889-899, eq. for M_trustworthiness.
 */
import {
  CurvatureError,
  type DenseMatrix,
  gemm,
  integerFrom,
  isSparse,
  type MatrixLike,
  type OptionsOf,
  optionTable,
  ProductWorkspace,
  RandomGenerator,
  sampleWithoutReplacement,
  selectRows,
  toDense,
} from "@curvature/linalg";
import { nearestNeighbors, nearestNeighborsOf, squaredRowDistance } from "@curvature/objectives/embedding";
import { embedOptions } from "./embed-options.js";
import { givenQuality } from "./given-quality.js";
import { type EmbedInput, isGiven } from "./source.js";

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
    return givenQuality(points, toDense(embedding, "embedding"), settings);
  const both = new Neighborhoods(points, embedding, options);
  return { ...both.measured, knnPreservation: both.overlap(), trustworthiness: both.trust() };
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
  return { ...both.measured, value: both.trust() };
}

/** The neighbours of the compared points in data and map. */
class Neighborhoods {
  readonly measured: Measured;
  private readonly data: DenseMatrix;
  private readonly k: number;
  /** The compared points; undefined for all. */
  private readonly sample: Int32Array | undefined;
  private readonly compared: number;
  /** V: row i's at i·k. */
  private readonly inData: Int32Array;
  /** W */
  private readonly inMap: Int32Array;

  constructor(points: MatrixLike, embedding: MatrixLike, options: MapQualityOptions | undefined) {
    const { neighbors, maxRows, seed } = mapQualityOptions.resolve("mapQuality", options);
    this.data = toDense(points, "points");
    const map = toDense(embedding, "embedding");
    checkSameRows(this.data, map);
    const N = map.rows;
    this.k = Math.min(neighbors, Math.max(0, Math.ceil(N / 2) - 1));
    this.sample =
      N > maxRows ? sampleWithoutReplacement(new RandomGenerator(seed), maxRows, N).sort() : undefined;
    this.compared = this.sample?.length ?? N;
    this.measured = { k: this.k, sampled: this.sample === undefined ? false : this.compared };
    this.inData = neighborsOf(this.data, this.sample, this.k);
    this.inMap = neighborsOf(map, this.sample, this.k);
  }

  overlap(): number | undefined {
    if (this.k === 0) return undefined;
    let missing = 0;
    for (let i = 0; i < this.compared; i++) missing += this.intruders(i).length;
    return 1 - missing / (this.compared * this.k);
  }

  trust(): number | undefined {
    if (this.k === 0) return undefined;
    const { k, compared: n, data, sample } = this;
    const queries = Array.from({ length: n }, (_, c) => ({ i: sample?.[c] ?? c, others: this.intruders(c) }));
    let penalty = 0;
    new DistanceRanks(data).forEach(
      queries.filter(({ others }) => others.length > 0),
      (rank) => {
        penalty += rank - k;
      },
    );
    return 1 - (2 * penalty) / (n * k * (2 * data.rows - 3 * k - 1));
  }

  /** W_k(i) \ V_k(i) */
  private intruders(i: number): Int32Array {
    const { inData, inMap, k } = this;
    const near = inData.subarray(i * k, (i + 1) * k);
    return inMap.subarray(i * k, (i + 1) * k).filter((j) => !near.includes(j));
  }
}

/** The k nearest others of the sampled rows, or of all. */
function neighborsOf(matrix: DenseMatrix, sample: Int32Array | undefined, k: number): Int32Array {
  if (k === 0) return new Int32Array(0);
  if (sample === undefined) return nearestNeighbors(matrix, k).indices;
  // A point may have k + 1 duplicates before it, so that it is not among its own nearest.
  const { indices } = nearestNeighborsOf(selectRows(matrix, sample), matrix, k + 1);
  const others = new Int32Array(sample.length * k);
  for (let i = 0; i < sample.length; i++) {
    const nearest = indices.subarray(i * (k + 1), (i + 1) * (k + 1)).filter((j) => j !== sample[i]);
    others.set(nearest.subarray(0, k), i * k);
  }
  return others;
}

function checkSameRows(data: DenseMatrix, map: DenseMatrix): void {
  if (data.rows === map.rows) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `The data has ${data.rows} points, the map ${map.rows}. Give both the same points in the same order.`,
    { path: "embedding", expected: `${data.rows} rows`, received: map.rows },
  );
}

/** Numbers in the products of a block of points. */
const PRODUCTS = 2 ** 21;
const MAX_ROWS = 64;

/**
 * Ranks of points by their distance from others: r(i, j) = 1 + the number of m ≠ i that come before j, where m comes
 * before j if ‖x_i − x_m‖² < ‖x_i − x_j‖², or if they are equal and m < j.
 *
 * With c = x − x̄ and T = (‖c_i‖² − ‖x_i − x_j‖²)/2,
 *
 *   ‖x_i − x_m‖² < ‖x_i − x_j‖²   ⇔   ⟨c_i, c_m⟩ − ‖c_m‖²/2 > T,
 *
 * whose left sides are a matrix product for many i at a time. It rounds, by less than
 *
 *   τ_i = 4 (D + 4) (ε (‖c_i‖² + max_m ‖c_m‖²) + η),   ε = 2⁻⁵², η = 2⁻¹⁰⁷⁴ for what underflows,
 *
 * errors of direct differences on both sides included (Higham, Accuracy and Stability of Numerical Algorithms, 2002,
 * section 3.1). Points further than τ_i from T are counted by their products; the distances of those within it, ties most
 * of all, are computed by direct differences, so that ranks are those of the definition always.
 */
export class DistanceRanks {
  /** N × D */
  private readonly points: DenseMatrix;
  private readonly centred: Float64Array;
  /** −‖c_m‖²/2 */
  private readonly halves: Float64Array;
  private readonly largestNorm: number;
  private readonly blockRows: number;
  /** Row by row of a block: ⟨c_i, c_m⟩ − ‖c_m‖²/2. */
  private readonly products: Float64Array;
  private readonly workspace = new ProductWorkspace();
  /** ‖x_i − x_m‖² of the point `measured` for every m where it was asked for, NaN elsewhere. */
  private readonly distances: Float64Array;
  private measured = -1;

  constructor(points: DenseMatrix) {
    const { rows, columns } = points;
    this.points = points;
    this.centred = centredRows(points);
    this.halves = new Float64Array(rows);
    let largest = 0;
    for (let m = 0; m < rows; m++) {
      let norm = 0;
      for (let p = m * columns; p < (m + 1) * columns; p++) norm += this.centred[p] * this.centred[p];
      this.halves[m] = -0.5 * norm;
      if (norm > largest) largest = norm;
    }
    this.largestNorm = largest;
    this.blockRows = Math.max(1, Math.min(MAX_ROWS, Math.floor(PRODUCTS / Math.max(1, rows))));
    this.products = new Float64Array(this.blockRows * rows);
    this.distances = new Float64Array(rows);
  }

  /**
   * Calls `found` with r(i, j) for all j of every i, in order.
   *
   * @param queries - points i; each with its j ≠ i
   */
  forEach(
    queries: readonly { readonly i: number; readonly others: Int32Array }[],
    found: (rank: number) => void,
  ): void {
    const { columns: D, rows: N } = this.points;
    const own = new Float64Array(this.blockRows * D);
    for (let start = 0; start < queries.length; start += this.blockRows) {
      const block = queries.slice(start, start + this.blockRows);
      block.forEach(({ i }, row) => {
        own.set(this.centred.subarray(i * D, (i + 1) * D), row * D);
        this.products.set(this.halves, row * N);
      });
      this.multiply(own, block.length);
      block.forEach(({ i, others }, row) => {
        for (const j of others) found(this.rank(i, j, row * N));
      });
    }
  }

  private multiply(own: Float64Array, count: number): void {
    const { columns: D, rows: N } = this.points;
    const A = { data: own, offset: 0, rowStride: D, columnStride: 1 };
    const transposed = { data: this.centred, offset: 0, rowStride: 1, columnStride: D };
    const C = { data: this.products, offset: 0, rowStride: N, columnStride: 1 };
    gemm(1, count, N, D, A, transposed, C, false, this.workspace);
  }

  private rank(i: number, j: number, start: number): number {
    const { products, points, halves, largestNorm } = this;
    const { columns: D, rows: N, data } = points;
    const norm = -2 * halves[i];
    const limit = squaredRowDistance(data, i, data, j, D);
    const threshold = 0.5 * (norm - limit);
    const tolerance = 4 * (D + 4) * (Number.EPSILON * (norm + largestNorm) + Number.MIN_VALUE);
    const high = threshold + tolerance;
    const low = threshold - tolerance;
    // Added as numbers: which way a comparison falls cannot be predicted by a branch.
    let before = 0;
    let perhaps = 0;
    for (let p = start; p < start + N; p++) {
      before += Number(products[p] > high);
      perhaps += Number(products[p] >= low);
    }
    const close = perhaps - before > 1 ? this.closeBefore(i, j, limit, start, low, high) : 0;
    return before - Number(products[start + i] > high) + close + 1;
  }

  /** How many points other than i come before j of those whose products are from `low` to `high`. */
  private closeBefore(i: number, j: number, limit: number, start: number, low: number, high: number): number {
    const { distances, products, points } = this;
    const { columns: D, rows: N, data } = points;
    if (this.measured !== i) distances.fill(Number.NaN);
    this.measured = i;
    let before = 0;
    for (let m = 0; m < N; m++) {
      if (products[start + m] < low || products[start + m] > high || m === i) continue;
      if (Number.isNaN(distances[m])) distances[m] = squaredRowDistance(data, i, data, m, D);
      if (distances[m] < limit || (distances[m] === limit && m < j)) before++;
    }
    return before;
  }
}

/** x − x̄, each rounded once. */
function centredRows({ rows, columns, data }: DenseMatrix): Float64Array {
  const mean = new Float64Array(columns);
  for (let m = 0; m < rows; m++) for (let c = 0; c < columns; c++) mean[c] += data[m * columns + c] / rows;
  const out = new Float64Array(data.length);
  for (let m = 0; m < rows; m++)
    for (let c = 0; c < columns; c++) out[m * columns + c] = data[m * columns + c] - mean[c];
  return out;
}
