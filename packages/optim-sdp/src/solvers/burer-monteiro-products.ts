/**
 * Products of D with a sparse nonnegative factor Y (n × r), in the form that is cheaper.
 *
 * Points   B = Yᵀ X (r × d), D Y = X Bᵀ, Tr(Yᵀ D Y) = ‖B‖²_F:  2 p d for B and 2 p d for D Y at Y's p places
 * Matrix   D Y at the places of column j from the rows of D at these places:  2 Σ_j p_j²
 *
 * | symbol | variable | shape                                                   |
 * |--------|----------|---------------------------------------------------------|
 * | X      | X        | n × d                                                   |
 * | B      | B        | r × d, so that the columns of Y lie in one piece each   |
 *
 * Four rows of X are added, or multiplied, at a time, so that B is read and written a fourth as often.
 */
import {
  type DenseMatrix,
  multiplyTranspose,
  norm2,
  gram as transposedProduct,
  zeros,
} from "@curvature/linalg";
import type { Gram } from "../gram/gram.js";
import { denseBytes } from "../memory.js";
import type { Places } from "./burer-monteiro-factor.js";

export interface FactorProducts {
  /** D Y at the places of Y into `out`, unless that is left out. @returns Tr(Yᵀ D Y) */
  atPlaces(places: Places, values: Float64Array, out: Float64Array | undefined): number;
  /** Rows `from` … `to` − 1 of D Y, all r columns, for the Y that `atPlaces` had last. */
  ofRows(places: Places, values: Float64Array, from: number, to: number): DenseMatrix;
  /** Multiplications that a row of `ofRows` takes. */
  rowCost(places: Places): number;
}

/**
 * The cheaper form, by the multiplications of a usual run in nanoseconds: 1000 evaluations and 60 gradients in all entries,
 * on 6 places in a row. D itself is formed only where it is worth it and its memory is allowed.
 */
export function factorProducts(gram: Gram, r: number): FactorProducts {
  const { points, n } = gram;
  if (points === undefined) return new MatrixProducts(gram.dense());
  const { columns: d } = points;
  const byPoints = d * (1000 * 6 * 0.9 + 60 * 0.3 * r);
  const byMatrix = n * ((1000 * 36 * 0.8) / r + 60 * 6 + 0.15 * d);
  const isAllowed = 2 * denseBytes(n, 1) <= gram.memoryLimit;
  return byMatrix < byPoints && isAllowed ? new MatrixProducts(gram.dense()) : new PointsProducts(points, r);
}

class PointsProducts implements FactorProducts {
  private readonly B: DenseMatrix;

  constructor(
    private readonly X: DenseMatrix,
    r: number,
  ) {
    this.B = zeros(r, X.columns);
  }

  atPlaces({ r, starts, rows }: Places, values: Float64Array, out: Float64Array | undefined): number {
    const { columns: d, data: x } = this.X;
    const b = this.B.data;
    let sum = 0;
    for (let j = 0; j < r; j++) {
      const at = j * d;
      accumulate(x, d, rows, values, starts[j], starts[j + 1], b, at);
      for (let c = at; c < at + d; c++) sum += b[c] * b[c];
      if (out !== undefined) multiplyEach(x, d, rows, starts[j], starts[j + 1], b, at, out);
    }
    return sum;
  }

  ofRows(_places: Places, _values: Float64Array, from: number, to: number): DenseMatrix {
    const { columns: d, data } = this.X;
    return multiplyTranspose({ rows: to - from, columns: d, data: data.subarray(from * d, to * d) }, this.B);
  }

  rowCost({ r }: Places): number {
    return r * this.X.columns;
  }
}

/** b[at … at + d − 1] ← Σ_k values[k] · row rows[k] of X */
function accumulate(
  x: Float64Array,
  d: number,
  rows: Int32Array,
  values: Float64Array,
  start: number,
  end: number,
  b: Float64Array,
  at: number,
): void {
  b.fill(0, at, at + d);
  const whole = end - ((end - start) % 4);
  for (let k = start; k < whole; k += 4) {
    const v0 = values[k];
    const v1 = values[k + 1];
    const v2 = values[k + 2];
    const v3 = values[k + 3];
    const x0 = rows[k] * d;
    const x1 = rows[k + 1] * d;
    const x2 = rows[k + 2] * d;
    const x3 = rows[k + 3] * d;
    for (let c = 0; c < d; c++)
      b[at + c] += v0 * x[x0 + c] + v1 * x[x1 + c] + (v2 * x[x2 + c] + v3 * x[x3 + c]);
  }
  for (let k = whole; k < end; k++) {
    const v0 = values[k];
    const x0 = rows[k] * d;
    for (let c = 0; c < d; c++) b[at + c] += v0 * x[x0 + c];
  }
}

/** out[k] ← ⟨row rows[k] of X, b[at …]⟩ */
function multiplyEach(
  x: Float64Array,
  d: number,
  rows: Int32Array,
  start: number,
  end: number,
  b: Float64Array,
  at: number,
  out: Float64Array,
): void {
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
      const bc = b[at + c];
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
    for (let c = 0; c < d; c++) s0 += b[at + c] * x[x0 + c];
    out[k] = s0;
  }
}

class MatrixProducts implements FactorProducts {
  private known: Places | undefined;
  private blocks = new Float64Array(0);

  constructor(private readonly D: DenseMatrix) {}

  atPlaces(places: Places, values: Float64Array, out: Float64Array | undefined): number {
    const { r, starts } = places;
    if (this.known !== places) this.gather(places);
    const { blocks } = this;
    let sum = 0;
    let at = 0;
    for (let j = 0; j < r; j++) {
      const start = starts[j];
      const size = starts[j + 1] - start;
      const whole = size - (size % 4);
      for (let k = 0; k < size; k++, at += size) {
        let s0 = 0;
        let s1 = 0;
        let s2 = 0;
        let s3 = 0;
        let l = 0;
        for (; l < whole; l += 4) {
          s0 += blocks[at + l] * values[start + l];
          s1 += blocks[at + l + 1] * values[start + l + 1];
          s2 += blocks[at + l + 2] * values[start + l + 2];
          s3 += blocks[at + l + 3] * values[start + l + 3];
        }
        for (; l < size; l++) s0 += blocks[at + l] * values[start + l];
        const product = s0 + s1 + (s2 + s3);
        sum += values[start + k] * product;
        if (out !== undefined) out[start + k] = product;
      }
    }
    return sum;
  }

  /** The entries of D in the rows and columns of each column's places, one block after the other. */
  private gather(places: Places): void {
    const { n, r, starts, rows } = places;
    const D = this.D.data;
    let size = 0;
    for (let j = 0; j < r; j++) size += (starts[j + 1] - starts[j]) * (starts[j + 1] - starts[j]);
    if (this.blocks.length < size) this.blocks = new Float64Array(size);
    const { blocks } = this;
    let at = 0;
    for (let j = 0; j < r; j++) {
      const end = starts[j + 1];
      for (let k = starts[j]; k < end; k++) {
        const row = rows[k] * n;
        for (let l = starts[j]; l < end; l++) blocks[at++] = D[row + rows[l]];
      }
    }
    this.known = places;
  }

  ofRows({ n, r, starts, rows }: Places, values: Float64Array, from: number, to: number): DenseMatrix {
    const D = this.D.data;
    const part = zeros(to - from, r);
    for (let i = from; i < to; i++) {
      const row = i * n;
      for (let j = 0; j < r; j++) {
        let product = 0;
        for (let l = starts[j]; l < starts[j + 1]; l++) product += D[row + rows[l]] * values[l];
        part.data[(i - from) * r + j] = product;
      }
    }
    return part;
  }

  rowCost({ rows }: Places): number {
    return 3 * rows.length;
  }
}

/** ‖D‖_F, or 1 where D is 0. */
export function frobenius(gram: Gram): number {
  const { points } = gram;
  const D = points !== undefined && points.columns < points.rows ? transposedProduct(points) : gram.dense();
  const size = norm2(D.data);
  return size > 0 ? size : 1;
}
