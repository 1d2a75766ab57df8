/** Calls of ordinal embedding. */
import * as linalg from "@curvature/linalg";
import * as svrg from "@curvature/optim-svrg";
import { answers, classLabels, mapStart, noise, points, start, terms } from "../problems.ts";
import { data, distances, objectiveOfAnswers, square } from "./arguments.ts";
import { call, soon, stepped } from "./call.ts";

export const svrgCalls = {
  ordinalEmbedding: call(
    () => [answers, { maxPasses: 3, ...soon() }],
    (...given) => svrg.ordinalEmbedding(...given),
    svrg.ordinalEmbeddingOptions.defaults,
  ),
  bootstrapEmbedding: call(
    () => [answers, { samples: 2, ...soon() }],
    async (...given) => {
      const { result } = await svrg.bootstrapEmbedding(...given);
      return result; // covariances and spreads are documented to be NaN for objects that few samples mention
    },
    svrg.bootstrapOptions.defaults,
  ),
  chooseDimension: call(
    () => [answers, { candidates: [1, 2], folds: 2, ...soon() }],
    (...given) => svrg.chooseDimension(...given),
    svrg.dimensionOptions.defaults,
  ),
  selectQuestions: call(
    () => [answers, { count: 2, ...soon() }],
    (...given) => svrg.selectQuestions(...given),
    svrg.questionOptions.defaults,
  ),
  splitAnswers: call(() => [answers, {}], svrg.splitAnswers, svrg.splitOptions.defaults),
  createOrdinalSolver: call(
    () => [objectiveOfAnswers(), noise(12, 5), {}],
    (...given) => stepped(svrg.createOrdinalSolver(...given)),
    svrg.ordinalSolverOptions.defaults,
  ),
  coordinatesFromGram: call(() => [square(), 2], svrg.coordinatesFromGram),
  GramDescent: call(
    () => [objectiveOfAnswers(), noise(12, 5), {}],
    (...given) => stepped(new svrg.GramDescent(...given)),
    svrg.gramDescentOptions.defaults,
  ),
  Svrg: call(
    () => [terms, start(), {}],
    (...given) => stepped(new svrg.Svrg(...given)),
    svrg.svrgOptions.defaults,
  ),
  modularSvrg: call(
    () => [terms, start(), {}],
    (...given) => stepped(svrg.modularSvrg(...given)),
    svrg.modularOptions.defaults,
  ),
  kernelRidge: call(
    () => [data(), mapStart(), {}],
    (...given) => svrg.kernelRidge(...given).predict(points(2)),
    svrg.kernelRidgeOptions.defaults,
  ),
  generalizationError: call(() => [answers, linalg.zeros(6, 2)], svrg.generalizationError),
  neighborLabelError: call(() => [mapStart(), classLabels()], svrg.neighborLabelError),
  procrustes: call(() => [mapStart(), mapStart(), {}], svrg.procrustes, svrg.procrustesOptions.defaults),
  retrieval: call(
    () => [
      { points: mapStart(), labels: classLabels() },
      { points: mapStart(), labels: classLabels() },
      { at: [2] },
    ],
    svrg.retrieval,
    svrg.retrievalOptions.defaults,
  ),
  tripletsFromPoints: call(
    () => [points(6), { count: 10 }],
    (...given) => svrg.tripletsFromPoints(...given),
    svrg.tripletOptions.defaults,
  ),
  tripletsFromDistances: call(
    () => [distances(), { count: 10 }],
    (...given) => svrg.tripletsFromDistances(...given),
    svrg.tripletOptions.defaults,
  ),
};
