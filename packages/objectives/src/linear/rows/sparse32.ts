/** Compressed sparse rows in single precision; the other precision has the same loops in a class of its own. */
import type { SparseMatrix } from "@curvature/linalg";
import type { RowAccess } from "./access.js";

export class SparseRows32 implements RowAccess {
  readonly rows: number;
  readonly columns: number;
  readonly storedEntries: number;
  private readonly pointers: Int32Array;
  private readonly indices: Int32Array;
  private readonly values: Float32Array;

  constructor(matrix: SparseMatrix<Float32Array>) {
    this.rows = matrix.rows;
    this.columns = matrix.columns;
    this.pointers = matrix.rowPointers;
    this.indices = matrix.columnIndices;
    this.values = matrix.values;
    this.storedEntries = matrix.rowPointers[matrix.rows];
  }

  dot(i: number, w: Float64Array): number {
    const { indices, values } = this;
    const end = this.pointers[i + 1];
    let sum = 0;
    for (let k = this.pointers[i]; k < end; k++) sum += values[k] * w[indices[k]];
    return sum;
  }

  addTo(i: number, a: number, w: Float64Array): void {
    const { indices, values } = this;
    const end = this.pointers[i + 1];
    for (let k = this.pointers[i]; k < end; k++) w[indices[k]] += a * values[k];
  }

  addScaledTo(i: number, a: number, B: Float64Array, w: Float64Array): void {
    const { indices, values } = this;
    const end = this.pointers[i + 1];
    for (let k = this.pointers[i]; k < end; k++) {
      const j = indices[k];
      w[j] += a * B[j] * values[k];
    }
  }

  scaledSquaredNorm(i: number, B: Float64Array): number {
    const { indices, values } = this;
    const end = this.pointers[i + 1];
    let sum = 0;
    for (let k = this.pointers[i]; k < end; k++) sum += B[indices[k]] * values[k] * values[k];
    return sum;
  }

  squaredNorm(i: number): number {
    const { values } = this;
    const end = this.pointers[i + 1];
    let sum = 0;
    for (let k = this.pointers[i]; k < end; k++) sum += values[k] * values[k];
    return sum;
  }

  count(i: number): number {
    return this.pointers[i + 1] - this.pointers[i];
  }
}
