/**
 * A loss of one comparison "i and j are nearer to each other than l and k are": l(d₁, d₂) of the squared distances
 * d₁ = ‖xᵢ − xⱼ‖² and d₂ = ‖x_l − x_k‖². Its two partial derivatives are all that a gradient needs.
 */
export type OrdinalLossName = "gnmds" | "ckl" | "ste" | "tste" | "soe" | "logistic" | "smooth-hinge";

export interface OrdinalLoss {
  readonly name: OrdinalLossName;
  /** l(d₁, d₂). */
  value(d1: number, d2: number): number;
  /** l(d₁, d₂), and a = ∂l/∂d₁ ≥ 0, c = ∂l/∂d₂ ≤ 0 into `coefficients[0]` and `coefficients[1]`. */
  evaluate(d1: number, d2: number, coefficients: Float64Array): number;
}
