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
import { log } from "@curvature/linalg";
import { AttractionRepulsion } from "./attraction-repulsion.js";
import { fingerprintOfWeights } from "./fingerprint.js";
import { attractionFor, isLogKernel, kernels } from "./kernels/kernels.js";
import type { Kernel, PairFunction } from "./kernels/pair-function.js";
import type { EmbeddingObjective } from "./objective.js";
import { type FamilyOptions, type ModelSettings, normalizedFamilyOptions } from "./options.js";
import type { EnergyTerm } from "./pair-sum.js";
import { kernelSum } from "./repulsion/kernel-sum.js";
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

/**
 * The repulsion of the normalised symmetric models.
 *
 *   E⁻    = log S,   S = Σ_{n≠m} K(t_nm)
 *   ∇E⁻   = ∇S / S                                 = 4 Lap(q K₁) X with q = K / S, K₁ = K′ / K
 *   ∇²E⁻  = ∇²S / S − (∇S / S) (∇S / S)ᵀ           the last term is −16 vec(V) vec(V)ᵀ with V = Lap(q K₁) X
 *
 * S = 0 (every pair beyond the kernel's reach) makes E⁻ = +∞, so that a line search turns back.
 */
class LogSumRepulsion implements EnergyTerm {
  private readonly gradientOfS: Float64Array;

  constructor(
    private readonly sum: EnergyTerm,
    dimension: number,
  ) {
    this.gradientOfS = new Float64Array(dimension);
  }

  evaluate(X: Float64Array, gradient?: Float64Array): number {
    const S = this.sum.evaluate(X, gradient);
    if (gradient !== undefined) for (let i = 0; i < gradient.length; i++) gradient[i] /= S;
    return S === 0 ? Number.POSITIVE_INFINITY : log(S);
  }

  begin(X: Float64Array, withGradient: boolean): void {
    this.sum.begin?.(X, withGradient);
  }

  hessianVector(X: Float64Array, v: Float64Array, out: Float64Array): void {
    const g = this.gradientOfS;
    const S = this.sum.evaluate(X, g);
    this.sum.hessianVector(X, v, out);
    let slope = 0;
    for (let i = 0; i < g.length; i++) slope += (g[i] / S) * v[i];
    for (let i = 0; i < g.length; i++) out[i] = out[i] / S - (g[i] / S) * slope;
  }

  diagonalHessian(X: Float64Array, out: Float64Array): void {
    const g = this.gradientOfS;
    const S = this.sum.evaluate(X, g);
    this.sum.diagonalHessian(X, out);
    for (let i = 0; i < g.length; i++) out[i] = out[i] / S - (g[i] / S) * (g[i] / S);
  }

  curvatureWeights(X: Float64Array, out: Float64Array): void {
    const S = this.sum.evaluate(X);
    this.sum.curvatureWeights(X, out);
    for (let i = 0; i < out.length; i++) out[i] /= S;
  }
}
