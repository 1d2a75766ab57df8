export { CurvatureError, type ErrorCode, type ErrorDetails } from "@curvature/linalg";
export {
  type CoordinateError,
  checkGradient,
  checkHessianVector,
  type DerivativeCheckOptions,
  type DerivativeReport,
  derivativeCheckOptions,
} from "./check-gradient.js";
export {
  type Checkpoint,
  decodeCheckpoint,
  type Ending,
  encodeCheckpoint,
  type RunProgress,
  reopened,
} from "./checkpoint.js";
export { decode, encode } from "./codec.js";
export { type DriveOptions, driveOptions, driveSum } from "./drive-sum.js";
export { asTask, isPromise, throwIfAborted } from "./event-loop.js";
export { type Facade, type FacadeSteps, facade, facadeEntries } from "./facade.js";
export { FacadeRun } from "./facade-run.js";
export type { NumberArray } from "./hash.js";
export { fingerprintOf, hash128 } from "./hash.js";
export {
  type IncrementalGaussNewtonOptions,
  incrementalGaussNewton,
  incrementalGaussNewtonOptions,
} from "./least-squares/blocks-solver.js";
export type { IncrementalGaussNewton } from "./least-squares/incremental-gauss-newton.js";
export { leastSquares } from "./least-squares/least-squares.js";
export type { LeastSquaresResult, LeastSquaresWarningCode } from "./least-squares/least-squares-run.js";
export type { LeastSquaresDetails } from "./least-squares/levenberg-marquardt.js";
export { type LeastSquaresOptions, leastSquaresOptions } from "./least-squares/options.js";
export { isResidualBlocks, type ResidualBlocks } from "./least-squares/residual-blocks.js";
export type { LeastSquaresProblem, ResidualFunction } from "./least-squares/residual-function.js";
export {
  type BacktrackingOptions,
  type BacktrackingSettings,
  backtrack,
  backtrackingOptions,
} from "./line-search/armijo.js";
export { SearchLine } from "./line-search/search-line.js";
export {
  searchWolfe,
  type WolfeOptions,
  type WolfeSettings,
  wolfeOptions,
} from "./line-search/strong-wolfe.js";
export { defaultMinibatchCount } from "./minibatch-count.js";
export { type Minimize, minimize } from "./minimize/minimize.js";
export type { MinimizeResult, MinimizeWarningCode, Minimum } from "./minimize/minimize-run.js";
export {
  type Minimand,
  type MinimizeMethod,
  type MinimizeOptions,
  minimizeOptions,
  type Value,
} from "./minimize/options.js";
export type { Given, Like, Parameters, Spread } from "./minimize/parameters.js";
export { damagedModel, decodeModel, encodeModel, type ModelFormat } from "./model-bytes.js";
export { MonitoredSolver, monitored } from "./monitored-solver.js";
export type { Objective, SparseEvaluation, SumOfFunctions } from "./problem.js";
export type { RunResult } from "./result.js";
export { iterate, type RunPoint, run, runSync } from "./run.js";
export { type CheckpointOptions, checkpointOptions, type RunOptions, runOptions } from "./run-options.js";
export {
  type AskTellSolver,
  type EndingTest,
  type Iteration,
  jointEvaluations,
  type Outcome,
  type Point,
  type Question,
  type Snapshot,
  type SnapshotValue,
  type Solver,
  type SumDetails,
  type SynchronousSolver,
  withFingerprint,
} from "./solver.js";
export { Adagrad, type AdagradOptions, adagradOptions } from "./solvers/adagrad.js";
export { Adam, type AdamOptions, adamOptions } from "./solvers/adam.js";
export { Bfgs, type BfgsOptions, bfgsOptions } from "./solvers/bfgs.js";
export {
  ConjugateGradient,
  type ConjugateGradientOptions,
  conjugateGradientOptions,
} from "./solvers/conjugate-gradient.js";
export { createSumSolver, type SumSolverOptions, sumSolverOptions } from "./solvers/create-sum-solver.js";
export type { DescentDetails } from "./solvers/descent.js";
export {
  GradientDescent,
  type GradientDescentOptions,
  gradientDescentOptions,
} from "./solvers/gradient-descent.js";
export {
  HessianFree,
  type HessianFreeDetails,
  type HessianFreeOptions,
  hessianFreeOptions,
} from "./solvers/hessian-free.js";
export type { IncrementalDetails } from "./solvers/incremental.js";
export { Lbfgs, type LbfgsOptions, lbfgsOptions } from "./solvers/lbfgs.js";
export { type InverseHessian, LbfgsMemory } from "./solvers/lbfgs-memory.js";
export { Lbfgsb, type LbfgsbDetails, type LbfgsbOptions, lbfgsbOptions } from "./solvers/lbfgsb.js";
export {
  MinibatchLbfgs,
  type MinibatchLbfgsDetails,
  type MinibatchLbfgsOptions,
  minibatchLbfgsOptions,
} from "./solvers/minibatch-lbfgs.js";
export { Momentum, type MomentumOptions, momentumOptions } from "./solvers/momentum.js";
export { Sag, type SagOptions, sagOptions } from "./solvers/sag.js";
export {
  Sgd,
  type SgdDetails,
  type SgdOptions,
  SparseSgd,
  type SparseSum,
  sgd,
  sgdOptions,
} from "./solvers/sgd.js";
export { checkPoint, pointOf } from "./solvers/start.js";
export {
  parseSumSolverName,
  type SumSolverMethod,
  type SumSolverName,
  sumSolverMethods,
} from "./solvers/sum-solver-name.js";
export { TrustNewton, type TrustNewtonOptions, trustNewtonOptions } from "./solvers/trust-newton.js";
export { isStatus, type Status } from "./status.js";
export {
  allOf,
  anyOf,
  maxEvaluations,
  maxIterations,
  maxPasses,
  type RunContext,
  rule,
  type Stop,
  type StoppingRule,
  type StoppingTest,
  type TestStates,
  targetValue,
  timeLimit,
} from "./stopping.js";
export { asObjective, checkSum, checkValue } from "./sum.js";
export {
  changeBelowOptions,
  gradientNormBelow,
  gradientNormBelowOptions,
  pointChangeBelow,
  valueDecreaseBelow,
} from "./tolerances.js";
export {
  type ValidatedResult,
  type ValidatedRun,
  ValidatedSolver,
  type ValidationPoint,
  type ValidationResult,
} from "./validation.js";
export { type ValidationOptions, validationEntry, validationOptions } from "./validation-options.js";
