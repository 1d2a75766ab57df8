import { CurvatureError, RandomGenerator, toSparse } from "@curvature/linalg";
import { numericPreparation } from "@curvature/linalg/tables";
import { hash128 } from "@curvature/optim-core";
import {
  type FittedModel,
  LinearClassifier,
  LinearRegressor,
  loadModel,
  saveModel,
  warmStartFrom,
} from "@curvature/optim-sgdqn";
import fc from "fast-check";
import { expect, test } from "vitest";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function model(changes: Partial<FittedModel> = {}, classes: FittedModel["classes"] = ["ham", "spam"]) {
  const fitted: FittedModel = {
    loss: "squared-hinge",
    lossWidth: 1,
    lambda: 1 / 3,
    solver: "newton",
    bias: "regularized",
    features: 3,
    classes,
    scaling: undefined,
    parameters: Float64Array.of(0.1, -2e-308, -0, 5e200),
    calibration: undefined,
    multiclass: classes.length > 2 ? "one-versus-rest" : undefined,
    shifts: undefined,
    ...changes,
  };
  return new LinearClassifier({ classWeights: { spam: 2 }, lambda: 1 / 3 }, fitted);
}

const rows = [
  [1, 2, 3],
  [0, 0, 0],
  [-1e-3, 1e5, 7],
];

test("a model comes back bit for bit, options too", () => {
  const scaled = {
    method: "rms",
    offsets: new Float64Array(3),
    scales: Float64Array.of(0.1, 1 / 3, 1e-9),
  } as const;
  const calibration = [{ slope: -1 / 3, offset: 0.1 }];
  for (const given of [
    model(),
    model({ scaling: scaled, calibration }),
    model({ indexBase: 0 }),
    model({ indexBase: 1 }),
    model({ preparation: numericPreparation(3) }),
    model({
      scaling: { method: "unit-rows", offsets: new Float64Array(3), scales: Float64Array.of(1, 1, 1) },
    }),
    model({ loss: "logistic", shifts: Float64Array.of(1 / 3) }),
    model(
      {
        loss: "logistic",
        multiclass: "softmax",
        shifts: Float64Array.of(0.1, -2, 1 / 3),
        parameters: Float64Array.from({ length: 12 }, (_, k) => Math.cos(k)),
      },
      ["a", "b", "c"],
    ),
    model({ bias: "none", parameters: Float64Array.of(1, 2, 3) }, [-1.5, 2e300]),
    model({ parameters: Float64Array.from({ length: 12 }, (_, k) => Math.sin(k)) }, [
      "",
      "__proto__",
      "constructor",
    ]),
    model({
      features: 20_000,
      bias: "none",
      parameters: Float64Array.from({ length: 20_000 }, (_, k) => Math.sin(k)),
    }),
  ]) {
    const loaded = loadModel(saveModel(given));
    expect(loaded).toBeInstanceOf(LinearClassifier);
    expect(loaded.fitted).toEqual(given.fitted);
    expect(loaded.settings).toEqual(given.settings);
    expect(saveModel(loaded)).toEqual(saveModel(given));
    if (given.features === 3) expect(loaded.predict(rows)).toEqual(given.predict(rows));
  }
});

test.each([{}, "model", { features: 3, classes: [], bias: "none", parameters: Float64Array.of(1) }, null])(
  "what is no fitted model is refused: %j",
  (fitted) => {
    for (const Model of [LinearClassifier, LinearRegressor]) {
      // @ts-expect-error: no fitted model
      const make = () => new Model({}, fitted);
      expect(make).toThrowError(CurvatureError);
    }
  },
);

test("what is no solver gives no warm start", () => {
  for (const solver of [null, undefined, {}, { best: null }]) {
    // @ts-expect-error: no solver
    const start = () => warmStartFrom(solver);
    expect(start).toThrowError(CurvatureError);
  }
});

test("a regressor comes back as one", () => {
  const fitted: FittedModel = {
    loss: "huber",
    lossWidth: 2.5,
    lambda: 1e-9,
    solver: "lbfgs",
    bias: "free",
    features: 2,
    classes: [],
    scaling: { method: "standard", offsets: Float64Array.of(1, 2), scales: Float64Array.of(3, 4) },
    parameters: Float64Array.of(1, 2, 3),
    calibration: undefined,
    multiclass: undefined,
    shifts: undefined,
  };
  const given = new LinearRegressor({ loss: "huber", lossWidth: 2.5, scale: "standard" }, fitted);
  const loaded = loadModel(saveModel(given));
  expect(loaded.task).toBe("regression");
  expect(loaded.fitted).toEqual(fitted);
  // 1·(5 − 1)/3 + 2·(6 − 2)/4 + 3
  expect(loaded.predict([[5, 6]])[0]).toBeCloseTo(4 / 3 + 2 + 3, 14);
});

test("the file is JSON that any reader takes, with all that belongs to a model", () => {
  const bytes = saveModel(model());
  const read = JSON.parse(text(bytes));
  expect(read).toMatchObject({
    format: "curvature-linear-model",
    version: 3,
    task: "classification",
    loss: "squared-hinge",
    lambda: 1 / 3,
    bias: "regularized",
    classes: ["ham", "spam"],
    features: 3,
    scaling: "none",
    calibration: null,
    multiclass: null,
    shifts: null,
    solver: "newton",
    numbers: 4,
    options: { classWeights: { spam: 2 }, lambda: 1 / 3 },
  });
  const numbers = new Float64Array(new Uint8Array(Buffer.from(read.data.join(""), "base64")).buffer);
  expect(numbers).toEqual(model().fitted?.parameters);
  expect(read.checksum).toMatch(/^[0-9a-f]{32}$/);
  expect(loadModel(text(bytes)).fitted).toEqual(model().fitted);
});

test("any bytes in: a model or a CurvatureError", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(() => loadModel(bytes)).toThrowError(CurvatureError);
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (given) => {
      expect(() => loadModel(given)).toThrowError(CurvatureError);
    }),
  );
});

test("any change of any byte is found", () => {
  const bytes = saveModel(model({ calibration: [{ slope: -1, offset: 0 }] }));
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = bytes.slice();
      changed[at] ^= by;
      expect(() => loadModel(changed)).toThrowError(CurvatureError);
    }),
    { numRuns: 500 },
  );
});

test("a file that is cut anywhere, or has more, is refused", () => {
  const bytes = saveModel(model());
  for (let end = 0; end < bytes.length; end++)
    expect(() => loadModel(bytes.subarray(0, end))).toThrowError(CurvatureError);
  expect(() => loadModel(Uint8Array.from([...bytes, 10]))).toThrowError(CurvatureError);
});

/** The file with fields changed and a checksum that agrees: what only a forger writes. */
function forged(changes: object, original = model()): Uint8Array {
  const [header, ...rest] = text(saveModel(original)).split("\n");
  const fields = { ...JSON.parse(`${header}]}`), ...changes };
  delete fields.data;
  const lines = [`${JSON.stringify(fields).slice(0, -1)},"data":[`, ...rest.slice(0, -2), ""].join("\n");
  // The checksum is public, so that a forger can compute it: here by way of the error-free part of the writer.
  const body = new TextEncoder().encode(lines);
  const digits = Array.from(hash128(body), (word) => word.toString(16).padStart(8, "0")).join("");
  return new TextEncoder().encode(`${lines}],"checksum":"${digits}"}\n`);
}

test("an agreeing checksum does not make a doctored file a model", () => {
  expect(loadModel(forged({})).fitted).toEqual(model().fitted);
  const changes: readonly object[] = [
    { task: "clustering" },
    { task: "regression" },
    { loss: "huge" },
    { loss: "squared-error" },
    { preparation: numericPreparation(4) },
    { lossWidth: 0 },
    { lossWidth: "1" },
    { lambda: -1 },
    { lambda: null },
    { bias: "both" },
    { features: 4 },
    { features: 0 },
    { features: 1e300 },
    { features: 2 ** 40 },
    { features: -3 },
    { features: "3" },
    { classes: ["one"] },
    { classes: ["b", "a"] },
    { classes: ["a", "a"] },
    { classes: ["a", 1] },
    { classes: ["a", "b", "c"] },
    { classes: { length: 2 ** 31 } },
    { classes: null },
    { scaling: "rms" },
    { scaling: "log" },
    { calibration: [] },
    { calibration: [[1, 0]] },
    { calibration: [[-1]] },
    { calibration: "x" },
    { multiclass: "softmax" },
    { multiclass: "both" },
    { shifts: [] },
    { shifts: [1, 2] },
    { shifts: ["1"] },
    { shifts: 0 },
    { solver: 7 },
    { indexBase: 2 },
    { options: null },
    { options: { lossy: true } },
    { options: { classWeights: { a: -1 } } },
    { options: { lambda: 0 } },
    { numbers: 5 },
    { numbers: -1 },
    { numbers: 2 ** 52 },
    { numbers: 1e308 },
    { format: "svm" },
  ];
  for (const change of changes) {
    let caught: unknown;
    try {
      loadModel(forged(change));
    } catch (error) {
      caught = error;
    }
    expect(caught, JSON.stringify(change)).toBeInstanceOf(CurvatureError);
    expect(caught, JSON.stringify(change)).toMatchObject({ code: "ERR_PARSE" });
  }
});

test("keys that reach for prototypes are data", () => {
  const evil = forged(JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'));
  const loaded = loadModel(evil);
  expect(loaded.fitted).toEqual(model().fitted);
  expect("polluted" in loaded || "polluted" in {}).toBe(false);
  const weights = JSON.parse('{"__proto__":3,"b":2}');
  const odd = loadModel(forged({ options: { classWeights: weights } }));
  expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  expect(odd.task).toBe("classification");
});

test("a file of another version says so", () => {
  for (const version of [1, 2])
    expect(() => loadModel(forged({ version }))).toThrowError(
      `The model file is of version ${version}; this library reads version 3. Use the release that wrote it.`,
    );
  expect(() => loadModel('{"format":"curvature-linear-model","version":9,"data":[\n')).toThrowError(
    "of version 9",
  );
});

test("numbers that no model can have are refused", () => {
  const infinite = new LinearClassifier();
  expect(() => saveModel(infinite)).toThrowError("not fitted");
  const broken = text(saveModel(model())).replace(/"[A-Za-z0-9+/=]{40,}"/, `"${"////".repeat(10)}////"`);
  expect(() => loadModel(broken)).toThrowError(CurvatureError);
  const wrong: unknown[] = [null, undefined, 5, {}, [], new Float64Array(3)];
  for (const given of wrong) {
    expect(() => loadModel(given as string)).toThrowError(CurvatureError);
    expect(() => saveModel(given as LinearClassifier)).toThrowError(CurvatureError);
  }
});

test("a model that is none for its task is refused, by the constructors and in a file", () => {
  const { fitted } = model();
  if (fitted === undefined) throw new Error("not fitted");
  const wrong: Partial<FittedModel>[] = [
    { classes: [] },
    { classes: [1] },
    { loss: "squared-error" },
    { loss: JSON.parse('"no loss"') },
    { preparation: numericPreparation(fitted.features + 1) },
    { shifts: Float64Array.of(1, 2) },
  ];
  for (const part of wrong)
    expect(() => new LinearClassifier({}, { ...fitted, ...part })).toThrow(
      expect.objectContaining({ code: "ERR_ARGUMENT" }),
    );
  expect(() => new LinearRegressor({}, fitted)).toThrow(expect.objectContaining({ code: "ERR_ARGUMENT" }));
});

test("base64 of every length comes back", () => {
  const random = new RandomGenerator(1);
  for (let features = 1; features < 40; features++) {
    const parameters = Float64Array.from({ length: features }, () => random.uniform() - 0.5);
    const given = model({ features, bias: "none", parameters });
    expect(loadModel(saveModel(given)).fitted?.parameters).toEqual(parameters);
  }
});

test("features that the training never saw are ignored and counted, missing ones are 0", () => {
  const given = model({ bias: "none", parameters: Float64Array.of(1, -1, 2) });
  expect([...given.decisionFunction([[1, 1, 1, 50, 0]]).data]).toEqual([2]);
  expect([...given.decisionFunction([[1, 2]]).data]).toEqual([-1]);
  expect(given.unseenFeatures([[1, 1, 1, 50, 0]])).toBe(1);
  const sparse = toSparse([
    [1, 0, 1, 0, 9],
    [0, 0, 0, 3, 9],
  ]);
  expect([...given.decisionFunction(sparse).data]).toEqual([3, 0]);
  expect(given.unseenFeatures(sparse)).toBe(2);
  expect(given.unseenFeatures([[1]])).toBe(0);
  expect(given.predict([])).toEqual([]);
});
