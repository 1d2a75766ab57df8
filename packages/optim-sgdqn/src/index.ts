export type { Sigmoid } from "./calibration/sigmoid.js";
export {
  createLinearSolver,
  type LinearSolverOptions,
  linearSolverOptions,
} from "./create-solver.js";
export type { LinearDetails } from "./details.js";
export type { FeatureRows, LabeledRows, MeasuredRows, Stream } from "./fit/data.js";
export type { FittedModel } from "./fit/fitted.js";
export type { Label, Labels } from "./fit/labels.js";
export {
  type ClassificationLoss,
  type FeatureScaling,
  type LinearClassifierOptions,
  type LinearClassifierSettings,
  type LinearFitOptions,
  type LinearFitPhase,
  type LinearRegressorOptions,
  type LinearRegressorSettings,
  linearClassifierOptions,
  linearFitOptions,
  linearRegressorOptions,
  type RegressionLoss,
} from "./fit/options.js";
export type { LinearFitPhases, LinearFitResult, LinearWarningCode } from "./fit/result.js";
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
export {
  type ChosenThreshold,
  type CurvePoint,
  calibrationCurve,
  chooseThreshold,
  type ErrorCosts,
  precisionRecallCurve,
  rocCurve,
} from "./metrics/cuts.js";
export { areaInterval, type Interval, lossInterval, shareInterval } from "./metrics/intervals.js";
export { type RegressionReport, regressionReport } from "./metrics/regression.js";
export { type LinearModel, loadModel, saveModel } from "./model/model-file.js";
export { featureNames, type PlainWeights, plainWeights } from "./model/plain-weights.js";
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
export type { LeaveOneOut } from "./multiclass/softmax/softmax-leave-one-out.js";
export {
  type CenteredParameters,
  SoftmaxNewton,
  type SoftmaxNewtonOptions,
  softmaxNewtonOptions,
} from "./multiclass/softmax/softmax-newton.js";
export {
  type ClassResult,
  type OneVersusRestResult,
  oneVersusRestSolver,
  trainOneVersusRest,
} from "./multiclass/train.js";
export {
  type ChooseLambdaOptions,
  chooseLambda,
  chooseLambdaOptions,
  type LambdaChoice,
  type LeftOutReport,
  type TriedLambda,
} from "./path/choose-lambda.js";
export {
  type CrossValidation,
  type CrossValidationOptions,
  crossValidateLambda,
  crossValidationOptions,
} from "./path/cross-validate.js";
export { defaultLambda } from "./path/default-lambda.js";
export { dealFolds, dealtOrder } from "./path/folds.js";
export { type LambdaPathOptions, lambdaPath, lambdaPathOptions } from "./path/lambda-path.js";
export type { LinearTask, TrainedTask } from "./path/task.js";
export type { LinearSolverName } from "./solver-names.js";
export {
  DualCoordinateDescent,
  type DualCoordinateDescentOptions,
  dualCoordinateDescentOptions,
} from "./solvers/dual/dual-coordinate-descent.js";
export { LinearLbfgs, type LinearLbfgsOptions, linearLbfgsOptions } from "./solvers/linear-lbfgs.js";
export { Newton, type NewtonOptions, newtonOptions } from "./solvers/newton/newton.js";
export type { NewtonMethod } from "./solvers/newton/system.js";
export {
  type Stage,
  type StagedLinearOptions,
  StagedLinearSolver,
  type StagePlan,
  stagedLinearOptions,
} from "./solvers/staged-linear-solver.js";
export {
  createStochasticSolver,
  type StochasticDetails,
  type StochasticOptions,
  type StochasticSettings,
  type StochasticSolver,
  stochasticOptions,
} from "./solvers/stochastic/stochastic-solver.js";
export { chooseStorage } from "./storage.js";
