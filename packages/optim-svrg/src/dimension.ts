/** How many dimensions the answers need. */
import { CurvatureError } from "@curvature/linalg";
import type { OrdinalLossName } from "@curvature/objectives/ordinal";
import type { DegenerateAnswers, GivenAnswers } from "./answers/given-answers.js";

export interface DimensionOptions {
  /** Default 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, below the number of objects. */
  readonly candidates?: readonly number[];
  /** Parts of the answers that are held out in turn, at least 2. Default 5. */
  readonly folds?: number;
  /** Default "soe". */
  readonly loss?: OrdinalLossName;
  readonly objects?: number;
  readonly weights?: ArrayLike<number>;
  /** Default "error". */
  readonly degenerate?: DegenerateAnswers;
  /** Default 0. */
  readonly seed?: number;
  readonly signal?: AbortSignal;
  /** Hears of every candidate when it is judged. */
  readonly onCandidate?: (candidate: DimensionCandidate) => void;
}

export interface DimensionCandidate {
  readonly dimensions: number;
  /** The error on the answers held out, over all folds. */
  readonly error: number;
  /** Of `error`, over the folds. */
  readonly standardError: number;
}

export interface DimensionChoice {
  /** The candidate of the least error; of equal ones the smallest. */
  readonly dimensions: number;
  /** In increasing order of their dimensions. */
  readonly candidates: readonly DimensionCandidate[];
}

/**
 * Chooses p by cross-validation.
 *
 * @throws CurvatureError (the promise rejects) as `ordinalEmbedding`; the signal's reason if it is aborted
 */
export async function chooseDimension(
  answers: GivenAnswers,
  options: DimensionOptions = {},
): Promise<DimensionChoice> {
  throw new CurvatureError("ERR_ARGUMENT", "This part is not finished.", { received: [answers, options] });
}
