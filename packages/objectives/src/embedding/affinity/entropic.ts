/**
 * Entropic affinities: p_m|n ∝ exp(−β_n ‖y_n − y_m‖²), each β_n such that the entropy of its row is log k, so that
 * every point has k effective neighbours. Rows are solved by `EntropicRow`; each starts from the β of the point
 * before, and points are visited along neighbours (the nearest one not yet visited), since near points have near β.
 *
 * Time O(N² D) for all pairs, and for K neighbours that of their search; the rows take about 3 evaluations each.
 * Memory N² or N K numbers.
 *
 * Vladymyrov, Carreira-Perpiñán: Entropic affinities: properties and efficient numerical computation, ICML 2013.
 */
import {
  badOption,
  CurvatureError,
  checkOptions,
  type DenseMatrix,
  either,
  exp,
  integerFrom,
  oneOf,
  positive,
  type SparseMatrix,
  transposeSparse,
} from "@curvature/linalg";
import type { Weights } from "../objective.js";
import { squaredDistances } from "./distances.js";
import { EntropicRow } from "./entropic-row.js";
import { type NeighborLists, nearestNeighbors } from "./neighbors.js";

export interface EntropicOptions {
  /** k, the effective number of neighbours: above 1, below the number of neighbours used. Default 30. */
  readonly perplexity: number;
  /**
   * Neighbours per point among which the affinities are spread: all others (dense), so many nearest (sparse), or
   * "auto": the nearest min(N − 1, ⌈3k⌉). Default "auto".
   */
  readonly neighbors: "auto" | "all" | number;
}

export const entropicDefaults: EntropicOptions = Object.freeze({ perplexity: 30, neighbors: "auto" });

export interface EntropicAffinities {
  /** p_m|n at (n, m): rows sum to 1, zero diagonal, not symmetric. Dense for all pairs, else sparse. */
  readonly conditional: Weights;
  /** β_n, in units of 1/‖y‖²; β = 1/(2σ²). Infinite for rows without a root (see `warnings`). */
  readonly beta: Float64Array;
  readonly perplexity: number;
  /** Evaluations of the entropy per point. */
  readonly evaluations: { readonly mean: number; readonly most: number };
  /** Sentences about points that have no such β; empty where all have. */
  readonly warnings: readonly string[];
}

/**
 * The entropic affinities of points.
 *
 * @param points - N × D, N ≥ 3
 * @throws CurvatureError ERR_OPTION (the message names the range of perplexities), ERR_SHAPE for fewer than 3 points,
 *   ERR_NON_FINITE (row and column named)
 */
export function entropicAffinities(
  points: DenseMatrix,
  options: Partial<EntropicOptions> = {},
): EntropicAffinities {
  const { perplexity, neighbors } = checkOptions("entropicAffinities", options, entropicDefaults, {
    perplexity: positive,
    neighbors: either(oneOf("auto", "all"), integerFrom(2)),
  });
  checkPerplexity(perplexity, points.rows, points.rows - 1);
  if (neighbors === "all") return affinitiesOfDistances(squaredDistances(points), perplexity);
  const most = points.rows - 1;
  const K = neighbors === "auto" ? Math.min(most, Math.ceil(3 * perplexity)) : neighbors;
  if (K > most) throw badOption("entropicAffinities", "neighbors", `at most ${most}, the other points`, K);
  checkPerplexity(perplexity, points.rows, K);
  return affinitiesOfNeighbors(nearestNeighbors(points, K), perplexity);
}

/**
 * The same from squared distances, which are overwritten by the result: N × N, nonnegative, its diagonal ignored.
 *
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE
 */
export function affinitiesOfDistances(distances: DenseMatrix, perplexity: number): EntropicAffinities {
  const N = distances.rows;
  if (distances.columns !== N) {
    throw new CurvatureError("ERR_SHAPE", `distances must be square; received ${N} x ${distances.columns}.`, {
      path: "distances",
      received: [N, distances.columns],
    });
  }
  checkPerplexity(perplexity, N, N - 1);
  const P = distances.data;
  const row = new EntropicRow(N - 1, perplexity);
  const walk = new Walk(N, perplexity);
  while (!walk.done) {
    const n = walk.current;
    const start = n * N;
    row.distances.set(P.subarray(start, start + n));
    row.distances.set(P.subarray(start + n + 1, start + N), n);
    row.fit(walk.logBeta);
    walk.record(row, nearestUnvisited(row.distances, n, walk.visited));
    P.set(row.p.subarray(0, n), start);
    P[start + n] = 0;
    P.set(row.p.subarray(n), start + n + 1);
  }
  return { conditional: distances, ...walk.summary() };
}

/**
 * The same among given neighbours: the rows are spread over the lists' k neighbours only.
 *
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE
 */
export function affinitiesOfNeighbors(lists: NeighborLists, perplexity: number): EntropicAffinities {
  const { count: K, indices, distances } = lists;
  const N = indices.length / K;
  checkPerplexity(perplexity, N, K);
  const row = new EntropicRow(K, perplexity);
  const walk = new Walk(N, perplexity);
  const values = new Float64Array(N * K);
  while (!walk.done) {
    const n = walk.current;
    const start = n * K;
    row.distances.set(distances.subarray(start, start + K));
    row.fit(walk.logBeta);
    walk.record(row, firstUnvisited(indices, start, start + K, walk.visited));
    values.set(row.p, start);
  }
  return { conditional: rowsToSparse(N, lists, values), ...walk.summary() };
}

/** CSR with sorted rows of values that stand in the order of the neighbours; transposing twice sorts. */
function rowsToSparse(N: number, { count: K, indices }: NeighborLists, values: Float64Array): SparseMatrix {
  const rowPointers = Int32Array.from({ length: N + 1 }, (_, n) => n * K);
  return transposeSparse(
    transposeSparse({ rows: N, columns: N, rowPointers, columnIndices: indices, values }),
  );
}

function nearestUnvisited(distances: Float64Array, own: number, visited: Uint8Array): number {
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let m = 0; m < distances.length; m++) {
    const point = m < own ? m : m + 1;
    if (visited[point] === 0 && distances[m] < least) {
      least = distances[m];
      nearest = point;
    }
  }
  return nearest;
}

function firstUnvisited(indices: Int32Array, from: number, to: number, visited: Uint8Array): number {
  for (let p = from; p < to; p++) if (visited[indices[p]] === 0) return indices[p];
  return -1;
}

/** The way through the points, from neighbour to neighbour, and what it finds. */
class Walk {
  readonly visited: Uint8Array;
  /** Where the next row starts. */
  logBeta = 0;
  current = 0;
  done = false;
  private readonly beta: Float64Array;
  private readonly tied: number[] = [];
  private readonly unresolved: number[] = [];
  private evaluations = 0;
  private most = 0;
  private lowest = 0;

  constructor(
    private readonly N: number,
    private readonly perplexity: number,
  ) {
    this.visited = new Uint8Array(N);
    this.visited[0] = 1;
    this.beta = new Float64Array(N);
  }

  /** Takes the fitted row of the current point and goes to `next`, or if that is −1 to the first unvisited point. */
  record(row: EntropicRow, next: number): void {
    this.beta[this.current] = exp(row.logBeta);
    this.evaluations += row.evaluations;
    this.most = Math.max(this.most, row.evaluations);
    if (row.tied > 0) this.tied.push(this.current);
    else if (!row.converged) this.unresolved.push(this.current);
    else this.logBeta = row.logBeta;
    if (next < 0) {
      while (this.lowest < this.N && this.visited[this.lowest] === 1) this.lowest += 1;
      this.done = this.lowest === this.N;
    }
    this.current = next < 0 ? this.lowest : next;
    if (!this.done) this.visited[this.current] = 1;
  }

  summary(): Omit<EntropicAffinities, "conditional"> {
    const { beta, perplexity, most } = this;
    const warnings: string[] = [];
    if (this.tied.length > 0) {
      warnings.push(
        `${counted(this.tied)} at least as many equally near nearest neighbours (duplicates, for instance) as the ` +
          `perplexity ${perplexity}, which cannot be reached there; the affinities are uniform on those neighbours.`,
      );
    }
    if (this.unresolved.length > 0) {
      warnings.push(
        `${counted(this.unresolved)} distances too uneven for the perplexity ${perplexity} to be reached in double precision.`,
      );
    }
    return { beta, perplexity, evaluations: { mean: this.evaluations / this.N, most }, warnings };
  }
}

function counted(points: readonly number[]): string {
  const first = points.reduce((least, point) => Math.min(least, point));
  return points.length === 1
    ? `Point ${first} has`
    : `${points.length} points (the first is point ${first}) have`;
}

/**
 * @param neighbors - the number over which a row is spread
 * @throws CurvatureError ERR_SHAPE for fewer than 3 points, ERR_OPTION unless 1 < perplexity < neighbors
 */
export function checkPerplexity(perplexity: number, points: number, neighbors: number): void {
  if (!(points >= 3)) {
    throw new CurvatureError("ERR_SHAPE", `Affinities need at least 3 points; received ${points}.`, {
      path: "points",
      expected: "at least 3 rows",
      received: points,
    });
  }
  if (!(perplexity > 1 && perplexity < neighbors)) {
    throw badOption(
      "entropicAffinities",
      "perplexity",
      `above 1 and below ${neighbors}, the number of neighbours used for each of ${points} points`,
      perplexity,
    );
  }
}
