/**
 * The elastic embedding.
 *
 *   E = Σ w⁺_nm t_nm + λ Σ w⁻_nm e^−t_nm
 *   w = w⁺ − λ w⁻ e^−t,   f2 = λ w⁻ e^−t
 *
 * With weights that each sum to 1, E(0) = λ.
 *
 * Carreira-Perpiñán: The elastic embedding algorithm for dimensionality reduction, ICML 2010.
 */
import { quadratic } from "./kernels/attraction.js";
import { gaussian } from "./kernels/gaussian.js";
import type { EmbeddingObjective } from "./objective.js";
import { type ModelOptions, unnormalizedOptions } from "./options.js";
import type { SumThreads } from "./threads/threads.js";
import { type AttractionAndRepulsion, unnormalizedModel } from "./unnormalized.js";

/**
 * The elastic embedding; usual weights are entropic affinities (`attraction`) and squared distances of the data
 * (`repulsion`), each divided by its sum.
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
