/**
 * Stochastic neighbour embedding, in its first form: a distribution per point.
 *
 *   E = Σ p_m|n t_nm + λ Σ_n log Σ_m e^−t_nm
 *   w = sym(p_m|n − λ q_m|n),   f2 = λ sym(q_m|n)
 *
 * Hinton, Roweis: Stochastic neighbor embedding, NIPS 15, 2003.
 */
import { quadratic } from "./kernels/attraction.js";
import { gaussian } from "./kernels/gaussian.js";
import { nonsymmetricModel } from "./normalized-nonsymmetric.js";
import type { EmbeddingObjective } from "./objective.js";
import { type ModelOptions, normalizedOptions } from "./options.js";
import type { WeightsLike } from "./weights.js";

/**
 * SNE; at λ = 1 plus `entropyConstant` the sum of the N Kullback-Leibler divergences.
 *
 * @param P - conditional probabilities, N × N, entry (n, m) = p_m|n, zero on the diagonal, rows of sum 1
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT
 */
export function sne(P: WeightsLike, options?: ModelOptions): EmbeddingObjective {
  return nonsymmetricModel("sne", P, gaussian, quadratic, normalizedOptions.resolve("sne", options));
}
