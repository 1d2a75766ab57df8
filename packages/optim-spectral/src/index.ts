export { diagonalHessianDirection } from "./directions/diagonal-hessian.js";
export type { Direction } from "./directions/direction.js";
export { fixedPointDirection } from "./directions/fixed-point.js";
export { gradientDirection } from "./directions/gradient.js";
export { spectralDirection } from "./directions/spectral.js";
export { spectralLbfgs } from "./directions/spectral-lbfgs.js";
export { type AttractiveGraph, attractiveGraph } from "./directions/spectral-matrix.js";
export { spectralMinusDirection } from "./directions/spectral-minus.js";
export {
  type Kappa,
  type SpectralLimits,
  type SpectralSolve,
  spectralLimits,
  spectralSolve,
} from "./directions/spectral-solve.js";
export { embed } from "./embed.js";
export {
  type EmbeddingMethod,
  type EmbeddingSolver,
  type EmbedOptions,
  type EmbedPhase,
  embedOptions,
} from "./embed-options.js";
export type { EmbedResult, EmbedWarningCode } from "./embed-run.js";
export { extendMap } from "./extend.js";
export { type ExtendOptions, extendOptions } from "./extend-options.js";
export type { ExtendResult } from "./extend-run.js";
export {
  type GlobalStructure,
  type GlobalStructureOptions,
  globalStructure,
  globalStructureOptions,
} from "./global-structure.js";
export { Homotopy, type HomotopyOptions, homotopyOptions } from "./homotopy.js";
export { HomotopyLbfgs, type HomotopyLbfgsOptions, homotopyLbfgsOptions } from "./homotopy-lbfgs.js";
export type { EmbeddingDetails, ImmediateSolver, SolverFactory } from "./immediate-solver.js";
export { type MapAgreementOptions, mapAgreement, mapAgreementOptions } from "./map-agreement.js";
export type { MapModel } from "./map-model.js";
export { loadMap, type StepsBefore, saveMap, stepsBeforeOptions } from "./map-model-file.js";
export type { MapParts, PlacedPoints, PlacementSettings, RowSteps } from "./map-parts.js";
export {
  knnPreservation,
  type MapQuality,
  type MapQualityOptions,
  type MapTrust,
  type MapTrustOptions,
  type Measured,
  mapQuality,
  mapQualityOptions,
  mapTrust,
  mapTrustOptions,
  type QualityMeasure,
  trustworthiness,
} from "./metrics.js";
export type { Movement } from "./movement.js";
export { PartialHessian, type PartialHessianOptions, partialHessianOptions } from "./partial-hessian.js";
export type { Projection } from "./projection.js";
export {
  type ShuffledColumns,
  type ShuffledColumnsOptions,
  shuffledColumns,
  shuffledColumnsOptions,
} from "./shuffled-columns.js";
export type { EmbedInput, GivenInput } from "./source.js";
export { type TransformOptions, type TransformPhase, transformOptions } from "./transform-options.js";
