/**
 * What `embed` returns: the run's result, the map, and what a report of it needs.
 */
import type { DenseMatrix, SparseMatrixLike } from "@curvature/linalg";
import type { RunResult } from "@curvature/optim-core";
import type { EmbedPhases } from "./embed-phases.js";
import type { EmbeddingDetails } from "./embedding-details.js";

export interface EmbedResult extends RunResult<EmbeddingDetails> {
  /** The map: N × dimensions, over the array `x`; the best by E at the λ that was asked for, not the last. */
  readonly embedding: DenseMatrix;
  /**
   * Kullback-Leibler divergence of the map on the affinities used, at λ = 1, constant included; undefined for models
   * that are not normalised.
   */
  readonly klDivergence: number | undefined;
  /**
   * The share of the true nearest neighbours among those that the affinities were spread over: measured on 200 random
   * points where the search was approximate, 1 where it was exact; undefined for `neighbors: "all"`.
   */
  readonly neighborRecall: number | undefined;
  readonly phases: EmbedPhases;
  /** Sentences about the data or the method that a user should read; empty where all is well. */
  readonly warnings: readonly string[];
  /**
   * Places new points into the map, which stays as it is: they are mapped one by one. It needs the data given to `embed`,
   * and does not copy them.
   *
   * @param newPoints - M × D, with the data's columns; none have no places, 0 × dimensions
   * @throws CurvatureError ERR_SHAPE for other columns than the data's, ERR_NON_FINITE also for entries so large that squared
   *   distances would overflow, ERR_ARGUMENT for sparse points where there was no `pca`, ERR_MEMORY for too many at a time
   */
  transform(newPoints: SparseMatrixLike): DenseMatrix;
}
