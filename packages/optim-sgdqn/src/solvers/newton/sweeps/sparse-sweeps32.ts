/** Compressed sparse rows in single precision; the other precision has the same loops in a class of its own. */
import type { SparseMatrix } from "@curvature/linalg";
import type { RowSweeps } from "./sweeps.js";

export class SparseSweeps32 implements RowSweeps {
  private readonly columns: number;
  private readonly hasBias: boolean;
  private readonly pointers: Int32Array;
  private readonly indices: Int32Array;
  private readonly values: Float32Array;

  constructor(matrix: SparseMatrix<Float32Array>, hasBias: boolean) {
    this.columns = matrix.columns;
    this.hasBias = hasBias;
    this.pointers = matrix.rowPointers;
    this.indices = matrix.columnIndices;
    this.values = matrix.values;
  }

  multiply(v: Float64Array, q: Float64Array, from: number, to: number): void {
    const { pointers, indices, values } = this;
    const b = this.hasBias ? v[this.columns] : 0;
    let k = pointers[from];
    for (let i = from; i < to; i++) {
      const end = pointers[i + 1];
      let even = b;
      let odd = 0;
      for (; k + 1 < end; k += 2) {
        even += values[k] * v[indices[k]];
        odd += values[k + 1] * v[indices[k + 1]];
      }
      if (k < end) even += values[k] * v[indices[k++]];
      q[i] = even + odd;
    }
  }

  addTransposed(a: Float64Array, out: Float64Array, from: number, to: number): void {
    const { pointers, indices, values } = this;
    let sum = 0;
    for (let i = from; i < to; i++) {
      const ai = a[i];
      if (ai === 0) continue;
      sum += ai;
      const end = pointers[i + 1];
      for (let k = pointers[i]; k < end; k++) out[indices[k]] += ai * values[k];
    }
    if (this.hasBias) out[this.columns] += sum;
  }

  addHessianProduct(h: Float64Array, v: Float64Array, out: Float64Array, from: number, to: number): void {
    const { pointers, indices, values } = this;
    const b = this.hasBias ? v[this.columns] : 0;
    let sum = 0;
    for (let i = from; i < to; i++) {
      if (h[i] === 0) continue;
      const start = pointers[i];
      const end = pointers[i + 1];
      let s = b;
      for (let k = start; k < end; k++) s += values[k] * v[indices[k]];
      s *= h[i];
      sum += s;
      for (let k = start; k < end; k++) out[indices[k]] += s * values[k];
    }
    if (this.hasBias) out[this.columns] += sum;
  }

  addSquares(h: Float64Array, out: Float64Array, from: number, to: number): void {
    const { pointers, indices, values } = this;
    let sum = 0;
    for (let i = from; i < to; i++) {
      const hi = h[i];
      if (hi === 0) continue;
      sum += hi;
      const end = pointers[i + 1];
      for (let k = pointers[i]; k < end; k++) out[indices[k]] += hi * values[k] * values[k];
    }
    if (this.hasBias) out[this.columns] += sum;
  }

  addOuterProducts(h: Float64Array, H: Float64Array, from: number, to: number): void {
    const { pointers, indices, values, columns, hasBias } = this;
    const D = columns + (hasBias ? 1 : 0);
    const last = columns * D;
    for (let i = from; i < to; i++) {
      const hi = h[i];
      if (hi === 0) continue;
      const start = pointers[i];
      const end = pointers[i + 1];
      let k = start;
      // Two rows of H together: column indices and values are read once for both.
      for (; k + 1 < end; k += 2) {
        const row = indices[k] * D;
        const next = indices[k + 1] * D;
        const hx = hi * values[k];
        const hxNext = hi * values[k + 1];
        for (let l = start; l <= k; l++) {
          const j = indices[l];
          H[row + j] += hx * values[l];
          H[next + j] += hxNext * values[l];
        }
        H[next + indices[k + 1]] += hxNext * values[k + 1];
      }
      if (k < end) {
        const row = indices[k] * D;
        const hx = hi * values[k];
        for (let l = start; l <= k; l++) H[row + indices[l]] += hx * values[l];
      }
      if (hasBias) {
        for (k = start; k < end; k++) H[last + indices[k]] += hi * values[k];
        H[last + columns] += hi;
      }
    }
  }
}
