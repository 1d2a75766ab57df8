/**
 * B of dense points. The smaller of BᵀB and BBᵀ is AᵀA, of A = B or A = Bᵀ, whichever is tall. It is formed where that is less
 * work (`principal-work.ts`), from rows of A that are made when they are wanted; else A is stored, as large as the points,
 * and there are only products with it.
 */
import type { BlockOperator } from "../eigen/krylov-search.js";
import { blockLanczos, lanczos } from "../eigen/lanczos.js";
import { pairsFromEnd } from "../eigen/operator.js";
import type { EigenPairs } from "../eigen/pairs.js";
import { symmetricEigen } from "../eigen/symmetric.js";
import { DEPTH } from "../kernels/gemm.js";
import { gemm } from "../kernels/product.js";
import { scale } from "../kernels/vector.js";
import { checkDeviation, columnMeans } from "./column-means.js";
import { type Deviations, inverseOf, type PairSettings } from "./deviations.js";
import { GramMatrix, type GramShape, gramArrays } from "./gram-matrix.js";
import { type RowSource, storedRows, WIDTH } from "./gram-work.js";
import { type DenseMatrix, zeros } from "./matrix.js";
import type { GramTask, SharedTask } from "./principal-threads.js";
import { isFormedFor, mostProducts, predictedTime } from "./principal-work.js";
import { matrixTimesVector } from "./product.js";

/** Numbers of A up to which it is stored for products with it, 2 GiB; beyond, its rows are made anew for each of them. */
const MOST_STORED = 2 ** 28;
/** Predicted nanoseconds from which on threads are worth starting, which takes some 1e8. */
const LEAST_TIME = 5e8;
/** Rows of C that a thread forms at a time: narrow strips pack A's rows more often. */
const LEAST_STRIP = 64;

/** Three strips for each thread, by fours. */
const stripFor = (n: number, threads: number): number =>
  Math.max(LEAST_STRIP, 4 * Math.ceil(n / (12 * threads)));

const sharedBytes = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);

const taskOf = (shape: GramShape, threads: number): GramTask => ({
  A: new Float64Array(sharedBytes(8 * shape.rows * shape.columns)),
  ...gramArrays({ ...shape, strip: stripFor(shape.columns, threads) }, sharedBytes),
});

/** Undefined where there is none, or it would be too much. */
function roomFor(numbers: number): Float64Array | undefined {
  try {
    return numbers <= MOST_STORED ? new Float64Array(numbers) : undefined;
  } catch {
    return undefined;
  }
}

export class DenseDeviations implements Deviations {
  readonly rows: number;
  readonly columns: number;
  readonly means: Float64Array;
  readonly inverse: number;
  readonly squares: number;
  private readonly data: Float64Array;

  /** @throws CurvatureError ERR_NON_FINITE for deviations that overflow */
  constructor(X: DenseMatrix) {
    const { rows, columns, data } = X;
    this.rows = rows;
    this.columns = columns;
    this.data = data;
    this.means = new Float64Array(columns);
    columnMeans(X, this.means);
    const { means } = this;
    let largest = 0;
    for (let i = 0, at = 0; i < rows; i++)
      for (let j = 0; j < columns; j++, at++) largest = Math.max(largest, Math.abs(data[at] - means[j]));
    checkDeviation("principalComponents", largest);
    this.inverse = inverseOf(largest);
    let squares = 0;
    for (let i = 0, at = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++, at++) {
        const b = (data[at] - means[j]) * this.inverse;
        squares += b * b;
      }
    }
    this.squares = squares;
  }

  pairs(count: number, { threads, ...settings }: PairSettings): EigenPairs {
    const { rows: N, columns: D } = this;
    const n = Math.min(N, D);
    const isFormed = isFormedFor(N, D, count);
    const shape = { rows: Math.max(N, D), columns: n, isFormed };
    const helps = threads !== undefined && predictedTime(N, D, count) >= LEAST_TIME;
    const shared = helps ? threads.share(() => taskOf(shape, threads.count)) : undefined;
    try {
      const matrix = this.gram(shape, shared);
      if (!isFormed) {
        const operator: BlockOperator = { width: WIDTH, apply: (V, W) => matrix.multiply(V, W) };
        const maxProducts = mostProducts(N, D, count);
        return blockLanczos(operator, n, count, { ...settings, maxProducts }) ?? this.ofAllPairs(count);
      }
      const C = { rows: n, columns: n, data: matrix.formed() };
      return lanczos((v, out) => matrixTimesVector(C, v, out), n, { count, ...settings });
    } finally {
      shared?.others.stop();
    }
  }

  /** Of a spectrum whose largest eigenvalues lie so near one another that Lanczos has no end. */
  private ofAllPairs(count: number): EigenPairs {
    const rows = Math.max(this.rows, this.columns);
    const n = Math.min(this.rows, this.columns);
    const data = this.gram({ rows, columns: n, isFormed: true }, undefined).formed();
    const { values, vectors } = pairsFromEnd(symmetricEigen({ rows: n, columns: n, data }), count, "largest");
    return { values, vectors: { rows: count, columns: n, data: vectors } };
  }

  /** AᵀA, with others who have a part in it or alone. */
  private gram(shape: GramShape, shared: SharedTask | undefined): GramMatrix {
    const { rows, columns: n, isFormed } = shape;
    if (shared !== undefined) {
      const { task, others } = shared;
      return new GramMatrix(task, storedRows(this.store(task.A), n), others);
    }
    const A = isFormed ? undefined : roomFor(rows * n);
    const source = A === undefined ? this.source : storedRows(this.store(A), n);
    return new GramMatrix(gramArrays({ ...shape, strip: n }), source);
  }

  combined(U: DenseMatrix): DenseMatrix {
    const { rows: N, columns: D } = this;
    const V = zeros(U.rows, D);
    const left = { data: U.data, offset: 0, rowStride: N, columnStride: 1 };
    for (let start = 0; start < D; start += DEPTH) {
      const data = this.blockOfColumns(start, Math.min(D, start + DEPTH));
      const into = { data: V.data, offset: start, rowStride: D, columnStride: 1 };
      gemm(1, U.rows, data.length / N, N, left, { data, offset: 0, rowStride: 1, columnStride: N }, into);
    }
    return V;
  }

  /** The rows of A, made when they are wanted. */
  private readonly source: RowSource = (start, end) =>
    this.columns <= this.rows ? this.blockOfRows(start, end) : this.blockOfColumns(start, end);

  /** A, into an array of its size. */
  private store(A: Float64Array): Float64Array {
    const { rows: N, columns: D } = this;
    const L = Math.max(N, D);
    for (let start = 0; start < L; start += DEPTH)
      A.set(this.source(start, Math.min(L, start + DEPTH)), start * Math.min(N, D));
    return A;
  }

  /** Rows start … end − 1 of B, a copy. */
  private blockOfRows(start: number, end: number): Float64Array {
    const { columns, data, means, inverse } = this;
    const block = data.slice(start * columns, end * columns);
    for (let at = 0; at < block.length; )
      for (let j = 0; j < columns; j++, at++) block[at] = (block[at] - means[j]) * inverse;
    return block;
  }

  /** Columns start … end − 1 of B as rows, a copy. */
  private blockOfColumns(start: number, end: number): Float64Array {
    const { rows: N, columns: D, data, means, inverse } = this;
    const block = new Float64Array((end - start) * N);
    for (let i = 0; i < N; i++)
      for (let j = start; j < end; j++) block[(j - start) * N + i] = (data[i * D + j] - means[j]) * inverse;
    return block;
  }

  scores(V: DenseMatrix): DenseMatrix {
    const { rows: N, columns: D } = this;
    const k = V.rows;
    const Y = zeros(N, k);
    const right = { data: V.data, offset: 0, rowStride: 1, columnStride: D };
    for (let start = 0; start < N; start += DEPTH) {
      const data = this.blockOfRows(start, Math.min(N, start + DEPTH));
      const rows = Math.min(N, start + DEPTH) - start;
      const into = { data: Y.data, offset: start * k, rowStride: k, columnStride: 1 };
      gemm(1, rows, k, D, { data, offset: 0, rowStride: D, columnStride: 1 }, right, into);
    }
    scale(1 / this.inverse, Y.data);
    return Y;
  }
}
