/**
 * B of dense points. The smaller of BᵀB and BBᵀ is AᵀA, of A = B or A = Bᵀ, whichever is tall. It is formed where that is less
 * work (`principal-work.ts`), from rows of A that are made when they are wanted; else A is stored, as large as the points,
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
import { CentredPoints } from "./centred-points.js";
import type { Deviations, PairSettings } from "./deviations.js";
import { GramMatrix, type GramShape, gramArrays } from "./gram-matrix.js";
import { storedRows, WIDTH } from "./gram-work.js";
import { type DenseMatrix, zeros } from "./matrix.js";
import type { GramTask, PrincipalThreads, SharedTask } from "./principal-threads.js";
import { isFormedFor, mostProducts, mostProductsWithFormed, predictedTime } from "./principal-work.js";
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

  pairs(settings: PairSettings): EigenPairs {
    return this.shape.isFormed ? this.pairsOfFormed(settings) : this.pairsByProducts(settings);
  }

  private pairsOfFormed(settings: PairSettings): EigenPairs {
    const { columns: n, count } = this.shape;
    const C = { rows: n, columns: n, data: this.matrix.formed() };
    const maxProducts = mostProductsWithFormed(n, count);
    const search = (): EigenPairs =>
      lanczos((v, out) => matrixTimesVector(C, v, out), n, { count, maxProducts, ...settings });
    return unlessEndless(search) ?? ofAllPairs(C, count);
  }

  private pairsByProducts(settings: PairSettings): EigenPairs {
    const { matrix, shape } = this;
    const { rows, columns: n, count } = shape;
    const operator: BlockOperator = { width: WIDTH, apply: (V, W) => matrix.multiply(V, W) };
    const maxProducts = mostProducts(rows, n, count);
    const found = unlessEndless(() => blockLanczos(operator, n, count, { ...settings, maxProducts }));
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
