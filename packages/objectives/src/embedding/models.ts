/**
 * The models by name. Each is a kernel and an attraction in one of the families: normalised (`normalized.ts`), with a distribution
 * per point (`normalized-nonsymmetric.ts`), or not normalised (`unnormalized.ts`). w weighs the gradient,
 * f2 the second derivatives.
 */
import { logarithmic, quadratic } from "./kernels/attraction.js";
import { gaussian } from "./kernels/gaussian.js";
import { student } from "./kernels/student.js";
import { normalizedModel } from "./normalized.js";
import { nonsymmetricModel } from "./normalized-nonsymmetric.js";
import type { EmbeddingObjective } from "./objective.js";
import { type ModelOptions, normalizedOptions, unnormalizedOptions } from "./options.js";
import type { SumThreads } from "./threads/threads.js";
import { type AttractionAndRepulsion, unnormalizedModel } from "./unnormalized.js";
import type { WeightsLike } from "./weights.js";

/**
 * t-distributed stochastic neighbour embedding; at λ = 1 plus `entropyConstant` the Kullback-Leibler divergence.
 *
 *   E = Σ p_nm log(1 + t_nm) + λ log Σ k_nm,   k = 1 / (1 + t)
 *   w = k (p − λ q),   f2 = (2 λ q − p) k²,   V = Lap(q k) X
 *
 * van der Maaten, Hinton: Visualizing data using t-SNE. JMLR 9 (2008) 2579-2605. The nonsymmetric form normalises
 * each row, as SNE does. Early exaggeration by a factor a is λ = 1 / a, with E and its gradient divided by a.
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

/**
 * Symmetric stochastic neighbour embedding; at λ = 1 plus `entropyConstant` the Kullback-Leibler divergence.
 *
 *   E = Σ p_nm t_nm + λ log Σ e^−t_nm
 *   w = p − λ q,   f2 = λ q,   V = Lap(q) X
 *
 * Cook, Sutskever, Mnih, Hinton: Visualizing similarity data with a mixture of maps, AISTATS 2007.
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

/**
 * Stochastic neighbour embedding, in its first form, a distribution per point; at λ = 1 plus `entropyConstant` the sum of the N
 * Kullback-Leibler divergences.
 *
 *   E = Σ p_m|n t_nm + λ Σ_n log Σ_m e^−t_nm
 *   w = sym(p_m|n − λ q_m|n),   f2 = λ sym(q_m|n)
 *
 * Hinton, Roweis: Stochastic neighbor embedding, NIPS 15, 2003.
 *
 * @param P - conditional probabilities, N × N, entry (n, m) = p_m|n, zero on the diagonal, rows of sum 1
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT
 */
export function sne(P: WeightsLike, options?: ModelOptions): EmbeddingObjective {
  return nonsymmetricModel("sne", P, gaussian, quadratic, normalizedOptions.resolve("sne", options));
}

/**
 * The elastic embedding; usual weights are entropic affinities (`attraction`) and squared distances of the data
 * (`repulsion`), each divided by its sum.
 *
 *   E = Σ w⁺_nm t_nm + λ Σ w⁻_nm e^−t_nm
 *   w = w⁺ − λ w⁻ e^−t,   f2 = λ w⁻ e^−t
 *
 * With weights that each sum to 1, E(0) = λ.
 *
 * Carreira-Perpiñán: The elastic embedding algorithm for dimensionality reduction, ICML 2010.
 *
 * @param threads - of `@curvature/objectives/embedding/threads`, for gradients that are not exact; E is the same
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT
 */
export function elasticEmbedding(
  weights: AttractionAndRepulsion,
  options?: ModelOptions,
  threads?: SumThreads,
): EmbeddingObjective {
  const settings = unnormalizedOptions.resolve("elasticEmbedding", options);
  return unnormalizedModel("ee", weights, gaussian, quadratic, settings, threads);
}

/**
 * The elastic embedding with Student's kernel in place of the Gaussian.
 *
 *   E = Σ w⁺_nm log(1 + t_nm) + λ Σ w⁻_nm k_nm,   k = 1 / (1 + t)
 *   w = k (w⁺ − λ w⁻ k),   f2 = −w⁺ k² + 2 λ w⁻ k³
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 2.
 *
 * @param threads - of `@curvature/objectives/embedding/threads`, for gradients that are not exact; E is the same
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT
 */
export function tElasticEmbedding(
  weights: AttractionAndRepulsion,
  options?: ModelOptions,
  threads?: SumThreads,
): EmbeddingObjective {
  const settings = unnormalizedOptions.resolve("tElasticEmbedding", options);
  return unnormalizedModel("tee", weights, student, logarithmic, settings, threads);
}
