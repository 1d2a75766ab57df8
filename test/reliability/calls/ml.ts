/** Calls of what brings ml-matrix along. */
import * as ml from "@curvature/linalg/ml";
import { square } from "./arguments.ts";
import { call } from "./call.ts";

export const mlCalls = {
  choleskyDecomposition: call(() => [square()], ml.choleskyDecomposition),
  eigenvalueDecomposition: call(() => [square()], ml.eigenvalueDecomposition),
  luDecomposition: call(() => [square()], ml.luDecomposition),
  qrDecomposition: call(() => [square()], ml.qrDecomposition),
  singularValueDecomposition: call(() => [square()], ml.singularValueDecomposition),
  // a view shows the numbers as they are
  toMl: call(
    () => [square()],
    (A) => ml.toMl(A).rows,
  ),
  fromMl: call(() => [ml.toMl(square()), "A"], ml.fromMl),
};
