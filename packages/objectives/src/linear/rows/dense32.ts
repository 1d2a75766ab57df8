/**
 * Dense rows in single precision; the other precision has the same loops in a class of its own. Sums run in four parts,
 * which do not wait for each other.
 */
import type { DenseMatrix } from "@curvature/linalg";
import type { RowAccess } from "./row-access.js";

export class DenseRows32 implements RowAccess {
  readonly rows: number;
  readonly columns: number;
  readonly storedEntries: number;
  private readonly data: Float32Array;

  constructor(matrix: DenseMatrix<Float32Array>) {
    this.rows = matrix.rows;
    this.columns = matrix.columns;
    this.data = matrix.data;
    this.storedEntries = matrix.rows * matrix.columns;
  }

  dot(i: number, w: Float64Array): number {
    const { data, columns } = this;
    const row = i * columns;
    const whole = columns - (columns % 4);
    let a = 0;
    let b = 0;
    let c = 0;
    let e = 0;
    let j = 0;
    for (; j < whole; j += 4) {
      a += data[row + j] * w[j];
      b += data[row + j + 1] * w[j + 1];
      c += data[row + j + 2] * w[j + 2];
      e += data[row + j + 3] * w[j + 3];
    }
    for (; j < columns; j++) a += data[row + j] * w[j];
    return a + b + (c + e);
  }

  addTo(i: number, a: number, w: Float64Array): void {
    const { data, columns } = this;
    const row = i * columns;
    for (let j = 0; j < columns; j++) w[j] += a * data[row + j];
  }

  addScaledTo(i: number, a: number, B: Float32Array, w: Float64Array): void {
    const { data, columns } = this;
    const row = i * columns;
    for (let j = 0; j < columns; j++) w[j] += a * B[j] * data[row + j];
  }

  scaledSquaredNorm(i: number, B: Float32Array): number {
    const { data, columns } = this;
    const row = i * columns;
    const whole = columns & ~3;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let j = 0; j < whole; j += 4) {
      s0 += B[j] * data[row + j] * data[row + j];
      s1 += B[j + 1] * data[row + j + 1] * data[row + j + 1];
      s2 += B[j + 2] * data[row + j + 2] * data[row + j + 2];
      s3 += B[j + 3] * data[row + j + 3] * data[row + j + 3];
    }
    for (let j = whole; j < columns; j++) s0 += B[j] * data[row + j] * data[row + j];
    return s0 + s1 + (s2 + s3);
  }

  weightedSquaredNorm(i: number, D: Float64Array): number {
    const { data, columns } = this;
    const row = i * columns;
    let sum = 0;
    for (let j = 0; j < columns; j++) sum += D[j] * data[row + j] * data[row + j];
    return sum;
  }

  forEachEntry(i: number, visit: (column: number, value: number) => void): void {
    const { data, columns } = this;
    const row = i * columns;
    for (let j = 0; j < columns; j++) visit(j, data[row + j]);
  }

  squaredNorm(i: number): number {
    const { data, columns } = this;
    const row = i * columns;
    let sum = 0;
    for (let j = 0; j < columns; j++) sum += data[row + j] * data[row + j];
    return sum;
  }

  count(): number {
    return this.columns;
  }
}
