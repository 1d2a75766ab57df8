/**
 * Exact nearest neighbours by blocked all-pairs search.
 *
 * Every pair passes a cheap test first: with Y centred,
 *
 *   ‖a‖²(1 − τ) + ‖b‖²(1 − τ) − 2⟨a, b⟩ ≤ worst distance kept so far,     τ > rounding error of the left side,
 *
 * where the inner products are those of whole blocks. Only pairs that pass are measured by direct differences
 * and, if nearer, enter the row's heap. So the result is that of direct differences, ties broken by the lower index.
 *
 * Time O(N² D / 2) for the points among themselves (each pair serves both), memory O(N (D + k)).
 */
import { CurvatureError, type DenseMatrix, type MatrixLike, multiplyTranspose } from "@curvature/linalg";
import { checkedPoints, columnMeans, squaredRowDistance } from "./distances.js";

/** Rows of a block: the products of two blocks stay in the cache. */
const BLOCK = 256;

export interface NeighborLists {
  /** Neighbours per row, k. */
  readonly count: number;
  /** Row n's neighbours, nearest first, at n·k … n·k + k − 1. */
  readonly indices: Int32Array;
  /** Their squared distances, at the same places. */
  readonly distances: Float64Array;
}

/**
 * The k nearest other points of each point. A point is never its own neighbour; its duplicates are, at distance 0.
 *
 * @param points - N × D
 * @param k - from 1 to N − 1
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT
 */
export function nearestNeighbors(points: MatrixLike, k: number): NeighborLists {
  const Y = checkedPoints(points, "points");
  checkCount(k, Y.rows - 1);
  const lists = new Heaps(Y.rows, k);
  searchAmong(new Operand(Y, columnMeans(Y)), lists);
  return lists.sorted();
}

/**
 * The k nearest of `points` to each row of `queries`.
 *
 * @param queries - M × D
 * @param points - N × D
 * @param k - from 1 to N
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT
 */
export function nearestNeighborsOf(queries: MatrixLike, points: MatrixLike, k: number): NeighborLists {
  const Q = checkedPoints(queries, "queries");
  const Y = checkedPoints(points, "points");
  checkSameColumns(Q, Y);
  checkCount(k, Y.rows);
  const centre = columnMeans(Y);
  const lists = new Heaps(Q.rows, k);
  searchBetween(new Operand(Q, centre), new Operand(Y, centre), lists);
  return lists.sorted();
}

/** @throws CurvatureError ERR_SHAPE unless both have the same columns */
export function checkSameColumns(queries: DenseMatrix, points: DenseMatrix): void {
  if (queries.columns === points.columns) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `The new points have ${queries.columns} columns, the known points ${points.columns}. Give both the same columns.`,
    { path: "queries", expected: `${points.columns} columns`, received: queries.columns },
  );
}

function checkCount(k: number, most: number): void {
  if (Number.isSafeInteger(k) && k >= 1 && k <= most) return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `The number of neighbours must be a whole number from 1 to ${most}; received ${k}.`,
    { path: "k", expected: `a whole number from 1 to ${most}`, received: k },
  );
}

/**
 * Lists of N points' neighbours, as the first search above makes them.
 *
 * @throws CurvatureError ERR_SHAPE unless the arrays hold `count` ≥ 1 entries a row; ERR_ARGUMENT for an index that is
 *   no other point, or twice in its row
 */
export function checkLists({ count: k, indices, distances }: NeighborLists): void {
  const N = indices.length / k;
  if (!(k >= 1 && Number.isInteger(k) && Number.isInteger(N) && distances.length === indices.length)) {
    const sizes = `count ${k}, ${indices.length} indices and ${distances.length} distances`;
    throw new CurvatureError("ERR_SHAPE", `Neighbour lists need count entries a row; received ${sizes}.`, {
      path: "lists",
      expected: "count >= 1, and as many indices as distances: count for each point",
      received: [k, indices.length, distances.length],
    });
  }
  const listedBy = new Int32Array(N).fill(-1);
  for (let p = 0; p < indices.length; p++) {
    const [n, m] = [Math.floor(p / k), indices[p]];
    if (m === n || listedBy[m] === undefined || listedBy[m] === n) {
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `Row ${n} of the neighbour lists has ${m}: it must name other points from 0 to ${N - 1}, each once.`,
        { path: `row ${n}`, expected: `other points from 0 to ${N - 1}, each once`, received: m },
      );
    }
    listedBy[m] = n;
  }
}

/** One side of the search: the points, their centred copy, and ‖y‖²(1 − τ). */
class Operand {
  readonly rows: number;
  readonly columns: number;
  readonly exact: Float64Array;
  readonly norms: Float64Array;
  private readonly centred: Float64Array;

  constructor({ rows, columns, data }: DenseMatrix, centre: Float64Array) {
    this.rows = rows;
    this.columns = columns;
    this.exact = data;
    this.centred = new Float64Array(rows * columns);
    this.norms = new Float64Array(rows);
    const shrink = 1 - 4 * (columns + 16) * Number.EPSILON;
    const underflow = 4 * (columns + 16) * Number.MIN_VALUE; // of products too small for a relative error
    for (let i = 0, p = 0; i < rows; i++) {
      let sum = 0;
      for (let j = 0; j < columns; j++, p++) {
        const y = data[p] - centre[j];
        this.centred[p] = y;
        sum += y * y;
      }
      this.norms[i] = sum * shrink - underflow;
    }
  }

  /** The centred rows from `start` on, at most BLOCK of them. */
  block(start: number): DenseMatrix {
    const { columns, centred } = this;
    const rows = Math.min(BLOCK, this.rows - start);
    return { rows, columns, data: centred.subarray(start * columns, (start + rows) * columns) };
  }
}

/** The k best of each row as a max-heap by (distance, index), full from the start with entries at infinity. */
class Heaps {
  readonly distances: Float64Array;
  readonly indices: Int32Array;
  /** The worst distance that each row keeps. */
  readonly worst: Float64Array;

  constructor(
    readonly rows: number,
    readonly k: number,
  ) {
    this.distances = new Float64Array(rows * k).fill(Number.POSITIVE_INFINITY);
    this.indices = new Int32Array(rows * k).fill(0x7fffffff);
    this.worst = new Float64Array(rows).fill(Number.POSITIVE_INFINITY);
  }

  offer(row: number, index: number, distance: number): void {
    const root = row * this.k;
    const worst = this.distances[root];
    if (distance > worst || (distance === worst && index > this.indices[root])) return;
    this.siftDown(root, this.k, distance, index);
    this.worst[row] = this.distances[root];
  }

  /** Puts an entry into the hole at the root of the heap of `size` entries that starts at `root`. */
  private siftDown(root: number, size: number, distance: number, index: number): void {
    const { distances, indices } = this;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= size) break;
      if (child + 1 < size && this.isWorse(root + child + 1, distances[root + child], indices[root + child]))
        child += 1;
      if (!this.isWorse(root + child, distance, index)) break;
      distances[root + hole] = distances[root + child];
      indices[root + hole] = indices[root + child];
      hole = child;
    }
    distances[root + hole] = distance;
    indices[root + hole] = index;
  }

  private isWorse(at: number, distance: number, index: number): boolean {
    const d = this.distances[at];
    return d > distance || (d === distance && this.indices[at] > index);
  }

  /** Ends the search: heapsort of every row. */
  sorted(): NeighborLists {
    const { distances, indices, k } = this;
    for (let row = 0; row < this.rows; row++) {
      const root = row * k;
      for (let size = k - 1; size > 0; size--) {
        const distance = distances[root + size];
        const index = indices[root + size];
        distances[root + size] = distances[root];
        indices[root + size] = indices[root];
        this.siftDown(root, size, distance, index);
      }
    }
    return { count: k, indices, distances };
  }
}

/** Offers every pair of different points to both of its rows. */
function searchAmong(Y: Operand, heaps: Heaps): void {
  const { norms, exact, rows: N, columns: D } = Y;
  const { worst } = heaps;
  for (let i0 = 0; i0 < N; i0 += BLOCK) {
    for (let j0 = i0; j0 < N; j0 += BLOCK) {
      const { rows, columns, data: products } = multiplyTranspose(Y.block(i0), Y.block(j0));
      for (let a = i0; a < i0 + rows; a++) {
        const row = (a - i0) * columns - j0;
        for (let b = Math.max(j0, a + 1); b < j0 + columns; b++) {
          const least = norms[a] + norms[b] - 2 * products[row + b];
          if (least > worst[a] && least > worst[b]) continue;
          const distance = squaredRowDistance(exact, a, exact, b, D);
          heaps.offer(a, b, distance);
          heaps.offer(b, a, distance);
        }
      }
    }
  }
}

/** Offers every point of Y to every row of Q. */
function searchBetween(Q: Operand, Y: Operand, heaps: Heaps): void {
  const { worst } = heaps;
  for (let i0 = 0; i0 < Q.rows; i0 += BLOCK) {
    for (let j0 = 0; j0 < Y.rows; j0 += BLOCK) {
      const { rows, columns, data: products } = multiplyTranspose(Q.block(i0), Y.block(j0));
      for (let a = i0; a < i0 + rows; a++) {
        const row = (a - i0) * columns - j0;
        for (let b = j0; b < j0 + columns; b++) {
          if (Q.norms[a] + Y.norms[b] - 2 * products[row + b] > worst[a]) continue;
          heaps.offer(a, b, squaredRowDistance(Q.exact, a, Y.exact, b, Q.columns));
        }
      }
    }
  }
}
