/**
 * The rows that count (cᵢ > 0), read in blocks as x̃ᵢ = (xᵢ − x̄, 1) with x̄ = Σ cᵢ xᵢ / Σ cᵢ for a free bias: the same
 * problem, with a bias of the size of a score whatever the offsets of the columns. Else x̃ᵢ is (xᵢ, 1) or xᵢ.
 *
 * x − x̄ is taken in three parts, the first row, the mean of what is left, and the mean of what is left then: of
 * columns like 1.7e9 + noise all digits of the noise stay. A column that varies by less than rounding is 0 here.
 * Sparse rows are filled in block by block only.
 */
import { gemm, ProductWorkspace } from "@curvature/linalg";
import { type Bias, type RowAccess, type Rows, rowAccess } from "@curvature/objectives/linear";

/** Rows of a block, at most. */
const BLOCK_ROWS = 128;
/** A spread that is this share of the largest entry is rounding. */
const CONSTANT = 1e-13;

export class CentredRows {
  /** The rows that count, by their number in the problem. */
  readonly indices: Int32Array;
  /** cᵢ of those rows. */
  readonly c: Float64Array;
  /** D: the columns, and one more with a bias. */
  readonly width: number;
  /** x̄; 0 where the bias is not free. */
  readonly mean: Float64Array;
  /** Σ cᵢ ‖x̃ᵢ‖², without the bias. */
  readonly squares: number;
  /** The block that was read last, row-major. */
  readonly block: Float64Array;
  private readonly access: RowAccess;
  private readonly columns: number;
  private readonly views: readonly Float64Array[];
  private readonly workspace = new ProductWorkspace();
  private readonly first: Float64Array;
  private readonly shift: Float64Array;
  private readonly rest: Float64Array;
  /** 1, or 0 for a constant column. */
  private readonly kept: Float64Array;

  /** @param importances - of the problem; cᵢ is their n-th part */
  constructor(rows: Rows, importances: Float64Array | undefined, bias: Bias) {
    const n = rows.rows;
    this.access = rowAccess(rows);
    this.columns = rows.columns;
    this.width = rows.columns + Number(bias !== "none");
    this.indices = Int32Array.from(
      Array.from({ length: n }, (_, i) => i).filter((i) => importances === undefined || importances[i] > 0),
    );
    this.c = Float64Array.from(this.indices, (i) => (importances?.[i] ?? 1) / n);
    this.block = new Float64Array(BLOCK_ROWS * this.width);
    this.views = Array.from({ length: BLOCK_ROWS }, (_, i) =>
      this.block.subarray(i * this.width, i * this.width + this.columns),
    );
    this.first = new Float64Array(this.columns);
    this.shift = new Float64Array(this.columns);
    this.rest = new Float64Array(this.columns);
    this.mean = new Float64Array(this.columns);
    this.kept = new Float64Array(this.columns).fill(1);
    if (bias === "free" && this.count > 0) this.centre();
    this.squares = this.sumOfSquares();
  }

  /** How many rows count. */
  get count(): number {
    return this.indices.length;
  }

  private centre(): void {
    const { access, indices, first, shift, rest, mean, kept } = this;
    access.addTo(indices[0], 1, first);
    this.addMean(shift);
    this.addMean(rest);
    const spread = this.largest();
    for (let j = 0; j < mean.length; j++) {
      mean[j] = first[j] + (shift[j] + rest[j]);
      if (spread[j] <= CONSTANT * (Math.abs(mean[j]) + spread[j])) kept[j] = 0;
    }
  }

  /** out ← Σ cᵢ x̃ᵢ / Σ cᵢ of the rows as they are read now */
  private addMean(out: Float64Array): void {
    const { c, width } = this;
    const sums = new Float64Array(out.length);
    let total = 0;
    this.each((i, at) => {
      total += c[i];
      for (let j = 0; j < sums.length; j++) sums[j] += c[i] * this.block[at * width + j];
    });
    for (let j = 0; j < out.length; j++) out[j] = sums[j] / total;
  }

  /** max |x̃ᵢⱼ| by column */
  private largest(): Float64Array {
    const most = new Float64Array(this.columns);
    this.each((_, at) => {
      for (let j = 0; j < most.length; j++)
        most[j] = Math.max(most[j], Math.abs(this.block[at * this.width + j]));
    });
    return most;
  }

  private sumOfSquares(): number {
    let sum = 0;
    this.each((i, at) => {
      let squares = 0;
      for (let j = 0; j < this.columns; j++) squares += this.block[at * this.width + j] ** 2;
      sum += this.c[i] * squares;
    });
    return sum;
  }

  /** @param visit - is given each row, and where it lies in the block */
  private each(visit: (i: number, at: number) => void): void {
    for (let from = 0; from < this.count; from += BLOCK_ROWS) {
      const to = Math.min(this.count, from + BLOCK_ROWS);
      this.read(from, to);
      for (let i = from; i < to; i++) visit(i, i - from);
    }
  }

  /** Reads rows from … to − 1, at most `blockRows`, into the block. */
  read(from: number, to: number): void {
    const { access, indices, views, block, width, columns, first, shift, rest, kept } = this;
    for (let i = from; i < to; i++) {
      const row = views[i - from];
      for (let j = 0; j < columns; j++) row[j] = -first[j];
      access.addTo(indices[i], 1, row);
      const at = (i - from) * width;
      for (let j = 0; j < columns; j++) block[at + j] = kept[j] * (block[at + j] - shift[j] - rest[j]);
      if (width > columns) block[at + columns] = 1;
    }
  }

  /** Visits rows from … to − 1 in blocks of at most `most` rows, each of them read. */
  inBlocks(from: number, to: number, most: number, visit: (from: number, to: number) => void): void {
    const rows = Math.max(1, Math.min(BLOCK_ROWS, most));
    for (let start = from; start < to; start += rows) {
      const end = Math.min(to, start + rows);
      this.read(start, end);
      visit(start, end);
    }
  }

  /** outᵢ ← W x̃ᵢ for rows from … to − 1. @param W - K x D; out - row after row, K for each */
  multiply(W: Float64Array, K: number, out: Float64Array, from: number, to: number): void {
    const { width, block, workspace } = this;
    out.fill(0, from * K, to * K);
    this.inBlocks(from, to, BLOCK_ROWS, (start, end) => {
      const X = { data: block, offset: 0, rowStride: width, columnStride: 1 };
      const turned = { data: W, offset: 0, rowStride: 1, columnStride: width };
      const C = { data: out, offset: start * K, rowStride: K, columnStride: 1 };
      gemm(1, end - start, K, width, X, turned, C, false, workspace);
    });
  }

  /**
   * out ← out + Σ fᵢ x̃ᵢᵀ, sizes ← sizes + Σ |f_iyᵢ| |x̃ᵢ| over rows from … to − 1: what is summed, and how large its terms are.
   *
   * @param F - row after row, K for each; out - K x D, sizes - D
   */
  addTransposed(
    F: Float64Array,
    K: number,
    labels: Int32Array,
    out: Float64Array,
    sizes: Float64Array,
    from: number,
    to: number,
  ): void {
    const { width, block, workspace } = this;
    this.inBlocks(from, to, BLOCK_ROWS, (start, end) => {
      const turned = { data: F, offset: start * K, rowStride: 1, columnStride: K };
      const X = { data: block, offset: 0, rowStride: width, columnStride: 1 };
      const C = { data: out, offset: 0, rowStride: width, columnStride: 1 };
      gemm(1, K, width, end - start, turned, X, C, false, workspace);
      for (let i = start; i < end; i++) {
        const size = Math.abs(F[i * K + labels[i]]);
        const row = (i - start) * width;
        for (let j = 0; j < width; j++) sizes[j] += size * Math.abs(block[row + j]);
      }
    });
  }
}
