export type { Sigmoid } from "./calibration/sigmoid.js";
export {
  createLinearSolver,
  type LinearSolverOptions,
  linearSolverDefaults,
} from "./create-solver.js";
export type { LinearDetails } from "./details.js";
export type { FeatureRows, LabeledRows, Labels, MeasuredRows, Stream } from "./fit/data.js";
export type { FittedModel } from "./fit/fitted.js";
export {
  type ClassificationLoss,
  type FeatureScaling,
  type Label,
  type LinearClassifierOptions,
  type LinearClassifierSettings,
  type LinearRegressorOptions,
  type LinearRegressorSettings,
  type LinearSolverName,
  linearClassifierDefaults,
  linearRegressorDefaults,
  type RegressionLoss,
} from "./fit/options.js";
export type { LinearFitOptions, LinearFitPhases, LinearFitResult } from "./fit/result.js";
export type { LearnerSettings, RowLearner, TrainingRows } from "./learner.js";
export {
  createLearner,
  type StochasticSolverName,
  stochasticSolverNames,
} from "./learners/create-learner.js";
export { LinearClassifier } from "./linear-classifier.js";
export { LinearRegressor } from "./linear-regressor.js";
export {
  areaUnderCurve,
  type ClassificationReport,
  type ClassScores,
  type ConfusionMatrix,
  classificationReport,
  confusionMatrix,
  errorRate,
  logLoss,
} from "./metrics/classification.js";
export { type RegressionReport, regressionReport } from "./metrics/regression.js";
export { type LinearModel, loadModel, saveModel } from "./model/model-file.js";
export {
  type CreateLinearSolver,
  type SolverContext,
  type WarmStart,
  warmStartFrom,
} from "./multiclass/create-solver.js";
export {
  type ClassState,
  type OneVersusRestDetails,
  OneVersusRestSolver,
} from "./multiclass/one-versus-rest.js";
export { classScores, largestScore, type MulticlassProblem } from "./multiclass/problem.js";
export { SharedRows } from "./multiclass/shared-rows.js";
export {
  type ClassResult,
  type OneVersusRestResult,
  oneVersusRestSolver,
  trainOneVersusRest,
} from "./multiclass/train.js";
export {
  type ChooseLambdaOptions,
  chooseLambda,
  type LambdaChoice,
} from "./path/choose-lambda.js";
export { type CrossValidation, type CrossValidationOptions, crossValidate } from "./path/cross-validate.js";
export { defaultLambda } from "./path/default-lambda.js";
export { dealFolds, dealtOrder } from "./path/folds.js";
export { type LambdaPathOptions, lambdaPath } from "./path/lambda-path.js";
export type { LambdaOptions } from "./path/lambdas.js";
export type { LinearTask, TrainedTask } from "./path/task.js";
export { Auto, type AutoOptions, autoDefaults } from "./solvers/auto.js";
export type { AutoPlan, AutoStage } from "./solvers/auto-plan.js";
export { type DualCoordinateDescentOptions, dualCoordinateDescentDefaults } from "./solvers/dual/options.js";
export { DualCoordinateDescent } from "./solvers/dual-coordinate-descent.js";
export { LinearLbfgs, type LinearLbfgsOptions, linearLbfgsDefaults } from "./solvers/linear-lbfgs.js";
export type { NewtonMethod } from "./solvers/newton/choose-system.js";
export { Newton } from "./solvers/newton/newton.js";
export { type NewtonOptions, newtonDefaults } from "./solvers/newton/options.js";
export {
  type StochasticOptions,
  type StochasticSettings,
  stochasticDefaults,
} from "./solvers/stochastic/options.js";
export {
  createStochasticSolver,
  type StochasticDetails,
  type StochasticSolver,
} from "./solvers/stochastic/stochastic-solver.js";
export { chooseStorage } from "./storage.js";
