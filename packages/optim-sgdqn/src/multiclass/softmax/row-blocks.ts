/**
 * The rows that count (cᵢ > 0), read in blocks as dense rows x̃ᵢ = (xᵢ, 1), or xᵢ without a bias, and products with all of them.
 * Sparse rows are filled in block by block only. For a free bias the columns lie around zero, see `centered-rows.ts`.
 */
import { gemm, ProductWorkspace } from "@curvature/linalg";
import { type RowAccess, rowAccess } from "@curvature/objectives/linear";
import { centeredRows } from "../../solvers/newton/centered-rows.js";
import type { MulticlassProblem } from "../problem.js";

/** Rows of a block, at most. */
export const BLOCK_ROWS = 128;

export class RowBlocks {
  /** The rows that count, by their number in the problem. */
  readonly indices: Int32Array;
  /** cᵢ of those rows. */
  readonly c: Float64Array;
  /** D: the columns, and one more with a bias. */
  readonly width: number;
  /** What was taken from the columns, rounded. */
  readonly shift: Float64Array;
  /** The block that was read last, row-major. */
  readonly block: Float64Array;
  private readonly access: RowAccess;
  private readonly columns: number;
  private readonly views: readonly Float64Array[];
  private readonly workspace = new ProductWorkspace();

  constructor({ rows, importances, bias }: MulticlassProblem) {
    const { rows: n, columns } = rows;
    const centered = bias === "free" ? centeredRows(rows, importances) : { rows, shift: undefined };
    this.access = rowAccess(centered.rows);
    this.shift = centered.shift?.high ?? new Float64Array(columns);
    this.columns = columns;
    this.width = columns + Number(bias !== "none");
    this.indices = Int32Array.from({ length: n }, (_, i) => i).filter(
      (i) => importances === undefined || importances[i] > 0,
    );
    this.c = Float64Array.from(this.indices, (i) => (importances?.[i] ?? 1) / n);
    this.block = new Float64Array(BLOCK_ROWS * this.width);
    this.views = Array.from({ length: BLOCK_ROWS }, (_, i) =>
      this.block.subarray(i * this.width, i * this.width + columns),
    );
  }

  /** How many rows count. */
  get count(): number {
    return this.indices.length;
  }

  /** Visits rows from … to − 1 in blocks of at most `most` rows, each of them read into `block`. */
  inBlocks(from: number, to: number, most: number, visit: (from: number, to: number) => void): void {
    const rows = Math.max(1, Math.min(BLOCK_ROWS, most));
    for (let start = from; start < to; start += rows) {
      const end = Math.min(to, start + rows);
      this.read(start, end);
      visit(start, end);
    }
  }

  private read(from: number, to: number): void {
    const { access, indices, views, block, width, columns } = this;
    block.fill(0, 0, (to - from) * width);
    for (let i = from; i < to; i++) {
      access.addTo(indices[i], 1, views[i - from]);
      if (width > columns) block[(i - from) * width + columns] = 1;
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
