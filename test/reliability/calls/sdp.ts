/** Calls of NOMAD. */
import * as linalg from "@curvature/linalg";
import * as sdp from "@curvature/optim-sdp";
import { noise, nomadProblem, points } from "../problems.ts";
import { central, distances, factored, gram, square } from "./arguments.ts";
import { call, soon, stepped } from "./call.ts";

const nomadOptions = { clusters: 3, maxIterations: 4 };
export const sdpCalls = {
  nomad: call(() => [points(9), { ...nomadOptions, ...soon() }], sdp.nomad, sdp.nomadOptions.defaults),
  clusterPoints: call(
    () => [points(9), { ...nomadOptions, ...soon() }],
    sdp.clusterPoints,
    sdp.clusterPointsOptions.defaults,
  ),
  clusterModel: call(
    () => [points(9), { labels: [0, 0, 1, 1, 2, 2, 0, 1, 2] }, linalg.fitScaling(points(9), "standard")],
    (...given) => {
      const model = sdp.clusterModel(...given);
      return [model.assign(points(4)), sdp.saveClusterModel(model)];
    },
  ),
  spherePoints: call(
    () => [
      [
        [52.5, 13.4],
        [-33.9, 151.2],
      ],
      "latitude-longitude" as const,
    ],
    sdp.spherePoints,
  ),
  saveClusterModel: call(
    () => [sdp.clusterModel(points(3), { labels: [0, 1, 1] })],
    (model) => sdp.saveClusterModel(model),
  ),
  loadClusterModel: call(
    () => ["{}"],
    (text) => {
      try {
        return sdp.loadClusterModel(text);
      } catch (error) {
        if (error instanceof linalg.CurvatureError && error.code === "ERR_PARSE") return undefined; // it is no model
        throw error;
      }
    },
  ),
  labelAgreement: call(
    () => [
      [0, 1, 1, 0],
      ["a", "b", "a", "a"],
    ],
    sdp.labelAgreement,
  ),
  wardTree: call(
    () => [points(9), [0, 0, 1, 1, 2, 2, 3, 3, 3]],
    (...given) => sdp.wardTree(...given).labelsOf(2),
  ),
  separateCurves: call(
    () => [points(9), { clusters: 2, maxIterations: 4, ...soon() }],
    sdp.separateCurves,
    sdp.separateCurvesOptions.defaults,
  ),
  gramOfPoints: call(() => [points(9), {}], sdp.gramOfPoints, sdp.gramMatrixOptions.defaults),
  gramOfMatrix: call(() => [square(), {}], sdp.gramOfMatrix, { memoryLimit: 1e9 }),
  gramOfDistances: call(() => [distances(), {}], sdp.gramOfDistances, { memoryLimit: 1e9 }),
  checkProblem: call(() => ["test", nomadProblem()], sdp.checkProblem),
  centralPoint: call(() => [9, 3], sdp.centralPoint),
  centralValue: call(() => [nomadProblem()], sdp.centralValue),
  upperBounds: call(() => [nomadProblem(), linalg.zeros(9, 9)], sdp.upperBounds),
  solveRing: call(() => [8, 2], sdp.solveRing),
  Admm: call(
    () => [nomadProblem(), {}],
    (...given) => stepped(new sdp.Admm(...given)),
    sdp.admmOptions.defaults,
  ),
  PrimalDual: call(
    () => [nomadProblem(), {}],
    (...given) => stepped(new sdp.PrimalDual(...given)),
    sdp.primalDualOptions.defaults,
  ),
  BurerMonteiro: call(
    () => [nomadProblem(), {}],
    (...given) => stepped(new sdp.BurerMonteiro(...given)),
    sdp.burerMonteiroOptions.defaults,
  ),
  Multipliers: call(
    () => [nomadProblem(), {}],
    (...given) => stepped(new sdp.Multipliers(...given)),
    sdp.multipliersOptions.defaults,
  ),
  symmetricNmf: call(() => [square(), 2, {}], sdp.symmetricNmf, sdp.symmetricNmfOptions.defaults),
  cpRankErrors: call(() => [square(), 2, { starts: 5 }], sdp.cpRankErrors, sdp.cpRankOptions.defaults),
  assignmentsOf: call(() => [central(), 3, {}], sdp.assignmentsOf, sdp.assignmentOptions.defaults),
  neighborDistances: call(() => [points(9), 3], sdp.neighborDistances),
  componentsOf: call(() => [central(), 0.1], sdp.componentsOf),
  embeddingOf: call(() => [central(), 2], sdp.embeddingOf),
  geodesicDistances: call(() => [central(), 0.01], sdp.geodesicDistances),
  checkMemory: call(() => ["test", "a matrix", 10, 100], sdp.checkMemory),
  repairFactor: call(
    () => [3, { rows: 9, columns: 4, data: noise(36, 2).map(Math.abs) }, 10],
    sdp.repairFactor,
  ),
  factoredValue: call(() => [gram(), factored()], sdp.factoredValue),
  factoredDense: call(() => [factored()], sdp.factoredDense),
};
