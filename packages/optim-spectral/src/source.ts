/**
 * What a map is made of: points under a metric, or what is given in their place (distances, similarities, a graph of
 * neighbours, affinities); checked, and in one form, from which neighbours, affinities and the start follow.
 */
import {
  badOption,
  CurvatureError,
  connectedComponents,
  type DenseMatrix,
  isSparse,
  type SparseMatrix,
  type SparseMatrixLike,
  squaredDistances,
  toDense,
  toSparse,
} from "@curvature/linalg";
import {
  distancesOfSimilarities,
  type FoundNeighbors,
  fairListsBy,
  givenDistances,
  graphOfSparse,
  isEuclidean,
  jointAffinities,
  type Metric,
  metricSearch,
  metricSquares,
  type NeighborGraph,
  type NeighborsLike,
  neighborGraph,
  neighborSearch,
  type PairMatrixLike,
  preparedRows,
  sparseSearch,
  sparseSquares,
  squaresOf,
  type Weights,
} from "@curvature/objectives/embedding";
import type { SearchThreads } from "@curvature/objectives/embedding/threads";

/** What `embed` takes: points, or one of the four in their place. */
export type EmbedInput = SparseMatrixLike | GivenInput;

/** What there is where there are no points. One of the four; what they hold is never written to. */
export type GivenInput =
  /**
   * Distances, not squared: N × N or condensed, symmetric, nonnegative, zero on the diagonal. Of a sparse matrix the stored
   * entries are a graph of neighbours, and what is not stored is far.
   */
  | { readonly distances: PairMatrixLike | SparseMatrixLike }
  /** Similarities, N × N or condensed (1 on the diagonal), which become the distances √(s_ii + s_jj − 2 s_ij). */
  | { readonly similarities: PairMatrixLike }
  /** A graph of neighbours with their distances, as many for each point or not. */
  | { readonly neighbors: NeighborsLike }
  /** Affinities, N × N, dense or sparse: symmetric, nonnegative, zero on the diagonal; divided by their sum. */
  | { readonly affinities: SparseMatrixLike };

/** Given in place of points. */
export type Given =
  | { readonly kind: "distances"; readonly rows: number; readonly distances: DenseMatrix }
  | {
      readonly kind: "neighbors";
      readonly rows: number;
      readonly graph: NeighborGraph;
      /** Neighbours of the longest row, and of the middle one. */
      readonly most: number;
      readonly typical: number;
    }
  | { readonly kind: "affinities"; readonly rows: number; readonly affinities: Weights };

/** Rows as their metric sees them. */
export interface PointSource {
  readonly kind: "points";
  readonly rows: number;
  readonly data: DenseMatrix | SparseMatrix;
  readonly metric: Metric;
}
export type Source = PointSource | Given;

const kinds = ["distances", "similarities", "neighbors", "affinities"] as const;

/** Whether it is given in place of points. */
export function isGiven(input: EmbedInput): input is GivenInput {
  return typeof input === "object" && input !== null && kinds.some((kind) => kind in input);
}

/**
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT for what is none, the entries named; ERR_ARGUMENT for several at
 *   a time
 */
export function checkedGiven(input: GivenInput): Given {
  const names = Object.keys(input);
  if (names.length !== 1)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `embed takes one of { distances }, { similarities }, { neighbors } and { affinities } in place of points; received ${names.join(", ")}. Options are its second argument.`,
      { path: "points", expected: "one of the four", received: names },
    );
  if ("distances" in input) {
    const { distances } = input;
    if (isSparseMatrix(distances)) return graphSource(graphOfSparse(toSparse(distances, "distances")));
    const full = givenDistances(distances);
    return { kind: "distances", rows: full.rows, distances: full };
  }
  if ("similarities" in input) {
    const { similarities } = input;
    if (isSparseMatrix(similarities)) throw sparseSimilarities();
    const distances = distancesOfSimilarities(similarities);
    return { kind: "distances", rows: distances.rows, distances };
  }
  if ("neighbors" in input) return graphSource(neighborGraph(input.neighbors));
  const affinities = checkedAffinities(input.affinities);
  return { kind: "affinities", rows: affinities.rows, affinities };
}

const isSparseMatrix = (input: unknown): input is Exclude<SparseMatrixLike, PairMatrixLike> =>
  typeof input === "object" &&
  input !== null &&
  !ArrayBuffer.isView(input) &&
  ["rowPointers", "getNonZeros", "withEachNonZero"].some((name) => name in input);

const sparseSimilarities = (): CurvatureError =>
  new CurvatureError(
    "ERR_ARGUMENT",
    "similarities must be a full matrix: what a sparse one does not store would be unlike all. Give a dense matrix, or the weights of a graph as { affinities }.",
    { path: "similarities", expected: "a full matrix" },
  );

function graphSource(graph: NeighborGraph): Given {
  const { rowPointers } = graph;
  const rows = rowPointers.length - 1;
  const counts = Int32Array.from({ length: rows }, (_, n) => rowPointers[n + 1] - rowPointers[n]).sort();
  return { kind: "neighbors", rows, graph, most: counts[rows - 1] ?? 0, typical: counts[rows >> 1] ?? 0 };
}

/** Affinities may differ from their mirror by so much, relatively or beside the largest: rounding of a computed matrix. */
const ROUNDING = 1e-6;

/** Symmetric to the bit, of sum 1. */
function checkedAffinities(input: SparseMatrixLike): Weights {
  const given = isSparse(input) ? toSparse(input, "affinities") : toDense(input, "affinities");
  const joint = jointAffinities(given);
  const values = "data" in given ? given.data : given.values;
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  const check = (i: number, j: number, one: number, back: number): void => {
    if (Math.abs(one - back) <= ROUNDING * Math.max(one, back, 1e-3 * largest)) return;
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `affinities has ${one} at row ${i}, column ${j}, but ${back} at row ${j}, column ${i} (counted from 0): a pair has one affinity. For conditional ones give their mean, (P + P^T) / 2.`,
      { path: `row ${i}, column ${j}`, expected: String(back), received: one },
    );
  };
  const N = given.rows;
  if ("data" in given) {
    for (let i = 0; i < N; i++)
      for (let j = 0; j < i; j++) check(i, j, given.data[i * N + j], given.data[j * N + i]);
    for (let i = 0; i < N; i++)
      if (!given.data.subarray(i * N, i * N + N).some((value) => value > 0)) throw noAffinities(i);
    return joint;
  }
  const { rowPointers, columnIndices, values: stored } = given;
  const back = (i: number, j: number): number => {
    const at = columnIndices.subarray(rowPointers[i], rowPointers[i + 1]).indexOf(j);
    return at < 0 ? 0 : stored[rowPointers[i] + at];
  };
  for (let i = 0; i < N; i++) {
    if (!stored.subarray(rowPointers[i], rowPointers[i + 1]).some((value) => value > 0))
      throw noAffinities(i);
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++)
      check(i, columnIndices[p], stored[p], back(columnIndices[p], i));
  }
  return joint;
}

const noAffinities = (row: number): CurvatureError =>
  new CurvatureError(
    "ERR_ARGUMENT",
    `Row ${row} of affinities has none above 0 (counted from 0): nothing holds that point. Give it at least one, or leave the point out.`,
    { path: `row ${row}`, expected: "at least one affinity above 0" },
  );

/**
 * Points as their metric sees them.
 *
 * @throws CurvatureError ERR_ARGUMENT for rows that the metric is not made for, the row named
 */
export function pointSource(points: DenseMatrix | SparseMatrix, metric: Metric): PointSource {
  return { kind: "points", rows: points.rows, data: preparedRows(points, metric), metric };
}

/** Squared distances of all pairs, lists of nearest neighbours, a graph, or affinities. */
export type Neighborhood = DenseMatrix | FoundNeighbors | NeighborGraph | { readonly affinities: Weights };

interface SearchSettings {
  readonly neighbors: "all" | number;
  readonly neighborSearch: "auto" | "exact" | "approximate";
  readonly seed: number;
}

/** In steps that yield the share that is done; Euclidean distances of all pairs are one step. */
export function* neighborhood(
  source: Source,
  { neighbors, neighborSearch: search, seed }: SearchSettings,
  threads?: SearchThreads,
): Generator<number, Neighborhood, void> {
  switch (source.kind) {
    case "distances":
      return neighbors === "all" ? squaresOf(source.distances) : nearestOf(source.distances, neighbors);
    case "neighbors":
      return evenLists(source.graph) ?? source.graph;
    case "affinities":
      return { affinities: source.affinities };
    case "points": {
      const { data, metric } = source;
      if (neighbors === "all") return yield* squaresOfPoints(source);
      if (!("data" in data)) return yield* sparseSearch(data, neighbors, metric);
      if (isEuclidean(metric)) return yield* neighborSearch(data, neighbors, { search, seed }, threads);
      return yield* metricSearch(data, neighbors, metric);
    }
  }
}

function* squaresOfPoints({ data, metric }: PointSource): Generator<number, DenseMatrix, void> {
  if (!("data" in data)) return yield* sparseSquares(data, metric);
  return isEuclidean(metric) ? squaredDistances(data) : yield* metricSquares(data, metric);
}

/** The squared distances of all pairs, in an array of their own: for repulsive weights. */
export function squaredDistancesOf(source: Source): DenseMatrix {
  if (source.kind === "distances") return squaresOf(source.distances);
  if (source.kind !== "points")
    throw badOption(
      "embed",
      "repulsion",
      '"constant" for a graph of neighbours and for affinities',
      "distance",
    );
  const steps = squaresOfPoints(source);
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

/** The k nearest of each row of a full matrix; ties share the last places. */
function nearestOf(distances: DenseMatrix, k: number): FoundNeighbors {
  const N = distances.rows;
  const squares = squaresOf(distances).data;
  const count = Math.min(k + 1, N - 1);
  const indices = new Int32Array(N * count);
  const near = new Float64Array(N * count);
  const others = new Uint32Array(N - 1);
  for (let n = 0; n < N; n++) {
    const row = squares.subarray(n * N, n * N + N);
    for (let m = 0; m < N - 1; m++) others[m] = m < n ? m : m + 1;
    others.sort((a, b) => row[a] - row[b] || a - b);
    for (let j = 0; j < count; j++) {
      indices[n * count + j] = others[j];
      near[n * count + j] = row[others[j]];
    }
  }
  const found = { search: "exact", recall: 1, abandonedRecall: undefined } as const;
  if (count === k) return { count, indices, distances: near, ...found };
  const steps = fairListsBy({ count, indices, distances: near }, (n, m) => squares[n * N + m], 1);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { ...step.value, ...found };
  }
}

/** A graph with as many neighbours in each row is lists, which threads can fit. */
function evenLists({ rowPointers, indices, distances }: NeighborGraph): FoundNeighbors | undefined {
  const count = rowPointers[1];
  if (!rowPointers.every((at, n) => at === n * count)) return undefined;
  return { count, indices, distances, search: "exact", recall: 1, abandonedRecall: undefined };
}

/** A sentence where affinities fall into parts between which nothing is known. */
export function partsWarning(affinities: Weights): readonly string[] {
  if (
    "data" in affinities &&
    affinities.data.every((value, k) => value > 0 || k % (affinities.rows + 1) === 0)
  )
    return [];
  const { count } = connectedComponents(toSparse(affinities));
  if (count === 1) return [];
  return [
    `The graph falls into ${count} parts that nothing connects: how far these lie apart in the map, and on which side, means nothing. More neighbours may connect them.`,
  ];
}
