/** Calls of embeddings. */
import { CurvatureError } from "@curvature/linalg";
import * as embedding from "@curvature/objectives/embedding";
import * as spectral from "@curvature/optim-spectral";
import * as worker from "@curvature/optim-spectral/worker";
import { affinities, mapStart } from "../problems.ts";
import { data, graph } from "./arguments.ts";
import { call, soon, stepped } from "./call.ts";

const finished = await spectral.embed(data(), { perplexity: 3, maxEvaluations: 5 });

export const spectralCalls = {
  embed: call(
    () => [data(), { perplexity: 3, maxEvaluations: 5, ...soon() }],
    spectral.embed,
    spectral.embedOptions.defaults,
  ),
  saveMap: call(
    () => [finished, {}],
    (map, before) => spectral.saveMap(map, before),
  ),
  loadMap: call(
    () => ["{}"],
    (text) => {
      try {
        return spectral.loadMap(text);
      } catch (error) {
        if (error instanceof CurvatureError && error.code === "ERR_PARSE") return undefined; // it is no map
        throw error;
      }
    },
  ),
  extendMap: call(
    () => [finished, [[1, 2, 3]], { maxEvaluations: 5, yieldEvery: 0, ...soon() }],
    (map, X, o) => Reflect.apply(spectral.extendMap, undefined, [map, X, o]),
    spectral.extendOptions.defaults,
  ),
  mapQuality: call(
    () => [data(), mapStart(), { neighbors: 2 }],
    (X, Y, o) => Reflect.apply(spectral.mapQuality, undefined, [X, Y, o]),
    spectral.mapQualityOptions.defaults,
  ),
  mapTrust: call(
    () => [data(), mapStart(), { neighbors: 2 }],
    (X, Y, o) => Reflect.apply(spectral.mapTrust, undefined, [X, Y, o]),
    spectral.mapTrustOptions.defaults,
  ),
  knnPreservation: call(
    () => [data(), mapStart(), { neighbors: 2 }],
    (X, Y, o) => Reflect.apply(spectral.knnPreservation, undefined, [X, Y, o]),
    spectral.mapQualityOptions.defaults,
  ),
  trustworthiness: call(
    () => [data(), mapStart(), { neighbors: 2 }],
    (X, Y, o) => Reflect.apply(spectral.trustworthiness, undefined, [X, Y, o]),
    spectral.mapQualityOptions.defaults,
  ),
  globalStructure: call(
    () => [data(), mapStart(), { draws: 50 }],
    (X, Y, o) => Reflect.apply(spectral.globalStructure, undefined, [X, Y, o]),
    spectral.globalStructureOptions.defaults,
  ),
  mapAgreement: call(
    () => [mapStart(), [mapStart()], { neighbors: 2 }],
    (X, Y, o) => Reflect.apply(spectral.mapAgreement, undefined, [X, Y, o]),
    spectral.mapAgreementOptions.defaults,
  ),
  shuffledColumns: call(
    () => [data(), { copies: 3, neighbors: 2 }],
    (X, o) => Reflect.apply(spectral.shuffledColumns, undefined, [X, o]),
    spectral.shuffledColumnsOptions.defaults,
  ),
  attractiveGraph: call(() => [affinities()], spectral.attractiveGraph),
  spectralSolve: call(
    () => [graph(), "all" as const, spectral.spectralLimits.defaults],
    spectral.spectralSolve,
  ),
  spectralDirection: call(() => [graph(), "all" as const], spectral.spectralDirection),
  Homotopy: call(
    () => [
      embedding.tsne(affinities()),
      mapStart(),
      (o: embedding.EmbeddingObjective, X: Float64Array) =>
        new spectral.PartialHessian(o, X, spectral.gradientDirection()),
      {},
    ],
    (...given) => stepped(new spectral.Homotopy(...given)),
    spectral.homotopyOptions.defaults,
  ),
  HomotopyLbfgs: call(
    () => [embedding.tsne(affinities()), mapStart(), {}],
    (...given) => stepped(new spectral.HomotopyLbfgs(...given)),
    spectral.homotopyLbfgsOptions.defaults,
  ),
  PartialHessian: call(
    () => [embedding.tsne(affinities()), mapStart(), spectral.gradientDirection(), {}],
    (...given) => stepped(new spectral.PartialHessian(...given)),
    spectral.partialHessianOptions.defaults,
  ),
};

/** Each in a worker of its own. */
export const workerCalls = {
  embed: call(
    () => [data(), { perplexity: 3, maxEvaluations: 5, ...soon() }],
    worker.embed,
    worker.workerEmbedOptions.defaults,
  ),
  transform: call(
    () => [finished, [[1, 2, 3]], soon()],
    (map, X, o) => Reflect.apply(worker.transform, undefined, [map, X, o]),
    worker.workerTransformOptions.defaults,
  ),
  setWorkerScript: call(
    () => ["worker-program.js"],
    (at) => {
      worker.setWorkerScript(at);
      worker.setWorkerScript(undefined);
    },
  ),
};
