/** The package's sub-paths. */
import { zeros } from "../../src/index.js";
import * as ml from "../../src/ml/index.js";
import * as onnx from "../../src/onnx/index.js";
import * as simd from "../../src/simd/index.js";
import * as threads from "../../src/threads/index.js";
import { badMatrices, badSparse, badSquares, nothing, sizes } from "./bad-operands.js";
import { type Calls, each } from "./calls.js";

const wide = zeros(2, 3);

const graph = (part: object) => ({
  ...{ name: "g", metadata: {}, constants: [{ name: "one", shape: [1], data: Float64Array.of(1) }] },
  inputs: [{ name: "x", element: "double", shape: ["N"] }],
  outputs: [{ name: "y", element: "double", shape: ["N"] }],
  nodes: [{ operator: "Add", inputs: ["x", "one"], outputs: ["y"] }],
  ...part,
});
const constant = (part: object) =>
  graph({ constants: [{ name: "one", shape: [1], data: Float64Array.of(1), ...part }] });
const node = (part: object) =>
  graph({ nodes: [{ operator: "Add", inputs: ["x", "one"], outputs: ["y"], ...part }] });
const graphs = {
  ...{
    nothing: null,
    "a number": 1,
    "without a name": graph({ name: "" }),
    "no nodes": graph({ nodes: [] }),
  },
  ...{ "no list of nodes": graph({ nodes: 3 }), "a description that is no text": graph({ description: 3 }) },
  ...{ "metadata that are no texts": graph({ metadata: { a: 1 } }), "a hole": graph({ inputs: [null] }) },
  "an element that is none": graph({ inputs: [{ name: "x", element: "half", shape: [] }] }),
  "a negative size": graph({ inputs: [{ name: "x", element: "double", shape: [-1] }] }),
  "a name that is there twice": constant({ name: "x" }),
  "too few entries": constant({ shape: [2] }),
  "no array of numbers": constant({ data: [1] }),
  "texts and flags": constant({ data: ["a", true], shape: [2] }),
  "a NaN": constant({ data: Float64Array.of(Number.NaN) }),
  "an input that is not there": node({ inputs: ["x", "two"] }),
  "an output that is an input": node({ outputs: ["x"] }),
  "no operator": node({ operator: undefined }),
  "half an attribute": node({ attributes: { axis: 0.5 } }),
  "attributes that are none": node({ attributes: 3 }),
  "an output that nothing gives": graph({ outputs: [{ name: "z", element: "double", shape: [] }] }),
};

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
  "onnx: onnxModel": each("graph", graphs, (given) => Reflect.apply(onnx.onnxModel, undefined, [given])),
  "onnx: OnnxBuilder": {
    ...each("precision", { half: "half", nothing: null }, (p) => Reflect.construct(onnx.OnnxBuilder, [p])),
    "a NaN": () => new onnx.OnnxBuilder("float").numbers("w", [1], [Number.NaN]),
    "no float32": () => new onnx.OnnxBuilder("float").numbers("w", [1], [1e300]),
  },
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
