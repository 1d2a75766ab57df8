export {
  bytesPerNeighbor,
  checkedPoints,
  checkMagnitudes,
  checkPointMemory,
  checkSameColumns,
} from "./affinity/check-points.js";
export { squaredRowDistance } from "./affinity/distances.js";
export {
  affinitiesOfDistances,
  affinitiesOfSquaredDistances,
  type EntropicOptions,
  entropicAffinities,
  entropicOptions,
} from "./affinity/entropic.js";
export { fairLists, fairListsBy } from "./affinity/fair-ties.js";
export {
  distancesOfSimilarities,
  givenDistances,
  type PairMatrixLike,
  squaresOf,
} from "./affinity/given-distances.js";
export { jointAffinities } from "./affinity/joint.js";
export {
  type EuclideanMetric,
  isEuclidean,
  type Metric,
  type MetricFunction,
  preparedRows,
  rowDistance,
} from "./affinity/metric.js";
export { metricSearch, metricSquares, sparseSearch, sparseSquares } from "./affinity/metric-search.js";
export { affinitiesOfNeighbors, neighborAffinities } from "./affinity/neighbor-affinities.js";
export {
  graphAffinities,
  graphOfSparse,
  type NeighborGraph,
  type NeighborsLike,
  neighborGraph,
} from "./affinity/neighbor-graph.js";
export type { FoundNeighbors, NeighborLists } from "./affinity/neighbor-lists.js";
export {
  type NeighborSearchOptions,
  nearestNeighbors,
  nearestNeighborsOf,
  neighborSearch,
  neighborSearchOf,
  neighborSearchOptions,
} from "./affinity/neighbors.js";
export {
  newPointAffinities,
  type OutOfSampleAffinities,
  outOfSampleAffinities,
  outOfSampleDistanceWeights,
} from "./affinity/out-of-sample.js";
export { distanceWeights, distanceWeightsOf } from "./affinity/repulsive-weights.js";
export type { EntropicAffinities, FitSummary } from "./affinity/row-fits.js";
export { tieRule, tieTolerance } from "./affinity/ties.js";
export type { AttractionName } from "./kernels/kernels.js";
export type { KernelName } from "./kernels/pair-function.js";
export {
  type LaplacianEigenmaps,
  type LaplacianEigenmapsOptions,
  laplacianEigenmaps,
  laplacianEigenmapsOptions,
} from "./laplacian-eigenmaps.js";
export { elasticEmbedding, nonsymmetricTsne, sne, symmetricSne, tElasticEmbedding, tsne } from "./models.js";
export type { OutOfSampleModel } from "./new-point-models.js";
export type { OutOfSampleObjective } from "./new-points.js";
export { normalizedEmbedding } from "./normalized.js";
export { nonsymmetricEmbedding } from "./normalized-nonsymmetric.js";
export type { EmbeddingObjective, Parts, Weights } from "./objective.js";
export {
  type FamilyOptions,
  type GradientMethod,
  type MetricName,
  type ModelOptions,
  metricNames,
  normalizedFamilyOptions,
  normalizedOptions,
  unnormalizedFamilyOptions,
  unnormalizedOptions,
} from "./options.js";
export { type OutOfSampleOptions, outOfSampleObjective, outOfSampleOptions } from "./out-of-sample.js";
export { fastestGradient } from "./repulsion/kernel-sum.js";
export { type AttractionAndRepulsion, unnormalizedEmbedding } from "./unnormalized.js";
export type { WeightsLike } from "./weights.js";
