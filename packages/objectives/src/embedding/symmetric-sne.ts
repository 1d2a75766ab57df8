/**
 * Symmetric stochastic neighbour embedding.
 *
 *   E = Σ p_nm t_nm + λ log Σ e^−t_nm
 *   w = p − λ q,   f2 = λ q,   V = Lap(q) X
 *
 * Cook, Sutskever, Mnih, Hinton: Visualizing similarity data with a mixture of maps, AISTATS 2007.
 */
import { quadratic } from "./kernels/attraction.js";
import { gaussian } from "./kernels/gaussian.js";
import { normalizedModel } from "./normalized.js";
import type { EmbeddingObjective } from "./objective.js";
import { type ModelOptions, normalizedOptions } from "./options.js";
import type { SumThreads } from "./threads/threads.js";
import type { WeightsLike } from "./weights.js";

/**
 * Symmetric SNE; at λ = 1 plus `entropyConstant` the Kullback-Leibler divergence.
 *
 * @param P - joint probabilities p_nm, N × N, symmetric, zero on the diagonal, of sum 1; not copied
 * @param threads - of `@curvature/objectives/embedding/threads`, for gradients that are not exact; E is the same
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT
 */
export function symmetricSne(
  P: WeightsLike,
  options?: ModelOptions,
  threads?: SumThreads,
): EmbeddingObjective {
  const settings = normalizedOptions.resolve("symmetricSne", options);
  return normalizedModel("ssne", P, gaussian, quadratic, settings, threads);
}
