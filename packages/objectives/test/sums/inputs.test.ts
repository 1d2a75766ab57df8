/** Bad input ends in a CurvatureError that says where. */
import { CurvatureError } from "@curvature/linalg";
import {
  autoencoder,
  convolutionalNetwork,
  deepAutoencoder,
  multilayerPerceptron,
} from "@curvature/objectives/networks";
import {
  defaultMinibatchCount,
  independentComponents,
  isingModel,
  logisticRegression,
  softmaxRegression,
} from "@curvature/objectives/sums";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

const rows = [
  [0, 1],
  [1, 0],
  [1, 1],
];
const classes = [0, 1, 2];
const signs = [1, -1, 1];
const shape = { channels: 1, height: 1, width: 2 };
const small = { maps: [1], filterSide: 1, poolSide: 1, dense: 1 };

/** Each by its rows alone. */
const factories: Readonly<Record<string, (data: number[][], options?: object) => unknown>> = {
  logisticRegression: (data, options) => logisticRegression(data, signs, options),
  softmaxRegression: (data, options) => softmaxRegression(data, classes, options),
  independentComponents,
  isingModel,
  multilayerPerceptron: (data, options) => multilayerPerceptron(data, classes, options),
  autoencoder,
  deepAutoencoder: (data, options) => deepAutoencoder(data, { hidden: [1], ...options }),
  convolutionalNetwork: (data, options) =>
    convolutionalNetwork(data, shape, classes, { ...small, ...options }),
};

function expectError(call: () => unknown, code: string, message: RegExp): void {
  let caught: unknown;
  try {
    call();
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(CurvatureError);
  expect(caught).toMatchObject({ code, message: expect.stringMatching(message) });
}

describe.each(Object.entries(factories))("%s", (name, make) => {
  const refuses = (data: unknown, code: string, message: RegExp): void =>
    expectError(() => Reflect.apply(make, undefined, [data]), code, message);

  test("accepts what it should", () => {
    expect(make(rows, { count: 2 })).toMatchObject({ count: 2 });
  });

  test("refuses data that are none", () => {
    refuses([], "ERR_SHAPE", /at least one row/);
    refuses([[], [], []], "ERR_SHAPE", /at least one row and one column/);
    refuses([[0, 1], [1], [1, 1]], "ERR_SHAPE", /ragged: row 1/);
    refuses(
      [
        [0, 1],
        [1, Number.NaN],
        [0, 0],
      ],
      "ERR_NON_FINITE",
      /NaN at row 1, column 1/,
    );
    refuses(
      [
        [0, 1],
        [Infinity, 0],
        [0, 0],
      ],
      "ERR_NON_FINITE",
      /Infinity at row 1, column 0/,
    );
    refuses(
      [
        [0, "1"],
        [1, 0],
        [0, 0],
      ],
      "ERR_NON_FINITE",
      /row 0, column 1/,
    );
    refuses({ rows: 3, columns: 2, data: [1] }, "ERR_SHAPE", /needs a data array of 6/);
    for (const nothing of [undefined, null, 3, "rows", () => 1])
      refuses(nothing, "ERR_SHAPE", /must be an array/);
  });

  test("refuses options that make no sense", () => {
    expectError(() => make(rows, { count: 0 }), "ERR_OPTION", /count must be/);
    expectError(() => make(rows, { count: 4 }), "ERR_OPTION", /at most 3, the rows of the data; received 4/);
    expectError(() => make(rows, { lambda: -1 }), "ERR_OPTION", /lambda must be/);
    expectError(() => make(rows, { lambda: Number.NaN }), "ERR_OPTION", /lambda must be/);
    expectError(() => make(rows, { lamda: 1 }), "ERR_OPTION", new RegExp(`${name}.*Did you mean "lambda"`));
  });

  test("evaluations refuse indices out of range and vectors of the wrong length", () => {
    const sum = make(rows, { count: 2 });
    const evaluate = (...values: unknown[]): unknown => call(sum, "evaluate", values);
    const x: unknown = read(sum, "initial");
    for (const index of [-1, 2, 0.5, Number.NaN, "0x", undefined])
      expectError(() => evaluate(index, x), "ERR_ARGUMENT", /index must be a whole number from 0 to 1/);
    for (const point of [new Float64Array(1e3), [0], undefined, null, new Float32Array(3)])
      expectError(() => evaluate(0, point), "ERR_SHAPE", /x must be a Float64Array of length/);
    expectError(() => evaluate(0, x, new Float64Array()), "ERR_SHAPE", /gradient must be/);
    expectError(() => call(sum, "evaluateBatch", [[0], x]), "ERR_ARGUMENT", /Int32Array/);
    expectError(() => call(sum, "evaluateBatch", [Int32Array.of(0, 2), x]), "ERR_ARGUMENT", /from 0 to 1/);
    expectError(() => call(sum, "initialPoint", [-1]), "ERR_OPTION", /seed must be/);
    const whole = read(sum, "whole");
    if (read(whole, "gaussNewtonVector") === undefined) return;
    expectError(() => call(whole, "gaussNewtonVector", [x, x, []]), "ERR_SHAPE", /out must be/);
    expectError(() => call(whole, "gaussNewtonVector", [x, 1, x]), "ERR_SHAPE", /v must be/);
  });

  test("any data at all: an objective or a CurvatureError", { tags: ["full"] }, () => {
    fc.assert(
      fc.property(fc.anything(), (data) => {
        try {
          Reflect.apply(make, undefined, [data]);
        } catch (error) {
          expect(error).toBeInstanceOf(CurvatureError);
        }
      }),
      { numRuns: 200 },
    );
  });
});

const read = (object: unknown, name: string): unknown =>
  typeof object === "object" && object !== null ? Reflect.get(object, name) : undefined;

function call(object: unknown, name: string, values: unknown[]): unknown {
  const method = read(object, name);
  return typeof method === "function" ? Reflect.apply(method, object, values) : undefined;
}

test.each([
  ["logisticRegression", (labels: unknown) => Reflect.apply(logisticRegression, undefined, [rows, labels])],
  ["softmaxRegression", (labels: unknown) => Reflect.apply(softmaxRegression, undefined, [rows, labels])],
  [
    "multilayerPerceptron",
    (labels: unknown) => Reflect.apply(multilayerPerceptron, undefined, [rows, labels]),
  ],
  [
    "convolutionalNetwork",
    (labels: unknown) => Reflect.apply(convolutionalNetwork, undefined, [rows, shape, labels, small]),
  ],
] as const)("%s refuses labels that are none", (_, make) => {
  expectError(() => make([1, -1]), "ERR_SHAPE", /labels must be an array of 3 numbers.*of length 2/);
  for (const label of [-2, 0.5, Number.NaN, "1", null, undefined, 2 ** 40])
    expectError(() => make([1, 1, label]), "ERR_ARGUMENT", /label of row 2/);
  expectError(() => make(new Float64Array(2)), "ERR_SHAPE", /3 numbers/);
  expectError(() => make(new DataView(new ArrayBuffer(3))), "ERR_SHAPE", /3 numbers/);
  expectError(() => make(BigInt64Array.of(1n, 1n, 1n)), "ERR_ARGUMENT", /label of row 0/);
  for (const nothing of [undefined, null, 3, "111"]) expect(() => make(nothing)).toThrowError(CurvatureError);
});

test("labels beyond the number of classes are named", () => {
  const message = /label of row 2 \(counted from 0\) must be a whole number from 0 to 1; received 2/;
  expectError(() => softmaxRegression(rows, classes, { classes: 2 }), "ERR_ARGUMENT", message);
  expectError(() => multilayerPerceptron(rows, classes, { classes: 2 }), "ERR_ARGUMENT", message);
  expectError(() => softmaxRegression(rows, classes, { classes: 1 }), "ERR_OPTION", /classes must be/);
});

test("widths", () => {
  for (const hidden of [[3, 0], [3, -1], [3, 1.5], [3, Number.NaN], Array(2)]) {
    expectError(
      () => multilayerPerceptron(rows, classes, { hidden }),
      "ERR_OPTION",
      /hidden must be an array of whole numbers of at least 1; received/,
    );
    expectError(
      () => deepAutoencoder(rows, { hidden }),
      "ERR_OPTION",
      /hidden must be an array of whole numbers of at least 1, and not empty; received/,
    );
  }
  const noArray: object = { hidden: 3 };
  expectError(() => multilayerPerceptron(rows, classes, noArray), "ERR_OPTION", /hidden must be an array/);
  expectError(
    () => deepAutoencoder(rows, { hidden: [] }),
    "ERR_OPTION",
    /hidden must be an array of whole numbers of at least 1, and not empty/,
  );
  const huge = 2 ** 50;
  expectError(() => multilayerPerceptron(rows, classes, { hidden: [huge] }), "ERR_MEMORY", /no memory/);
  expectError(() => autoencoder(rows, { hidden: huge }), "ERR_MEMORY", /no memory/);
  expectError(() => deepAutoencoder(rows, { hidden: [huge] }), "ERR_MEMORY", /no memory/);
  expectError(
    () => convolutionalNetwork(rows, shape, classes, { ...small, maps: [huge] }),
    "ERR_MEMORY",
    /no memory/,
  );
});

test("images that filters or tiles do not fit", () => {
  const images = [Array.from({ length: 36 }, (_, k) => k)];
  const square = { channels: 1, height: 6, width: 6 };
  const make = (given: object, image: object = square) =>
    Reflect.apply(convolutionalNetwork, undefined, [images, image, [0], { ...small, ...given }]);
  expectError(
    () => make({ filterSide: 7 }),
    "ERR_SHAPE",
    /do not fit into the 6 x 6 images of convolution 1/,
  );
  expectError(
    () => make({ filterSide: 2, poolSide: 2 }),
    "ERR_SHAPE",
    /tiles of 2 x 2 do not cover the 5 x 5 images that convolution 1 makes/,
  );
  expectError(() => make({ filterSide: 3, poolSide: 2, maps: [1, 1] }), "ERR_SHAPE", /convolution 2/);
  expectError(
    () => make({}, { ...square, width: 5 }),
    "ERR_SHAPE",
    /1 x 6 x 5 have 30 numbers, but a row has 36/,
  );
  expectError(() => make({}, { ...square, height: 0 }), "ERR_OPTION", /shape.height must be/);
  expectError(() => make({}, [6, 6]), "ERR_OPTION", /shape.channels must be/);
  expectError(
    () => Reflect.apply(convolutionalNetwork, undefined, [images, null, [0]]),
    "ERR_OPTION",
    /shape/,
  );
});

test("targets, states and shares", () => {
  expectError(() => multilayerPerceptron(rows, [[1], [2]]), "ERR_SHAPE", /targets must have 3 rows/);
  expectError(
    () => multilayerPerceptron(rows, [[1], [2], [Number.NaN]]),
    "ERR_NON_FINITE",
    /row 2, column 0/,
  );
  expectError(
    () =>
      isingModel([
        [0, 1],
        [1, 0.5],
      ]),
    "ERR_ARGUMENT",
    /0 or 1; received 0.5 at row 1, column 1/,
  );
  expectError(
    () => deepAutoencoder([[0, 1.5]]),
    "ERR_ARGUMENT",
    /from 0 to 1; received 1.5 at row 0, column 1/,
  );
});

test("other options", () => {
  const wrong = (options: object) => options;
  expectError(() => autoencoder(rows, wrong({ decoder: "relu" })), "ERR_OPTION", /"sigmoid", "linear"/);
  expectError(() => autoencoder(rows, { contraction: -1 }), "ERR_OPTION", /contraction/);
  expectError(
    () => multilayerPerceptron(rows, classes, wrong({ activation: "relu" })),
    "ERR_OPTION",
    /rectified-linear/,
  );
  expectError(() => independentComponents(rows, { shape: 0 }), "ERR_OPTION", /shape/);
  expectError(() => deepAutoencoder(rows, wrong({ code: "tanh" })), "ERR_OPTION", /code/);
});

test("the default number of minibatches", () => {
  expect([1, 24, 25, 1e3, 1e6, 1e9].map(defaultMinibatchCount)).toEqual([1, 24, 25, 25, 100, 100]);
});
