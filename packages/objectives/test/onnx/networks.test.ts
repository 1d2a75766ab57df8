/** What ONNX Runtime computes with our networks is what `model.outputs` does. */
import {
  applyScaling,
  CurvatureError,
  type DenseMatrix,
  fitScaling,
  normal,
  RandomGenerator,
} from "@curvature/linalg";
import {
  autoencoder,
  convolutionalNetwork,
  type MinibatchSum,
  type Model,
  modelOfShape,
  multilayerPerceptron,
} from "@curvature/objectives/networks";
import { networkToOnnx, type ParametrizedModel } from "@curvature/objectives/onnx";
import { isingModel, logisticRegression } from "@curvature/objectives/sums";
import { describe, expect, test } from "vitest";
import { metadataOf, runOnnx } from "../../../../test/onnx-runtime.js";
import { models, randomRows } from "../sums/models.js";

const tolerances = { float: 1e-5, double: 1e-12 } as const;
const kinds = { float: "float32", double: "float64" } as const;
type Precision = keyof typeof kinds;

function modelIn({ model }: MinibatchSum): Model {
  if (model === undefined) throw new Error("no model");
  return model;
}

/** Off the start, where biases are 0. */
function pointOf({ initial }: MinibatchSum): Float64Array {
  const random = new RandomGenerator(7);
  return initial.map((entry) => entry + 0.5 * normal(random));
}

const listed = ({ rows, columns, data }: DenseMatrix): number[][] =>
  Array.from({ length: rows }, (_, i) => [...data.subarray(i * columns, (i + 1) * columns)]);

const rounded = ({ rows, columns, data }: DenseMatrix): DenseMatrix => ({
  rows,
  columns,
  data: data.map((x) => Math.fround(x)),
});

/** @param rows - numbers of the precision */
async function compare(fitted: ParametrizedModel, rows: DenseMatrix, precision: Precision): Promise<void> {
  const { model, parameters, scaling, classes = [], targets } = fitted;
  const { link, codeLayers } = model.shape;
  const outputs = await runOnnx(networkToOnnx(fitted, { precision }), kinds[precision], listed(rows));
  const seen = scaling === undefined ? rows : applyScaling(scaling, rows);
  const expected = (name: string, { columns, data }: DenseMatrix): void => {
    const output = outputs[name];
    expect([output.type, output.shape]).toEqual([kinds[precision], [rows.rows, columns]]);
    const size = data.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
    for (const [e, x] of data.entries())
      expect(Math.abs(Number(output.data[e]) - x)).toBeLessThanOrEqual(tolerances[precision] * size);
  };
  const predictions = model.outputs(parameters, seen);
  const scores = model.outputs(parameters, seen, "scores");
  const names: string[] = [];
  const look = (name: string, matrix: DenseMatrix): number => {
    expected(name, matrix);
    return names.push(name);
  };
  if (link !== "identity") look("scores", scores);
  if (codeLayers !== undefined) look("code", model.outputs(parameters, seen, "codes"));
  if (link === "softmax" || link === "logistic") {
    look("probabilities", predictions);
    const K = predictions.columns;
    const labels =
      classes.length > 0 ? classes : link === "logistic" ? [-1, 1] : Array.from({ length: K }, (_, k) => k);
    let compared = 0;
    for (let i = 0; i < rows.rows; i++) {
      const row = [...predictions.data.subarray(i * K, (i + 1) * K)];
      const [first, second] = row.toSorted((a, b) => b - a);
      if (first - second < 4 * tolerances[precision]) continue;
      compared++;
      expect(outputs["label"].data[i]).toBe(labels[row.indexOf(first)]);
    }
    expect(compared).toBeGreaterThan(0.9 * rows.rows);
    names.push("label");
  } else {
    const inUnits = (output: number): number => (targets?.mean ?? 0) + (targets?.deviation ?? 1) * output;
    look("prediction", { ...predictions, data: predictions.data.map(inUnits) });
  }
  expect(Object.keys(outputs).sort()).toEqual(names.sort());
}

describe.each(["float", "double"] as const)("in %s precision", (precision) => {
  const listedModels = models.filter(
    ({ factory }) =>
      factory !== "isingModel" && !(factory === "convolutionalNetwork" && precision === "double"),
  );
  test.each(listedModels)("$label", async ({ data, make }) => {
    const sum = make(data, 3);
    const rows = rounded(randomRows(300, data.rows.columns, -1, 1, 9));
    await compare({ model: modelIn(sum), parameters: pointOf(sum) }, rows, precision);
  });

  test("columns far from 0 that are standardised, classes with names", async () => {
    const random = new RandomGenerator(2);
    const data = Float64Array.from(
      { length: 600 },
      (_, e) => [1000.1, 1.7e9, 0.003][e % 3] + [30, 86_400, 0.01][e % 3] * normal(random),
    );
    const rows = rounded({ rows: 200, columns: 3, data });
    const scaling = fitScaling(rows, "standard");
    const labels = Array.from({ length: 200 }, (_, i) => i % 3);
    const sum = multilayerPerceptron(applyScaling(scaling, rows), labels, { hidden: [6] });
    const fitted = { model: modelIn(sum), parameters: pointOf(sum), scaling };
    await compare({ ...fitted, classes: ["a", "b", "c"] }, rows, precision);
    await compare(
      { ...fitted, scaling: fitScaling(rows, "unit-rows"), classes: [10, 20, -3] },
      rows,
      precision,
    );
    expect(metadataOf(networkToOnnx({ ...fitted, columns: ["p", "q", "r"], classes: [5, 6, 7] }))).toEqual({
      columns: '["p","q","r"]',
      classes: "[5,6,7]",
    });
  });

  test("numbers in the unit of their targets", async () => {
    const rows = rounded(randomRows(50, 3));
    const sum = multilayerPerceptron(rows, randomRows(50, 1), { hidden: [4] });
    const targets = { mean: 250_000, deviation: 90_000 };
    const fitted = { model: modelIn(sum), parameters: pointOf(sum), targets };
    await compare(fitted, rows, precision);
    const seconds = { ...fitted, targets: { mean: 1.7e9, deviation: 3600 } };
    expect(networkToOnnx(seconds)).toEqual(networkToOnnx(seconds, { precision: "double" }));
    expect(networkToOnnx(fitted)).toEqual(networkToOnnx(fitted, { precision: "float" }));
  });

  test("the two labels of the logistic", async () => {
    const rows = rounded(randomRows(60, 4));
    const sum = logisticRegression(
      rows,
      Array.from({ length: 60 }, (_, i) => (i % 3 === 0 ? 1 : -1)),
    );
    await compare({ model: modelIn(sum), parameters: pointOf(sum) }, rows, precision);
    await compare({ model: modelIn(sum), parameters: pointOf(sum), classes: [false, true] }, rows, precision);
  });
});

test("layers in an order that no factory has: an image between dense layers, read in another shape, pooled last", async () => {
  const layout = (
    [
      ["W", 0, 12, 2],
      ["b", 24, 1, 12],
      ["F", 36, 2, 4],
      ["c", 44, 1, 2],
    ] as const
  ).map(([name, offset, rows, columns]) => ({ name, offset, rows, columns }));
  const [weights, b, filters, c] = layout;
  const image = { channels: 1, height: 3, width: 4 };
  const model = modelOfShape({
    inputs: 2,
    layout,
    layers: [
      { kind: "dense", weights, biases: b, isTransposed: false, activation: "tanh" },
      { kind: "convolution", image, side: 2, filters, biases: c, activation: "sigmoid" },
      { kind: "max-pool", image: { channels: 3, height: 2, width: 2 }, side: 2 },
    ],
    link: "softmax",
    codeLayers: 2,
  });
  const random = new RandomGenerator(1);
  const parameters = Float64Array.from({ length: 46 }, () => normal(random));
  await compare({ model, parameters }, rounded(randomRows(40, 2)), "float");
});

describe("what cannot be", () => {
  const rows = randomRows(6, 3);
  const sum = multilayerPerceptron(rows, [0, 1, 0, 1, 0, 1], { hidden: [2] });
  const fitted = { model: modelIn(sum), parameters: sum.initial };
  const codeOf = (given: unknown, options?: unknown): string => {
    try {
      Reflect.apply(networkToOnnx, undefined, [given, options]);
    } catch (error) {
      if (error instanceof CurvatureError) return `${error.code} ${error.path ?? ""}`;
      throw error;
    }
    return "none";
  };

  test("is refused", () => {
    expect(codeOf(fitted)).toBe("none");
    expect(codeOf(undefined)).toBe("ERR_ARGUMENT fitted");
    expect(codeOf({ ...fitted, model: isingModel([[0, 1]]).model })).toBe("ERR_ARGUMENT model");
    expect(codeOf({ ...fitted, parameters: sum.initial.subarray(1) })).toBe("ERR_SHAPE parameters");
    expect(codeOf({ ...fitted, parameters: sum.initial.map(() => 1e300) })).toMatch(
      "ERR_NON_FINITE weights_1",
    );
    expect(codeOf({ ...fitted, classes: ["a"] })).toBe("ERR_SHAPE classes");
    expect(codeOf({ ...fitted, classes: ["a", 3] })).toBe("ERR_ARGUMENT labels");
    expect(codeOf({ ...fitted, columns: ["a"] })).toBe("ERR_SHAPE columns");
    expect(codeOf({ ...fitted, columns: 3 })).toBe("ERR_ARGUMENT columns");
    expect(codeOf({ ...fitted, targets: { mean: 0, deviation: 1 } })).toBe("ERR_ARGUMENT targets");
    expect(codeOf({ ...fitted, scaling: fitScaling(randomRows(4, 2), "rms") })).toBe(
      "ERR_SHAPE scaling.offsets",
    );
    expect(codeOf(fitted, { precision: "half" })).toBe("ERR_OPTION precision");
    const images = randomRows(6, 9);
    const pixels = { channels: 1, height: 3, width: 3 };
    const convnet = convolutionalNetwork(images, pixels, [0, 1, 0, 1, 0, 1], { maps: [2], filterSide: 2 });
    expect(codeOf({ model: convnet.model, parameters: convnet.initial }, { precision: "double" })).toBe(
      "ERR_OPTION precision",
    );
  });

  test("tied weights stand in the file once", () => {
    const tied = autoencoder(randomRows(5, 400, 0, 1), { hidden: 50 });
    expect(networkToOnnx({ model: modelIn(tied), parameters: tied.initial }).length).toBeLessThan(
      1.1 * 4 * 400 * 50,
    );
  });
});
