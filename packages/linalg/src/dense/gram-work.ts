/**
 * What eigenvectors of C = AᵀA take, and the coordinates of A's rows along them, A being L × n with n ≤ L, cut into units:
 * whoever has the same arrays may do any of them, and the result has the same bits.
 *
 * | job       | unit                                                                              | result              |
 * |-----------|-----------------------------------------------------------------------------------|---------------------|
 * | `FORM`    | so many rows of C from the left to the diagonal, `DEPTH` rows of A at a time       | C's lower triangle  |
 * | `MULTIPLY`| Y = A_b Vᵀ, W_b = Yᵀ A_b for the b-th block of rows of A and few rows V            | Σ_b W_b = V AᵀA, b in order |
 * | `SCORE`   | Z_b = A_b Uᵀ for the b-th larger block of rows of A                               | Z = A Uᵀ            |
 */
import { type Block, DEPTH, ProductWorkspace } from "../kernels/gemm.js";
import { gemm } from "../kernels/product.js";

export const FORM = 0;
export const MULTIPLY = 1;
export const SCORE = 2;
export type Job = typeof FORM | typeof MULTIPLY | typeof SCORE;

/** Vectors that are multiplied together at the most. */
export const WIDTH = 8;
/** Blocks of rows at the most: the sums W_b together are small beside A. */
const BLOCKS = 32;
const FEWEST_ROWS = 64;

/** Rows start … end − 1 of A, one after the other; at most `DEPTH`. */
export type RowSource = (start: number, end: number) => Float64Array;

export interface GramArrays {
  /** L */
  readonly rows: number;
  /** n */
  readonly columns: number;
  /** Rows of C in a unit that forms it. */
  readonly strip: number;
  /** n × n, where it is to be formed. */
  readonly C: Float64Array;
  /** `WIDTH` × n, where C is not formed. */
  readonly V: Float64Array;
  /** `WIDTH` × n for each block of rows, where C is not formed. */
  readonly sums: Float64Array;
  /** k × n */
  readonly U: Float64Array;
  /** L × k */
  readonly Z: Float64Array;
  /** The job that is under way, and how many rows V or U has for it. */
  readonly job: Int32Array;
}

const rowsInBlock = (rows: number): number => Math.max(FEWEST_ROWS, Math.ceil(rows / BLOCKS));

export const blockCount = (rows: number): number => Math.ceil(rows / rowsInBlock(rows));

/** Of `SCORE`, which packs U for each. */
const rowsInLargerBlock = (rows: number): number => Math.max(DEPTH, rowsInBlock(rows));

const rowMajor = (data: Float64Array, columns: number, offset = 0): Block => ({
  ...{ data, offset },
  ...{ rowStride: columns, columnStride: 1 },
});

const transposed = ({ rowStride, columnStride, ...rest }: Block): Block => ({
  ...rest,
  ...{ rowStride: columnStride, columnStride: rowStride },
});

export class GramWork {
  private readonly workspace = new ProductWorkspace();

  constructor(
    readonly arrays: GramArrays,
    private readonly source: RowSource,
  ) {}

  /** Says what units are of now, and how many there are. */
  begin(job: Job, width = 0): number {
    const { rows, columns: n, strip } = this.arrays;
    this.arrays.job.set([job, width]);
    if (job === FORM) return Math.ceil(n / strip);
    return job === MULTIPLY ? blockCount(rows) : Math.ceil(rows / rowsInLargerBlock(rows));
  }

  do(unit: number): void {
    const [job, width] = this.arrays.job;
    if (job === FORM) this.form(unit);
    else if (job === MULTIPLY) this.multiply(unit, width);
    else this.score(unit, width);
  }

  /** The last strips, which reach farthest, come first. */
  private form(unit: number): void {
    const { rows, columns: n, strip, C } = this.arrays;
    const first = (Math.ceil(n / strip) - 1 - unit) * strip;
    const height = Math.min(strip, n - first);
    const into = rowMajor(C, n, first * n);
    const diagonal = rowMajor(C, n, first * n + first);
    C.fill(0, first * n, (first + height) * n);
    for (let start = 0; start < rows; start += DEPTH) {
      const deep = Math.min(DEPTH, rows - start);
      const A = rowMajor(this.source(start, start + deep), n);
      const own = { ...A, offset: first };
      const isZero = start === 0;
      if (first > 0) gemm(1, height, first, deep, transposed(own), A, into, false, this.workspace, isZero);
      gemm(1, height, height, deep, transposed(own), own, diagonal, true, this.workspace, isZero);
    }
  }

  private multiply(block: number, width: number): void {
    const { rows, columns: n, V, sums } = this.arrays;
    const at = WIDTH * n * block;
    const W = rowMajor(sums, n, at);
    sums.fill(0, at, at + width * n);
    let isZero = true;
    this.eachPart(block, rowsInBlock(rows), (A, _, count) => {
      const Y = rowMajor(new Float64Array(count * width), width);
      gemm(1, count, width, n, A, transposed(rowMajor(V, n)), Y, false, this.workspace, true);
      gemm(1, width, n, count, transposed(Y), A, W, false, this.workspace, isZero);
      isZero = false;
    });
  }

  private score(block: number, width: number): void {
    const { rows, columns: n, U, Z } = this.arrays;
    this.eachPart(block, rowsInLargerBlock(rows), (A, start, count) => {
      Z.fill(0, start * width, (start + count) * width);
      const into = rowMajor(Z, width, start * width);
      gemm(1, count, width, n, A, transposed(rowMajor(U, n)), into, false, this.workspace, true);
    });
  }

  /** Of a block of A of `size` rows `DEPTH` at a time, the number of the first of them, and how many there are. */
  private eachPart(block: number, size: number, use: (A: Block, start: number, count: number) => void): void {
    const { rows, columns } = this.arrays;
    const last = Math.min(rows, (block + 1) * size);
    for (let start = block * size; start < last; start += DEPTH) {
      const end = Math.min(start + DEPTH, last);
      use(rowMajor(this.source(start, end), columns), start, end - start);
    }
  }
}

/** Rows that are there, in an array of L × n. */
export const storedRows =
  (A: Float64Array, n: number): RowSource =>
  (start, end) =>
    A.subarray(start * n, end * n);
