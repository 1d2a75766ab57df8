/**
 * Dense rows in double precision; the other precision has the same loops in a class of its own. Sums run in four parts,
 * which do not wait for each other; outer products are gathered to blocks of rows, whose Gram matrix is a matrix
 * product.
 */
import { type DenseMatrix, gram } from "@curvature/linalg";
import type { RowSweeps } from "./sweeps.js";

/** Rows of one Gram matrix. */
const BLOCK = 256;

export class DenseSweeps64 implements RowSweeps {
  private readonly columns: number;
  private readonly hasBias: boolean;
  private readonly data: Float64Array;

  constructor(matrix: DenseMatrix<Float64Array>, hasBias: boolean) {
    this.columns = matrix.columns;
    this.hasBias = hasBias;
    this.data = matrix.data;
  }

  private dot(row: number, v: Float64Array): number {
    const { data, columns } = this;
    const whole = columns - (columns % 4);
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    let j = 0;
    for (; j < whole; j += 4) {
      s0 += data[row + j] * v[j];
      s1 += data[row + j + 1] * v[j + 1];
      s2 += data[row + j + 2] * v[j + 2];
      s3 += data[row + j + 3] * v[j + 3];
    }
    for (; j < columns; j++) s0 += data[row + j] * v[j];
    return s0 + s1 + (s2 + s3);
  }

  multiply(v: Float64Array, q: Float64Array, from: number, to: number): void {
    const { columns } = this;
    const b = this.hasBias ? v[columns] : 0;
    for (let i = from; i < to; i++) q[i] = this.dot(i * columns, v) + b;
  }

  addTransposed(a: Float64Array, out: Float64Array, from: number, to: number): void {
    const { data, columns } = this;
    let sum = 0;
    for (let i = from; i < to; i++) {
      const ai = a[i];
      if (ai === 0) continue;
      sum += ai;
      const row = i * columns;
      for (let j = 0; j < columns; j++) out[j] += ai * data[row + j];
    }
    if (this.hasBias) out[columns] += sum;
  }

  addHessianProduct(h: Float64Array, v: Float64Array, out: Float64Array, from: number, to: number): void {
    const { data, columns } = this;
    const b = this.hasBias ? v[columns] : 0;
    let sum = 0;
    for (let i = from; i < to; i++) {
      if (h[i] === 0) continue;
      const row = i * columns;
      const s = h[i] * (this.dot(row, v) + b);
      sum += s;
      for (let j = 0; j < columns; j++) out[j] += s * data[row + j];
    }
    if (this.hasBias) out[columns] += sum;
  }

  addSquares(h: Float64Array, out: Float64Array, from: number, to: number): void {
    const { data, columns } = this;
    let sum = 0;
    for (let i = from; i < to; i++) {
      const hi = h[i];
      if (hi === 0) continue;
      sum += hi;
      const row = i * columns;
      for (let j = 0; j < columns; j++) out[j] += hi * data[row + j] * data[row + j];
    }
    if (this.hasBias) out[columns] += sum;
  }

  addOuterProducts(h: Float64Array, H: Float64Array, from: number, to: number): void {
    this.addOfSign(1, h, H, from, to);
    this.addOfSign(-1, h, H, from, to);
  }

  /** The rows with hᵢ of this sign, as H ± AᵀA with rows √|hᵢ| xᵢ of A. */
  private addOfSign(sign: 1 | -1, h: Float64Array, H: Float64Array, from: number, to: number): void {
    const { data, columns, hasBias } = this;
    const D = columns + (hasBias ? 1 : 0);
    let A: Float64Array | undefined;
    let count = 0;
    for (let i = from; i < to; i++) {
      if (!(sign * h[i] > 0)) continue;
      A ??= new Float64Array(Math.min(BLOCK, to - from) * D);
      const root = Math.sqrt(sign * h[i]);
      const row = i * columns;
      const at = count * D;
      for (let j = 0; j < columns; j++) A[at + j] = root * data[row + j];
      if (hasBias) A[at + columns] = root;
      if (++count < BLOCK) continue;
      addLower(sign, gram({ rows: count, columns: D, data: A }).data, H, D);
      count = 0;
    }
    if (A !== undefined && count > 0) addLower(sign, gram({ rows: count, columns: D, data: A }).data, H, D);
  }
}

/** H ← H ± G, lower triangle */
function addLower(sign: number, G: Float64Array, H: Float64Array, D: number): void {
  for (let j = 0; j < D; j++) for (let k = j * D; k <= j * D + j; k++) H[k] += sign * G[k];
}
