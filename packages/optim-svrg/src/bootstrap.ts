/** How sure the places of a map are. */
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import type { GivenAnswers } from "./answers/given-answers.js";
import type { OrdinalEmbeddingOptions } from "./embedding-options.js";
import type { OrdinalEmbeddingResult } from "./embedding-result.js";

export interface BootstrapOptions
  extends Omit<
    OrdinalEmbeddingOptions,
    | "test"
    | "onIteration"
    | "checkpoint"
    | "resume"
    | "history"
    | "maxIterations"
    | "maxPasses"
    | "maxSeconds"
  > {
  /** How many samples. Default 50. */
  readonly samples?: number;
  /** Hears of every sample that is fitted, counted from 1. */
  readonly onSample?: (sample: number) => void;
}

/** An ellipse around a place in the plane. */
export interface Ellipse {
  /** Half of the longer axis, in the unit of the map. */
  readonly major: number;
  /** Half of the shorter axis. */
  readonly minor: number;
  /** From the first axis of the map to the longer axis, in radians, from −π/2 to π/2. */
  readonly angle: number;
}

export interface BootstrapResult {
  /** The map of all answers. */
  readonly result: OrdinalEmbeddingResult;
  readonly embedding: DenseMatrix;
  /** Covariances of the places over the samples, aligned to the map: n matrices of p × p one after the other. NaN for objects without a place. */
  readonly covariances: Float64Array;
  /** √(trace of the covariance) of every object. */
  readonly spread: Float64Array;
  /** Samples that were fitted. */
  readonly samples: number;
  /**
   * The ellipse that holds a share of the places of `object`, if these are normally distributed (p = 2 only).
   *
   * @param share - of the samples, above 0 and below 1. Default 0.95
   * @throws CurvatureError ERR_ARGUMENT
   */
  ellipse(object: number, share?: number): Ellipse;
}

/**
 * Fits maps to samples of the answers (questions drawn with replacement), and says how far the places move.
 *
 * @throws CurvatureError (the promise rejects) as `ordinalEmbedding`; the signal's reason if it is aborted
 */
export async function bootstrapEmbedding(
  answers: GivenAnswers,
  options: BootstrapOptions = {},
): Promise<BootstrapResult> {
  throw new CurvatureError("ERR_ARGUMENT", "This part is not finished.", { received: [answers, options] });
}
