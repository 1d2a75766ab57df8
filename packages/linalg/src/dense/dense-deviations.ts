/**
 * B of dense points. The smaller of BᵀB and BBᵀ is AᵀA, of A = B or A = Bᵀ, whichever is tall. It is formed where that is less
 * work (see below), from rows of A that are made when they are wanted; else A is stored, as large as the points,
 * and there are only products with it.
 */
import type { BlockOperator } from "../eigen/krylov-search.js";
import { blockLanczos, lanczos, unlessEndless } from "../eigen/lanczos.js";
import { pairsFromEnd } from "../eigen/operator.js";
import type { EigenPairs } from "../eigen/pairs.js";
import { symmetricEigen } from "../eigen/symmetric.js";
import { DEPTH } from "../kernels/gemm.js";
import { gemm } from "../kernels/product.js";
import { scale } from "../kernels/vector.js";
import { checkDeviation, columnMeans } from "./column-means.js";
import { type Deviations, inverseOf, noPairs, type PairSettings } from "./deviations.js";
import { GramMatrix, type GramShape, gramArrays } from "./gram-matrix.js";
import { type RowSource, storedRows, WIDTH } from "./gram-work.js";
import { type DenseMatrix, zeros } from "./matrix.js";
import type { GramTask, PrincipalThreads, SharedTask } from "./principal-threads.js";
import { matrixTimesVector, transpose } from "./product.js";

/** Numbers of A up to which it is stored for products with it, 2 GiB; beyond, its rows are made anew for each of them. */
const MAX_STORED = 2 ** 28;
/** Predicted nanoseconds from which on threads are worth starting, which takes some 1e8. */
const MIN_TIME = 5e8;
/** Rows of C that a thread forms at a time: narrow strips pack A's rows more often. */
const MIN_STRIP = 64;

/** Three strips for each thread, by fours. */
const stripFor = (n: number, threads: number): number =>
  Math.max(MIN_STRIP, 4 * Math.ceil(n / (12 * threads)));

const sharedBytes = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);

const taskOf = (shape: GramShape, threads: number): GramTask => ({
  A: new Float64Array(sharedBytes(8 * shape.rows * shape.columns)),
  ...gramArrays({ ...shape, strip: stripFor(shape.columns, threads) }, sharedBytes),
});

/** Undefined where there is none, or it would be too much. */
function roomFor(numbers: number): Float64Array | undefined {
  try {
    return numbers <= MAX_STORED ? new Float64Array(numbers) : undefined;
  } catch {
    return undefined;
  }
}

/** Of a spectrum whose largest eigenvalues lie so near one another that Lanczos has no end. */
function ofAllPairs(C: DenseMatrix, count: number): EigenPairs {
  const { values, vectors } = pairsFromEnd(symmetricEigen(C), count, "largest");
  return { values, vectors: { rows: count, columns: C.columns, data: vectors } };
}

/** With columns of zeros behind its own. */
function widened(Y: DenseMatrix, columns: number): DenseMatrix {
  const wide = zeros(Y.rows, columns);
  for (let i = 0; i < Y.rows; i++)
    wide.data.set(Y.data.subarray(i * Y.columns, (i + 1) * Y.columns), i * columns);
  return wide;
}

export class DenseDeviations implements Deviations {
  readonly rows: number;
  readonly columns: number;
  readonly means: Float64Array;
  readonly inverse: number;
  readonly squares: number;
  private readonly points: CentredPoints;
  private readonly shape: GramShape;
  private shared: SharedTask | undefined;
  private opened: GramMatrix | undefined;

  /** @throws CurvatureError ERR_NON_FINITE for deviations that overflow */
  constructor(
    X: DenseMatrix,
    count: number,
    private readonly threads?: PrincipalThreads,
  ) {
    this.points = new CentredPoints(X);
    const { longer: rows, shorter: columns } = this.points;
    this.rows = X.rows;
    this.columns = X.columns;
    this.means = this.points.means;
    this.inverse = this.points.inverse;
    this.squares = this.points.squares;
    const most = Math.min(count, columns);
    this.shape = { rows, columns, isFormed: isFormedFor(rows, columns, most), count: most };
  }

  /** AᵀA, with others who have a part in it where that is of use. */
  private get matrix(): GramMatrix {
    if (this.opened !== undefined) return this.opened;
    const { shape, threads } = this;
    const helps = threads !== undefined && predictedTime(shape.rows, shape.columns, shape.count) >= MIN_TIME;
    this.shared = helps ? threads.share(() => taskOf(shape, threads.count)) : undefined;
    this.opened = this.gram(shape, this.shared);
    return this.opened;
  }

  pairs(settings: PairSettings, V: DenseMatrix): EigenPairs {
    if (V.rows > 0) return this.pairsWithout(V, settings);
    return this.shape.isFormed ? this.pairsOfFormed(settings) : this.pairsByProducts(settings);
  }

  /** Those of a matrix of its own, whose unit is its own largest deviation. */
  private pairsWithout(V: DenseMatrix, settings: PairSettings): EigenPairs {
    const rest = new DenseDeviations(this.points.without(V), this.shape.count - V.rows, this.threads);
    const factor = (this.inverse / rest.inverse) ** 2;
    if (rest.squares * factor <= settings.least) return noPairs(this.shape.columns);
    try {
      const { values, vectors } = rest.pairs(settings, zeros(0, this.columns));
      scale(factor, values);
      return { values, vectors };
    } finally {
      rest.end();
    }
  }

  private pairsOfFormed({ seed, tolerance }: PairSettings): EigenPairs {
    const { columns: n, count } = this.shape;
    const C = { rows: n, columns: n, data: this.matrix.formed() };
    const maxProducts = mostProductsWithFormed(n, count);
    const search = (): EigenPairs =>
      lanczos((v, out) => matrixTimesVector(C, v, out), n, {
        count,
        maxProducts,
        relativeTo: "operator",
        seed,
        tolerance,
      });
    return unlessEndless(search) ?? ofAllPairs(C, count);
  }

  private pairsByProducts({ seed, tolerance }: PairSettings): EigenPairs {
    const { matrix, shape } = this;
    const { rows, columns: n, count } = shape;
    const operator: BlockOperator = { width: WIDTH, apply: (V, W) => matrix.multiply(V, W) };
    const maxProducts = mostProducts(rows, n, count);
    const found = unlessEndless(() => blockLanczos(operator, n, count, { seed, tolerance, maxProducts }));
    if (found !== undefined) return found;
    const data = this.gram({ ...shape, isFormed: true, count: 0 }).formed();
    return ofAllPairs({ rows: n, columns: n, data }, count);
  }

  private gram(shape: GramShape, shared?: SharedTask): GramMatrix {
    const { rows, columns: n, isFormed } = shape;
    const { points } = this;
    if (shared !== undefined) {
      const { task, others } = shared;
      return new GramMatrix(task, storedRows(points.store(task.A), n), others);
    }
    const A = isFormed ? undefined : roomFor(rows * n);
    const source = A === undefined ? points.rowsOfA : storedRows(points.store(A), n);
    return new GramMatrix(gramArrays({ ...shape, strip: n }), source);
  }

  combined(U: DenseMatrix): DenseMatrix {
    return transpose(this.matrix.scores(U));
  }

  scores(V: DenseMatrix): DenseMatrix {
    const rows = Math.min(V.rows, this.shape.count);
    const first = { rows, columns: V.columns, data: V.data.subarray(0, rows * V.columns) };
    const Y = this.columns <= this.rows ? this.matrix.scores(first) : this.timesRows(first);
    scale(1 / this.inverse, Y.data);
    return rows === V.rows ? Y : widened(Y, V.rows);
  }

  /** B Vᵀ of wide points, whose A has columns of B for rows. */
  private timesRows(V: DenseMatrix): DenseMatrix {
    const { rows: N, columns: D } = this;
    const k = V.rows;
    const Y = zeros(N, k);
    const right = { data: V.data, offset: 0, rowStride: 1, columnStride: D };
    for (let start = 0; start < N; start += DEPTH) {
      const rows = Math.min(N, start + DEPTH) - start;
      const data = new Float64Array(rows * D);
      this.points.writeRows(start, start + rows, data);
      const into = { data: Y.data, offset: start * k, rowStride: k, columnStride: 1 };
      gemm(1, rows, k, D, { data, offset: 0, rowStride: D, columnStride: 1 }, right, into);
    }
    return Y;
  }

  end(): void {
    this.shared?.others.stop();
  }
}

/**
 * B = (X − 1 mᵀ) / s of dense points, N × D, row by row; A is B where it is tall, else Bᵀ.
 *
 * | symbol | variable | shape                                              |
 * |--------|----------|----------------------------------------------------|
 * | m      | means    | D                                                    |
 * | 1/s    | inverse  | s is the largest deviation, so that no square overflows |
 */
class CentredPoints {
  readonly means: Float64Array;
  readonly inverse: number;
  /** ‖B‖_F² */
  readonly squares: number;
  /** L and n: A's sizes. */
  readonly longer: number;
  readonly shorter: number;

  /** @throws CurvatureError ERR_NON_FINITE for deviations that overflow */
  constructor(private readonly X: DenseMatrix) {
    const { rows, columns, data } = X;
    this.longer = Math.max(rows, columns);
    this.shorter = Math.min(rows, columns);
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

  /** The deviations less their shares along the rows of V, in units of the points. */
  without(V: DenseMatrix): DenseMatrix {
    const { X, inverse } = this;
    const { rows: N, columns: D } = X;
    const rest = zeros(N, D);
    const right = { data: V.data, offset: 0, rowStride: 1, columnStride: D };
    const back = { data: V.data, offset: 0, rowStride: D, columnStride: 1 };
    for (let start = 0; start < N; start += DEPTH) {
      const rows = Math.min(N, start + DEPTH) - start;
      const block = rest.data.subarray(start * D, (start + rows) * D);
      this.writeRows(start, start + rows, block);
      const shares = { data: new Float64Array(rows * V.rows), offset: 0, rowStride: V.rows, columnStride: 1 };
      const entries = { data: block, offset: 0, rowStride: D, columnStride: 1 };
      gemm(1, rows, V.rows, D, entries, right, shares);
      gemm(-1, rows, D, V.rows, shares, back, entries);
    }
    scale(1 / inverse, rest.data);
    return rest;
  }

  /** Rows start … end − 1 of A, made when they are wanted. */
  readonly rowsOfA: RowSource = (start, end) => {
    const block = new Float64Array((end - start) * this.shorter);
    this.write(start, end, block);
    return block;
  };

  /** A, into an array of its size. */
  store(A: Float64Array): Float64Array {
    const { longer, shorter } = this;
    for (let start = 0; start < longer; start += DEPTH) {
      const end = Math.min(longer, start + DEPTH);
      this.write(start, end, A.subarray(start * shorter, end * shorter));
    }
    return A;
  }

  private write(start: number, end: number, into: Float64Array): void {
    if (this.X.columns <= this.X.rows) this.writeRows(start, end, into);
    else this.writeColumns(start, end, into);
  }

  /** Rows start … end − 1 of B. */
  writeRows(start: number, end: number, into: Float64Array): void {
    const { X, means, inverse } = this;
    const { columns, data } = X;
    let from = start * columns;
    for (let at = 0; at < (end - start) * columns; )
      for (let j = 0; j < columns; j++, at++, from++) into[at] = (data[from] - means[j]) * inverse;
  }

  /** Columns start … end − 1 of B, as rows. */
  private writeColumns(start: number, end: number, into: Float64Array): void {
    const { X, means, inverse } = this;
    const { rows: N, columns: D, data } = X;
    for (let i = 0; i < N; i++)
      for (let j = start; j < end; j++) into[(j - start) * N + i] = (data[i * D + j] - means[j]) * inverse;
  }
}

/**
 * Which way to the leading eigenpairs of BᵀB, or BBᵀ, is shorter for dense B, N × D with n = min(N, D): to form the n × n
 * matrix C first, or to multiply with B alone.
 *
 *   formed    g N D n / 2 + c P n²       half of C by the matrix product, then P products with it
 *   products  b P N D                    P walks through B and back, eight together
 *
 * | symbol | constant  | what                                                             |
 * |--------|-----------|------------------------------------------------------------------|
 * | g      | GEMM      | time of a multiply-add of the matrix product                      |
 * | c      | MATRIX    | time of an entry of C in C v                                      |
 * | b      | POINTS    | time of an entry of B in V BᵀB, for each row of V                 |
 * | P      | products  | how many products Lanczos takes for k pairs                       |
 *
 * Times are nanoseconds, measured together (1200 to 4000 columns, AMD EPYC), in the middle between those of the TypeScript
 * kernels (0.5, 1.0, 1.17) and of SIMD (0.12, 0.7, 0.45): the choice, and with it the last bits, must not depend on which of
 * them there are. P was 82 for 2 components and 162 to 236 for 50 of spectra that fall, 340 to 800 of noise, which nobody
 * reduces. Where n is small, or not large beside k, C is formed in any case. It is never larger than B.
 */
const GEMM = 0.24;
const MATRIX = 0.84;
const POINTS = 0.73;
/** The least n, and for each pair, for which there are only products. */
const MIN_SIZE = 1000;
const MIN_SIZE_PER_PAIR = 5;

/** Time of all eigenpairs of C, over n³, in the middle as the others. */
const ALL_PAIRS = 1.5;
const PATIENCE = 4;

/** P */
const products = (count: number): number => 80 + 3 * count;

const timeFormed = (N: number, D: number, count: number): number => {
  const n = Math.min(N, D);
  return (GEMM / 2) * N * D * n + MATRIX * products(count) * n * n;
};

const timeOfProducts = (N: number, D: number, count: number): number => POINTS * products(count) * N * D;

/** Whether the n × n matrix is to be formed for so many pairs. */
export const isFormedFor = (N: number, D: number, count: number): boolean =>
  Math.min(N, D) < Math.max(MIN_SIZE, MIN_SIZE_PER_PAIR * count) ||
  timeFormed(N, D, count) <= timeOfProducts(N, D, count);

/** Nanoseconds that it takes one thread. */
export const predictedTime = (N: number, D: number, count: number): number =>
  (isFormedFor(N, D, count) ? timeFormed : timeOfProducts)(N, D, count);

/**
 * Products that find so many pairs at the most: those that take as long as to form C and all its pairs do, which is then the
 * shorter way, and some times as many as most spectra need.
 */
function mostProducts(N: number, D: number, count: number): number {
  const n = Math.min(N, D);
  const timeOfAll = (GEMM / 2) * N * D * n + ALL_PAIRS * n ** 3;
  return Math.max(PATIENCE * products(count), Math.ceil(timeOfAll / (POINTS * N * D)));
}

/** The same where C, n × n, is formed. */
const mostProductsWithFormed = (n: number, count: number): number =>
  Math.max(PATIENCE * products(count), Math.ceil((ALL_PAIRS * n) / MATRIX));
