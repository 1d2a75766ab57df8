/** How well near objects are found by class. */
import { CurvatureError, type MatrixLike } from "@curvature/linalg";

/** Places with their classes. */
export interface LabeledPlaces {
  /** One row for each object. */
  readonly places: MatrixLike;
  readonly labels: ArrayLike<string | number>;
}

export interface RetrievalOptions {
  /** The K of precision and recall, in any order. Default 1, 5, 10, 20, 40, 60, 80, 100, as far as the database goes. */
  readonly at?: readonly number[];
}

export interface Retrieval {
  /** Queries that have at least one object of their class in the database; the others do not count. */
  readonly queries: number;
  /** Means over the queries, in the order of `at`. */
  readonly at: readonly { readonly K: number; readonly precision: number; readonly recall: number }[];
  /** MAP: the mean over the queries of the mean precision at the ranks of their class; NaN-free, 0 without queries. */
  readonly meanAveragePrecision: number;
}

/**
 * Sorts the database by distance from every query, of equal distances the first object first.
 *
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION
 */
export function retrieval(
  queries: LabeledPlaces,
  database: LabeledPlaces,
  options: RetrievalOptions = {},
): Retrieval {
  throw new CurvatureError("ERR_ARGUMENT", "This part is not finished.", {
    received: [queries, database, options],
  });
}
