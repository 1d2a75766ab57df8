import type { DenseMatrix } from "@curvature/linalg";
import type { GradientMethod } from "@curvature/objectives/embedding";
import type { EmbeddingMethod, EmbeddingSolver } from "./embed-options.js";

/** The options as used: what depends on the data or on other options is filled in. */
export interface EmbedSettings {
  readonly method: EmbeddingMethod;
  readonly perplexity: number;
  readonly lambda: number;
  readonly dimensions: number;
  readonly solver: EmbeddingSolver;
  readonly homotopy: boolean;
  /** For "ee" and "tee" only. */
  readonly repulsion: "distance" | "constant" | undefined;
  readonly gradient: GradientMethod;
  readonly theta: number;
  /** In the result how many were started. */
  readonly threads: "auto" | number;
  readonly neighbors: "all" | number;
  readonly neighborSearch: "auto" | "exact" | "approximate";
  readonly kappa: "auto" | "all" | number;
  readonly initialization: "pca" | "laplacian" | "random" | DenseMatrix;
  readonly seed: number;
  readonly maxIterations: number;
  readonly maxEvaluations: number;
  readonly maxSeconds: number;
  readonly tolerance: number;
  readonly pca: number | undefined;
}
