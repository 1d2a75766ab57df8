export type { AnswerSummary, DegenerateAnswers, GivenAnswers } from "./answers/given-answers.js";
export {
  type SplitAnswers,
  type SplitOptions,
  splitAnswers,
  splitDefaults,
} from "./answers/split-answers.js";
export {
  type BootstrapOptions,
  type BootstrapResult,
  bootstrapEmbedding,
  type Ellipse,
} from "./bootstrap.js";
export {
  createOrdinalSolver,
  type OrdinalSolverOptions,
  ordinalSolverDefaults,
} from "./create-solver.js";
export {
  chooseDimension,
  type DimensionCandidate,
  type DimensionChoice,
  type DimensionOptions,
  dimensionDefaults,
} from "./dimension.js";
export {
  type OrdinalEmbeddingDetails,
  type OrdinalEmbeddingOptions,
  type OrdinalEmbeddingSettings,
  type OrdinalEmbeddingSolver,
  ordinalEmbeddingDefaults,
} from "./embedding-options.js";
export type { OrdinalEmbeddingPhases, OrdinalEmbeddingResult } from "./embedding-result.js";
export { coordinatesFromGram } from "./gram/read-out.js";
export { GramDescent, type GramDetails, type GramOptions, gramDefaults } from "./gram.js";
export {
  type KernelRidge,
  type KernelRidgeOptions,
  kernelRidge,
  kernelRidgeDefaults,
} from "./kernel-ridge.js";
export { generalizationError } from "./metrics/generalization-error.js";
export { neighborLabelError } from "./metrics/neighbor-label-error.js";
export {
  type Procrustes,
  type ProcrustesOptions,
  procrustes,
  procrustesDefaults,
} from "./metrics/procrustes.js";
export { type LabeledPlaces, type Retrieval, type RetrievalOptions, retrieval } from "./metrics/retrieval.js";
export { type ModularOptions, modularDefaults, modularSvrg } from "./modular.js";
export { ordinalEmbedding } from "./ordinal-embedding.js";
export type { OrdinalWarning } from "./ordinal-warning.js";
export {
  type NextQuestion,
  type QuestionOptions,
  type QuestionSelection,
  questionDefaults,
  selectQuestions,
} from "./questions/select-questions.js";
export { type OrdinalSolverName, ordinalSolverNames } from "./solver-names.js";
export { Svrg } from "./svrg.js";
export type { SvrgDetails, SvrgPhase } from "./svrg-details.js";
export { type StepRule, type SvrgOptions, type SvrgSettings, svrgDefaults } from "./svrg-options.js";
export {
  type MadeTriplets,
  type TripletOptions,
  tripletDefaults,
  tripletsFromDistances,
  tripletsFromPoints,
} from "./triplets/triplets-from.js";
