/**
 * From points to an objective: principal components where `pca` asks for them, neighbours, affinities, model. In pieces, so that a
 * caller can do other things between them.
 */
import {
  CurvatureError,
  type DenseMatrix,
  isSparse,
  lostComponents,
  matrixTimesVector,
  multiplyTranspose,
  optionName,
  type PrincipalComponents,
  type PrincipalThreads,
  principalComponents,
  type SparseMatrix,
  type SparseMatrixLike,
  sparseTimesBlock,
  squaredDistances,
  toDense,
  toSparse,
  transpose,
  zeros,
} from "@curvature/linalg";
import {
  affinitiesOfDistances,
  distanceWeights,
  type EmbeddingObjective,
  elasticEmbedding,
  type FoundNeighbors,
  jointAffinities,
  neighborAffinities,
  neighborSearch,
  sne,
  symmetricSne,
  tElasticEmbedding,
  tsne,
  type Weights,
} from "@curvature/objectives/embedding";
import type { AffinityThreads, SearchThreads, SumThreads } from "@curvature/objectives/embedding/threads";
import type { EmbedSettings } from "./embed-settings.js";

/** The data as the affinities see it, and what does the same to new rows. */
export interface Projected {
  readonly data: DenseMatrix;
  readonly project: Project;
  /** Of components that were asked for and are not there. */
  readonly warnings: readonly string[];
}

/** @throws CurvatureError ERR_ARGUMENT for sparse points where there is no projection */
type Project = (newPoints: DenseMatrix | SparseMatrix) => DenseMatrix;

/** Finite points, sparse ones as they are. @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE */
export function finitePoints(points: SparseMatrixLike, name: string): DenseMatrix | SparseMatrix {
  return isSparse(points) ? toSparse(points, name) : toDense(points, name);
}

/** The data's first principal components in its place, where `pca` asks for it. */
export function projected(
  points: DenseMatrix | SparseMatrix,
  { pca }: EmbedSettings,
  threads: PrincipalThreads | undefined,
): Projected {
  if (pca === undefined && "data" in points) {
    return { data: points, project: unprojected, warnings: [] };
  }
  const components = principalComponents(points, { ...(pca !== undefined && { count: pca }), threads });
  const full = fullColumns(points);
  return {
    data: components.scores,
    project: (newPoints) => scoresOf(newPoints, components, full),
    warnings: lostComponents(components.variances, "scale the columns"),
  };
}

/** Columns of sparse points without a zero among them: their means may be large beside their spread. */
function fullColumns(points: DenseMatrix | SparseMatrix): readonly number[] {
  if ("data" in points) return [];
  const counts = new Int32Array(points.columns);
  for (const j of points.columnIndices) counts[j]++;
  return [...counts.keys()].filter((j) => counts[j] === points.rows);
}

function unprojected(newPoints: DenseMatrix | SparseMatrix): DenseMatrix {
  if ("data" in newPoints) return newPoints;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    "The map was made of dense points without pca: give newPoints as a dense matrix, too.",
    { path: "newPoints", expected: "a dense matrix" },
  );
}

/**
 * (X − 1 mᵀ) Vᵀ. Of sparse rows the means are subtracted from the product, V m, which loses nothing where zeros made the
 * means deviations themselves; in a column that was full they are subtracted from the entries, as of dense rows.
 */
function scoresOf(
  rows: DenseMatrix | SparseMatrix,
  { components, means }: PrincipalComponents,
  full: readonly number[],
): DenseMatrix {
  if ("data" in rows) {
    const data = rows.data.map((value, k) => value - means[k % means.length]);
    return multiplyTranspose({ ...rows, data }, components);
  }
  const k = components.rows;
  const scores = zeros(rows.rows, k);
  const isFull = new Uint8Array(means.length);
  for (const j of full) isFull[j] = 1;
  const shifted = rows.values.map((value, p) => {
    const j = rows.columnIndices[p];
    return isFull[j] === 1 ? value - means[j] : value;
  });
  sparseTimesBlock({ ...rows, values: shifted }, transpose(components).data, k, scores.data);
  const shift = new Float64Array(k);
  const others = means.map((mean, j) => (isFull[j] === 1 ? 0 : mean));
  matrixTimesVector(components, others, shift);
  for (let at = 0; at < scores.data.length; at++) scores.data[at] -= shift[at % k];
  for (let i = 0; i < rows.rows; i++) {
    const stored = new Set(rows.columnIndices.subarray(rows.rowPointers[i], rows.rowPointers[i + 1]));
    for (const j of full)
      if (!stored.has(j))
        for (let a = 0; a < k; a++)
          scores.data[i * k + a] -= means[j] * components.data[a * means.length + j];
  }
  return scores;
}

/** Squared distances of all pairs, or lists of nearest neighbours. */
export type Neighborhood = DenseMatrix | FoundNeighbors;

/** In steps that yield the share that is done; distances of all pairs are one step. */
export function* neighborhood(
  points: DenseMatrix,
  { neighbors, neighborSearch: search, seed }: EmbedSettings,
  threads?: SearchThreads,
): Generator<number, Neighborhood, void> {
  if (neighbors !== "all") return yield* neighborSearch(points, neighbors, { search, seed }, threads);
  return squaredDistances(points);
}

/** Below this share of the neighbours a map is of other data. */
const poorRecall = 0.9;

/** What a report of the search has. */
export function searchReport(near: Neighborhood): {
  readonly neighborRecall: number | undefined;
  readonly neighborSearch: "exact" | "approximate";
  readonly warnings: readonly string[];
} {
  if ("data" in near) return { neighborRecall: undefined, neighborSearch: "exact", warnings: [] };
  const { recall, search } = near;
  return { neighborRecall: recall, neighborSearch: search, warnings: searchWarnings(near) };
}

function searchWarnings({ recall, abandonedRecall }: FoundNeighbors): readonly string[] {
  const percent = (share: number): string => `${Math.floor(100 * share)} %`;
  if (abandonedRecall !== undefined)
    return [
      `The approximate search was given up at ${percent(abandonedRecall)} of the nearest neighbours: the data has too little structure for it, and the exact search took its place.`,
    ];
  if (recall >= poorRecall) return [];
  return [
    `The approximate search found only ${percent(recall)} of the nearest neighbours. Ask for the exact one (${optionName("neighborSearch", "exact")}), or for fewer dimensions (${optionName("pca")}).`,
  ];
}

export interface EmbeddingProblem {
  readonly objective: EmbeddingObjective;
  /** Symmetric affinities of sum 1. */
  readonly affinities: Weights;
  readonly warnings: readonly string[];
}

/** Neighbours in all below which the affinities are there before another thread has begun. */
const MANY = 1e6;

/**
 * In steps, too; affinities of all pairs are one.
 *
 * @param near - overwritten where it holds distances
 */
export function* embeddingProblem(
  points: DenseMatrix,
  near: Neighborhood,
  settings: EmbedSettings,
  threads?: AffinityThreads & SumThreads,
): Generator<number, EmbeddingProblem, void> {
  const { perplexity } = settings;
  const { conditional, warnings } =
    "data" in near
      ? affinitiesOfDistances(near, perplexity)
      : yield* neighborAffinities(near, perplexity, near.indices.length < MANY ? undefined : threads);
  const affinities = jointAffinities(conditional);
  return { objective: model(points, conditional, affinities, settings, threads), affinities, warnings };
}

function model(
  points: DenseMatrix,
  conditional: Weights,
  affinities: Weights,
  { method, dimensions, lambda, repulsion, gradient, theta }: EmbedSettings,
  threads: SumThreads | undefined,
): EmbeddingObjective {
  const options = { dimensions, lambda, gradient, theta };
  const weights = () => ({
    attraction: affinities,
    repulsion: repulsion === "distance" ? distanceWeights(points) : ("constant" as const),
  });
  switch (method) {
    case "ssne":
      return symmetricSne(affinities, options, threads);
    case "sne":
      return sne(conditional, options);
    case "ee":
      return elasticEmbedding(weights(), options, threads);
    case "tee":
      return tElasticEmbedding(weights(), options, threads);
    case "tsne":
    case "laplacian": // only the affinities are asked for
      return tsne(affinities, options, threads);
  }
}
