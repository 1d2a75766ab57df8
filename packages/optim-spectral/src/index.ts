export { embed } from "./embed.js";
export type { EmbeddingDetails, EmbeddingMethod, EmbeddingSolver, EmbedOptions } from "./embed-options.js";
export type { EmbedPhases, EmbedResult } from "./embed-result.js";
export {
  knnPreservation,
  type MapQuality,
  type MapQualityOptions,
  type Measured,
  mapQuality,
  mapQualityDefaults,
  type QualityMeasure,
  trustworthiness,
} from "./metrics.js";
