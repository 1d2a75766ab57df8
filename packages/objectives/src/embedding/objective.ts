/**
 * What every embedding objective offers. N points in d dimensions; X is N × d, row-major, entry (n, i) at n·d + i.
 *
 *   E(X; λ) = E⁺(X) + λ E⁻(X)      attraction E⁺, repulsion E⁻; λ = 1 is the Kullback-Leibler divergence (less a
 *                                  constant) for the normalised models with A = −log K
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012.
 */
import type { DenseMatrix, SparseMatrix } from "@curvature/linalg";
import type { Objective } from "@curvature/optim-core";

/** The two parts of E, apart, so that changing λ costs no evaluation. */
export interface Parts {
  /** E⁺ */
  readonly attractive: number;
  /** E⁻ */
  readonly repulsive: number;
}

/** Symmetric nonnegative weights with a zero diagonal: all pairs, or those of a neighbour graph. */
export type Weights = DenseMatrix | SparseMatrix;

/**
 * All arrays of points and of gradients have length N d; every method throws a CurvatureError ERR_SHAPE for another
 * length. Not to be used from two places at once: evaluations share their scratch arrays, `atLambda` included.
 */
export interface EmbeddingObjective extends Objective {
  /** The model's name in options: "tsne", "ssne", "sne", "ee", "tee" … */
  readonly name: string;
  /** N */
  readonly points: number;
  /** d */
  readonly dimensions: number;
  /** λ ≥ 0 */
  readonly lambda: number;
  /** Names model, data, d and λ. */
  readonly fingerprint: string;
  /** Σ p log p for the normalised models (0 for the others): KL = E(λ = 1) + this, where A = −log K. */
  readonly entropyConstant: number;
  /** Whether E at λ = 1 plus `entropyConstant` is a Kullback-Leibler divergence (for SNE, a sum of N of them). */
  readonly isDivergence: boolean;
  /** The same data under another λ; shares everything, costs nothing. @throws CurvatureError ERR_OPTION */
  atLambda(lambda: number): EmbeddingObjective;
  /**
   * E, and with an array ∇E. NaN where X is not finite; +∞ where a normalised model's kernel reaches no pair (for the
   * nonsymmetric ones, where some point is reached by no other) or a term overflows; the gradient means nothing there.
   */
  evaluate(X: Float64Array, gradient?: Float64Array): number;
  /** E⁺ and E⁻ and their gradients: E = E⁺ + λ E⁻, G = `attraction` + λ `repulsion` (each N × d). */
  evaluateParts(X: Float64Array, attraction: Float64Array, repulsion: Float64Array): Parts;
  /** ∇²E(X) v into `out`. */
  hessianVector(X: Float64Array, v: Float64Array, out: Float64Array): void;
  /** The symmetric weights of the attractive Laplacian, w⁺A′(t), at X = 0: the spectral direction's graph. Not a copy. */
  attractiveWeights(): Weights;
  /** The same at X, as a new matrix. */
  attractiveWeightsAt(X: Float64Array): Weights;
  /** The diagonal of ∇²E(X) into `out` (N × d). */
  diagonalHessian(X: Float64Array, out: Float64Array): void;
  /**
   * c_nm ≥ 0, N × N dense into `out`: the weights of the positive semidefinite part of ∇²E⁻, whose diagonal blocks are
   * 8 Lap(c_nm (x_ni − x_mi)²) (EE: w⁻e^−t; s-SNE: q; t-SNE: 2 q k²).
   */
  repulsiveCurvature(X: Float64Array, out: Float64Array): void;
}
