/** Calls of linear models. */
import * as linalg from "@curvature/linalg";
import * as core from "@curvature/optim-core";
import * as sgdqn from "@curvature/optim-sgdqn";
import { lazily } from "../lazily.ts";
import { classLabels, denseRows, linearProblem } from "../problems.ts";
import { createSolver, data, multiclass } from "./arguments.ts";
import { call, soon, stepped } from "./call.ts";

const fitted = lazily(async () => {
  const model = new sgdqn.LinearClassifier({ loss: "logistic" });
  await model.fit(data(), classLabels());
  return model;
});
const numbers = () => Array.from({ length: 12 }, (_, i) => i / 4);
export const sgdqnCalls = {
  LinearClassifier: call(
    () => [{ maxPasses: 3, ...{} }],
    async (options) => {
      const model = new sgdqn.LinearClassifier(options);
      await model.fit(data(), classLabels(), soon());
      return model.predict(data());
    },
    sgdqn.linearClassifierOptions.defaults,
  ),
  "LinearClassifier.fit": call(
    () => [
      data(),
      classLabels(),
      {
        ...soon(),
        sampleWeights: new Float64Array(12).fill(1),
        checkpoint: { everySeconds: 0, write: () => undefined },
      },
    ],
    (...given) => new sgdqn.LinearClassifier().fit(...given),
    { yieldEvery: 16, resume: undefined, history: false, onIteration: undefined },
  ),
  "LinearClassifier.partialFit": call(
    () => [data(), classLabels(), ["a", "b", "c"]],
    (...given) => new sgdqn.LinearClassifier().partialFit(...given),
  ),
  "LinearClassifier.predict": call(
    () => [data()],
    async (X) => (await fitted()).predict(X),
  ),
  "LinearClassifier.predictProbabilities": call(
    () => [data()],
    async (X) => (await fitted()).predictProbabilities(X),
  ),
  "LinearClassifier.score": call(
    () => [data(), classLabels()],
    async (...given) => (await fitted()).score(...given),
  ),
  LinearRegressor: call(
    () => [{ maxPasses: 3, ...{} }],
    async (options) => {
      const model = new sgdqn.LinearRegressor(options);
      await model.fit(data(), numbers(), soon());
      return model.predict(data());
    },
    sgdqn.linearRegressorOptions.defaults,
  ),
  "LinearRegressor.fit": call(
    () => [data(), numbers(), soon()],
    (...given) => new sgdqn.LinearRegressor().fit(...given),
    { yieldEvery: 16, history: false },
  ),
  "LinearRegressor.partialFit": call(
    () => [data(), numbers()],
    (...given) => new sgdqn.LinearRegressor().partialFit(...given),
  ),
  StagedLinearSolver: call(
    () => [linearProblem(), {}],
    (...given) => stepped(new sgdqn.StagedLinearSolver(...given)),
    sgdqn.stagedLinearOptions.defaults,
  ),
  DualCoordinateDescent: call(
    () => [linearProblem(), {}],
    (...given) => stepped(new sgdqn.DualCoordinateDescent(...given)),
    sgdqn.dualCoordinateDescentOptions.defaults,
  ),
  LinearLbfgs: call(
    () => [linearProblem(), {}],
    (...given) => stepped(new sgdqn.LinearLbfgs(...given)),
    sgdqn.linearLbfgsOptions.defaults,
  ),
  Newton: call(
    () => [linearProblem(), {}],
    (...given) => stepped(new sgdqn.Newton(...given)),
    sgdqn.newtonOptions.defaults,
  ),
  createLinearSolver: call(
    () => [linearProblem(), {}],
    (...given) => stepped(sgdqn.createLinearSolver(...given)),
    sgdqn.linearSolverOptions.defaults,
  ),
  createStochasticSolver: call(
    () => [linearProblem(), {}],
    (...given) => stepped(sgdqn.createStochasticSolver(...given)),
    sgdqn.stochasticOptions.defaults,
  ),
  "createStochasticSolver, olbfgs": call(
    () => [linearProblem(), { solver: "olbfgs" as const }],
    (...given) => stepped(sgdqn.createStochasticSolver(...given)),
    sgdqn.stochasticOptions.defaults,
  ),
  oneVersusRestSolver: call(
    () => [multiclass(), createSolver],
    (...given) => stepped(sgdqn.oneVersusRestSolver(...given)),
  ),
  trainOneVersusRest: call(
    () => [multiclass(), createSolver, soon()],
    (...given) => sgdqn.trainOneVersusRest(...given),
    { yieldEvery: 16 },
  ),
  chooseLambda: call(() => [linearProblem(), { lambdas: [1, 0.1], maxSeconds: 1 }], sgdqn.chooseLambda, {
    lambdas: [0.1],
    least: false,
    select: "log-loss",
    maxSeconds: 1,
    seed: 0,
  }),
  crossValidateLambda: call(
    () => [linearProblem(), { createSolver, count: 2, folds: 2, ...soon() }],
    sgdqn.crossValidateLambda,
    { lambdas: [0.1], count: 2, largest: 1, ratio: 0.1, folds: 2, seed: 0 },
  ),
  lambdaPath: call(() => [linearProblem(), { createSolver, count: 2, ...soon() }], sgdqn.lambdaPath, {
    lambdas: [0.1],
    count: 2,
    largest: 1,
    ratio: 0.1,
  }),
  defaultLambda: call(() => [denseRows()], sgdqn.defaultLambda),
  chooseStorage: call(() => [denseRows()], sgdqn.chooseStorage),
  confusionMatrix: call(() => [classLabels(), classLabels()], sgdqn.confusionMatrix),
  errorRate: call(() => [classLabels(), classLabels()], sgdqn.errorRate),
  classificationReport: call(() => [classLabels(), classLabels()], sgdqn.classificationReport),
  areaUnderCurve: call(() => [classLabels(), numbers(), "a"], sgdqn.areaUnderCurve),
  logLoss: call(
    () => [["a", "b"], { rows: 2, columns: 2, data: Float64Array.of(0.5, 0.5, 0.1, 0.9) }, ["a", "b"]],
    sgdqn.logLoss,
  ),
  regressionReport: call(() => [numbers(), numbers()], sgdqn.regressionReport),
  saveModel: call(
    () => [new sgdqn.LinearClassifier()],
    (model) => {
      try {
        return sgdqn.saveModel(model);
      } catch (error) {
        if (error instanceof core.CurvatureError) return undefined; // it is not fitted
        throw error;
      }
    },
  ),
  loadModel: call(
    () => ["{}"],
    (text) => {
      try {
        return sgdqn.loadModel(text);
      } catch (error) {
        if (error instanceof core.CurvatureError && error.code === "ERR_PARSE") return undefined; // it is no model
        throw error;
      }
    },
  ),
  classScores: call(
    () => [denseRows(), linalg.zeros(3, 4), "regularized" as const],
    (...given) => sgdqn.classScores(...given).rows, // the numbers are not looked at
  ),
  warmStartFrom: call(() => [new sgdqn.DualCoordinateDescent(linearProblem())], sgdqn.warmStartFrom),
};
