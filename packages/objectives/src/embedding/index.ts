export type { EmbeddingObjective, Parts, Weights } from "./objective.js";
export { squaredDistances } from "./affinity/distances.js";
export {
  affinitiesOfDistances,
  affinitiesOfNeighbors,
  type EntropicAffinities,
  type EntropicOptions,
  entropicAffinities,
  entropicDefaults,
} from "./affinity/entropic.js";
export { jointAffinities } from "./affinity/joint.js";
export { type NeighborLists, nearestNeighbors, nearestNeighborsOf } from "./affinity/neighbors.js";
export { constantWeights, distanceWeights, distanceWeightsOf } from "./affinity/repulsive-weights.js";
