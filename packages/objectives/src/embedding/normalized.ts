/**
 * The normalised symmetric family: one distribution over all pairs.
 *
 *   E = Σ_{n≠m} p_nm A(t_nm) + λ log S,   q_nm = K(t_nm) / S,   S = Σ_{n≠m} K(t_nm),   Σ_{n≠m} p_nm = 1
 *
 *   ∇E   = 4 Lap(W) X,   w = p A′ + λ q K₁
 *   ∇²E  = 4 Lap(W) ⊗ I + 8 L^xx[p A″ + λ q K₂] − 16 λ vec(V) vec(V)ᵀ,   V = Lap(q K₁) X
 *
 * with K₁ = K′/K, K₂ = K″/K. With A = −log K and λ = 1, E + Σ p log p is the Kullback-Leibler divergence of p from q.
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 2; the paper leaves out Σ p log p, as E does here.
 */
import { AttractionRepulsion } from "./attraction-repulsion.js";
import { fingerprintOfWeights } from "./fingerprint.js";
import { attractionFor, isLogKernel, kernels } from "./kernels/kernels.js";
import type { Kernel, PairFunction } from "./kernels/pair-function.js";
import type { EmbeddingObjective } from "./objective.js";
import { type FamilyOptions, type ModelSettings, normalizedFamilyOptions } from "./options.js";
import { kernelSum } from "./repulsion/kernel-sum.js";
import { LogSumRepulsion } from "./repulsion/log-sum.js";
import type { SumThreads } from "./threads/threads.js";
import { jointProbabilities, sumOfPLogP, type WeightsLike } from "./weights.js";

/**
 * A normalised symmetric embedding with any kernel and attraction.
 *
 * @param P - joint probabilities p_nm, N × N, symmetric, zero on the diagonal, of sum 1; not copied
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT
 */
export function normalizedEmbedding(P: WeightsLike, options?: FamilyOptions): EmbeddingObjective {
  const settings = normalizedFamilyOptions.resolve("normalizedEmbedding", options);
  const kernel = kernels[settings.kernel];
  const attraction = attractionFor("normalizedEmbedding", kernel, settings.attraction);
  return normalizedModel(`normalized-${kernel.name}-${attraction.name}`, P, kernel, attraction, settings);
}

export function normalizedModel(
  name: string,
  P: WeightsLike,
  kernel: Kernel,
  attraction: PairFunction,
  settings: ModelSettings,
  threads?: SumThreads,
): EmbeddingObjective {
  const { dimensions, lambda } = settings;
  const weights = jointProbabilities(P, "P");
  const N = weights.rows;
  const S = kernelSum(name, kernel, N, settings, threads);
  return AttractionRepulsion.of(
    {
      name,
      dimensions,
      weights,
      attraction,
      repulsion: new LogSumRepulsion(S.sum, N * dimensions),
      entropyConstant: sumOfPLogP(weights),
      isDivergence: isLogKernel(attraction, kernel),
      hash: `${S.label} ${fingerprintOfWeights(weights)}`,
    },
    lambda,
  );
}
