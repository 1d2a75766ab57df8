/**
 * Nearest neighbours over all pairs, for metrics that no Euclidean search serves, and for sparse rows, whose distances are those of
 * their inner products.
 *
 * Time O(N² D / 2) for dense rows, each pair serving both; for sparse ones O(Σ_j c_j² / 2 + N²/2), c_j the entries of column
 * j. Memory O(N k) beside the rows. Ties share the last places, as in the Euclidean search.
 */
import {
  badOption,
  type DenseMatrix,
  type SparseMatrix,
  toSparse,
  transposeSparse,
  zeros,
} from "@curvature/linalg";
import { checkedPoints } from "./check-points.js";
import { fairListsBy } from "./fair-ties.js";
import { checkMetric, isEuclidean, type Metric, rowDistance } from "./metric.js";
import { NeighborHeaps } from "./neighbor-heaps.js";
import type { FoundNeighbors, NeighborLists } from "./neighbor-lists.js";
import { checkCount } from "./neighbors.js";

/** Entries compared after which a search yields how far it is: some 10 ms. */
const TURN = 2 ** 23;
/** Rows of a block: two blocks of moderate rows stay in the cache. */
const BLOCK = 32;

/** (i, j, d²) for all pairs j < i, in steps. */
function* allPairs(
  Y: DenseMatrix,
  metric: Metric,
  take: (i: number, j: number, squared: number) => void,
): Generator<number, void, void> {
  checkMetric(metric, Y);
  const { rows: N, columns: D, data } = Y;
  const between = rowDistance(metric);
  let work = 0;
  for (let top = 0; top < N; top += BLOCK) {
    const bottom = Math.min(N, top + BLOCK);
    for (let left = 0; left <= top; left += BLOCK) {
      for (let i = top; i < bottom; i++)
        for (let j = left; j < Math.min(i, left + BLOCK); j++) {
          const distance = between(data, i, data, j, D);
          take(i, j, distance * distance);
        }
      work += BLOCK * BLOCK * (D + 8);
      if (work < TURN) continue;
      work = 0;
      yield (top / N) ** 2;
    }
  }
}

/**
 * The k nearest other rows of each by a metric that is not Euclidean, with squared distances as lists have them.
 *
 * @throws CurvatureError for a function that returns what is no distance, the pair named
 */
export function* metricSearch(
  points: DenseMatrix,
  k: number,
  metric: Metric,
): Generator<number, FoundNeighbors, void> {
  const Y = checkedPoints(points, "points");
  const { rows: N, columns: D, data } = Y;
  checkCount(k, N - 1);
  const heaps = new NeighborHeaps(N, Math.min(k + 1, N - 1));
  yield* allPairs(Y, metric, (i, j, squared) => {
    if (squared <= heaps.worst[i]) heaps.offer(i, j, squared);
    if (squared <= heaps.worst[j]) heaps.offer(j, i, squared);
  });
  const lists = heaps.sorted();
  if (lists.count === k) return exactly(lists);
  const between = rowDistance(metric);
  const steps = fairListsBy(lists, (n, m) => between(data, n, data, m, D) ** 2, D + 8);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return exactly(step.value);
    yield 1;
  }
}

/** The squared distances of all pairs: N × N. */
export function* metricSquares(points: DenseMatrix, metric: Metric): Generator<number, DenseMatrix, void> {
  const Y = checkedPoints(points, "points");
  const { rows: N } = Y;
  const out = zeros(N, N);
  yield* allPairs(Y, metric, (i, j, squared) => {
    out.data[i * N + j] = squared;
    out.data[j * N + i] = squared;
  });
  return out;
}

/** A square below this share of the two rows' mean square has lost digits as ‖x‖² + ‖y‖² − 2 ⟨x, y⟩, and differences are taken. */
const CLOSE = 1e-4;

/**
 * The k nearest others of each sparse row, as `preparedRows` makes them.
 *
 * @param metric - under correlation rows count less their mean; all but euclidean make rows of length 1
 * @throws CurvatureError ERR_OPTION for a metric that is not Euclidean after a transformation of rows
 */
export function* sparseSearch(
  given: SparseMatrix,
  k: number,
  metric: Metric,
): Generator<number, FoundNeighbors, void> {
  const rows = toSparse(given, "rows");
  const N = rows.rows;
  checkCount(k, N - 1);
  const heaps = new NeighborHeaps(N, Math.min(k + 1, N - 1));
  yield* sparsePairs(rows, metric, (i, j, squared) => {
    if (squared <= heaps.worst[i]) heaps.offer(i, j, squared);
    if (squared <= heaps.worst[j]) heaps.offer(j, i, squared);
  });
  const lists = heaps.sorted();
  if (lists.count === k) return exactly(lists);
  const { square } = new SparseDistances(rows, metric);
  const steps = fairListsBy(lists, square, rows.values.length / N + 8);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return exactly(step.value);
    yield 1;
  }
}

/** The squared distances of all pairs: N × N. */
export function* sparseSquares(given: SparseMatrix, metric: Metric): Generator<number, DenseMatrix, void> {
  const rows = toSparse(given, "rows");
  const N = rows.rows;
  const out = zeros(N, N);
  yield* sparsePairs(rows, metric, (i, j, squared) => {
    out.data[i * N + j] = squared;
    out.data[j * N + i] = squared;
  });
  return out;
}

function* sparsePairs(
  rows: SparseMatrix,
  metric: Metric,
  take: (i: number, j: number, squared: number) => void,
): Generator<number, void, void> {
  const { rows: N, columns: D, rowPointers, columnIndices, values } = rows;
  const distances = new SparseDistances(rows, metric);
  const inverted = transposeSparse(rows);
  /** Of the entries of each column, how many belong to rows before i. */
  const before = new Int32Array(D);
  const inner = new Float64Array(N);
  let work = 0;
  for (let i = 0; i < N; i++) {
    inner.fill(0, 0, i);
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) {
      const column = columnIndices[p];
      const x = values[p];
      const start = inverted.rowPointers[column];
      const end = start + before[column]++;
      for (let q = start; q < end; q++) inner[inverted.columnIndices[q]] += x * inverted.values[q];
      work += end - start;
    }
    for (let j = 0; j < i; j++) take(i, j, distances.squareOf(i, j, inner[j]));
    work += 2 * i;
    if (work < TURN) continue;
    work = 0;
    yield (i / N) ** 2;
  }
}

/** Squared distances of sparse rows, from their inner products where these have the digits. */
class SparseDistances {
  private readonly means: Float64Array;
  private readonly squares: Float64Array;

  constructor(
    private readonly rows: SparseMatrix,
    metric: Metric,
  ) {
    if (!isEuclidean(metric))
      throw badOption(
        "sparseSearch",
        "metric",
        "euclidean, cosine, correlation or hellinger for sparse rows",
        metric,
      );
    const { rows: N, columns: D, rowPointers, values } = rows;
    this.means = new Float64Array(N);
    this.squares = new Float64Array(N).fill(metric === "euclidean" ? 0 : 1);
    for (let i = 0; i < N; i++)
      for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) {
        if (metric === "correlation") this.means[i] += values[p] / D;
        if (metric === "euclidean") this.squares[i] += values[p] * values[p];
      }
  }

  squareOf(i: number, j: number, inner: number): number {
    const { means, squares, rows } = this;
    const both = squares[i] + squares[j];
    const squared = both - 2 * (inner - rows.columns * means[i] * means[j]);
    return squared < 0.5 * CLOSE * both ? this.walk(i, j, means[i] - means[j]).square : squared;
  }

  /** In the sums' order of `squareOf` in a search: the same bits. */
  readonly square = (i: number, j: number): number =>
    this.squareOf(Math.max(i, j), Math.min(i, j), this.walk(i, j, 0).inner);

  /** ⟨x, y⟩, and Σ (x − y − shift)² over all columns. */
  private walk(i: number, j: number, shift: number): { readonly inner: number; readonly square: number } {
    const { columns: D, rowPointers, columnIndices, values } = this.rows;
    let [p, q] = [rowPointers[i], rowPointers[j]];
    const [pEnd, qEnd] = [rowPointers[i + 1], rowPointers[j + 1]];
    let [inner, square, stored] = [0, 0, 0];
    while (p < pEnd || q < qEnd) {
      const a = p < pEnd ? columnIndices[p] : D;
      const b = q < qEnd ? columnIndices[q] : D;
      const x = a <= b ? values[p++] : 0;
      const y = b <= a ? values[q++] : 0;
      inner += x * y;
      square += (x - y - shift) ** 2;
      stored += 1;
    }
    return { inner, square: square + (D - stored) * shift * shift };
  }
}

const exactly = (lists: NeighborLists): FoundNeighbors => ({
  ...lists,
  search: "exact",
  recall: 1,
  abandonedRecall: undefined,
});
