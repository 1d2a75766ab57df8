/** E at λ = 1 as a Kullback-Leibler divergence. */
import type { EmbeddingObjective } from "@curvature/objectives/embedding";

/**
 * E(λ = 1) + Σ p log p. It is not negative, but a sum of N² terms is rounded by as much as N² ε |E|: from there up to 0 it is 0, and
 * what is less comes from an approximated gradient, and is reported.
 */
export function divergenceOf({ points, entropyConstant }: EmbeddingObjective, E: number): number {
  const divergence = E + entropyConstant;
  const rounding = points * points * Number.EPSILON * Math.max(1, Math.abs(E));
  return divergence < 0 && divergence >= -rounding ? 0 : divergence;
}
