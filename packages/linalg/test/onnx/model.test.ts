/** What `onnxModel` writes is read by ONNX Runtime, and has the fields of onnx.proto. */
import { OnnxBuilder, type OnnxGraph, onnxModel } from "@curvature/linalg/onnx";
import { expect, test } from "vitest";
import { fieldsOf, metadataOf, runOnnx } from "../../../../test/onnx-runtime.js";

const graphOf = (precision: "float" | "double"): OnnxGraph => {
  const builder = new OnnxBuilder(precision);
  const product = builder.node(
    "MatMul",
    ["X", builder.numbers("W", [3, 2], [1, 2, 3, 4, 5, 6.5])],
    "product",
  );
  const index = builder.node("ArgMax", [product], "index", { axis: 1, keepdims: 0 });
  for (const [name, data] of [
    ["texts", ["ä", "🦊"]],
    ["flags", [false, true]],
    ["wholes", BigInt64Array.of(-(2n ** 63n), 2n ** 53n)],
  ] as const)
    builder.node("Gather", [builder.constant(name, [2], data), index], `${name} of rows`);
  return {
    name: "a graph",
    description: "for a test",
    inputs: [{ name: "X", element: precision, shape: ["N", 3] }],
    outputs: [
      { name: "product", element: precision, shape: ["N", 2] },
      { name: "texts of rows", element: "string", shape: ["N"] },
      { name: "flags of rows", element: "bool", shape: ["N"] },
      { name: "wholes of rows", element: "int64", shape: ["N"] },
    ],
    constants: builder.constants,
    nodes: builder.nodes,
    metadata: { empty: "", ["long ☃"]: "x".repeat(20_000) },
  };
};

test.each(["float", "double"] as const)("a graph of %ss runs", async (precision) => {
  const rows = [
    [1, 0, 0],
    [0, -1, 0],
    [0, 0, 2],
  ];
  const outputs = await runOnnx(
    onnxModel(graphOf(precision)),
    precision === "float" ? "float32" : "float64",
    rows,
  );
  expect(outputs["product"]).toEqual({
    type: precision === "float" ? "float32" : "float64",
    shape: [3, 2],
    data: [1, 2, -3, -4, 10, 13],
  });
  expect(outputs["texts of rows"].data).toEqual(["🦊", "ä", "🦊"]);
  expect(outputs["flags of rows"].data).toEqual([true, false, true]);
  expect(outputs["wholes of rows"].data).toEqual([2 ** 53, -(2 ** 63), 2 ** 53]);
});

test("the fields are those of onnx.proto", () => {
  const model = onnxModel(graphOf("double"));
  const fields = fieldsOf(model);
  expect([...fields.keys()].sort((a, b) => a - b)).toEqual([1, 2, 6, 7, 8, 14]);
  expect(fields.get(1)).toEqual([7]); // ir_version
  const [operators] = fields.get(8) ?? [];
  expect(operators instanceof Uint8Array && fieldsOf(operators).get(2)).toEqual([13]);
  expect(metadataOf(model)).toEqual({ empty: "", ["long ☃"]: "x".repeat(20_000) });
  const [graph] = fields.get(7) ?? [];
  if (!(graph instanceof Uint8Array)) throw new Error("no graph");
  const parts = fieldsOf(graph);
  expect([1, 2, 5, 10, 11, 12].map((field) => parts.get(field)?.length)).toEqual([5, 1, 4, 1, 1, 4]);
  const [weights] = parts.get(5) ?? [];
  if (!(weights instanceof Uint8Array)) throw new Error("no constant");
  const tensor = fieldsOf(weights);
  expect([tensor.get(1), tensor.get(2)]).toEqual([[3, 2], [11]]);
  const [data] = tensor.get(9) ?? [];
  if (!(data instanceof Uint8Array)) throw new Error("no data");
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  expect(Array.from({ length: 6 }, (_, k) => view.getFloat64(8 * k, true))).toEqual([1, 2, 3, 4, 5, 6.5]);
});

test("sizes of a graph without any and a constant without a shape", async () => {
  const one = onnxModel({
    name: "sum",
    inputs: [{ name: "X", element: "float", shape: ["N", "d"] }],
    outputs: [{ name: "y", element: "float", shape: ["N", "d"] }],
    constants: [{ name: "one", shape: [], data: Float32Array.of(1) }],
    nodes: [{ operator: "Add", inputs: ["X", "one"], outputs: ["y"] }],
  });
  expect((await runOnnx(one, "float32", [[1, 2]]))["y"].data).toEqual([2, 3]);
});

test("single precision keeps what it can, and refuses what it cannot", () => {
  const single = new OnnxBuilder("float");
  single.numbers("w", [2], [0.1, 2 ** -149]);
  expect(single.constants[0].data).toEqual(Float32Array.of(0.1, 2 ** -149));
  expect(() => single.numbers("w", [1], [1e39])).toThrow(/entry 0 of w, 1e\+39, leaves the range of float32/);
  expect(() => new OnnxBuilder("double").numbers("w", [1], [Number.NaN])).toThrow(/no number/);
});

test("offsets are subtracted with the digits that a float32 lacks", async () => {
  const offsets = Float64Array.of(1000.1, 0, -1 / 3);
  for (const [precision, type, allowed] of [
    ["float", "float32", 2 ** -45],
    ["double", "float64", 2 ** -53],
  ] as const) {
    const builder = new OnnxBuilder(precision);
    const centered = builder.centered("X", offsets);
    const model = onnxModel({
      name: "centered",
      inputs: [{ name: "X", element: precision, shape: ["N", 3] }],
      outputs: [{ name: centered, element: precision, shape: ["N", 3] }],
      constants: builder.constants,
      nodes: builder.nodes,
    });
    const row = [1000, 5, -0.33333334].map((x) => (precision === "float" ? Math.fround(x) : x));
    const { data } = (await runOnnx(model, type, [row]))[centered];
    for (const [j, x] of row.entries()) {
      const exact = x - offsets[j];
      const rounded = precision === "float" ? Math.fround(exact) : exact;
      expect(Math.abs(Number(data[j]) - rounded)).toBeLessThanOrEqual(allowed * Math.abs(offsets[j]));
    }
  }
});
