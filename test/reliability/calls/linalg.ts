/** Calls of linear algebra. */
import * as linalg from "@curvature/linalg";
import { data, sparse, square } from "./arguments.ts";
import { call } from "./call.ts";

export const linalgCalls = {
  DenseCholesky: call(
    () => [square()],
    (A) => linalg.inverse(new linalg.DenseCholesky(A)),
  ),
  squaredDistances: call(() => [data()], linalg.squaredDistances),
  principalComponents: call(
    () => [data(), {}],
    linalg.principalComponents,
    linalg.principalComponentsOptions.defaults,
  ),
  lostComponents: call(() => [Float64Array.of(1, 0), "scale the columns"], linalg.lostComponents),
  toDense: call(() => [data(), "points"], linalg.toDense),
  checkFinite: call(() => [square(), "A"], linalg.checkFinite),
  zeros: call(() => [2, 3], linalg.zeros),
  toSparse: call(() => [square(), "A"], linalg.toSparse),
  fromTriplets: call(
    () => [2, 2, { rows: [0, 1], columns: [1, 0], values: [1, 2] }, "A"],
    linalg.fromTriplets,
  ),
  fitScaling: call(() => [data(), "standard" as const], linalg.fitScaling),
  applyScaling: call(
    () => [linalg.fitScaling(data(), "standard"), data()],
    (s, X) => linalg.applyScaling(s, X),
  ),
  lanczos: call(
    () => [
      (v: Float64Array, out: Float64Array) => linalg.matrixTimesVector(square(), v, out),
      3,
      { count: 1 },
    ],
    linalg.lanczos,
    linalg.lanczosOptions.defaults,
  ),
  blockEigen: call(
    () => [
      (v: Float64Array, out: Float64Array) => linalg.matrixTimesVector(square(), v, out),
      3,
      { count: 1 },
    ],
    linalg.blockEigen,
    linalg.blockEigenOptions.defaults,
  ),
  svd: call(() => [data(), {}], linalg.svd, linalg.svdOptions.defaults),
  singularValues: call(() => [data(), {}], linalg.singularValues, linalg.svdOptions.defaults),
  linearLeastSquares: call(
    () => [data(), Array.from({ length: data().length }, (_, i) => i), {}],
    linalg.linearLeastSquares,
    linalg.linearLeastSquaresOptions.defaults,
  ),
  symmetricEigen: call(() => [square()], linalg.symmetricEigen),
  symmetricEigenvalues: call(() => [square()], linalg.symmetricEigenvalues),
  SparseCholesky: call(
    () => [sparse(), {}],
    (...given) => new linalg.SparseCholesky(...given),
    linalg.choleskyOptions.defaults,
  ),
  analyzeCholesky: call(
    () => [sparse(), {}],
    linalg.analyzeCholesky,
    linalg.choleskyAnalysisOptions.defaults,
  ),
  IncompleteCholesky: call(
    () => [sparse()],
    (A) => new linalg.IncompleteCholesky(A),
  ),
  LinearConjugateGradient: call(
    () => [3],
    (size) => new linalg.LinearConjugateGradient(size),
  ),
  RandomGenerator: call(
    () => [7],
    (seed) => new linalg.RandomGenerator(seed).uniform(),
  ),
  permutation: call(() => [new linalg.RandomGenerator(1), 5], linalg.permutation),
  sampleWithoutReplacement: call(
    () => [new linalg.RandomGenerator(1), 2, 5],
    linalg.sampleWithoutReplacement,
  ),
  fillNormal: call(() => [new linalg.RandomGenerator(1), new Float64Array(3)], linalg.fillNormal),
  DisjointSets: call(
    () => [4],
    (size) => new linalg.DisjointSets(size),
  ),
  fastLength: call(() => [10], linalg.fastLength),
  Fft: call(
    () => [4, 1],
    (...given) => new linalg.Fft(...given),
  ),
};
