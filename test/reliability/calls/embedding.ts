/** Calls of embedding objectives. */
import * as embedding from "@curvature/objectives/embedding";
import { affinities, distancesOf, mapStart, points } from "../problems.ts";
import { conditional, data, dense, distances, weights } from "./arguments.ts";
import { call, drained, used } from "./call.ts";

export const embeddingCalls = {
  entropicAffinities: call(
    () => [data(), { perplexity: 3 }],
    embedding.entropicAffinities,
    embedding.entropicOptions.defaults,
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
    embedding.neighborSearchOptions.defaults,
  ),
  nearestNeighbors: call(() => [data(), 3], embedding.nearestNeighbors),
  nearestNeighborsOf: call(() => [points(2), data(), 3], embedding.nearestNeighborsOf),
  neighborSearchOf: call(
    () => [points(2), data(), 3, {}],
    (...given) => drained(embedding.neighborSearchOf(...given)),
    embedding.neighborSearchOptions.defaults,
  ),
  newPointAffinities: call(
    () => [embedding.nearestNeighborsOf(points(2), data(), 6), 12, 2],
    (...given) => drained(embedding.newPointAffinities(...given)),
  ),
  outOfSampleAffinities: call(
    () => [points(2), data(), { perplexity: 3 }],
    embedding.outOfSampleAffinities,
    embedding.entropicOptions.defaults,
  ),
  outOfSampleDistanceWeights: call(() => [points(2), data()], embedding.outOfSampleDistanceWeights),
  distanceWeights: call(() => [data()], embedding.distanceWeights),
  distanceWeightsOf: call(() => [dense(distances())], embedding.distanceWeightsOf),
  elasticEmbedding: call(
    () => [weights(), {}],
    (...given) => used(embedding.elasticEmbedding(...given)),
    embedding.unnormalizedOptions.defaults,
  ),
  tElasticEmbedding: call(
    () => [weights(), {}],
    (...given) => used(embedding.tElasticEmbedding(...given)),
    embedding.unnormalizedOptions.defaults,
  ),
  unnormalizedEmbedding: call(
    () => [weights(), {}],
    (...given) => used(embedding.unnormalizedEmbedding(...given)),
    embedding.unnormalizedFamilyOptions.defaults,
  ),
  normalizedEmbedding: call(
    () => [affinities(), {}],
    (...given) => used(embedding.normalizedEmbedding(...given)),
    embedding.normalizedFamilyOptions.defaults,
  ),
  nonsymmetricEmbedding: call(
    () => [conditional(), {}],
    (...given) => used(embedding.nonsymmetricEmbedding(...given)),
    embedding.normalizedFamilyOptions.defaults,
  ),
  laplacianEigenmaps: call(
    () => [affinities(), {}],
    embedding.laplacianEigenmaps,
    embedding.laplacianEigenmapsOptions.defaults,
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
    embedding.normalizedOptions.defaults,
  ),
  symmetricSne: call(
    () => [affinities(), {}],
    (...given) => used(embedding.symmetricSne(...given)),
    embedding.normalizedOptions.defaults,
  ),
  tsne: call(
    () => [affinities(), {}],
    (...given) => used(embedding.tsne(...given)),
    embedding.normalizedOptions.defaults,
  ),
  nonsymmetricTsne: call(
    () => [conditional(), {}],
    (...given) => used(embedding.nonsymmetricTsne(...given)),
    embedding.normalizedOptions.defaults,
  ),
};
