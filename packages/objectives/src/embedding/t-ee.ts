/**
 * The elastic embedding with Student's kernel.
 *
 *   E = Σ w⁺_nm log(1 + t_nm) + λ Σ w⁻_nm k_nm,   k = 1 / (1 + t)
 *   w = k (w⁺ − λ w⁻ k),   f2 = −w⁺ k² + 2 λ w⁻ k³
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 2.
 */
import { logarithmic } from "./kernels/attraction.js";
import { student } from "./kernels/student.js";
import type { EmbeddingObjective } from "./objective.js";
import { type ModelOptions, unnormalizedOptions } from "./options.js";
import type { SumThreads } from "./threads/threads.js";
import { type AttractionAndRepulsion, unnormalizedModel } from "./unnormalized.js";

/**
 * The elastic embedding with Student's kernel in place of the Gaussian.
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
