/**
 * From points to an objective: principal components where `pca` asks for them, neighbours, affinities, model. In pieces, so that a
 * caller can do other things between them.
 */
import {
  type DenseMatrix,
  isSparse,
  optionName,
  type SparseMatrix,
  type SparseMatrixLike,
  squaredDistances,
  toDense,
  toSparse,
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

/** Finite points, sparse ones as they are. @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE */
export function finitePoints(points: SparseMatrixLike, name: string): DenseMatrix | SparseMatrix {
  return isSparse(points) ? toSparse(points, name) : toDense(points, name);
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
