/** ONNX Runtime's predictions with our models are ours, within what rounding allows. */
import { normal, RandomGenerator } from "@curvature/linalg";
import {
  type FittedModel,
  type Label,
  LinearClassifier,
  type LinearClassifierOptions,
  LinearRegressor,
  loadModel,
  plainWeights,
  saveModel,
} from "@curvature/optim-sgdqn";
import { toOnnx } from "@curvature/optim-sgdqn/onnx";
import { describe, expect, test } from "vitest";
import { metadataOf, type OnnxOutput, runOnnx } from "../../../../test/onnx-runtime.js";

type Precision = "float" | "double";
const units = { float: 2 ** -24, double: 2 ** -53 } as const;
const kinds = { float: "float32", double: "float64" } as const;

/** Three columns, the second around `offset`, the third near 5 in comparison with its size. */
function rowsOf(n: number, offset: number, scale: number, seed = 3): number[][] {
  const random = new RandomGenerator(seed);
  return Array.from({ length: n }, () => [
    normal(random),
    offset + scale * normal(random),
    5 + 0.01 * normal(random),
  ]);
}

const classOf = (row: readonly number[], classes: number, offset: number, scale: number): number =>
  row[0] + (row[1] - offset) / scale > 0.3 ? (row[0] > 1 && classes === 3 ? 2 : 1) : 0;

/** As the runtime sees them. */
const given = (rows: readonly (readonly number[])[], precision: Precision): number[][] =>
  rows.map((row) => row.map((x) => (precision === "float" ? Math.fround(x) : x)));

/**
 * How far the score of a row may be off, by class: d + 4 roundings of each term in the file's precision, and as many in double
 * precision where the model, unlike the file, folds offsets into the intercept.
 */
function scoreBounds(fitted: FittedModel, row: readonly number[], precision: Precision): number[] {
  const { coefficients } = plainWeights(modelOf(fitted));
  const { features: d, scaling, parameters, bias } = fitted;
  const length = scaling?.method === "unit-rows" ? Math.hypot(...row) || 1 : 1;
  return coefficients.map((w, k) => {
    const b = bias === "none" ? 0 : parameters[k * (d + 1) + d];
    let [centered, folded] = [Math.abs(b), Math.abs(b)];
    for (const [j, w_j] of w.entries()) {
      const [x, o] = [row[j] / length, scaling?.offsets[j] ?? 0];
      centered += Math.abs(w_j * (x - o));
      folded += Math.abs(w_j) * (Math.abs(x) + Math.abs(o));
    }
    // The norm of a row adds some d/2 + 2 roundings.
    const roundings = scaling?.method === "unit-rows" ? 2 * d + 6 : d + 4;
    return 1.01 * roundings * (units[precision] * centered + units.double * folded);
  });
}

const modelOf = (fitted: FittedModel) =>
  fitted.classes.length === 0 ? new LinearRegressor({}, fitted) : new LinearClassifier({}, fitted);

function fittedOf(model: LinearClassifier | LinearRegressor): FittedModel {
  if (model.fitted === undefined) throw new Error("not fitted");
  return model.fitted;
}

/** Scores, labels and probabilities of the runtime are the model's, on rows that are numbers of this precision. */
async function compare<L extends Label>(
  model: LinearClassifier<L>,
  rows: readonly (readonly number[])[],
  precision: Precision,
): Promise<Readonly<Record<string, OnnxOutput>>> {
  const seen = given(rows, precision);
  const outputs = await runOnnx(toOnnx(model, { precision }), kinds[precision], seen);
  const { scores, label, probabilities } = outputs;
  const ours = model.decisionFunction(seen);
  const labels = model.predict(seen);
  expect(scores.shape).toEqual([rows.length, ours.columns]);
  expect(scores.type).toBe(kinds[precision]);
  const fitted = fittedOf(model);
  const rule = plainWeights(model).probabilities;
  const shares = rule === undefined ? undefined : model.predictProbabilities(seen);
  const K = model.classes.length;
  let compared = 0;
  for (const [i, row] of seen.entries()) {
    const bounds = scoreBounds(fitted, row, precision);
    const of = (data: ArrayLike<unknown>, width: number): number[] =>
      Array.from({ length: width }, (_, k) => Number(data[i * width + k]));
    const ofRow = of(ours.data, ours.columns);
    for (const [k, score] of of(scores.data, ours.columns).entries())
      expect(Math.abs(score - ofRow[k])).toBeLessThanOrEqual(bounds[k]);
    const ranked = (K === 2 ? [0, ...ofRow] : ofRow).toSorted((a, b) => b - a);
    if (ranked[0] - ranked[1] > 2 * Math.max(...bounds)) {
      expect(label.data[i]).toBe(labels[i]);
      compared++;
    }
    if (shares === undefined) continue;
    // Half of what z is off by, z's own roundings, and those of the softmax.
    const z = ofRow.map((s, k) => (rule?.scale[k] ?? 1) * s + (rule?.shift[k] ?? 0));
    const off = Math.max(...bounds.map((bound, k) => bound * (rule?.scale[k] ?? 1)));
    const largest = Math.max(
      1,
      ...z.map(Math.abs),
      ...ofRow.map((s, k) => Math.abs(s * (rule?.scale[k] ?? 1))),
    );
    const bound = off + (8 * largest + K) * units[precision];
    for (const [k, p] of of(probabilities.data, K).entries())
      expect(Math.abs(p - shares.data[i * K + k])).toBeLessThanOrEqual(bound);
  }
  expect(probabilities === undefined).toBe(shares === undefined);
  expect(compared).toBeGreaterThan(0.95 * rows.length);
  return outputs;
}

describe.each(["float", "double"] as const)("in %s precision", (precision) => {
  test.each([
    ["two classes", 2, {}],
    ["two classes, weighted", 2, { classWeights: { a: 3, b: 1 } }],
    ["two classes, calibrated", 2, { loss: "squared-hinge", probabilities: true }],
    ["the hinge, which has no probabilities", 2, { loss: "hinge" }],
    ["rows of length 1", 2, { scale: "unit-rows" }],
    ["no scaling, no bias", 2, { scale: "none", bias: "none" }],
    ["softmax", 3, {}],
    ["softmax, weighted", 3, { classWeights: { a: 3, c: 0.5 } }],
    ["one against the rest, no probabilities", 3, { loss: "squared-hinge" }],
    ["one against the rest", 3, { loss: "squared-hinge", probabilities: true }],
    ["one against the rest, weighted", 3, { solver: "lbfgs", classWeights: { a: 3, c: 0.5 } }],
  ] satisfies [string, number, LinearClassifierOptions<string>][])("%s", async (_, classes, options) => {
    for (const [offset, scale] of [
      [1000, 30],
      [1.7e9, 86_400],
    ]) {
      if ("scale" in options && offset > 1e6) continue;
      const training = rowsOf(120, offset, scale);
      const model = new LinearClassifier<string>(options);
      await model.fit(
        training,
        training.map((row) => "abc"[classOf(row, classes, offset, scale)]),
      );
      const outputs = await compare(model, rowsOf(500, offset, scale, 4), precision);
      expect(outputs["label"].type).toBe("string");
    }
  });

  test("numbers", async () => {
    for (const offset of [0, 1000, 1.7e9]) {
      const training = rowsOf(120, offset, 30);
      const model = new LinearRegressor();
      await model.fit(
        training,
        training.map(([a, b, c]) => 3 * a - (b - offset) / 7 + c),
      );
      const rows = given(rowsOf(300, offset, 30, 4), precision);
      const outputs = await runOnnx(toOnnx(model, { precision }), kinds[precision], rows);
      expect(Object.keys(outputs)).toEqual(["prediction"]);
      const ours = model.predict(rows);
      for (const [i, row] of rows.entries()) {
        const [bound] = scoreBounds(fittedOf(model), row, precision);
        expect(Math.abs(Number(outputs["prediction"].data[i]) - ours[i])).toBeLessThanOrEqual(bound);
      }
    }
  });

  test("sparse rows of many columns, of text", async () => {
    const random = new RandomGenerator(8);
    const [n, d] = [300, 2500];
    const words = Array.from({ length: n + 60 }, (_, i) =>
      Array.from({ length: 20 }, () => Math.floor(random.uniform() * (i % 3 === 0 ? d : d / (1 + (i % 3))))),
    );
    const dense = words.map((of) => {
      const row = Array.from({ length: d }, () => 0);
      for (const j of of) row[j]++;
      return row;
    });
    const columnIndices = dense.slice(0, n).map((row) => row.flatMap((x, j) => (x === 0 ? [] : [j])));
    const rowPointers = Int32Array.from({ length: n + 1 });
    for (let i = 0; i < n; i++) rowPointers[i + 1] = rowPointers[i] + columnIndices[i].length;
    const values = Float64Array.from(columnIndices.flatMap((of, i) => of.map((j) => dense[i][j])));
    const rows = {
      rows: n,
      columns: d,
      rowPointers,
      columnIndices: Int32Array.from(columnIndices.flat()),
      values,
    };
    const labels = words.slice(0, n).map((_, i) => i % 3);
    for (const loss of ["logistic", "squared-hinge"] as const) {
      const model = new LinearClassifier<number>({ loss, lambda: 0.001 });
      await model.fit(rows, labels);
      await compare(model, dense.slice(n), precision);
    }
  });
});

test.each([
  ["int64", [-7, 3, 4]],
  ["float64", [-0.5, 3, 1e300]],
  ["string", ["", "ä🦊", "b\nc"]],
  ["bool", [false, true]],
  ["int64", [10, 20]],
] satisfies [string, Label[]][])("labels are %s: %j", async (type, classes) => {
  const random = new RandomGenerator(5);
  const X = Array.from({ length: 90 }, (_, i) => [normal(random) + 4 * (i % classes.length), normal(random)]);
  const model = new LinearClassifier<Label>();
  await model.fit(
    X,
    X.map((_, i) => classes[i % classes.length]),
  );
  const { label } = await compare(model, X, "double");
  expect(label.type).toBe(type);
  expect(new Set<Label>(label.data)).toEqual(new Set<Label>(classes));
});

test("of equal scores the first class counts; a score above 0 means the second of two", async () => {
  const model = (classes: readonly string[], parameters: number[]) =>
    new LinearClassifier<string>(
      {},
      {
        loss: "logistic",
        lossWidth: 1,
        lambda: 1,
        solver: "newton",
        bias: "none",
        features: 1,
        classes,
        scaling: undefined,
        parameters: Float64Array.from(parameters),
        calibration: undefined,
        multiclass: classes.length > 2 ? "softmax" : undefined,
        shifts: undefined,
      },
    );
  const rows = [[0], [-0], [1], [-1], [5e-324]];
  const two = await runOnnx(toOnnx(model(["a", "b"], [1]), { precision: "double" }), "float64", rows);
  expect(two["label"].data).toEqual(["a", "a", "b", "a", "b"]);
  expect(two["label"].data).toEqual(model(["a", "b"], [1]).predict(rows));
  const three = model(["a", "b", "c"], [-1, 1, 1]);
  const ofThree = await runOnnx(toOnnx(three, { precision: "double" }), "float64", rows);
  expect(ofThree["label"].data).toEqual(["a", "a", "b", "a", "b"]);
  expect(ofThree["label"].data).toEqual(three.predict(rows));
});

test("probabilities far out neither overflow nor lose their order: two classes, softmax, one against the rest", async () => {
  const base = {
    lossWidth: 1,
    lambda: 1,
    solver: "lbfgs",
    bias: "none",
    features: 1,
    scaling: undefined,
  } as const;
  const rows = [[-600], [-90], [-30], [0], [30], [90], [600]];
  for (const [classes, multiclass] of [
    [["a", "b"], undefined],
    [["a", "b", "c"], "softmax"],
    [["a", "b", "c"], "one-versus-rest"],
  ] as const)
    for (const precision of ["float", "double"] as const) {
      const parameters = Float64Array.from(classes.length === 2 ? [1] : [-1, -1.1, -1.2]);
      const shared = { ...base, loss: "logistic", calibration: undefined, shifts: undefined } as const;
      const model = new LinearClassifier<string>({}, { ...shared, classes, multiclass, parameters });
      const { probabilities } = await runOnnx(toOnnx(model, { precision }), kinds[precision], rows);
      const ours = model.predictProbabilities(rows);
      for (const [e, p] of probabilities.data.entries())
        expect(Math.abs(Number(p) - ours.data[e])).toBeLessThanOrEqual(700 * 4 * units[precision]);
    }
});

test("a row of zeros stays one where rows are brought to length 1", async () => {
  const X = rowsOf(60, 0, 1);
  const model = new LinearClassifier<number>({ scale: "unit-rows" });
  await model.fit(
    X,
    X.map((row) => classOf(row, 2, 0, 1)),
  );
  await compare(model, [[0, 0, 0], ...X], "float");
});

describe("the precision that is chosen", () => {
  const typeOf = async (offset: number, scale: number, unit = 1, target = 0): Promise<string> => {
    const X = rowsOf(80, offset, scale).map(([a, b, c]) => [a * unit, b, c]);
    const model = new LinearRegressor();
    await model.fit(
      X,
      X.map(([a, b]) => a / unit + (b - offset) / scale + target),
    );
    for (const type of ["float32", "float64"] as const)
      try {
        const { prediction } = await runOnnx(toOnnx(model), type, X);
        return prediction.type;
      } catch {}
    return "none";
  };

  test("is single, and double for what a float32 does not hold", async () => {
    expect(await typeOf(0, 1)).toBe("float32");
    expect(await typeOf(2024, 1)).toBe("float32");
    expect(await typeOf(10_000, 1)).toBe("float64");
    expect(await typeOf(1.7e9, 86_400)).toBe("float64");
    expect(await typeOf(0, 1, 1e-42)).toBe("float64");
    expect(await typeOf(0, 1, 1e42)).toBe("float64");
    expect(await typeOf(0, 1, 1, 2024)).toBe("float32");
    expect(await typeOf(0, 1, 1, 1e9)).toBe("float64");
    expect(await typeOf(0, 1, 1, 1e39)).toBe("float64");
  });

  test("seconds since 1970: labels are ours, and in single precision rows of 128 s are one", async () => {
    const start = 1.7e9;
    const X = Array.from({ length: 400 }, (_, i) => [start + 3 * i, (i * 7) % 11]);
    const model = new LinearClassifier<number>();
    await model.fit(
      X,
      X.map(([t]) => (t - start > 500 ? 1 : 0)),
    );
    const ours = model.predict(X);
    const double = await runOnnx(toOnnx(model), "float64", X);
    expect(double["label"].data).toEqual(ours);
    const single = await runOnnx(toOnnx(model, { precision: "float" }), "float32", X);
    expect(single["label"].data.filter((label, i) => label !== ours[i]).length).toBeGreaterThan(0);
  });

  test("where float32 was asked for and cannot be, an error says what to do", async () => {
    const X = rowsOf(60, 0, 1).map(([a, b, c]) => [a * 1e-60, b, c]);
    const model = new LinearRegressor();
    await model.fit(
      X,
      X.map(([a]) => a * 1e60),
    );
    expect(() => toOnnx(model, { precision: "float" })).toThrow(/weights.*float32.*precision: "double"/);
  });
});

test("metadata name the columns; a model that was saved gives the same bytes", async () => {
  const X = rowsOf(60, 0, 1);
  const model = new LinearClassifier<string>();
  await model.fit(
    X,
    X.map((row) => "ab"[classOf(row, 2, 0, 1)]),
  );
  const bytes = toOnnx(model);
  expect(metadataOf(bytes)).toEqual({
    columns: '["feature 0","feature 1","feature 2"]',
    classes: '["a","b"]',
    loss: "logistic",
  });
  expect(toOnnx(loadModel(saveModel(model)))).toEqual(bytes);
});

test("what is no fitted model is refused", () => {
  expect(() => toOnnx(new LinearClassifier())).toThrow("not fitted");
  for (const none of [undefined, null, 3, {}, { task: "regression", fitted: {} }])
    expect(() => Reflect.apply(toOnnx, undefined, [none])).toThrow(
      expect.objectContaining({ name: "CurvatureError", code: "ERR_ARGUMENT" }),
    );
  expect(() => Reflect.apply(toOnnx, undefined, [new LinearRegressor(), { precision: "half" }])).toThrow(
    /precision/,
  );
});
