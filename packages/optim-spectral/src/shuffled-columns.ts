/**
 * Whether data have structure beyond what each of their columns has by itself: groups and curves in a map mean something only
 * if they have.
 *
 *   T = mean over i of log(d_k(i)² + s²)      d_k: distance to the k-th nearest neighbour
 *   T = mean over pairs of log(d_ij² + s²)    where fewer different rows are possible than there are rows, so that d_k is 0 in
 *                                             data and copies alike
 *
 * is compared with that of copies in which every column is shuffled by itself. Columns that depend on each other bring
 * neighbours nearer than columns that do not. Where they are independent all copies are as likely as the data, so that T is
 * the least of B + 1 with probability 1 / (B + 1): `isBeyond` is wrong in at most 2.5 of 100 such tables with 39 copies. (A
 * permutation test, exact for any distribution of the columns and any statistic.) s² is 1e-6 of the total variance, which
 * shuffling leaves alone; it bounds what identical rows add.
 *
 * A test of the columns together: two groups along one column alone are not seen, since the shuffled copy has them as well.
 *
 * Davison, Hinkley: Bootstrap Methods and their Application (1997), section 4.3.
 */
import {
  type DenseMatrix,
  exp,
  integerFrom,
  log,
  type MatrixLike,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  sampleWithoutReplacement,
  selectRows,
  shuffle,
  toDense,
} from "@curvature/linalg";
import { nearestNeighbors, squaredRowDistance } from "@curvature/objectives/embedding";
import { inRange } from "./columns.js";

export const shuffledColumnsOptions = optionTable({
  /** B, the shuffled copies. */
  copies: integerFrom(1, 10_000).default(39),
  /** k */
  neighbors: integerFrom(1).default(5),
  /** Of more rows than this a random sample is taken. */
  maxRows: integerFrom(8).default(1000),
  /** Of the sample and the copies. */
  seed: integerFrom(0).default(0),
});
export type ShuffledColumnsOptions = OptionsOf<typeof shuffledColumnsOptions>;

export interface ShuffledColumns {
  /** Whether neighbours are nearer in the data than in every copy; undefined for one column or fewer than 8 rows. */
  readonly isBeyond: boolean | undefined;
  /** The share of data and copies whose T is at most that of the data: the p-value. */
  readonly p: number | undefined;
  /** The ratio of the geometric mean distances (to the k-th neighbour, or of pairs), data to the mean copy. */
  readonly ratio: number | undefined;
}

/**
 * @param points - N × D, as they are mapped (scaled, but before a projection to components, which makes columns of its own)
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION
 * @example
 * import { shuffledColumns } from "@curvature/optim-spectral";
 *
 * const circle = Array.from({ length: 100 }, (_, k) => [Math.cos(k), Math.sin(k)]);
 * console.log(shuffledColumns(circle).isBeyond); // true: the columns depend on each other
 */
export function shuffledColumns(points: MatrixLike, options?: ShuffledColumnsOptions): ShuffledColumns {
  const settings = shuffledColumnsOptions.resolve("shuffledColumns", options);
  const random = new RandomGenerator(settings.seed);
  const all = inRange(toDense(points, "points"));
  const data =
    all.rows > settings.maxRows
      ? selectRows(all, sampleWithoutReplacement(random, settings.maxRows, all.rows))
      : all;
  const k = Math.min(settings.neighbors, data.rows - 1);
  if (data.rows < 8 || data.columns < 2) return { isBeyond: undefined, p: undefined, ratio: undefined };
  const softening = 1e-6 * totalVariance(data);
  const isCoarse = possibleRows(data) < data.rows;
  const statistic = (points: DenseMatrix) =>
    isCoarse ? meanLogOfPairs(points, softening) : meanLog(points, k, softening);
  const own = statistic(data);
  let atMost = 1;
  let sum = 0;
  for (let b = 0; b < settings.copies; b++) {
    const other = statistic(shuffledCopy(data, random));
    if (other <= own) atMost++;
    sum += other;
  }
  return {
    isBeyond: atMost === 1,
    p: atMost / (settings.copies + 1),
    ratio: exp(0.5 * (own - sum / settings.copies)),
  };
}

function shuffledCopy({ rows, columns, data }: DenseMatrix, random: RandomGenerator): DenseMatrix {
  const copy = new Float64Array(data.length);
  const column = new Float64Array(rows);
  for (let c = 0; c < columns; c++) {
    for (let i = 0; i < rows; i++) column[i] = data[i * columns + c];
    shuffle(random, column);
    for (let i = 0; i < rows; i++) copy[i * columns + c] = column[i];
  }
  return { rows, columns, data: copy };
}

function meanLog(points: DenseMatrix, k: number, softening: number): number {
  const { distances } = nearestNeighbors(points, k);
  let sum = 0;
  for (let i = 0; i < points.rows; i++) sum += log(distances[i * k + k - 1] + softening);
  return sum / points.rows;
}

/** The product of the columns' numbers of different values, which shuffling leaves alone. */
function possibleRows({ rows, columns, data }: DenseMatrix): number {
  let product = 1;
  for (let c = 0; c < columns && product < rows; c++) {
    const values = new Set<number>();
    for (let i = 0; i < rows; i++) values.add(data[i * columns + c]);
    product *= values.size;
  }
  return product;
}

function meanLogOfPairs({ rows, columns, data }: DenseMatrix, softening: number): number {
  let sum = 0;
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < i; j++) sum += log(squaredRowDistance(data, i, data, j, columns) + softening);
  return (2 * sum) / (rows * (rows - 1));
}

function totalVariance({ rows, columns, data }: DenseMatrix): number {
  let total = 0;
  for (let c = 0; c < columns; c++) {
    let mean = 0;
    for (let i = 0; i < rows; i++) mean += data[i * columns + c] / rows;
    for (let i = 0; i < rows; i++) total += (data[i * columns + c] - mean) ** 2 / rows;
  }
  return total;
}
