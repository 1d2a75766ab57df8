/**
 * The contractive penalty: β times the squared Frobenius norm of the Jacobian of a sigmoid encoder h = s(W v + b), summed
 * over rows, with q = h (1 − h),
 *
 *   ‖∂h/∂v‖_F² = Σ_j q_j² ‖W_j‖²                                        (eq. 5 of Rifai et al.)
 *   ∂/∂h_j = 2 q_j (1 − 2 h_j) ‖W_j‖²,   ∂/∂W_j = 2 q_j² W_j
 *
 * It is the sum of squares of r_jk = q_j W_jk, from which its Gauss-Newton product follows: ṙ = q̇ W + q V with
 * q̇ = (1 − 2h) ḣ, then 2 (∂r)ᵀ ṙ.
 *
 * Rifai, Vincent, Muller, Glorot, Bengio: Contractive auto-encoders: explicit invariance during feature extraction. ICML
 * 2011.
 */

import type { ParameterBlock } from "../sums/layout.js";
import { numbers } from "../sums/memory.js";

export class Contraction {
  private readonly squaredNorms: Float64Array;
  private readonly products: Float64Array;
  private readonly factors: Float64Array;

  constructor(
    private readonly beta: number,
    private readonly weights: ParameterBlock,
  ) {
    this.squaredNorms = numbers(weights.rows);
    this.products = numbers(weights.rows);
    this.factors = numbers(weights.rows);
  }

  /** The penalty of all rows of h. */
  value(rows: number, x: Float64Array, h: Float64Array): number {
    const { squaredNorms } = this;
    this.multiplyRows(x, x, squaredNorms);
    const hidden = squaredNorms.length;
    let sum = 0;
    for (let n = 0, e = 0; n < rows; n++)
      for (let j = 0; j < hidden; j++, e++) {
        const q = h[e] * (1 - h[e]);
        sum += q * q * squaredNorms[j];
      }
    return this.beta * sum;
  }

  /** After `value`: scale ∂/∂h added to `slopes`, scale ∂/∂W to `gradient`. */
  backward(
    rows: number,
    x: Float64Array,
    h: Float64Array,
    scale: number,
    slopes: Float64Array,
    gradient: Float64Array,
  ): void {
    const { squaredNorms, factors } = this;
    const hidden = squaredNorms.length;
    const weight = 2 * scale * this.beta;
    factors.fill(0);
    for (let n = 0, e = 0; n < rows; n++)
      for (let j = 0; j < hidden; j++, e++) {
        const q = h[e] * (1 - h[e]);
        slopes[e] += weight * q * (1 - 2 * h[e]) * squaredNorms[j];
        factors[j] += weight * q * q;
      }
    this.addRows(factors, x, gradient);
  }

  /** The Gauss-Newton product: `tangent` is ḣ; its part by h is added to `slopes`, that by W to `out`. */
  curve(
    rows: number,
    x: Float64Array,
    v: Float64Array,
    h: Float64Array,
    tangent: Float64Array,
    scale: number,
    slopes: Float64Array,
    out: Float64Array,
  ): void {
    const { squaredNorms, products, factors } = this;
    const hidden = squaredNorms.length;
    const weight = 2 * scale * this.beta;
    this.multiplyRows(x, x, squaredNorms);
    this.multiplyRows(x, v, products);
    factors.fill(0);
    for (let n = 0, e = 0; n < rows; n++)
      for (let j = 0; j < hidden; j++, e++) {
        const q = h[e] * (1 - h[e]);
        const slope = 1 - 2 * h[e];
        const qTangent = slope * tangent[e];
        slopes[e] += weight * slope * (qTangent * squaredNorms[j] + q * products[j]);
        factors[j] += weight * q * qTangent;
      }
    this.addRows(factors, x, out);
    factors.fill(0);
    for (let n = 0, e = 0; n < rows; n++)
      for (let j = 0; j < hidden; j++, e++) {
        const q = h[e] * (1 - h[e]);
        factors[j] += weight * q * q;
      }
    this.addRows(factors, v, out);
  }

  /** out_j ← ⟨row j of W in x, row j of W in y⟩ */
  private multiplyRows(x: Float64Array, y: Float64Array, out: Float64Array): void {
    const { offset, rows, columns } = this.weights;
    for (let j = 0, e = offset; j < rows; j++) {
      let sum = 0;
      for (let k = 0; k < columns; k++, e++) sum += x[e] * y[e];
      out[j] = sum;
    }
  }

  /** Row j of W in `out` += factors_j times that in x. */
  private addRows(factors: Float64Array, x: Float64Array, out: Float64Array): void {
    const { offset, rows, columns } = this.weights;
    for (let j = 0, e = offset; j < rows; j++)
      for (let k = 0; k < columns; k++, e++) out[e] += factors[j] * x[e];
  }
}
