/**
 * Nearest neighbours: the doors to the searches.
 */
import {
  CurvatureError,
  checkOptions,
  type DenseMatrix,
  integerFrom,
  type MatrixLike,
  oneOf,
} from "@curvature/linalg";
import { searchApproximately } from "./approximate-search.js";
import { checkedPoints } from "./distances.js";
import { searchAmong, searchBetween } from "./exact-search.js";
import type { NeighborLists } from "./neighbor-lists.js";

export interface NeighborSearchOptions {
  /**
   * "exact"; "approximate", which finds some 98 % of the neighbours; "auto": approximate where the exact search would
   * take more than 4·10¹⁰ multiplications, N² D / 2, some ten seconds. Default "auto".
   */
  readonly search: "auto" | "exact" | "approximate";
  /** Of the approximate search. Default 0. */
  readonly seed: number;
}

export const neighborSearchDefaults: NeighborSearchOptions = Object.freeze({ search: "auto", seed: 0 });

export const neighborSearchRules = Object.freeze({
  search: oneOf("auto", "exact", "approximate"),
  seed: integerFrom(0),
});

/** Neighbours, and how they were found. */
export interface FoundNeighbors extends NeighborLists {
  readonly search: "exact" | "approximate";
  /** The share of the true neighbours that the lists hold: measured on 200 random points, 1 where the search was exact. */
  readonly recall: number;
}

/** Multiplications above which "auto" is approximate: 40,000 points in 50 dimensions. */
const MOST_EXACT = 4e10;

/**
 * The k nearest other points of each point, in steps of some 10 ms that yield the share that is done, for callers who
 * have other things to do in between.
 *
 * @param points - N × D
 * @param k - from 1 to N − 1
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT, ERR_OPTION, all before the first step
 */
export function neighborSearch(
  points: MatrixLike,
  k: number,
  options: Partial<NeighborSearchOptions> = {},
): Generator<number, FoundNeighbors, void> {
  const { search, seed } = checkOptions(
    "neighborSearch",
    options,
    neighborSearchDefaults,
    neighborSearchRules,
  );
  const Y = checkedPoints(points, "points");
  checkCount(k, Y.rows - 1);
  const multiplications = 0.5 * Y.rows * Y.rows * Y.columns;
  const isExact = search === "exact" || (search === "auto" && multiplications <= MOST_EXACT);
  return isExact ? exactly(Y, k) : approximately(Y, k, seed);
}

function* exactly(Y: DenseMatrix, k: number): Generator<number, FoundNeighbors, void> {
  return { ...(yield* searchAmong(Y, k)), search: "exact", recall: 1 };
}

function* approximately(Y: DenseMatrix, k: number, seed: number): Generator<number, FoundNeighbors, void> {
  const { lists, recall } = yield* searchApproximately(Y, k, seed);
  return { ...lists, search: "approximate", recall };
}

/**
 * The k nearest other points of each point, exactly. A point is never its own neighbour; its duplicates are, at distance 0.
 *
 * @param points - N × D
 * @param k - from 1 to N − 1
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT
 */
export function nearestNeighbors(points: MatrixLike, k: number): NeighborLists {
  const Y = checkedPoints(points, "points");
  checkCount(k, Y.rows - 1);
  return resultOf(searchAmong(Y, k));
}

/** Goes through all steps at once. */
export function resultOf<T>(steps: Generator<unknown, T, void>): T {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

/**
 * The k nearest of `points` to each row of `queries`, exactly.
 *
 * @param queries - M × D
 * @param points - N × D
 * @param k - from 1 to N
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT
 */
export function nearestNeighborsOf(queries: MatrixLike, points: MatrixLike, k: number): NeighborLists {
  const Q = checkedPoints(queries, "queries");
  const Y = checkedPoints(points, "points");
  checkSameColumns(Q, Y);
  checkCount(k, Y.rows);
  return resultOf(searchBetween(Q, Y, k));
}

/** @throws CurvatureError ERR_SHAPE unless both have the same columns */
export function checkSameColumns(queries: DenseMatrix, points: DenseMatrix): void {
  if (queries.columns === points.columns) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `The new points have ${queries.columns} columns, the known points ${points.columns}. Give both the same columns.`,
    { path: "queries", expected: `${points.columns} columns`, received: queries.columns },
  );
}

function checkCount(k: number, most: number): void {
  if (Number.isSafeInteger(k) && k >= 1 && k <= most) return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `The number of neighbours must be a whole number from 1 to ${most}; received ${k}.`,
    { path: "k", expected: `a whole number from 1 to ${most}`, received: k },
  );
}
