/** Answers made from points or distances. */
import { CurvatureError, type MatrixLike } from "@curvature/linalg";
import type { Comparisons } from "@curvature/objectives/ordinal";

export interface TripletOptions {
  /** How many training answers: different questions, drawn at random, or "all" that are left. Default "all". */
  readonly count?: number | "all";
  /** How many test answers, to questions that are not in the training set. Default 0. */
  readonly test?: number;
  /** The probability with which a training answer is turned around. Default 0. */
  readonly flip?: number;
  /**
   * Scale s ≥ 0 of logistic noise, in the unit of squared distances: training answers are right with the probability
   * 1/(1 + exp(−|d₁ − d₂|/s)). Default 0, no noise.
   */
  readonly noise?: number;
  /** Default 0. */
  readonly seed?: number;
}

export interface MadeTriplets {
  readonly train: Comparisons;
  /** Without noise. */
  readonly test: Comparisons;
  /** Questions without an answer, since both distances are equal: they are left out. */
  readonly ties: number;
  /** Training answers that the noise has turned around. */
  readonly flipped: number;
}

/**
 * Triplets "i is nearer to j than to k" of Euclidean distances.
 *
 * @param points - n × d, at least 3 rows
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION
 */
export function tripletsFromPoints(points: MatrixLike, options: TripletOptions = {}): MadeTriplets {
  throw new CurvatureError("ERR_ARGUMENT", "This part is not finished.", { received: [points, options] });
}

/**
 * Triplets of distances of any kind.
 *
 * @param distances - n × n, symmetric, not negative, the diagonal 0
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT (with the entry), ERR_OPTION
 */
export function tripletsFromDistances(distances: MatrixLike, options: TripletOptions = {}): MadeTriplets {
  throw new CurvatureError("ERR_ARGUMENT", "This part is not finished.", { received: [distances, options] });
}
