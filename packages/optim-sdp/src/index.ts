export { Certificate } from "./bounds/certificate.js";
export { type FactoredPoint, factoredDense, factoredValue } from "./bounds/factored-point.js";
export { repairFactor, repairMatrix } from "./bounds/repair.js";
export { type UpperBounds, upperBounds } from "./bounds/upper.js";
export {
  ConditionalGradient,
  type ConditionalGradientDetails,
  type ConditionalGradientOptions,
  conditionalGradientDefaults,
} from "./conditional-gradient.js";
export { type CpRankErrors, type CpRankOptions, cpRankDefaults, cpRankErrors } from "./cp-rank.js";
export {
  type AssignmentOptions,
  type Assignments,
  assignmentDefaults,
  assignmentsOf,
} from "./geometry/assignments.js";
export { bullseyePercentiles, bullseyeScores, neighborDistances } from "./geometry/bullseye.js";
export { embeddingByComponent } from "./geometry/component-embedding.js";
export { componentsOf } from "./geometry/components.js";
export { embeddingOf, type NomadEmbedding } from "./geometry/embedding.js";
export { geodesicDistances } from "./geometry/geodesics.js";
export { blockMeans } from "./geometry/order.js";
export { type Gram, type GramOptions, gramDefaults } from "./gram/gram.js";
export { gramOfDistances, gramOfMatrix } from "./gram/gram-of-matrix.js";
export { gramOfPoints } from "./gram/gram-of-points.js";
export { checkMemory, defaultMemoryLimit, denseBytes } from "./memory.js";
export { nomad } from "./nomad.js";
export {
  type NomadDetails,
  type NomadOptions,
  type NomadSettings,
  type NomadSolver,
  nomadDefaults,
} from "./nomad-options.js";
export type {
  Bounds,
  LayerAttempt,
  LayerCount,
  NomadLayer,
  NomadPhases,
  NomadResult,
  QSummary,
} from "./nomad-result.js";
export {
  centralPoint,
  centralValue,
  checkProblem,
  isClosed,
  type NomadProblem,
  problemFingerprint,
} from "./problem.js";
export { type RingOptimum, solveRing } from "./ring.js";
export { Admm } from "./solvers/admm.js";
export { type AdmmDetails, type AdmmOptions, admmDefaults } from "./solvers/admm-options.js";
export { Auto } from "./solvers/auto.js";
export {
  type AutoDetails,
  type AutoOptions,
  type AutoPhase,
  autoBytes,
  autoDefaults,
} from "./solvers/auto-options.js";
export { BurerMonteiro, type BurerMonteiroDetails } from "./solvers/burer-monteiro.js";
export {
  type BurerMonteiroOptions,
  type BurerMonteiroStart,
  burerMonteiroDefaults,
} from "./solvers/burer-monteiro-options.js";
export { Multipliers } from "./solvers/multipliers.js";
export {
  type MultipliersDetails,
  type MultipliersOptions,
  multipliersDefaults,
} from "./solvers/multipliers-options.js";
export type { SpectraplexProblem } from "./spectraplex-problem.js";
export {
  type SymmetricNmfOptions,
  type SymmetricNmfResult,
  symmetricNmf,
  symmetricNmfDefaults,
} from "./symmetric-nmf.js";
