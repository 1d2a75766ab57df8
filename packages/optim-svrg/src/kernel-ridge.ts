/** Places of new objects, from their features. */
import { CurvatureError, type DenseMatrix, type MatrixLike } from "@curvature/linalg";

export interface KernelRidgeOptions {
  /** λ > 0 in (K + λ I) A = Y. Default 1. */
  readonly ridge: number;
  /** σ² of exp(−d²/σ²), d² the squared distance of features. Default "mean": the mean over all pairs. */
  readonly bandwidth: "mean" | number;
}

export interface KernelRidge {
  /** σ² as used. */
  readonly bandwidth: number;
  /**
   * m × p places of m objects.
   *
   * @param features - m × d
   * @throws CurvatureError ERR_SHAPE for another d, ERR_NON_FINITE
   */
  predict(features: MatrixLike): DenseMatrix;
}

export const kernelRidgeDefaults: KernelRidgeOptions = Object.freeze({ ridge: 1, bandwidth: "mean" });

/**
 * Learns the way from features to places.
 *
 * @param features - n × d
 * @param embedding - n × p
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION, ERR_MEMORY
 */
export function kernelRidge(
  features: MatrixLike,
  embedding: MatrixLike,
  options: Partial<KernelRidgeOptions> = {},
): KernelRidge {
  throw new CurvatureError("ERR_ARGUMENT", "This part is not finished.", {
    received: [features, embedding, options],
  });
}
