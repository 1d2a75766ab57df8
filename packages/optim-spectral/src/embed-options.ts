/**
 * What a user can ask of `embed`: one flat object, its frozen defaults, and the rules that guard them.
 */
import type { MatrixLike } from "@curvature/linalg";
import type { Iteration } from "@curvature/optim-core";

/** t-SNE, symmetric SNE, SNE, elastic embedding, t-EE, Laplacian eigenmaps. */
export type EmbeddingMethod = "tsne" | "ssne" | "sne" | "ee" | "tee" | "laplacian";

/**
 * Our recipe (`auto`: λ homotopy, preconditioned L-BFGS), the paper's directions (spectral direction, the same with
 * the repulsion's curvature, fixed point, diagonal Hessian, gradient), its rivals (nonlinear CG, L-BFGS), and L-BFGS
 * with the spectral direction as its initial matrix.
 */
export type EmbeddingSolver = "auto" | "sd" | "sd-lbfgs" | "sdminus" | "fp" | "diagh" | "gd" | "cg" | "lbfgs";

/** What every solver of this package says about an iteration. */
export interface EmbeddingDetails {
  /** λ at this iteration. */
  readonly lambda: number;
  /** Kullback-Leibler divergence at λ = 1, constant included; undefined where it is not known without more work. */
  readonly klDivergence: number | undefined;
  /** ‖X_k − X_{k−1}‖ / ‖X_{k−1}‖ */
  readonly relativeStep: number | undefined;
}

export interface EmbedOptions {
  /** The model. Default "tsne". */
  readonly method?: EmbeddingMethod;
  /**
   * Effective number of neighbours, from above 1 to below the number of neighbours used. Default 30, or less for few
   * points.
   */
  readonly perplexity?: number;
  /** Weight of the repulsion. Default 1; 100 for "ee" and "tee". */
  readonly lambda?: number;
  /** Dimensions of the map. Default 2. */
  readonly dimensions?: number;
  /** Default "auto". */
  readonly solver?: EmbeddingSolver;
  /** 50 values of λ from 1e-4 to `lambda`, warm-started; for every solver but "auto", which has its own. Default false. */
  readonly homotopy?: boolean;
  /**
   * Repulsive weights of "ee" and "tee": squared distances of the data, or all equal. Default "auto": distances up to
   * 5,000 points.
   */
  readonly repulsion?: "auto" | "distance" | "constant";
  /** Neighbours per point in the affinities. Default "auto": 3 × perplexity. */
  readonly neighbors?: "auto" | "all" | number;
  /** Neighbours kept in the spectral direction's matrix. Default "auto": all of them while the factor fits. */
  readonly kappa?: "auto" | "all" | number;
  /** Where the map starts. Default "pca" for solver "auto", "random" (1e-5 N(0, 1)) for the paper's solvers. */
  readonly initialization?: "auto" | "pca" | "laplacian" | "random" | MatrixLike;
  /** Default 0. */
  readonly seed?: number;
  /** Default 1000 for the paper's solvers; without limit for "auto", which ends by its schedule of evaluations. */
  readonly maxIterations?: number;
  /** Evaluations of E and its gradient. Default 100 for "auto" (the length of its schedule), no limit for the others. */
  readonly maxEvaluations?: number;
  /** Time limit of the optimisation. Default none. */
  readonly maxSeconds?: number;
  /**
   * Stops when E and X both change by no more than this, relatively, in one iteration. Default 1e-5; 0 (off) for
   * "auto", where it counts only once λ has reached its end.
   */
  readonly tolerance?: number;
  readonly signal?: AbortSignal;
  readonly onIteration?: (iteration: Iteration<EmbeddingDetails>) => unknown;
  /** Milliseconds after which the event loop gets its turn. Default 16. */
  readonly yieldEvery?: number;
  /** Principal components to which the data is projected first. Default none. */
  readonly pca?: number;
}
