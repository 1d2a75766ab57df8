/** Calls of the writers of ONNX models. */
import * as linalgOnnx from "@curvature/linalg/onnx";
import * as networks from "@curvature/objectives/networks";
import * as networkOnnx from "@curvature/objectives/onnx";
import { LinearClassifier } from "@curvature/optim-sgdqn";
import * as linearOnnx from "@curvature/optim-sgdqn/onnx";
import { classNumbers, data } from "./arguments.ts";
import { call } from "./call.ts";

const graph = (): linalgOnnx.OnnxGraph => ({
  name: "sum",
  inputs: [{ name: "X", element: "double", shape: ["N", 2] }],
  outputs: [{ name: "Y", element: "double", shape: ["N", 2] }],
  constants: [{ name: "one", shape: [2], data: Float64Array.of(1, 1) }],
  nodes: [{ operator: "Add", inputs: ["X", "one"], outputs: ["Y"], attributes: {} }],
  metadata: { columns: "[]" },
});

const linearModel = () =>
  new LinearClassifier(
    {},
    {
      ...{ loss: "logistic", lossWidth: 1, lambda: 1, solver: "newton", bias: "free", features: 2 },
      classes: ["a", "b", "c"],
      scaling: { method: "standard", offsets: Float64Array.of(1, 2), scales: Float64Array.of(3, 4) },
      parameters: Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9),
      calibration: undefined,
      multiclass: "softmax",
      shifts: undefined,
    },
  );

const network = () => {
  const { model, initial } = networks.multilayerPerceptron(data(), classNumbers(), { hidden: [2] });
  if (model === undefined) throw new TypeError("a network has a model");
  return { model, parameters: initial };
};

export const linalgOnnxCalls = {
  onnxModel: call(() => [graph()], linalgOnnx.onnxModel),
  OnnxBuilder: call(
    () => ["float" as const, [1, 2]],
    (precision, values) => new linalgOnnx.OnnxBuilder(precision).numbers("w", [2], values),
  ),
};

export const linearOnnxCalls = {
  toOnnx: call(() => [linearModel(), {}], linearOnnx.toOnnx, linearOnnx.toOnnxOptions.defaults),
};

export const networkOnnxCalls = {
  networkToOnnx: call(
    () => [network(), {}],
    networkOnnx.networkToOnnx,
    networkOnnx.networkToOnnxOptions.defaults,
  ),
};
