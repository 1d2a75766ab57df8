/** Calls of embedding objectives. */
import { toSparse } from "@curvature/linalg";
import * as embedding from "@curvature/objectives/embedding";
import { affinities, distancesOf, mapStart, points } from "../problems.ts";
import { conditional, data, dense, distances, weights } from "./arguments.ts";
import { call, drained, used } from "./call.ts";

const neighbors = () => ({
  indices: Array.from({ length: 12 }, (_, n) => [(n + 1) % 12, (n + 5) % 12, (n + 2) % 12]),
  distances: Array.from({ length: 12 }, (_, n) => [1, 3, 2 + n / 12]),
});
const unitRows = () => embedding.preparedRows(toSparse(points(12)), "cosine");

export const embeddingCalls = {
  entropicAffinities: call(
    () => [data(), { perplexity: 3 }],
    embedding.entropicAffinities,
    embedding.entropicOptions.defaults,
  ),
  affinitiesOfDistances: call(() => [dense(distancesOf(points(12))), 3], embedding.affinitiesOfDistances),
  affinitiesOfSquaredDistances: call(
    () => [dense(distancesOf(points(12))), 3],
    embedding.affinitiesOfSquaredDistances,
  ),
  givenDistances: call(() => [distancesOf(points(12))], embedding.givenDistances),
  distancesOfSimilarities: call(
    () => [points(12).map((a) => points(12).map((b) => a.reduce((sum, x, k) => sum + x * b[k], 0)))],
    embedding.distancesOfSimilarities,
  ),
  squaresOf: call(() => [dense(distancesOf(points(12)))], embedding.squaresOf),
  neighborGraph: call(() => [neighbors()], embedding.neighborGraph),
  graphOfSparse: call(() => [toSparse(distancesOf(points(12)))], embedding.graphOfSparse),
  graphAffinities: call(
    () => [embedding.neighborGraph(neighbors()), 2],
    (...given) => drained(embedding.graphAffinities(...given)),
  ),
  isEuclidean: call(() => ["cosine" as const], embedding.isEuclidean),
  preparedRows: call(
    () => [dense(points(12)), "cosine" as const],
    (rows, metric) => embedding.preparedRows(rows, metric),
  ),
  rowDistance: call(() => ["manhattan" as const], embedding.rowDistance),
  metricSearch: call(
    () => [dense(points(12)), 3, "manhattan" as const],
    (...given) => drained(embedding.metricSearch(...given)),
  ),
  metricSquares: call(
    () => [dense(points(12)), "manhattan" as const],
    (...given) => drained(embedding.metricSquares(...given)),
  ),
  sparseSearch: call(
    () => [unitRows(), 3, "cosine" as const],
    (...given) => drained(embedding.sparseSearch(...given)),
  ),
  sparseSquares: call(
    () => [unitRows(), "cosine" as const],
    (...given) => drained(embedding.sparseSquares(...given)),
  ),
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
