/**
 * From points to an objective: neighbours, affinities, model. In pieces, so that a caller can do other things between
 * them.
 */
import { CurvatureError, type DenseMatrix, squaredDistances } from "@curvature/linalg";
import {
  affinitiesOfDistances,
  affinitiesOfNeighbors,
  distanceWeights,
  type EmbeddingObjective,
  elasticEmbedding,
  jointAffinities,
  type NeighborLists,
  nearestNeighbors,
  sne,
  symmetricSne,
  tElasticEmbedding,
  tsne,
  type Weights,
} from "@curvature/objectives/embedding";
import type { EmbedSettings } from "./embed-options.js";

/** Squared distances of all pairs, or lists of nearest neighbours. */
export type Neighborhood = DenseMatrix | NeighborLists;

/** @throws CurvatureError ERR_NON_FINITE for points so far apart that squared distances overflow */
export function neighborhood(points: DenseMatrix, { neighbors }: EmbedSettings): Neighborhood {
  if (neighbors !== "all") return nearestNeighbors(points, neighbors);
  const distances = squaredDistances(points);
  if (distances.data.every(Number.isFinite)) return distances;
  throw new CurvatureError(
    "ERR_NON_FINITE",
    "The points are so far apart that their squared distances overflow. Rescale the data.",
    { path: "points", expected: "finite squared distances" },
  );
}

export interface EmbeddingProblem {
  readonly objective: EmbeddingObjective;
  /** Symmetric affinities of sum 1. */
  readonly affinities: Weights;
  readonly warnings: readonly string[];
}

/** @param near - overwritten where it holds distances */
export function embeddingProblem(
  points: DenseMatrix,
  near: Neighborhood,
  settings: EmbedSettings,
): EmbeddingProblem {
  const { perplexity } = settings;
  const { conditional, warnings } =
    "data" in near ? affinitiesOfDistances(near, perplexity) : affinitiesOfNeighbors(near, perplexity);
  const affinities = jointAffinities(conditional);
  return { objective: model(points, conditional, affinities, settings), affinities, warnings };
}

function model(
  points: DenseMatrix,
  conditional: Weights,
  affinities: Weights,
  { method, dimensions, lambda, repulsion, gradient, theta }: EmbedSettings,
): EmbeddingObjective {
  const options = { dimensions, lambda, gradient, theta };
  const weights = () => ({
    attraction: affinities,
    repulsion: repulsion === "distance" ? distanceWeights(points) : ("constant" as const),
  });
  switch (method) {
    case "ssne":
      return symmetricSne(affinities, options);
    case "sne":
      return sne(conditional, options);
    case "ee":
      return elasticEmbedding(weights(), options);
    case "tee":
      return tElasticEmbedding(weights(), options);
    case "tsne":
    case "laplacian": // only the affinities are asked for
      return tsne(affinities, options);
  }
}
