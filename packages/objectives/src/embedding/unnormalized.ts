/**
 * The unnormalised family: attraction and repulsion are plain sums over pairs.
 *
 *   E = Σ_{n≠m} w⁺_nm A(t_nm) + λ Σ_{n≠m} w⁻_nm K(t_nm)
 *
 *   ∇E   = 4 Lap(W) X,   w = w⁺ A′ + λ w⁻ K′
 *   ∇²E  = 4 Lap(W) ⊗ I + 8 L^xx[w⁺ A″ + λ w⁻ K″]
 *
 * Carreira-Perpiñán: The elastic embedding algorithm for dimensionality reduction, ICML 2010; Vladymyrov,
 * Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012, section 2.
 */
import { CurvatureError } from "@curvature/linalg";
import { AttractionRepulsion } from "./attraction-repulsion.js";
import { fingerprintOfWeights } from "./fingerprint.js";
import { attractionFor, kernels } from "./kernels/kernels.js";
import type { Kernel, PairFunction } from "./kernels/pair-function.js";
import type { EmbeddingObjective, Weights } from "./objective.js";
import { checkedFamily, type FamilyOptions, type ModelOptions, unnormalizedDefaults } from "./options.js";
import { lowerPairs } from "./pair-rows.js";
import { type EnergyTerm, PairSum } from "./pair-sum.js";
import { ConstantRepulsion, exactKernelSum } from "./repulsion/exact.js";
import { symmetricWeights, type WeightsLike } from "./weights.js";

/** The two sets of weights of an unnormalised model; λ is comparable between data sets where each sums to 1. */
export interface AttractionAndRepulsion {
  /** w⁺, N × N, symmetric, nonnegative, zero on the diagonal; not copied. */
  readonly attraction: WeightsLike;
  /**
   * w⁻, likewise; or "constant": 1 / (N (N − 1)) for every pair, which takes no memory. With sparse weights only the
   * stored pairs repel.
   */
  readonly repulsion: WeightsLike | "constant";
}

/**
 * An unnormalised embedding with any kernel and attraction.
 *
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT
 */
export function unnormalizedEmbedding(
  weights: AttractionAndRepulsion,
  options: FamilyOptions = {},
): EmbeddingObjective {
  const settings = checkedFamily("unnormalizedEmbedding", options, unnormalizedDefaults);
  const kernel = kernels[settings.kernel];
  const attraction = attractionFor("unnormalizedEmbedding", kernel, settings.attraction);
  return unnormalizedModel(
    `unnormalized-${kernel.name}-${attraction.name}`,
    weights,
    kernel,
    attraction,
    settings,
  );
}

export function unnormalizedModel(
  name: string,
  given: AttractionAndRepulsion,
  kernel: Kernel,
  attraction: PairFunction,
  { dimensions, lambda }: Required<ModelOptions>,
): EmbeddingObjective {
  const weights = symmetricWeights(given.attraction, "attraction");
  const repulsive =
    given.repulsion === "constant" ? undefined : symmetricWeights(given.repulsion, "repulsion");
  if (repulsive !== undefined) checkSameSize(weights, repulsive);
  return AttractionRepulsion.of(
    {
      name,
      dimensions,
      weights,
      attraction,
      repulsion: repulsionOf(kernel, weights.rows, dimensions, repulsive),
      entropyConstant: 0,
      isDivergence: false,
      hash:
        repulsive === undefined ? fingerprintOfWeights(weights) : fingerprintOfWeights(weights, repulsive),
    },
    lambda,
  );
}

/** E⁻ for the given w⁻, or for equal ones of sum 1. */
function repulsionOf(
  kernel: Kernel,
  N: number,
  dimensions: number,
  weights: Weights | undefined,
): EnergyTerm {
  return weights === undefined
    ? new ConstantRepulsion(exactKernelSum(kernel, N, dimensions), 1 / (N * (N - 1)))
    : new PairSum(lowerPairs(weights), kernel, dimensions);
}

function checkSameSize(attraction: Weights, repulsion: Weights): void {
  if (attraction.rows === repulsion.rows) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `repulsion must be ${attraction.rows} x ${attraction.rows} like attraction; received ${repulsion.rows} x ${repulsion.rows}.`,
    { path: "repulsion", expected: `${attraction.rows} rows`, received: repulsion.rows },
  );
}
