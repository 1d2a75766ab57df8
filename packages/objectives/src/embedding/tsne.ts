/**
 * t-distributed stochastic neighbour embedding.
 *
 *   E = Σ p_nm log(1 + t_nm) + λ log Σ k_nm,   k = 1 / (1 + t)
 *   w = k (p − λ q),   f2 = (2 λ q − p) k²,   V = Lap(q k) X
 *
 * van der Maaten, Hinton: Visualizing data using t-SNE. JMLR 9 (2008) 2579-2605. The nonsymmetric form normalises
 * each row, as SNE does. Early exaggeration by a factor a is λ = 1 / a, with E and its gradient divided by a.
 */
import { logarithmic } from "./kernels/attraction.js";
import { student } from "./kernels/student.js";
import { normalizedModel } from "./normalized.js";
import { nonsymmetricModel } from "./normalized-nonsymmetric.js";
import type { EmbeddingObjective } from "./objective.js";
import { type ModelOptions, normalizedOptions } from "./options.js";
import type { SumThreads } from "./threads/threads.js";
import type { WeightsLike } from "./weights.js";

/**
 * t-SNE; at λ = 1 plus `entropyConstant` the Kullback-Leibler divergence.
 *
 * @param P - joint probabilities p_nm, N × N, symmetric, zero on the diagonal, of sum 1; not copied
 * @param threads - of `@curvature/objectives/embedding/threads`, for gradients that are not exact; E is the same
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT
 */
export function tsne(P: WeightsLike, options?: ModelOptions, threads?: SumThreads): EmbeddingObjective {
  const settings = normalizedOptions.resolve("tsne", options);
  return normalizedModel("tsne", P, student, logarithmic, settings, threads);
}

/**
 * t-SNE with a distribution per point.
 *
 * @param P - conditional probabilities, N × N, entry (n, m) = p_m|n, zero on the diagonal, rows of sum 1
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT
 */
export function nonsymmetricTsne(P: WeightsLike, options?: ModelOptions): EmbeddingObjective {
  const settings = normalizedOptions.resolve("nonsymmetricTsne", options);
  return nonsymmetricModel("nonsymmetric-tsne", P, student, logarithmic, settings);
}
