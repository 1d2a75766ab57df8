/**
 * Dense rows in double precision; the other precision has the same loops in a class of its own. Sums run in four parts,
 * which do not wait for each other; sums of rows take four at a time, so that they are read and written a quarter as often;
 * outer products are gathered to blocks of rows, whose Gram matrix is a matrix product.
 */
import { type DenseMatrix, gram } from "@curvature/linalg";
import type { RowSweeps } from "./sweeps.js";

/** Rows of one Gram matrix. */
const BLOCK = 256;
/** Rows that are added to a sum together. */
const GROUP = 4;

export class DenseSweeps64 implements RowSweeps {
  private readonly columns: number;
  private readonly hasBias: boolean;
  private readonly data: Float64Array;
  /** The rows of a group, and their factors. */
  private readonly group = new Int32Array(GROUP);
  private readonly factors = new Float64Array(GROUP);

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

  /** out ← out + Σ fₖ xₖ over the first `count` rows of the group */
  private addGroup(count: number, out: Float64Array): void {
    const { data, columns, group, factors } = this;
    if (count < GROUP) {
      for (let k = 0; k < count; k++) {
        const row = group[k] * columns;
        const factor = factors[k];
        for (let j = 0; j < columns; j++) out[j] += factor * data[row + j];
      }
      return;
    }
    const [r0, r1, r2, r3] = [group[0] * columns, group[1] * columns, group[2] * columns, group[3] * columns];
    const [f0, f1, f2, f3] = [factors[0], factors[1], factors[2], factors[3]];
    for (let j = 0; j < columns; j++)
      out[j] += f0 * data[r0 + j] + f1 * data[r1 + j] + (f2 * data[r2 + j] + f3 * data[r3 + j]);
  }

  addTransposed(a: Float64Array, out: Float64Array, from: number, to: number): void {
    const { columns, group, factors } = this;
    let sum = 0;
    let count = 0;
    for (let i = from; i < to; i++) {
      const ai = a[i];
      if (ai === 0) continue;
      sum += ai;
      group[count] = i;
      factors[count] = ai;
      if (++count < GROUP) continue;
      this.addGroup(GROUP, out);
      count = 0;
    }
    this.addGroup(count, out);
    if (this.hasBias) out[columns] += sum;
  }

  addHessianProduct(h: Float64Array, v: Float64Array, out: Float64Array, from: number, to: number): void {
    const { columns, group, factors } = this;
    const b = this.hasBias ? v[columns] : 0;
    let sum = 0;
    let count = 0;
    for (let i = from; i < to; i++) {
      if (h[i] === 0) continue;
      const s = h[i] * (this.dot(i * columns, v) + b);
      sum += s;
      group[count] = i;
      factors[count] = s;
      if (++count < GROUP) continue;
      this.addGroup(GROUP, out);
      count = 0;
    }
    this.addGroup(count, out);
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
