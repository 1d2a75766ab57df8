/**
 * Which questions to ask next.
 */
import { CurvatureError, type MatrixLike } from "@curvature/linalg";
import type { GivenAnswers } from "../answers/given-answers.js";

export interface QuestionOptions {
  /** How many questions. Default max(10, n/3, N/10), after which the answers should be fitted anew. */
  readonly count?: number;
  /** n. Default: that of the answers, or their largest number and 1. Needed where there are no answers yet. */
  readonly objects?: number;
  /** p of the maps that judge the questions. Default 2. */
  readonly dimensions?: number;
  /** A map of the answers so far, n × p, where the fits begin; rows of NaN are objects without a place. */
  readonly embedding?: MatrixLike;
  /** Answers before which questions are drawn at random. Default 2n. */
  readonly randomFirst?: number;
  /** Whether questions that were answered already may come again (to average over noise). Default false. */
  readonly repeat?: boolean;
  /** Default 0. Use another one for every batch. */
  readonly seed?: number;
  readonly signal?: AbortSignal;
}

/** "Is `anchor` nearer to `first` or to `second`?" */
export interface NextQuestion {
  readonly anchor: number;
  readonly first: number;
  readonly second: number;
  /** The information expected from the answer, in bits (0 to 1); undefined for questions drawn at random. */
  readonly gain: number | undefined;
  /** The probability of the answer `first`, as the maps so far expect it; undefined for questions drawn at random. */
  readonly probability: number | undefined;
}

export interface QuestionSelection {
  /** Fewer than asked for only where there are no more that were not answered. */
  readonly questions: readonly NextQuestion[];
  /** How they were chosen. */
  readonly strategy: "random" | "information-gain";
}

/**
 * The questions whose answers teach most, of the form "is i nearer to j or to k?".
 *
 * @param answers - so far; may be empty if `objects` is given
 * @throws CurvatureError (the promise rejects) as `ordinalEmbedding`; the signal's reason if it is aborted
 */
export async function selectQuestions(
  answers: GivenAnswers,
  options: QuestionOptions = {},
): Promise<QuestionSelection> {
  throw new CurvatureError("ERR_ARGUMENT", "This part is not finished.", { received: [answers, options] });
}
