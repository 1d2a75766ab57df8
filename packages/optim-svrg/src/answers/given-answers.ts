/** The forms in which answers may be given. */
import type { Comparisons } from "@curvature/objectives/ordinal";

/**
 * Answers to "which two are nearer to each other?":
 * - rows i, j, k ("i is nearer to j than to k") or i, j, l, k ("i, j are nearer to each other than l, k"), or both kinds
 * - `{ triplets }` or `{ quadruplets }`: the same numbers one after the other, with the number of objects and weights
 *   where they are known; `Comparisons` is one of these
 *
 * Objects are whole numbers from 0. Without `objects` there are as many as the largest number says.
 */
export type GivenAnswers =
  | Comparisons
  | {
      readonly quadruplets: ArrayLike<number>;
      readonly objects?: number | undefined;
      readonly weights?: ArrayLike<number> | undefined;
    }
  | {
      readonly triplets: ArrayLike<number>;
      readonly objects?: number | undefined;
      readonly weights?: ArrayLike<number> | undefined;
    }
  | readonly ArrayLike<number>[];

/**
 * What becomes of answers that compare an object's distance to itself, or a pair to itself. "error" refuses them,
 * "drop" leaves them out, "keep" counts them in errors as they stand; no fit takes them into account, since no map
 * could change them.
 */
export type DegenerateAnswers = "error" | "drop" | "keep";

/** What was found in the answers. */
export interface AnswerSummary {
  /** Answers, degenerate ones left out. */
  readonly count: number;
  /** Answers that compare an object's distance to itself, or a pair to itself; they are no part of the fit. */
  readonly degenerate: number;
  /** Answers that say again what an earlier one said; each counts. */
  readonly duplicates: number;
  /** Questions that were answered both ways; all their answers count. */
  readonly contradictions: number;
  /**
   * Answers that contradict each other in circles ("a nearer than b, b than c, c than a"), and those on the way from one
   * circle to another; those of `contradictions` left out. Wrong answers make circles: many of many answers are nothing
   * unusual.
   */
  readonly circular: number;
  /** Objects that no answer of the fit mentions. They have no place in the map: their rows are NaN. */
  readonly unplaced: readonly number[];
  /**
   * Groups of objects that no answer connects: how one lies to another, and in what size, is arbitrary. 1 where all is
   * well.
   */
  readonly components: number;
  /** The group of every object, from 0; −1 for those without a place. */
  readonly componentOf: Int32Array;
}
