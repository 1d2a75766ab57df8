/**
 * Products of D = X Xᵀ with a sparse factor Y, from the points.
 *
 *   B = Yᵀ X (r × d), D Y = X Bᵀ, Tr(Yᵀ D Y) = ‖B‖²_F:  2 p d for B and 2 p d for D Y at Y's p places
 *
 * | symbol | variable | shape                                                   |
 * |--------|----------|---------------------------------------------------------|
 * | X      | X        | n × d                                                   |
 * | B      | B        | r × d, so that the columns of Y lie in one piece each   |
 *
 * Four rows of X are added, or multiplied, at a time, so that B is read and written a fourth as often.
 */
import { type DenseMatrix, multiplyTranspose, zeros } from "@curvature/linalg";
import { addRows } from "./add-rows.js";
import type { Places } from "./burer-monteiro-factor.js";
import type { FactorProducts } from "./factor-products.js";

export class PointsProducts implements FactorProducts {
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

  atPlaces({ r, starts, rows }: Places, values: Float64Array, out: Float64Array | undefined): number {
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

  ofRows(_places: Places, _values: Float64Array, from: number, to: number): DenseMatrix {
    const { columns: d, data } = this.X;
    return multiplyTranspose({ rows: to - from, columns: d, data: data.subarray(from * d, to * d) }, this.B);
  }

  rowCost({ r }: Places): number {
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
