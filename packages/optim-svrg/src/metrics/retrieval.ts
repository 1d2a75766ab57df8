/**
 * How well the objects of a class are found by distance. For a query, the database sorted by distance, rel(K) of its
 * first K objects of the query's class and R of them in all:
 *
 *   P@K = rel(K)/K,   R@K = rel(K)/R,   AP = Σ_K P@K (R@K − R@(K−1)) = mean of P@K at the ranks of the class
 *
 * Ma et al.: Fast stochastic ordinal embedding with variance reduction and adaptive step size (2019), section 5.4.
 */
import {
  badOption,
  CurvatureError,
  type DenseMatrix,
  type MatrixLike,
  type OptionsOf,
  option,
  optionTable,
  squaredDistancesBetween,
  toDense,
} from "@curvature/linalg";
import { checkLabels } from "./labels.js";

/** Places with their classes. */
export interface LabeledPoints {
  /** One row for each object. */
  readonly points: MatrixLike;
  readonly labels: ArrayLike<string | number>;
}

export const retrievalOptions = optionTable({
  /**
   * The K of precision and recall, at most the size of the database, in any order. Left out: 1, 5, 10, 20, 40, 60, 80,
   * 100, as far as the database goes.
   */
  at: option(
    "an array of whole numbers of at least 1",
    (value): value is readonly number[] =>
      Array.isArray(value) && value.findIndex((K) => !(Number.isSafeInteger(K) && K >= 1)) < 0,
  ),
});
export type RetrievalOptions = OptionsOf<typeof retrievalOptions>;

export interface Retrieval {
  /** Queries that have at least one object of their class in the database; the others do not count. */
  readonly queries: number;
  /** Means over the queries, in the order of the option `at`. */
  readonly at: readonly { readonly K: number; readonly precision: number; readonly recall: number }[];
  /** MAP, the mean AP of the queries. */
  readonly meanAveragePrecision: number;
}

const usualRanks = [1, 5, 10, 20, 40, 60, 80, 100];

/**
 * Sorts the database by distance from every query, of equal distances the first object first. Time O(m n (p + log n))
 * for m queries.
 *
 * @throws CurvatureError ERR_SHAPE (also where no query has its class in the database), ERR_NON_FINITE, ERR_OPTION
 */
export function retrieval(
  queries: LabeledPoints,
  database: LabeledPoints,
  options?: RetrievalOptions,
): Retrieval {
  const { at } = retrievalOptions.resolve("retrieval", options);
  const asked = checked(queries, "queries");
  const known = checked(database, "database");
  const n = known.points.rows;
  const ranks = ranksOf(at, n);
  const relevant = new Float64Array(ranks.length);
  const recalled = new Float64Array(ranks.length);
  let counted = 0;
  let precisions = 0;
  for (let q = 0; q < asked.points.rows; q++) {
    const hits = hitsBy(asked, q, known);
    const R = hits[n];
    if (R === 0) continue;
    counted++;
    precisions += averagePrecision(hits);
    for (const [at, K] of ranks.entries()) {
      relevant[at] += hits[K] / K;
      recalled[at] += hits[K] / R;
    }
  }
  if (counted === 0)
    throw new CurvatureError("ERR_SHAPE", "no query has an object of its class in the database.", {
      where: "retrieval",
      path: "queries",
    });
  return {
    queries: counted,
    at: ranks.map((K, at) => ({ K, precision: relevant[at] / counted, recall: recalled[at] / counted })),
    meanAveragePrecision: precisions / counted,
  };
}

interface Checked {
  readonly points: DenseMatrix;
  readonly labels: ArrayLike<string | number>;
}

function checked(given: LabeledPoints, name: string): Checked {
  if (typeof given !== "object" || given === null)
    throw new CurvatureError("ERR_SHAPE", `${name} must be { points, labels }.`, {
      where: "retrieval",
      path: name,
      received: given,
    });
  const points = toDense(given.points, `${name}.points`);
  if (points.rows === 0)
    throw new CurvatureError("ERR_SHAPE", `${name}.points has no rows.`, { where: "retrieval", path: name });
  checkLabels(`retrieval: ${name}`, given.labels, points.rows);
  return { points, labels: given.labels };
}

function ranksOf(at: readonly number[] | undefined, n: number): readonly number[] {
  if (at === undefined) return usualRanks.filter((K) => K <= n);
  if (at.every((K) => K <= n)) return at;
  throw badOption("retrieval", "at", `whole numbers from 1 to ${n}, the size of the database`, at);
}

/** rel(K) for K = 0 … n. */
function hitsBy(asked: Checked, q: number, known: Checked): Int32Array {
  const { columns } = asked.points;
  const query = { rows: 1, columns, data: asked.points.data.subarray(q * columns, (q + 1) * columns) };
  const { data: distances } = squaredDistancesBetween(query, known.points);
  const order = Int32Array.from(distances.keys()).sort((a, b) => distances[a] - distances[b] || a - b);
  const hits = new Int32Array(order.length + 1);
  for (let K = 1; K <= order.length; K++)
    hits[K] = hits[K - 1] + Number(known.labels[order[K - 1]] === asked.labels[q]);
  return hits;
}

function averagePrecision(hits: Int32Array): number {
  let sum = 0;
  for (let K = 1; K < hits.length; K++) if (hits[K] > hits[K - 1]) sum += hits[K] / K;
  return sum / hits[hits.length - 1];
}
