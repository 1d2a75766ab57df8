/** Calls of embedding objectives. */
import * as embedding from "@curvature/objectives/embedding";
import { affinities, distancesOf, mapStart, points } from "../problems.ts";
import { conditional, data, dense, distances, weights } from "./arguments.ts";
import { call, drained, used } from "./call.ts";

export const embeddingCalls = {
  entropicAffinities: call(
    () => [data(), { perplexity: 3 }],
    embedding.entropicAffinities,
    embedding.entropicDefaults,
  ),
  affinitiesOfDistances: call(() => [dense(distancesOf(points(12))), 3], embedding.affinitiesOfDistances),
  affinitiesOfNeighbors: call(
    () => [embedding.nearestNeighbors(data(), 6), 2],
    embedding.affinitiesOfNeighbors,
  ),
  neighborAffinities: call(
    () => [embedding.nearestNeighbors(data(), 6), 2],
    (...given) => drained(embedding.neighborAffinities(...given)),
  ),
  jointAffinities: call(
    () => [conditional()],
    (P) => embedding.jointAffinities(P),
  ),
  neighborSearch: call(
    () => [data(), 3, {}],
    (...given) => drained(embedding.neighborSearch(...given)),
    embedding.neighborSearchDefaults,
  ),
  nearestNeighbors: call(() => [data(), 3], embedding.nearestNeighbors),
  nearestNeighborsOf: call(() => [points(2), data(), 3], embedding.nearestNeighborsOf),
  outOfSampleAffinities: call(
    () => [points(2), data(), { perplexity: 3 }],
    embedding.outOfSampleAffinities,
    embedding.entropicDefaults,
  ),
  outOfSampleDistanceWeights: call(() => [points(2), data()], embedding.outOfSampleDistanceWeights),
  distanceWeights: call(() => [data()], embedding.distanceWeights),
  distanceWeightsOf: call(() => [dense(distances())], embedding.distanceWeightsOf),
  elasticEmbedding: call(
    () => [weights(), {}],
    (...given) => used(embedding.elasticEmbedding(...given)),
    embedding.unnormalizedDefaults,
  ),
  tElasticEmbedding: call(
    () => [weights(), {}],
    (...given) => used(embedding.tElasticEmbedding(...given)),
    embedding.unnormalizedDefaults,
  ),
  unnormalizedEmbedding: call(
    () => [weights(), {}],
    (...given) => used(embedding.unnormalizedEmbedding(...given)),
    {
      ...embedding.unnormalizedDefaults,
      ...embedding.familyDefaults,
    },
  ),
  normalizedEmbedding: call(
    () => [affinities(), {}],
    (...given) => used(embedding.normalizedEmbedding(...given)),
    {
      ...embedding.normalizedDefaults,
      ...embedding.familyDefaults,
    },
  ),
  nonsymmetricEmbedding: call(
    () => [conditional(), {}],
    (...given) => used(embedding.nonsymmetricEmbedding(...given)),
    {
      ...embedding.normalizedDefaults,
      ...embedding.familyDefaults,
    },
  ),
  laplacianEigenmaps: call(
    () => [affinities(), {}],
    embedding.laplacianEigenmaps,
    embedding.laplacianEigenmapsDefaults,
  ),
  outOfSampleObjective: call(
    () => [
      "tsne" as const,
      mapStart(),
      embedding.outOfSampleAffinities(points(2), data(), { perplexity: 3 }).affinities,
      {},
    ],
    embedding.outOfSampleObjective,
    { lambda: 1 },
  ),
  fastestGradient: call(() => ["student" as const, 10, 2], embedding.fastestGradient),
  sne: call(
    () => [conditional(), {}],
    (...given) => used(embedding.sne(...given)),
    embedding.normalizedDefaults,
  ),
  symmetricSne: call(
    () => [affinities(), {}],
    (...given) => used(embedding.symmetricSne(...given)),
    embedding.normalizedDefaults,
  ),
  tsne: call(
    () => [affinities(), {}],
    (...given) => used(embedding.tsne(...given)),
    embedding.normalizedDefaults,
  ),
  nonsymmetricTsne: call(
    () => [conditional(), {}],
    (...given) => used(embedding.nonsymmetricTsne(...given)),
    embedding.normalizedDefaults,
  ),
};
