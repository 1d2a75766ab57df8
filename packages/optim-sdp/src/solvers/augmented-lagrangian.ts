/**
 * The augmented Lagrangian of NOMAD's completely positive restriction Q = Y Yᵀ, Y ≥ 0 (n × r), on a support of Y.
 *
 *   L(Y)  = −Tr(Yᵀ D̂ Y) − l₁ τ + (s₁/2) τ² − l₂ᵀ c + (s₂/2) ‖c‖²,   τ = ‖Y‖²_F − K,  c = Y (Yᵀ 1) − 1
 *   ∇L(Y) = −2 D̂ Y − 2 (l₁ − s₁ τ) Y + (q 1ᵀ + 1 qᵀ) Y,             q = s₂ c − l₂
 *
 * | symbol  | variable         | shape, value                        |
 * |---------|------------------|-------------------------------------|
 * | D̂       |                  | D / ‖D‖_F                           |
 * | l₁, l₂  | trace, rowSums   | 1, n                                |
 * | s₁, s₂  | S1, penalty      | 1, 3/n                              |
 * | τ, c    | excess, c        | 1, n                                |
 * | Yᵀ1     | sums             | r                                   |
 * | Yᵀq     | weighted         | r                                   |
 *
 * Tepper, Sengupta, Chklovskii, J. Mach. Learn. Res. 19 (2018), section 5 and appendix, who take s₁ = s₂ = 1; s₂ = 3/n
 * needs a third of the evaluations. Yᵀ Y is never needed.
 */
import type { Objective } from "@curvature/optim-core";
import type { FactorProducts } from "./factor-products.js";
import { type Support, times, transposeTimes } from "./factor-support.js";

/** l₁ and l₂ in the unit of D̂. */
export interface Multipliers {
  trace: number;
  readonly rowSums: Float64Array;
}

const S1 = 1;

export class Lagrangian implements Objective {
  readonly dimension: number;
  /** Tr(Yᵀ D̂ Y), τ and c of the last evaluation. */
  objective = 0;
  excess = 0;
  readonly c: Float64Array;
  readonly sums: Float64Array;
  readonly weighted: Float64Array;
  private readonly q: Float64Array;
  private readonly ones: Float64Array;

  constructor(
    readonly support: Support,
    private readonly products: FactorProducts,
    private readonly scale: number,
    private readonly K: number,
    private readonly penalty: number,
    private readonly multipliers: Multipliers,
  ) {
    const { n, r } = support;
    this.dimension = support.rows.length;
    this.c = new Float64Array(n);
    this.q = new Float64Array(n);
    this.ones = new Float64Array(n).fill(1);
    this.sums = new Float64Array(r);
    this.weighted = new Float64Array(r);
  }

  evaluate(values: Float64Array, gradient?: Float64Array): number {
    const { support, c, q, sums, weighted, scale, penalty } = this;
    const { trace: l1, rowSums: l2 } = this.multipliers;
    const { n, r, starts, rows } = support;
    transposeTimes(support, values, this.ones, sums);
    times(support, values, sums, c);
    let squares = 0;
    for (let k = 0; k < values.length; k++) squares += values[k] * values[k];
    this.excess = squares - this.K;
    this.objective = this.products.onSupport(support, values, gradient) / scale;
    let value = -this.objective - l1 * this.excess + 0.5 * S1 * this.excess * this.excess;
    for (let i = 0; i < n; i++) {
      c[i] -= 1;
      q[i] = penalty * c[i] - l2[i];
      value += c[i] * (0.5 * penalty * c[i] - l2[i]);
    }
    if (gradient === undefined) return value;
    transposeTimes(support, values, q, weighted);
    const factor = 2 * (l1 - S1 * this.excess);
    for (let j = 0; j < r; j++) {
      const sum = sums[j];
      const weight = weighted[j];
      for (let k = starts[j]; k < starts[j + 1]; k++)
        gradient[k] = (-2 / scale) * gradient[k] - factor * values[k] + q[rows[k]] * sum + weight;
    }
    return value;
  }

  /**
   * The gradient in rows `from` … `to` − 1, all r columns, by rows, but for the term in Y itself, which is zero where Y
   * is; at the point of the last evaluation with a gradient, whose numbers `values` are.
   */
  rowsOfGradient(values: Float64Array, from: number, to: number): Float64Array {
    const { support, q, sums, weighted, scale } = this;
    const { r } = support;
    const { data } = this.products.ofRows(support, values, from, to);
    for (let i = from; i < to; i++)
      for (let j = 0, at = (i - from) * r; j < r; j++, at++)
        data[at] = (-2 / scale) * data[at] + q[i] * sums[j] + weighted[j];
    return data;
  }

  /** l₁ −= s₁ τ, l₂ −= s₂ c, of the last evaluation. */
  updateMultipliers(): void {
    const { multipliers, c, penalty } = this;
    multipliers.trace -= S1 * this.excess;
    for (let i = 0; i < c.length; i++) multipliers.rowSums[i] -= penalty * c[i];
  }
}
