/**
 * B = (X − 1 mᵀ) / s of dense points, N × D, row by row; A is B where it is tall, else Bᵀ.
 *
 * | symbol | variable | shape                                              |
 * |--------|----------|----------------------------------------------------|
 * | m      | means    | D                                                    |
 * | 1/s    | inverse  | s is the largest deviation, so that no square overflows |
 */
import { DEPTH } from "../kernels/gemm.js";
import { checkDeviation, columnMeans } from "./column-means.js";
import { inverseOf } from "./deviations.js";
import type { RowSource } from "./gram-work.js";
import type { DenseMatrix } from "./matrix.js";

export class CentredPoints {
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
