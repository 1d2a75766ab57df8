/**
 * The normalised nonsymmetric family: one distribution per point.
 *
 *   E = Σ_{n≠m} p_m|n A(t_nm) + λ Σ_n log S_n,   q_m|n = K(t_nm) / S_n,   S_n = Σ_m K(t_nm),   Σ_m p_m|n = 1
 *
 *   ∇E   = 4 Lap(W) X,   w = sym(p_m|n A′ + λ q_m|n K₁)
 *   ∇²E  = 4 Lap(W) ⊗ I + 8 L^xx[sym(p A″ + λ q K₂)] − λ Σ_n vec(V_n) vec(V_n)ᵀ,   vec(V_n) = ∇S_n / S_n
 *
 * Since t is symmetric, the attraction is that of sym(P). E is a sum of N divergences (less constants), about N times
 * as large as that of the symmetric family.
 *
 * Hinton, Roweis: Stochastic neighbor embedding, NIPS 15, 2003; Vladymyrov, Carreira-Perpiñán: Partial-Hessian
 * strategies for fast learning of nonlinear embeddings, ICML 2012, section 2.
 */
import { badOption } from "@curvature/linalg";
import { AttractionRepulsion } from "./attraction-repulsion.js";
import { fingerprintOfWeights } from "./fingerprint.js";
import { attractionFor, isLogKernel, kernels } from "./kernels/kernels.js";
import type { Kernel, PairFunction } from "./kernels/pair-function.js";
import type { EmbeddingObjective } from "./objective.js";
import { type FamilyOptions, type ModelSettings, normalizedFamilyOptions } from "./options.js";
import { RowLogSumsRepulsion } from "./repulsion/row-log-sums.js";
import { conditionalProbabilities, sumOfPLogP, symmetrized, type WeightsLike } from "./weights.js";

/**
 * A normalised nonsymmetric embedding with any kernel and attraction.
 *
 * @param P - conditional probabilities, N × N, entry (n, m) = p_m|n, zero on the diagonal, rows of sum 1
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT
 */
export function nonsymmetricEmbedding(P: WeightsLike, options?: FamilyOptions): EmbeddingObjective {
  const settings = normalizedFamilyOptions.resolve("nonsymmetricEmbedding", options);
  const kernel = kernels[settings.kernel];
  const attraction = attractionFor("nonsymmetricEmbedding", kernel, settings.attraction);
  return nonsymmetricModel(`nonsymmetric-${kernel.name}-${attraction.name}`, P, kernel, attraction, settings);
}

export function nonsymmetricModel(
  name: string,
  P: WeightsLike,
  kernel: Kernel,
  attraction: PairFunction,
  { dimensions, lambda, gradient }: ModelSettings,
): EmbeddingObjective {
  if (gradient !== "exact" && gradient !== "auto")
    throw badOption(name, "gradient", '"exact" where every point has a distribution of its own', gradient);
  const conditional = conditionalProbabilities(P, "P");
  return AttractionRepulsion.of(
    {
      name,
      dimensions,
      weights: symmetrized(conditional),
      attraction,
      repulsion: new RowLogSumsRepulsion(kernel, conditional.rows, dimensions),
      entropyConstant: sumOfPLogP(conditional),
      isDivergence: isLogKernel(attraction, kernel),
      hash: fingerprintOfWeights(conditional),
    },
    lambda,
  );
}
