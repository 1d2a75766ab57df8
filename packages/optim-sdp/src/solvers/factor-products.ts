/**
 * Products of D with a sparse nonnegative factor Y (n × r), in the form that is cheaper.
 *
 * From points, D = X Xᵀ, X (n × d):   B = Yᵀ X (r × d, so that the columns of Y lie in one piece each), D Y = X Bᵀ,
 *                                     Tr(Yᵀ D Y) = ‖B‖²_F:  2 p d for B and 2 p d for D Y on Y's support of p entries
 * From D itself, P_j the support of   (D Y)_kj, k ∈ P_j:   D[P_j, P_j] Y_Pj, a symmetric block that is gathered once for a
 * column j                            support:  Σ_j p_j²;   rows i of D Y:  Σ_{k ∈ P_j} Y_kj D_ki, D being symmetric:  p for a row
 *
 * Four rows are added, or multiplied, at a time, so that sums are read and written a fourth as often.
 */
import {
  type DenseMatrix,
  dot,
  multiplyTranspose,
  norm2,
  symmetricEntries,
  symmetricTimesVector,
  gram as transposedProduct,
  zeros,
} from "@curvature/linalg";
import { checkMemory, denseBytes } from "../arguments.js";
import type { Gram } from "../gram.js";
import type { Support } from "./factor-support.js";

export interface FactorProducts {
  /** D Y on the support of Y into `out`, unless that is left out. @returns Tr(Yᵀ D Y) */
  onSupport(support: Support, values: Float64Array, out: Float64Array | undefined): number;
  /** Rows `from` … `to` − 1 of D Y, all r columns, for the Y that `onSupport` had last. */
  ofRows(support: Support, values: Float64Array, from: number, to: number): DenseMatrix;
  /** Multiplications that a row of `ofRows` takes. */
  rowCost(support: Support): number;
}

/**
 * The cheaper form, by the multiplications of a usual run in nanoseconds: 1000 evaluations and 60 gradients in all entries,
 * on 6 entries in a row. D itself is formed only where it is worth it and its memory is allowed.
 */
export function factorProducts(gram: Gram, r: number): FactorProducts {
  const { points, n } = gram;
  if (points === undefined) return new MatrixProducts(gram.dense(), gram.memoryLimit);
  const { columns: d } = points;
  const byPoints = d * (1000 * 6 * 0.9 + 60 * 0.3 * r);
  const byMatrix = n * ((1000 * 36 * 0.5) / r + 60 * 6 * 0.7 + 0.15 * d);
  const isAllowed = 2 * denseBytes(n, 1) <= gram.memoryLimit;
  return byMatrix < byPoints && isAllowed
    ? new MatrixProducts(gram.dense(), gram.memoryLimit)
    : new PointsProducts(points, r);
}

/** ‖D‖_F, or 1 where D is 0. */
export function frobenius(gram: Gram): number {
  const { points } = gram;
  const D = points !== undefined && points.columns < points.rows ? transposedProduct(points) : gram.dense();
  const size = norm2(D.data);
  return size > 0 ? size : 1;
}

class PointsProducts implements FactorProducts {
  private readonly B: DenseMatrix;
  private readonly rowsOfB: readonly Float64Array[];

  constructor(
    private readonly X: DenseMatrix,
    r: number,
  ) {
    const d = X.columns;
    this.B = zeros(r, d);
    this.rowsOfB = Array.from({ length: r }, (_, j) => this.B.data.subarray(j * d, (j + 1) * d));
  }

  onSupport({ r, starts, rows }: Support, values: Float64Array, out: Float64Array | undefined): number {
    const { X, rowsOfB } = this;
    let sum = 0;
    for (let j = 0; j < r; j++) {
      const b = rowsOfB[j];
      b.fill(0);
      addRows(X, 0, rows, values, starts[j], starts[j + 1], b);
      for (let c = 0; c < b.length; c++) sum += b[c] * b[c];
      if (out !== undefined) multiplyEach(X.data, rows, starts[j], starts[j + 1], b, out);
    }
    return sum;
  }

  ofRows(_places: Support, _values: Float64Array, from: number, to: number): DenseMatrix {
    const { columns: d, data } = this.X;
    return multiplyTranspose({ rows: to - from, columns: d, data: data.subarray(from * d, to * d) }, this.B);
  }

  rowCost({ r }: Support): number {
    return r * this.X.columns;
  }
}

/** out[k] ← ⟨row rows[k] of X, b⟩ */
function multiplyEach(
  x: Float64Array,
  rows: Int32Array,
  start: number,
  end: number,
  b: Float64Array,
  out: Float64Array,
): void {
  const d = b.length;
  const whole = end - ((end - start) % 4);
  for (let k = start; k < whole; k += 4) {
    const x0 = rows[k] * d;
    const x1 = rows[k + 1] * d;
    const x2 = rows[k + 2] * d;
    const x3 = rows[k + 3] * d;
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    for (let c = 0; c < d; c++) {
      const bc = b[c];
      s0 += bc * x[x0 + c];
      s1 += bc * x[x1 + c];
      s2 += bc * x[x2 + c];
      s3 += bc * x[x3 + c];
    }
    out[k] = s0;
    out[k + 1] = s1;
    out[k + 2] = s2;
    out[k + 3] = s3;
  }
  for (let k = whole; k < end; k++) {
    const x0 = rows[k] * d;
    let s0 = 0;
    for (let c = 0; c < d; c++) s0 += b[c] * x[x0 + c];
    out[k] = s0;
  }
}

/** D[P_j, P_j], with its operand and its product. */
interface Block {
  readonly D: DenseMatrix;
  readonly values: Float64Array;
  readonly products: Float64Array;
}

class MatrixProducts implements FactorProducts {
  private gathered: Support | undefined;
  private blocks: readonly Block[] = [];
  /** Of all blocks; kept as long as they fit. */
  private entries: Float64Array = new Float64Array(0);
  /** Those of all blocks. */
  private values = new Float64Array(0);
  private products = new Float64Array(0);

  /** @param memoryLimit - bytes that the blocks may take */
  constructor(
    private readonly D: DenseMatrix,
    private readonly memoryLimit: number,
  ) {}

  onSupport(support: Support, values: Float64Array, out: Float64Array | undefined): number {
    if (this.gathered !== support) this.gather(support);
    this.values.set(values);
    for (const block of this.blocks) symmetricTimesVector(block.D, block.values, block.products);
    out?.set(this.products);
    return dot(values, this.products);
  }

  private gather(support: Support): void {
    const { r, starts, rows } = support;
    let size = 0;
    for (let j = 0; j < r; j++) size += (starts[j + 1] - starts[j]) ** 2;
    this.blocks = [];
    this.gathered = undefined;
    if (this.entries.length < size) {
      checkMemory("BurerMonteiro", `Y with ${rows.length} entries`, 8 * size, this.memoryLimit);
      this.entries = new Float64Array(0); // two of them might not fit
      this.entries = symmetricEntries(size, this.D.rows);
    }
    this.values = new Float64Array(rows.length);
    this.products = new Float64Array(rows.length);
    let at = 0;
    this.blocks = Array.from({ length: r }, (_, j) => {
      const [start, end] = [starts[j], starts[j + 1]];
      const p = end - start;
      const data = this.entries.subarray(at, at + p * p);
      at += p * p;
      this.gatherBlock(rows.subarray(start, end), data);
      return {
        D: { rows: p, columns: p, data },
        values: this.values.subarray(start, end),
        products: this.products.subarray(start, end),
      };
    });
    this.gathered = support;
  }

  /** The lower triangle alone. */
  private gatherBlock(rows: Int32Array, block: Float64Array): void {
    const { data, columns: n } = this.D;
    const p = rows.length;
    for (let k = 0; k < p; k++) {
      const row = rows[k] * n;
      for (let l = 0; l <= k; l++) block[k * p + l] = data[row + rows[l]];
    }
  }

  ofRows({ r, starts, rows }: Support, values: Float64Array, from: number, to: number): DenseMatrix {
    const part = zeros(to - from, r);
    const column = new Float64Array(to - from);
    for (let j = 0; j < r; j++) {
      column.fill(0);
      addRows(this.D, from, rows, values, starts[j], starts[j + 1], column);
      for (let i = 0; i < column.length; i++) part.data[i * r + j] = column[i];
    }
    return part;
  }

  rowCost({ rows }: Support): number {
    return rows.length;
  }
}

/** sum ← sum + Σ_k values[k] · the entries from `from` on of row rows[k] of D, four rows at a time. */
function addRows(
  { data, columns: n }: DenseMatrix,
  from: number,
  rows: Int32Array,
  values: Float64Array,
  start: number,
  end: number,
  sum: Float64Array,
): void {
  const whole = end - ((end - start) % 4);
  for (let k = start; k < whole; k += 4) {
    const v0 = values[k];
    const v1 = values[k + 1];
    const v2 = values[k + 2];
    const v3 = values[k + 3];
    const r0 = rows[k] * n + from;
    const r1 = rows[k + 1] * n + from;
    const r2 = rows[k + 2] * n + from;
    const r3 = rows[k + 3] * n + from;
    for (let i = 0; i < sum.length; i++)
      sum[i] += v0 * data[r0 + i] + v1 * data[r1 + i] + (v2 * data[r2 + i] + v3 * data[r3 + i]);
  }
  for (let k = whole; k < end; k++) {
    const v0 = values[k];
    const r0 = rows[k] * n + from;
    for (let i = 0; i < sum.length; i++) sum[i] += v0 * data[r0 + i];
  }
}
