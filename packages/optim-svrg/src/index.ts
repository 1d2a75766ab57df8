export type { AnswerSummary, OrdinalWarningCode } from "./answers/analyze-answers.js";
export type { AnswerGroups } from "./answers/dependence.js";
export type { ErrorEstimate } from "./answers/estimates.js";
export type { AnswerNoise } from "./answers/noise.js";
export type { AnswersLike } from "./answers/read-answers.js";
export {
  type SplitAnswers,
  type SplitOptions,
  splitAnswers,
  splitOptions,
} from "./answers/split-answers.js";
export {
  type BootstrapOptions,
  type BootstrapResult,
  bootstrapEmbedding,
  bootstrapOptions,
  type Ellipse,
} from "./bootstrap.js";
export {
  createOrdinalSolver,
  type OrdinalSolverOptions,
  ordinalSolverOptions,
} from "./create-solver.js";
export {
  chooseDimension,
  type DimensionCandidate,
  type DimensionChoice,
  type DimensionOptions,
  dimensionOptions,
} from "./dimension.js";
export {
  type OrdinalEmbeddingDetails,
  type OrdinalEmbeddingOptions,
  type OrdinalEmbeddingSettings,
  type OrdinalEmbeddingSolver,
  type OrdinalPhase,
  ordinalEmbeddingOptions,
} from "./embedding-options.js";
export type { ChanceTest } from "./fit/chance.js";
export {
  coordinatesFromGram,
  GramDescent,
  type GramDescentOptions,
  type GramDetails,
  gramDescentOptions,
} from "./gram/gram-descent.js";
export {
  type KernelRidge,
  type KernelRidgeOptions,
  kernelRidge,
  kernelRidgeOptions,
} from "./kernel-ridge.js";
export { generalizationError } from "./metrics/generalization-error.js";
export { neighborLabelError } from "./metrics/neighbor-label-error.js";
export {
  type Procrustes,
  type ProcrustesOptions,
  procrustes,
  procrustesOptions,
} from "./metrics/procrustes.js";
export {
  type LabeledPoints,
  type Retrieval,
  type RetrievalOptions,
  retrieval,
  retrievalOptions,
} from "./metrics/retrieval.js";
export { type OrdinalEmbeddingResult, ordinalEmbedding, type TestEstimate } from "./ordinal-embedding.js";
export {
  type NextQuestion,
  type QuestionOptions,
  type QuestionSelection,
  questionOptions,
  selectQuestions,
} from "./questions/select-questions.js";
export { type OrdinalSolverName, ordinalSolverNames } from "./solver-names.js";
export { type ModularOptions, modularOptions, modularSvrg } from "./svrg/modular.js";
export {
  type StepRule,
  Svrg,
  type SvrgDetails,
  type SvrgOptions,
  type SvrgPhase,
  type SvrgSettings,
  svrgOptions,
} from "./svrg/svrg.js";
export {
  type MadeTriplets,
  type TripletOptions,
  tripletOptions,
  tripletsFromDistances,
  tripletsFromPoints,
} from "./triplets/triplets-from.js";
