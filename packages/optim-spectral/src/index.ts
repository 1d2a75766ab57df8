export { embed } from "./embed.js";
export type { EmbeddingDetails, EmbeddingMethod, EmbeddingSolver, EmbedOptions } from "./embed-options.js";
export type { EmbedPhases, EmbedResult } from "./embed-result.js";
