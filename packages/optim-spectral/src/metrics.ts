/**
 * How well a map keeps the neighbourhoods of the data.
 *
 *   knnPreservation   1/(n k) Σ_i Σ_j min(v_j(i), w_j(i))
 *   trustworthiness   1 − 2/(n k (2N − 3k − 1)) Σ_i Σ_j max(0, w_j(i) − v_j(i)) (r(i, j) − k)
 *
 * | symbol  | meaning                                                                    |
 * |---------|----------------------------------------------------------------------------|
 * | v_j(i)  | j's share in the k nearest other points of i in the data: 1 or 0, but      |
 * |         | points that tie for the last places have equal shares in them              |
 * | w_j(i)  | the same in the map                                                        |
 * | r(i, j) | the rank of j among the others by distance from i in the data, from 1; of  |
 * |         | points that tie, the mean of those of their ranks that are above k         |
 * | n       | points that are compared: all N, or a random sample of `maxRows`           |
 *
 * Where only one of the two has ties, these are the means over all orders of them; where both have, the overlap is the largest
 * that an order can bring, so that a lattice that was turned is kept. Distances tie that differ by less than 1e-9 of
 * themselves, which is more than a map's rounding. Without ties the formulas are the usual ones.
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

export const mapQualityOptions = optionTable({
  /** k */
  neighbors: integerFrom(1).default(10),
  /** With more points than this, only a random sample of so many is compared (with all N). */
  maxRows: integerFrom(1).default(5000),
  /** Of the sample. */
  seed: integerFrom(0).default(0),
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
 * @param points - the data, N × D
 * @param embedding - the map, N × d
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION
 */
export function mapQuality(
  points: MatrixLike,
  embedding: MatrixLike,
  options?: MapQualityOptions,
): MapQuality {
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

/** Squared distances tie that differ by less than this share of themselves. */
const TIE = 2e-9;

/** The neighbours of the compared points in data and map. */
class Neighborhoods {
  readonly measured: Measured;
  private readonly data: DenseMatrix;
  private readonly map: DenseMatrix;
  private readonly k: number;
  /** The compared points. */
  private readonly compared: Int32Array;
  /** To the k-th nearest other of each, squared. */
  private readonly dataLimits: Float64Array;
  private readonly mapLimits: Float64Array;
  private sums: { readonly missing: number; readonly penalty: number } | undefined;

  constructor(points: MatrixLike, embedding: MatrixLike, options: MapQualityOptions | undefined) {
    const { neighbors, maxRows, seed } = mapQualityOptions.resolve("mapQuality", options);
    this.data = toDense(points, "points");
    this.map = toDense(embedding, "embedding");
    checkSameRows(this.data, this.map);
    const N = this.map.rows;
    this.k = Math.min(neighbors, Math.max(0, Math.ceil(N / 2) - 1));
    const sample =
      N > maxRows ? sampleWithoutReplacement(new RandomGenerator(seed), maxRows, N).sort() : undefined;
    this.compared = sample ?? Int32Array.from({ length: N }, (_, i) => i);
    this.measured = { k: this.k, sampled: sample === undefined ? false : sample.length };
    this.dataLimits = limitsOf(this.data, sample, this.k);
    this.mapLimits = limitsOf(this.map, sample, this.k);
  }

  overlap(): number | undefined {
    return this.k === 0 ? undefined : 1 - this.total().missing / (this.compared.length * this.k);
  }

  trust(): number | undefined {
    const { k, compared, data } = this;
    if (k === 0) return undefined;
    return 1 - (2 * this.total().penalty) / (compared.length * k * (2 * data.rows - 3 * k - 1));
  }

  private total(): { readonly missing: number; readonly penalty: number } {
    if (this.sums !== undefined) return this.sums;
    const { compared, k } = this;
    let missing = 0;
    let penalty = 0;
    const doubtful = Array.from(compared, (i, c) => {
      const { others, shares } = sharesOf(this.map, i, this.mapLimits[c], k);
      const within = this.dataLimits[c] * (1 - TIE);
      const { data, columns } = this.data;
      const isInside = Array.from(others, (j) => squaredRowDistance(data, i, data, j, columns) < within);
      const rest = (_: number, at: number): boolean => !isInside[at];
      return { i, others: others.filter(rest), shares: shares.filter(rest) };
    }).filter(({ others }) => others.length > 0);
    new DistanceRanks(this.data).forEach(doubtful, ({ shares }, at, { nearer, tied }) => {
      const inMap = shares[at];
      const inData = Math.min(1, Math.max(0, (k - nearer) / tied));
      if (inMap <= inData) return;
      missing += inMap - inData;
      const first = Math.max(nearer + 1, k + 1);
      penalty += (inMap - inData) * (0.5 * (first + nearer + tied) - k);
    });
    this.sums = { missing, penalty };
    return this.sums;
  }
}

/** Of the sampled rows, or of all: the squared distance to the k-th nearest other. */
function limitsOf(matrix: DenseMatrix, sample: Int32Array | undefined, k: number): Float64Array {
  if (k === 0) return new Float64Array(0);
  // Among the k + 1 nearest of all is the point itself, or else as many others at distance 0.
  const places = sample === undefined ? k : k + 1;
  const { distances } =
    sample === undefined
      ? nearestNeighbors(matrix, k)
      : nearestNeighborsOf(selectRows(matrix, sample), matrix, places);
  return Float64Array.from({ length: distances.length / places }, (_, i) => distances[(i + 1) * places - 1]);
}

/** Who has a share in the k nearest others of i, and which. */
function sharesOf(
  { rows, columns, data }: DenseMatrix,
  i: number,
  limit: number,
  k: number,
): { readonly others: Int32Array; readonly shares: Float64Array } {
  const [inside, tied]: [number[], number[]] = [[], []];
  for (let j = 0; j < rows; j++) {
    const distance = squaredRowDistance(data, i, data, j, columns);
    if (distance > limit * (1 + TIE) || j === i) continue;
    (distance < limit * (1 - TIE) ? inside : tied).push(j);
  }
  const share = (k - inside.length) / tied.length;
  const others = Int32Array.from([...inside, ...tied]);
  return { others, shares: Float64Array.from(others, (_, at) => (at < inside.length ? 1 : share)) };
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

/** How many other points are nearer to i than j is, and how many are as near, j included. */
export interface Rank {
  readonly nearer: number;
  readonly tied: number;
}

/**
 * Ranks of points by their distance from others: how many m ≠ i are nearer to i than j is, and how many tie with j.
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
   * Calls `found` with the rank of every j of every i, in order.
   *
   * @param queries - points i; each with its j ≠ i
   */
  forEach<Q extends { readonly i: number; readonly others: Int32Array }>(
    queries: readonly Q[],
    found: (query: Q, at: number, rank: Rank) => void,
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
      block.forEach((query, row) => {
        for (const [at, j] of query.others.entries()) found(query, at, this.rank(query.i, j, row * N));
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

  private rank(i: number, j: number, start: number): Rank {
    const { products, points, halves, largestNorm } = this;
    const { columns: D, rows: N, data } = points;
    const norm = -2 * halves[i];
    const limit = squaredRowDistance(data, i, data, j, D);
    const threshold = 0.5 * (norm - limit);
    const tolerance =
      4 * (D + 4) * (Number.EPSILON * (norm + largestNorm) + Number.MIN_VALUE) + 0.5 * TIE * limit;
    const high = threshold + tolerance;
    const low = threshold - tolerance;
    // Added as numbers: which way a comparison falls cannot be predicted by a branch.
    let before = 0;
    let perhaps = 0;
    for (let p = start; p < start + N; p++) {
      before += Number(products[p] > high);
      perhaps += Number(products[p] >= low);
    }
    const nearer = before - Number(products[start + i] > high);
    if (perhaps - before <= 1) return { nearer, tied: 1 };
    const close = this.close(i, limit, start, low, high);
    return { nearer: nearer + close.nearer, tied: close.tied };
  }

  /** Of the points other than i whose products are from `low` to `high`. */
  private close(i: number, limit: number, start: number, low: number, high: number): Rank {
    const { distances, products, points } = this;
    const { columns: D, rows: N, data } = points;
    if (this.measured !== i) distances.fill(Number.NaN);
    this.measured = i;
    let [nearer, tied] = [0, 0];
    for (let m = 0; m < N; m++) {
      if (products[start + m] < low || products[start + m] > high || m === i) continue;
      if (Number.isNaN(distances[m])) distances[m] = squaredRowDistance(data, i, data, m, D);
      if (distances[m] < limit * (1 - TIE)) nearer++;
      else if (distances[m] <= limit * (1 + TIE)) tied++;
    }
    return { nearer, tied };
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
