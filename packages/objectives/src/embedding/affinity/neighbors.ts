/**
 * Nearest neighbours: the doors to the searches.
 */
import { CurvatureError, type DenseMatrix, type MatrixLike } from "@curvature/linalg";
import { checkedPoints } from "./distances.js";
import { searchAmong, searchBetween } from "./exact-search.js";
import type { NeighborLists } from "./neighbor-lists.js";

/**
 * The k nearest other points of each point. A point is never its own neighbour; its duplicates are, at distance 0.
 *
 * @param points - N × D
 * @param k - from 1 to N − 1
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT
 */
export function nearestNeighbors(points: MatrixLike, k: number): NeighborLists {
  const Y = checkedPoints(points, "points");
  checkCount(k, Y.rows - 1);
  const search = searchAmong(Y, k);
  for (;;) {
    const next = search.next();
    if (next.done === true) return next.value;
  }
}

/**
 * The k nearest of `points` to each row of `queries`.
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
  return searchBetween(Q, Y, k);
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
