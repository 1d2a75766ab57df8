/**
 * B of dense points, row by row or in blocks of rows or columns. The smaller of BᵀB and BBᵀ is formed where that is less
 * work (`principal-work.ts`); else there are only products with B.
 */
import type { SymmetricOperator } from "../eigen/operator.js";
import { DEPTH } from "../kernels/gemm.js";
import { gemm } from "../kernels/product.js";
import { scale } from "../kernels/vector.js";
import { checkDeviation, columnMeans } from "./column-means.js";
import { type Deviations, inverseOf } from "./deviations.js";
import { type DenseMatrix, zeros } from "./matrix.js";
import { isFormed } from "./principal-work.js";
import { matrixTimesVector } from "./product.js";

/** Rows that are centred at a time. */
const ROWS = 256;
/** Columns that are: as many as the matrix product sums at a time, so that its sums are those of all columns at once. */
const COLUMNS = DEPTH;

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

  product(count: number): SymmetricOperator {
    if (isFormed(this.rows, this.columns, count)) return this.formed();
    return this.columns <= this.rows ? this.throughRows() : this.throughColumns();
  }

  /** As a matrix, from blocks of rows or columns of B. */
  private formed(): SymmetricOperator {
    const { rows: N, columns: D } = this;
    const size = Math.min(N, D);
    const C = zeros(size, size);
    const into = { data: C.data, offset: 0, rowStride: size, columnStride: 1 };
    if (D <= N) {
      for (let start = 0; start < N; start += ROWS) {
        const data = this.blockOfRows(start, Math.min(N, start + ROWS));
        const plain = { data, offset: 0, rowStride: D, columnStride: 1 };
        gemm(1, D, D, data.length / D, { ...plain, rowStride: 1, columnStride: D }, plain, into, true);
      }
    } else {
      for (let start = 0; start < D; start += COLUMNS) {
        const width = Math.min(COLUMNS, D - start);
        const data = this.blockOfColumns(start, width);
        const plain = { data, offset: 0, rowStride: width, columnStride: 1 };
        gemm(1, N, N, width, plain, { ...plain, rowStride: 1, columnStride: width }, into, true);
      }
    }
    for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) C.data[j * size + i] = C.data[i * size + j];
    return (v, out) => matrixTimesVector(C, v, out);
  }

  /** BᵀB v, row by row: one walk through X. */
  private throughRows(): SymmetricOperator {
    return (v, out) => {
      out.fill(0);
      for (let i = 0; i < this.rows; i++) this.addRow(i, this.rowTimes(i, v), out);
    };
  }

  /** BBᵀ u: two walks through X. */
  private throughColumns(): SymmetricOperator {
    const v = new Float64Array(this.columns);
    return (u, out) => {
      this.transposeTimes(u, v);
      for (let i = 0; i < this.rows; i++) out[i] = this.rowTimes(i, v);
    };
  }

  transposeTimes(u: Float64Array, v: Float64Array): void {
    v.fill(0);
    for (let i = 0; i < this.rows; i++) this.addRow(i, u[i], v);
  }

  /** ⟨b_i, v⟩ */
  private rowTimes(i: number, v: Float64Array): number {
    const { columns, data, means, inverse } = this;
    const row = i * columns;
    const even = columns - (columns % 2);
    let s0 = 0;
    let s1 = 0;
    for (let j = 0; j < even; j += 2) {
      s0 += (data[row + j] - means[j]) * inverse * v[j];
      s1 += (data[row + j + 1] - means[j + 1]) * inverse * v[j + 1];
    }
    if (even < columns) s0 += (data[row + even] - means[even]) * inverse * v[even];
    return s0 + s1;
  }

  /** v ← v + a b_i */
  private addRow(i: number, a: number, v: Float64Array): void {
    const { columns, data, means, inverse } = this;
    const row = i * columns;
    const factor = a * inverse;
    for (let j = 0; j < columns; j++) v[j] += (data[row + j] - means[j]) * factor;
  }

  /** Rows start … end − 1 of B, a copy. */
  private blockOfRows(start: number, end: number): Float64Array {
    const { columns, data, means, inverse } = this;
    const block = data.slice(start * columns, end * columns);
    for (let at = 0; at < block.length; )
      for (let j = 0; j < columns; j++, at++) block[at] = (block[at] - means[j]) * inverse;
    return block;
  }

  /** Columns start … start + width − 1 of B, a copy. */
  private blockOfColumns(start: number, width: number): Float64Array {
    const { rows, columns, data, means, inverse } = this;
    const block = new Float64Array(rows * width);
    for (let i = 0, at = 0; i < rows; i++) {
      const row = i * columns;
      for (let j = start; j < start + width; j++, at++) block[at] = (data[row + j] - means[j]) * inverse;
    }
    return block;
  }

  scores(V: DenseMatrix): DenseMatrix {
    const { rows: N, columns: D } = this;
    const k = V.rows;
    const Y = zeros(N, k);
    const right = { data: V.data, offset: 0, rowStride: 1, columnStride: D };
    for (let start = 0; start < N; start += ROWS) {
      const data = this.blockOfRows(start, Math.min(N, start + ROWS));
      const rows = Math.min(N, start + ROWS) - start;
      const into = { data: Y.data, offset: start * k, rowStride: k, columnStride: 1 };
      gemm(1, rows, k, D, { data, offset: 0, rowStride: D, columnStride: 1 }, right, into);
    }
    scale(1 / this.inverse, Y.data);
    return Y;
  }
}
