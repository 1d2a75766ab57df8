/** The package's sub-paths. */
import { zeros } from "../../src/index.js";
import * as ml from "../../src/ml/index.js";
import * as simd from "../../src/simd/index.js";
import * as threads from "../../src/threads/index.js";
import { badMatrices, badSparse, badSquares, nothing, sizes } from "./bad-operands.js";
import { type Calls, each } from "./calls.js";

const wide = zeros(2, 3);

export const subPathCalls: Readonly<Record<string, Calls>> = {
  "ml: choleskyDecomposition": each("A", badSquares, ml.choleskyDecomposition),
  "ml: eigenvalueDecomposition": each("A", badSquares, ml.eigenvalueDecomposition),
  "ml: luDecomposition": each("A", badSquares, ml.luDecomposition),
  "ml: qrDecomposition": {
    ...each("A", badMatrices, ml.qrDecomposition),
    wide: () => ml.qrDecomposition(wide),
  },
  "ml: singularValueDecomposition": each("A", badMatrices, ml.singularValueDecomposition),
  "ml: fromMl": { "no matrix": () => ml.fromMl(nothing) },
  "ml: fromMlSparse": { "no matrix": () => ml.fromMlSparse(nothing) },
  "ml: toMlSparse": each("A", badSparse, ml.toMlSparse),
  "ml: toMl": each("A", badMatrices, ml.toMl),
  "ml: MatrixView": each("A", badMatrices, (A) => new ml.MatrixView(A)),
  "simd: enableSimd": each("module", { "a number": 1, nothing: null, "an object": {} }, (module) =>
    Reflect.apply(simd.enableSimd, undefined, [{ module }]),
  ),
  "threads: setThreadScripts": each("linalg", { "a number": 1, nothing: null }, (linalg) =>
    Reflect.apply(threads.setThreadScripts, undefined, [{ linalg }]),
  ),
  "threads: principalThreads": each("count", sizes, (count) => threads.principalThreads(count)),
  "threads: startThreads": {
    ...each("count", sizes, (count) => threads.startThreads(count, 1)),
    ...each("points", sizes, (points) => threads.startThreads(1, points)),
  },
  "threads: WorkerPool": each("count", sizes, (count) => threads.WorkerPool.of(count, "test")),
  "threads: SharedLocks": {
    ...each("things", sizes, (things) => threads.SharedLocks.for(things)),
    ...each("thing", sizes, (thing) => threads.SharedLocks.for(2).take(thing)),
    "a thing that is not there": () => threads.SharedLocks.for(2).giveBack(2),
    "no shared memory": () => new threads.SharedLocks(new Int32Array(2)),
  },
  "threads: SharedUnits": {
    ...each("count", sizes, (count) => new threads.SharedUnits().open(count)),
    "no shared memory": () => new threads.SharedUnits(new Int32Array(9)),
  },
};
