/**
 * Nearest neighbours: validation and the choice of a search.
 */
import {
  CurvatureError,
  type DenseMatrix,
  integerFrom,
  type MatrixLike,
  type OptionsOf,
  oneOf,
  optionTable,
  shown,
} from "@curvature/linalg";
import { checkThreads, type SearchThreads } from "../threads/threads.js";
import { searchBetweenApproximately } from "./approximate-between.js";
import { searchApproximately, searchOnTrial } from "./approximate-search.js";
import { checkedPoints, checkSameColumns } from "./check-points.js";
import { searchAmong, searchBetween } from "./exact-search.js";
import { fairLists } from "./fair-ties.js";
import type { FoundNeighbors, NeighborLists } from "./neighbor-lists.js";

export const neighborSearchOptions = optionTable({
  /**
   * "exact"; "approximate", which finds some 97 % of the neighbours where the data has structure, and as many as it can
   * where it has none; "auto": approximate where the exact search would take more than 4·10¹⁰ multiplications, N² D / 2,
   * some 25 seconds (five to eight with SIMD), but exact all the same where it finds less than 95 %.
   */
  search: oneOf("auto", "exact", "approximate").default("auto"),
  /** Of the approximate search. */
  seed: integerFrom(0).default(0),
});
export type NeighborSearchOptions = OptionsOf<typeof neighborSearchOptions>;

/** Multiplications above which "auto" is approximate: 40,000 points in 50 dimensions. */
const MAX_EXACT = 4e10;

/**
 * The k nearest other points of each point, in steps of some 10 ms that yield the share that is done, for callers who
 * have other things to do in between.
 *
 * @param points - N × D
 * @param k - from 1 to N − 1
 * @param threads - of `@curvature/objectives/embedding/threads`, for the exact search; the lists are the same
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT, ERR_OPTION, all before the first step
 */
export function neighborSearch(
  points: MatrixLike,
  k: number,
  options?: NeighborSearchOptions,
  threads?: SearchThreads,
): Generator<number, FoundNeighbors, void> {
  const { search, seed } = neighborSearchOptions.resolve("neighborSearch", options);
  const Y = checkedPoints(points, "points");
  checkCount(k, Y.rows - 1);
  checkThreads(threads, "search");
  const multiplications = 0.5 * Y.rows * Y.rows * Y.columns;
  const isExact = search === "exact" || (search === "auto" && multiplications <= MAX_EXACT);
  if (isExact) return exactly(Y, k, threads);
  return search === "auto" ? approximatelyIfWell(Y, k, seed, threads) : approximately(Y, k, seed);
}

/**
 * The k nearest other points of each point, exactly. A point is never its own neighbour; its duplicates are, at distance 0.
 * Which of the points that tie for the last places are taken does not depend on the numbers of the rows; `ties` has the others.
 *
 * @param points - N × D
 * @param k - from 1 to N − 1
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT
 */
export function nearestNeighbors(points: MatrixLike, k: number): NeighborLists {
  const Y = checkedPoints(points, "points");
  checkCount(k, Y.rows - 1);
  return resultOf(fairlyAmong(Y, k));
}

/** With one neighbour more, which says where the last ones tie. */
function* fairlyAmong(
  Y: DenseMatrix,
  k: number,
  threads?: SearchThreads,
): Generator<number, NeighborLists, void> {
  if (k === Y.rows - 1) return yield* searchAmong(Y, k, threads);
  return yield* fairly(Y, yield* searchAmong(Y, k + 1, threads));
}

function* fairly(Y: DenseMatrix, lists: NeighborLists): Generator<number, NeighborLists, void> {
  const steps = fairLists(Y, lists);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield 1;
  }
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
  checkSameColumns(Q, Y, "queries");
  checkCount(k, Y.rows);
  return resultOf(searchBetween(Q, Y, k));
}

/** Multiplications above which "auto" is approximate for new points: some 2 seconds, and less than a map of as many takes. */
const MAX_BETWEEN = 4e9;

/**
 * The k nearest of `points` to each row of `queries`, in steps of some 10 ms that yield the share that is done.
 *
 * @param queries - M × D
 * @param points - N × D
 * @param k - from 1 to N
 * @param options - "auto" is exact up to 4·10⁹ multiplications, M N D: what an approximate search finds depends on which new points
 *   come together, what an exact one finds does not
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT, ERR_OPTION, all before the first step
 */
export function neighborSearchOf(
  queries: MatrixLike,
  points: MatrixLike,
  k: number,
  options?: NeighborSearchOptions,
): Generator<number, FoundNeighbors, void> {
  const { search, seed } = neighborSearchOptions.resolve("neighborSearchOf", options);
  const Q = checkedPoints(queries, "queries");
  const Y = checkedPoints(points, "points");
  checkSameColumns(Q, Y, "queries");
  checkCount(k, Y.rows);
  const isExact = search === "exact" || (search === "auto" && Q.rows * Y.rows * Y.columns <= MAX_BETWEEN);
  return between(Q, Y, k, isExact ? undefined : seed);
}

/** @param seed - of the approximate search; undefined for the exact one */
function* between(
  Q: DenseMatrix,
  Y: DenseMatrix,
  k: number,
  seed: number | undefined,
): Generator<number, FoundNeighbors, void> {
  if (seed === undefined)
    return { ...(yield* searchBetween(Q, Y, k)), search: "exact", recall: 1, abandonedRecall: undefined };
  const { lists, recall } = yield* searchBetweenApproximately(Q, Y, k, seed);
  return { ...lists, search: "approximate", recall, abandonedRecall: undefined };
}

/** @throws CurvatureError ERR_ARGUMENT */
export function checkCount(k: number, most: number): void {
  if (Number.isSafeInteger(k) && k >= 1 && k <= most) return;
  const expected = `a whole number from 1 to ${most}`;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `The number of neighbours must be ${expected}; received ${shown(k)}.`,
    { path: "k", expected, received: k },
  );
}

/**
 * The recall below which "auto" is exact: data without structure (independent normal numbers, for instance) has no lists in
 * which neighbours are likelier than elsewhere, and a search that looks into most of them takes as long as the exact one.
 */
const MIN_RECALL = 0.95;

function* exactly(
  Y: DenseMatrix,
  k: number,
  threads?: SearchThreads,
): Generator<number, FoundNeighbors, void> {
  return { ...(yield* fairlyAmong(Y, k, threads)), search: "exact", recall: 1, abandonedRecall: undefined };
}

function* approximately(Y: DenseMatrix, k: number, seed: number): Generator<number, FoundNeighbors, void> {
  const { lists, recall } = yield* searchApproximately(Y, Math.min(k + 1, Y.rows - 1), seed);
  return { ...(yield* cut(Y, lists, k)), search: "approximate", recall, abandonedRecall: undefined };
}

/** An approximate search's lists of k + 1, or of all others. */
function* cut(Y: DenseMatrix, lists: NeighborLists, k: number): Generator<number, NeighborLists, void> {
  return lists.count === k ? lists : yield* fairly(Y, lists);
}

/** Approximately, and exactly if that finds less than `MIN_RECALL` of the neighbours or is not going to find more. */
export function* approximatelyIfWell(
  Y: DenseMatrix,
  k: number,
  seed: number,
  threads?: SearchThreads,
): Generator<number, FoundNeighbors, void> {
  const attempt = searchOnTrial(Y, Math.min(k + 1, Y.rows - 1), seed);
  let done = 0;
  let next = attempt.next();
  for (; next.done !== true; next = attempt.next()) {
    done = next.value;
    yield done;
  }
  const { lists, recall } = next.value;
  if (lists !== undefined && recall >= MIN_RECALL)
    return { ...(yield* cut(Y, lists, k)), search: "approximate", recall, abandonedRecall: undefined };
  const steps = fairlyAmong(Y, k, threads);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return { ...step.value, search: "exact", recall: 1, abandonedRecall: recall };
    yield done + (1 - done) * step.value;
  }
}
