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
import { badOption, CurvatureError, shown } from "@curvature/linalg";
import { AttractionRepulsion } from "./attraction-repulsion.js";
import { fingerprintOfWeights } from "./fingerprint.js";
import { attractionFor, kernels } from "./kernels/kernels.js";
import type { Kernel, PairFunction } from "./kernels/pair-function.js";
import type { EmbeddingObjective, Weights } from "./objective.js";
import { type FamilyOptions, type ModelSettings, unnormalizedFamilyOptions } from "./options.js";
import { lowerPairs } from "./pair-rows.js";
import { type EnergyTerm, PairSum } from "./pair-sum.js";
import { ConstantRepulsion } from "./repulsion/exact.js";
import { kernelSum } from "./repulsion/kernel-sum.js";
import type { SumThreads } from "./threads/threads.js";
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
  options?: FamilyOptions,
): EmbeddingObjective {
  const settings = unnormalizedFamilyOptions.resolve("unnormalizedEmbedding", options);
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
  settings: ModelSettings,
  threads?: SumThreads,
): EmbeddingObjective {
  const { dimensions, lambda } = settings;
  if (typeof given !== "object" || given === null)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `the weights must be { attraction, repulsion }; received ${shown(given)}.`,
      { where: name, path: "weights", expected: "{ attraction, repulsion }", received: given },
    );
  const weights = symmetricWeights(given.attraction, "attraction");
  const { repulsion, hash } = repulsionOf(name, weights, given.repulsion, kernel, settings, threads);
  return AttractionRepulsion.of(
    { name, dimensions, weights, attraction, repulsion, entropyConstant: 0, isDivergence: false, hash },
    lambda,
  );
}

/** E⁻, and the hash of all weights. */
function repulsionOf(
  name: string,
  attractive: Weights,
  given: WeightsLike | "constant",
  kernel: Kernel,
  settings: ModelSettings,
  threads: SumThreads | undefined,
): { readonly repulsion: EnergyTerm; readonly hash: string } {
  const N = attractive.rows;
  if (given === "constant") {
    const { sum, label } = kernelSum(name, kernel, N, settings, threads);
    return {
      repulsion: new ConstantRepulsion(sum, 1 / (N * (N - 1))), // of sum 1
      hash: `${label} ${fingerprintOfWeights(attractive)}`,
    };
  }
  const { gradient, dimensions } = settings;
  const weights = symmetricWeights(given, "repulsion");
  checkSameSize(attractive, weights);
  if (gradient !== "exact" && gradient !== "auto")
    throw badOption(name, "gradient", '"exact" where each pair has a repulsive weight of its own', gradient);
  return {
    repulsion: new PairSum(lowerPairs(weights), kernel, dimensions),
    hash: fingerprintOfWeights(attractive, weights),
  };
}

function checkSameSize(attraction: Weights, repulsion: Weights): void {
  if (attraction.rows === repulsion.rows) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `repulsion must be ${attraction.rows} x ${attraction.rows} like attraction; received ${repulsion.rows} x ${repulsion.rows}.`,
    { path: "repulsion", expected: `${attraction.rows} rows`, received: repulsion.rows },
  );
}
