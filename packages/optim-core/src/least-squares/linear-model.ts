/**
 * What Levenberg-Marquardt steps are made of: the linear problem ½‖r + J p‖² over some of the columns of J, solved for as many
 * dampings λ as are asked for from one QR factorisation.
 *
 *   J S⁻¹ P = Q R       S the lengths of the columns: units make no difference to their order and to the rank
 *   λ = 0               R u = −(Qᵀ r) in the first `rank` places of u = Pᵀ S p, 0 in the others
 *   λ > 0               ‖(Qᵀ r, 0) + (R, √λ W) u‖ least,   W = D S⁻¹ in pivoted order: rotated to R_λ u = −c
 *
 * Moré: The Levenberg-Marquardt algorithm: implementation and theory. In: Numerical Analysis, Lecture Notes in Mathematics 630
 * (1978) 105-116, section 3. Differs from it: the columns are divided by their lengths first.
 */
import { norm2, PivotedQr, powerOfTwoBelow } from "@curvature/linalg";

/** The linear problem ½‖r + J p‖² over some columns of J, solved for any damping λ; its u is p in an order and in units of its own. */
export interface StepModel {
  readonly factorization: "qr" | "cholesky" | "shifted-cholesky";
  /** The columns, in any order. */
  readonly order: Int32Array;
  readonly size: number;
  /** By how much the undamped step lowers ½‖r + J p‖². */
  readonly expected: number;
  readonly hasFullRank: boolean;
  newton(): Float64Array;
  step(lambda: number): Float64Array;
  slope(u: Float64Array, lambda: number): number;
  scaledLength(u: Float64Array): number;
  scaledGradient(): number;
  write(u: Float64Array, p: Float64Array): void;
}

/** J, row by row, and r. */
export interface Linearization {
  readonly jacobian: Float64Array;
  readonly residuals: Float64Array;
}

export class LinearModel implements StepModel {
  readonly factorization = "qr";
  readonly rank: number;
  /** ½‖Q₁ᵀ r‖²: by how much the undamped step lowers ½‖r + J p‖². */
  readonly expected: number;
  /** The columns in their pivoted order, as columns of J. */
  readonly order: Int32Array;
  /** S, in pivoted order. */
  readonly lengths: Float64Array;
  /** R, k × k, row by row. */
  readonly R: Float64Array;
  /** The first k of Qᵀ r. */
  private readonly c: Float64Array;
  private readonly W: Float64Array;
  /** R_λ of the last λ, and a row that is rotated into it. */
  private readonly damped: Float64Array;
  private readonly row: Float64Array;

  /**
   * @param columns - those of J that may move
   * @param D - one for each column of J
   * @param error - the relative error of J's columns: less than that is nothing
   */
  constructor({ jacobian, residuals }: Linearization, columns: Int32Array, D: Float64Array, error: number) {
    const m = residuals.length;
    const n = m === 0 ? 0 : jacobian.length / m;
    const k = columns.length;
    const A = new Float64Array(k * m);
    const lengths = new Float64Array(k);
    for (const [j, column] of columns.entries()) {
      const part = A.subarray(j * m, (j + 1) * m);
      for (let i = 0; i < m; i++) part[i] = jacobian[i * n + column];
      lengths[j] = powerOfTwoBelow(norm2(part));
      for (let i = 0; i < m; i++) part[i] /= lengths[j];
    }
    const qr = new PivotedQr(A, m, k);
    const y = residuals.slice();
    qr.applyTransposed(y);
    this.order = qr.order.map((j) => columns[j]);
    this.lengths = lengths.map((_, i) => lengths[qr.order[i]]);
    this.W = lengths.map((_, i) => D[this.order[i]] / this.lengths[i]);
    this.R = new Float64Array(k * k);
    this.c = new Float64Array(k);
    for (let i = 0; i < qr.steps; i++) {
      for (let j = i; j < k; j++) this.R[i * k + j] = qr.entry(i, j);
      this.c[i] = y[i];
    }
    const least = Math.max(Math.max(m, k) * Number.EPSILON, error) * Math.abs(this.R[0] ?? 0);
    let rank = 0;
    let squares = 0;
    for (; rank < qr.steps && Math.abs(this.R[rank * (k + 1)]) > least; rank++)
      squares += this.c[rank] * this.c[rank];
    this.rank = rank;
    this.expected = squares / 2;
    this.damped = new Float64Array(k * k);
    this.row = new Float64Array(k);
  }

  get size(): number {
    return this.order.length;
  }

  get hasFullRank(): boolean {
    return this.rank === this.size;
  }

  /** ‖D p‖ of p = S⁻¹ P u. */
  scaledLength(u: Float64Array): number {
    return norm2(u.map((entry, i) => entry * this.W[i]));
  }

  /** ‖D⁻¹ Jᵀ r‖ over these columns. */
  scaledGradient(): number {
    const { R, c, W, size: k } = this;
    return norm2(
      c.map((_, j) => {
        let sum = 0;
        for (let i = 0; i <= j; i++) sum += R[i * k + j] * c[i];
        return sum / W[j];
      }),
    );
  }

  /** u of the undamped step. */
  newton(): Float64Array {
    return this.solved(this.R, this.c, this.rank);
  }

  /** u of the step damped by λ; `slope` is of this λ from then on. */
  step(lambda: number): Float64Array {
    const { R, W, c, damped, row, size: k } = this;
    damped.set(R);
    const right = c.slice();
    for (let place = 0; place < k; place++) {
      row.fill(0);
      row[place] = Math.sqrt(lambda) * W[place];
      let beside = 0;
      for (let i = place; i < k; i++) {
        if (row[i] === 0) continue;
        const diagonal = damped[i * k + i];
        const length = Math.sqrt(diagonal * diagonal + row[i] * row[i]);
        const [cosine, sine] = [diagonal / length, row[i] / length];
        for (let j = i; j < k; j++) {
          const [upper, lower] = [damped[i * k + j], row[j]];
          damped[i * k + j] = cosine * upper + sine * lower;
          row[j] = cosine * lower - sine * upper;
        }
        const [upper, lower] = [right[i], beside];
        right[i] = cosine * upper + sine * lower;
        beside = cosine * lower - sine * upper;
      }
    }
    return this.solved(damped, right, k);
  }

  /** ‖R_λ⁻ᵀ W q‖² for q = W u / ‖W u‖: −(d‖D p‖/dλ) / ‖D p‖. @param lambda - 0, or that of the last step */
  slope(u: Float64Array, lambda: number): number {
    const { W, size: k } = this;
    const T = lambda === 0 ? this.R : this.damped;
    const length = this.scaledLength(u);
    const y = u.map((entry, i) => W[i] * ((W[i] * entry) / length));
    let squares = 0;
    for (let j = 0; j < k; j++) {
      for (let i = 0; i < j; i++) y[j] -= T[i * k + j] * y[i];
      y[j] /= T[j * k + j];
      squares += y[j] * y[j];
    }
    return squares;
  }

  /** Writes p = S⁻¹ P u, in these columns. */
  write(u: Float64Array, p: Float64Array): void {
    for (const [i, j] of this.order.entries()) p[j] = u[i] / this.lengths[i];
  }

  private solved(T: Float64Array, c: Float64Array, rank: number): Float64Array {
    const k = this.size;
    const u = new Float64Array(k);
    for (let i = rank - 1; i >= 0; i--) {
      let sum = -c[i];
      for (let j = i + 1; j < rank; j++) sum -= T[i * k + j] * u[j];
      u[i] = T[i * k + i] === 0 ? 0 : sum / T[i * k + i];
    }
    return u;
  }
}
