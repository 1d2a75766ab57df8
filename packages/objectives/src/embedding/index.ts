export type { EmbeddingObjective, Parts, Weights } from "./objective.js";
