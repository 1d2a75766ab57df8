/**
 * What `ordinalEmbedding` returns: the run's result, the map, and what a report of it needs.
 */
import type { DenseMatrix } from "@curvature/linalg";
import type { RunResult } from "@curvature/optim-core";
import type { AnswerSummary } from "./answers/given-answers.js";
import type { OrdinalEmbeddingDetails } from "./embedding-options.js";
import type { OrdinalWarning } from "./ordinal-warning.js";

export interface OrdinalEmbeddingPhases {
  /** Reading and checking the answers; seconds. */
  readonly answers: number;
  readonly initialization: number;
  readonly optimization: number;
}

export interface OrdinalEmbeddingResult extends RunResult<OrdinalEmbeddingDetails> {
  /**
   * The map: n × p, over the array `x`; centred, unless it began at a map of one's own that was not. Rows of objects
   * that no answer mentions are NaN: see `answers.unplaced`, and the warnings, which name them.
   */
  readonly embedding: DenseMatrix;
  /** The share of the answers that the map does not satisfy; ties are errors. */
  readonly trainingError: number;
  /** The same for `test`; undefined without it. */
  readonly testError: number | undefined;
  /** λ as chosen or given. */
  readonly ridge: number;
  readonly answers: AnswerSummary;
  readonly phases: OrdinalEmbeddingPhases;
  /** What a user should read of the answers or the method; empty where all is well. */
  readonly warnings: readonly OrdinalWarning[];
}
