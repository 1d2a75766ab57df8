/**
 * The repulsion of the normalised symmetric models.
 *
 *   E⁻    = log S,   S = Σ_{n≠m} K(t_nm)
 *   ∇E⁻   = ∇S / S                                 = 4 Lap(q K₁) X with q = K / S, K₁ = K′ / K
 *   ∇²E⁻  = ∇²S / S − (∇S / S) (∇S / S)ᵀ           the last term is −16 vec(V) vec(V)ᵀ with V = Lap(q K₁) X
 *
 * S = 0 (every pair beyond the kernel's reach) makes E⁻ = +∞, so that a line search turns back.
 */
import { log } from "@curvature/linalg";
import type { EnergyTerm } from "../pair-sum.js";

export class LogSumRepulsion implements EnergyTerm {
  private readonly gradientOfS: Float64Array;

  constructor(
    private readonly sum: EnergyTerm,
    dimension: number,
  ) {
    this.gradientOfS = new Float64Array(dimension);
  }

  evaluate(X: Float64Array, gradient?: Float64Array): number {
    const S = this.sum.evaluate(X, gradient);
    if (gradient !== undefined) for (let i = 0; i < gradient.length; i++) gradient[i] /= S;
    return S === 0 ? Number.POSITIVE_INFINITY : log(S);
  }

  begin(X: Float64Array, withGradient: boolean): void {
    this.sum.begin?.(X, withGradient);
  }

  hessianVector(X: Float64Array, v: Float64Array, out: Float64Array): void {
    const g = this.gradientOfS;
    const S = this.sum.evaluate(X, g);
    this.sum.hessianVector(X, v, out);
    let slope = 0;
    for (let i = 0; i < g.length; i++) slope += (g[i] / S) * v[i];
    for (let i = 0; i < g.length; i++) out[i] = out[i] / S - (g[i] / S) * slope;
  }

  diagonalHessian(X: Float64Array, out: Float64Array): void {
    const g = this.gradientOfS;
    const S = this.sum.evaluate(X, g);
    this.sum.diagonalHessian(X, out);
    for (let i = 0; i < g.length; i++) out[i] = out[i] / S - (g[i] / S) * (g[i] / S);
  }

  curvatureWeights(X: Float64Array, out: Float64Array): void {
    const S = this.sum.evaluate(X);
    this.sum.curvatureWeights(X, out);
    for (let i = 0; i < out.length; i++) out[i] /= S;
  }
}
