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
    svrg.ordinalEmbeddingDefaults,
  ),
  bootstrapEmbedding: call(
    () => [answers, { samples: 2, ...soon() }],
    async (...given) => {
      const { result } = await svrg.bootstrapEmbedding(...given);
      return result; // covariances and spreads are documented to be NaN for objects of which few samples speak
    },
    { ...svrg.ordinalEmbeddingDefaults, samples: 2 },
  ),
  chooseDimension: call(
    () => [answers, { candidates: [1, 2], folds: 2, ...soon() }],
    (...given) => svrg.chooseDimension(...given),
    svrg.dimensionDefaults,
  ),
  selectQuestions: call(
    () => [answers, { count: 2, ...soon() }],
    (...given) => svrg.selectQuestions(...given),
    svrg.questionDefaults,
  ),
  splitAnswers: call(() => [answers, {}], svrg.splitAnswers, svrg.splitDefaults),
  createOrdinalSolver: call(
    () => [objectiveOfAnswers(), noise(12, 5), {}],
    (...given) => stepped(svrg.createOrdinalSolver(...given)),
    svrg.ordinalSolverDefaults,
  ),
  coordinatesFromGram: call(() => [square(), 2], svrg.coordinatesFromGram),
  GramDescent: call(
    () => [objectiveOfAnswers(), noise(12, 5), {}],
    (...given) => stepped(new svrg.GramDescent(...given)),
    svrg.gramDefaults,
  ),
  Svrg: call(
    () => [terms, start(), {}],
    (...given) => stepped(new svrg.Svrg(...given)),
    svrg.svrgDefaults,
  ),
  modularSvrg: call(
    () => [terms, start(), {}],
    (...given) => stepped(svrg.modularSvrg(...given)),
    svrg.modularDefaults,
  ),
  kernelRidge: call(
    () => [data(), mapStart(), {}],
    (...given) => svrg.kernelRidge(...given).predict(points(2)),
    svrg.kernelRidgeDefaults,
  ),
  generalizationError: call(() => [answers, linalg.zeros(6, 2)], svrg.generalizationError),
  neighborLabelError: call(() => [mapStart(), classLabels()], svrg.neighborLabelError),
  procrustes: call(() => [mapStart(), mapStart(), {}], svrg.procrustes, svrg.procrustesDefaults),
  retrieval: call(
    () => [
      { places: mapStart(), labels: classLabels() },
      { places: mapStart(), labels: classLabels() },
      { at: [2] },
    ],
    svrg.retrieval,
    { at: [2] },
  ),
  tripletsFromPoints: call(
    () => [points(6), { count: 10 }],
    (...given) => svrg.tripletsFromPoints(...given),
    svrg.tripletDefaults,
  ),
  tripletsFromDistances: call(
    () => [distances(), { count: 10 }],
    (...given) => svrg.tripletsFromDistances(...given),
    svrg.tripletDefaults,
  ),
};
