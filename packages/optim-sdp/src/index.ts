export { checkMemory, denseBytes } from "./arguments.js";
export { Certificate } from "./bounds/certificate.js";
export { type FactoredPoint, factoredDense, factoredValue } from "./bounds/factored-point.js";
export { repairFactor, repairMatrix } from "./bounds/repair.js";
export { type UpperBounds, upperBounds } from "./bounds/upper.js";
export {
  type ClusterPointsOptions,
  clusterPoints,
  clusterPointsOptions,
} from "./cluster-points.js";
export type { ClusterPointsResult } from "./cluster-result.js";
export {
  ConditionalGradient,
  type ConditionalGradientDetails,
  type ConditionalGradientOptions,
  conditionalGradientOptions,
  type SpectraplexProblem,
} from "./conditional-gradient.js";
export { type CpRankErrors, type CpRankOptions, cpRankErrors, cpRankOptions } from "./cp-rank.js";
export { type SeparateCurvesOptions, separateCurvesOptions } from "./curves/curves-options.js";
export type { SeparateCurvesResult, SeparateCurvesWarningCode } from "./curves/curves-result.js";
export type { CurveKernelName } from "./curves/graph-kernels.js";
export type { CurveKernelCuts } from "./curves/separation.js";
export {
  type AssignmentOptions,
  type Assignments,
  assignmentOptions,
  assignmentsOf,
} from "./geometry/assignments.js";
export { bullseyePercentiles, bullseyeScores, neighborDistances } from "./geometry/bullseye.js";
export { embeddingByComponent } from "./geometry/component-embedding.js";
export { componentsOf } from "./geometry/components.js";
export { embeddingOf, type NomadEmbedding } from "./geometry/embedding.js";
export { geodesicDistances } from "./geometry/geodesics.js";
export { blockMeans } from "./geometry/order.js";
export { type Gram, gramOfDistances, gramOfMatrix, gramOfPoints } from "./gram.js";
export { defaultMemoryLimit, type GramMatrixOptions, gramMatrixOptions } from "./gram-options.js";
export { type LabelAgreement, labelAgreement } from "./labels/agreement.js";
export type { ClusterChoice, ClusterCount } from "./labels/choose-clusters.js";
export {
  type ClusterAssignment,
  type ClusteredRows,
  type ClusterModel,
  type ClusterModelParts,
  clusterModel,
  radiusShares,
} from "./labels/cluster-model.js";
export { loadClusterModel, saveClusterModel } from "./labels/cluster-model-file.js";
export { type PlaceOrder, type Sphere, spherePoints } from "./labels/sphere.js";
export { type WardMerge, type WardTree, wardTree } from "./labels/ward-tree.js";
export { nomad } from "./nomad.js";
export {
  type NomadDetails,
  type NomadOptions,
  type NomadSettings,
  type NomadSolver,
  nomadOptions,
} from "./nomad-options.js";
export type {
  Bounds,
  LayerAttempt,
  LayerCount,
  NomadLayer,
  NomadPhases,
  NomadResult,
  NomadUsedOptions,
  NomadWarningCode,
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
export { separateCurves } from "./separate-curves.js";
export { Admm, type AdmmDetails, type AdmmOptions, admmOptions } from "./solvers/admm.js";
export {
  BurerMonteiro,
  type BurerMonteiroDetails,
  type BurerMonteiroOptions,
  burerMonteiroOptions,
} from "./solvers/burer-monteiro.js";
export type { BurerMonteiroStart } from "./solvers/factor-start.js";
export {
  Multipliers,
  type MultipliersDetails,
  type MultipliersOptions,
  multipliersOptions,
} from "./solvers/multipliers.js";
export {
  PrimalDual,
  type PrimalDualDetails,
  type PrimalDualOptions,
  type PrimalDualPhase,
  primalDualBytes,
  primalDualOptions,
} from "./solvers/primal-dual.js";
export {
  type SymmetricNmfOptions,
  type SymmetricNmfResult,
  symmetricNmf,
  symmetricNmfOptions,
} from "./symmetric-nmf.js";
