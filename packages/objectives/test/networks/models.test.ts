/** What fitted parameters compute of rows: the model of the loss that was trained, with its data or without. */
import { CurvatureError, type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import {
  autoencoder,
  convolutionalNetwork,
  deepAutoencoder,
  type MinibatchSum,
  type Model,
  modelOfShape,
  multilayerPerceptron,
  type OutputKind,
} from "@curvature/objectives/networks";
import {
  independentComponents,
  isingModel,
  logisticRegression,
  softmaxRegression,
} from "@curvature/objectives/sums";
import { describe, expect, test } from "vitest";
import { models, randomRows } from "../sums/models.js";

const drawn = (length: number, seed: number): Float64Array => {
  const random = new RandomGenerator(seed);
  return Float64Array.from({ length }, () => random.uniform() - 0.5);
};

const pointOf = ({ dimension, initial }: MinibatchSum): Float64Array =>
  initial.map((entry, j) => entry + drawn(dimension, 7)[j]);

function modelIn({ model }: MinibatchSum): Model {
  if (model === undefined) throw new Error("no model");
  return model;
}

const rowsOf = ({ rows, columns, data }: DenseMatrix): number[][] =>
  Array.from({ length: rows }, (_, i) => [...data.subarray(i * columns, (i + 1) * columns)]);

describe.each(models.filter(({ factory }) => factory !== "isingModel"))("$label", ({ data, make }) => {
  const sum = make(data, 3);
  const model = modelIn(sum);
  const x = pointOf(sum);

  test("JSON has the shape, and the model without data computes the same bits", () => {
    const again = modelOfShape(JSON.parse(JSON.stringify(model.shape)));
    for (const as of ["predictions", "scores"] as const)
      expect(again.outputs(x, data.rows, as)).toEqual(model.outputs(x, data.rows, as));
  });

  test("a row's outputs do not depend on the rows beside it, nor on how many there are", () => {
    const { rows, columns } = data.rows;
    const many = 700;
    const repeated = Float64Array.from(
      { length: many * columns },
      (_, e) => data.rows.data[(Math.floor(e / columns) % rows) * columns + (e % columns)],
    );
    const once = rowsOf(model.outputs(x, data.rows));
    const all = rowsOf(model.outputs(x, { rows: many, columns, data: repeated }));
    for (const [i, row] of all.entries()) expect(row).toEqual(once[i % rows]);
    expect(rowsOf(model.outputs(x, [[...data.rows.data.subarray(0, columns)]]))).toEqual([once[0]]);
  });
});

/** The loss of all rows, λ = 0, from outputs alone. */
describe("outputs give the training's loss", () => {
  const rows = randomRows(9, 4);
  const labels = [0, 2, 1, 1, 0, 2, 2, 1, 0];
  const shares = randomRows(9, 6, 0, 1);
  const squared = (predicted: DenseMatrix, truth: DenseMatrix): number =>
    predicted.data.reduce((total, entry, e) => total + (entry - truth.data[e]) ** 2, 0);
  const crossEntropy = ({ columns, data }: DenseMatrix): number =>
    labels.reduce((total, label, i) => total - Math.log(data[i * columns + label]), 0);
  const signs = labels.map((label) => (label === 1 ? 1 : -1));
  const count = 1;
  const lambda = 0;
  test.each<readonly [string, MinibatchSum, DenseMatrix, (outputs: DenseMatrix) => number]>([
    [
      "logistic",
      logisticRegression(rows, signs, { count, lambda }),
      rows,
      ({ data }) => signs.reduce((total, y, i) => total - Math.log(data[2 * i + (y + 1) / 2]), 0),
    ],
    ["softmax", softmaxRegression(rows, labels, { count, lambda }), rows, crossEntropy],
    ["mlp", multilayerPerceptron(rows, labels, { hidden: [5, 3], count, lambda }), rows, crossEntropy],
    [
      "mlp of numbers",
      multilayerPerceptron(rows, shares, { hidden: [5], count, lambda }),
      rows,
      (outputs) => squared(outputs, shares),
    ],
    [
      "convnet",
      convolutionalNetwork(shares, { channels: 1, height: 2, width: 3 }, labels, {
        ...{ maps: [2], filterSide: 2, poolSide: 1, dense: 3 },
        ...{ count, lambda },
      }),
      shares,
      crossEntropy,
    ],
    [
      "autoencoder",
      autoencoder(shares, { hidden: 3, contraction: 0, count, lambda }),
      shares,
      (outputs) => squared(outputs, shares),
    ],
    [
      "deep autoencoder",
      deepAutoencoder(shares, { hidden: [4, 2], count, lambda }),
      shares,
      ({ data }) =>
        shares.data.reduce(
          (total, t, e) => total - t * Math.log(data[e]) - (1 - t) * Math.log(1 - data[e]),
          0,
        ),
    ],
  ])("%s", (_, sum, input, loss) => {
    const x = pointOf(sum);
    const perRow = 1 / 9;
    expect(perRow * loss(modelIn(sum).outputs(x, input))).toBeCloseTo(sum.evaluate(0, x), 12);
  });
});

test("exact small cases", () => {
  const logistic = modelIn(
    logisticRegression(
      [
        [1, 2],
        [3, 4],
      ],
      [1, -1],
    ),
  ); // prettier-ignore
  expect(logistic.outputs(Float64Array.of(1, -1, 1), [[2, 3]], "scores").data).toEqual(Float64Array.of(0));
  expect(logistic.outputs(Float64Array.of(1, -1, 1), [[2, 3]]).data).toEqual(Float64Array.of(0.5, 0.5));

  const softmax = modelIn(softmaxRegression([[1], [2], [3]], [0, 1, 2]));
  const shares = softmax.outputs(Float64Array.of(0, 0, 0, Math.log(2), 0, Math.log(5)), [[9]]);
  for (const [k, share] of [1 / 8, 2 / 8, 5 / 8].entries()) expect(shares.data[k]).toBeCloseTo(share, 15);

  // 2 max(0, 3 − 1) + max(0, −3 + 1) + 0.5
  const shape = { hidden: [2], activation: "rectified-linear" } as const;
  const mlp = modelIn(multilayerPerceptron([[1], [2]], [[1], [2]], shape));
  expect(mlp.outputs(Float64Array.of(1, -1, -1, 1, 2, 1, 0.5), [[3]]).data).toEqual(Float64Array.of(4.5));

  const ica = modelIn(
    independentComponents([
      [1, 2],
      [3, 5],
    ]),
  ); // prettier-ignore
  expect(ica.outputs(Float64Array.of(1, 2, -1, 3, 9, 9), [[10, 1]]).data).toEqual(Float64Array.of(12, -7));

  const code = modelIn(autoencoder([[0, 1]], { hidden: 1 }));
  const x = Float64Array.of(1, -1, 0, 0, 0);
  expect(code.outputs(x, [[4, 4]], "codes").data).toEqual(Float64Array.of(0.5));
  const deep = modelIn(deepAutoencoder([[0, 1]], { hidden: [2, 1] }));
  expect(deep.shape.codeLayers).toBe(2);
  expect(
    deep.outputs(
      new Float64Array(19),
      [
        [0, 1],
        [1, 0],
      ],
      "codes",
    ),
  ).toMatchObject({ rows: 2, columns: 1 }); // prettier-ignore
});

test("the Ising model computes nothing of rows", () => {
  expect(
    isingModel([
      [0, 1],
      [1, 0],
    ]).model,
  ).toBeUndefined(); // prettier-ignore
});

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof CurvatureError) return `${error.code} ${error.path ?? ""}`;
    throw error;
  }
  return "none";
};

test("what no model can compute is refused", () => {
  const sum = multilayerPerceptron(randomRows(6, 3), [0, 1, 0, 1, 0, 1], { hidden: [2] });
  const model = modelIn(sum);
  const { initial } = sum;
  expect(codeOf(() => model.outputs(initial.subarray(1), [[1, 2, 3]]))).toBe("ERR_SHAPE x");
  expect(codeOf(() => model.outputs(initial, [[1, 2]]))).toBe("ERR_SHAPE rows");
  expect(codeOf(() => model.outputs(initial, []))).toMatch(/^ERR_SHAPE/);
  expect(codeOf(() => model.outputs(initial, [[1, 2, Number.NaN]]))).toMatch(/^ERR_NON_FINITE/);
  expect(
    codeOf(() =>
      model.outputs(
        initial.map(() => 1e200),
        [[1e200, 2, 3]],
        "scores",
      ),
    ),
  ).toBe("none"); // tanh
  expect(codeOf(() => model.outputs(initial.fill(Number.NaN), [[1, 2, 3]]))).toMatch(/^ERR_NON_FINITE/);
  expect(codeOf(() => model.outputs(initial, [[1, 2, 3]], "codes"))).toBe("ERR_ARGUMENT as");
  const kind: OutputKind = JSON.parse('"others"');
  expect(codeOf(() => model.outputs(initial, [[1, 2, 3]], kind))).toBe("ERR_ARGUMENT as");
});

test("any damage to a shape is refused, or gives the model of another shape", () => {
  const damages = [undefined, null, -1, 0, 1.5, 3, 1e300, "", "dense", [], {}, true];
  for (const { data, make, factory } of models) {
    if (factory === "isingModel") continue;
    const { shape } = modelIn(make(data, 2));
    const text = JSON.stringify(shape);
    const paths: (string | number)[][] = [[]];
    const visit = (value: unknown, path: readonly (string | number)[]): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [name, each] of Object.entries(value)) {
        paths.push([...path, name]);
        visit(each, [...path, name]);
      }
    };
    visit(shape, []);
    for (const path of paths)
      for (const damage of damages) {
        const copy = JSON.parse(text);
        let parent = { root: copy };
        let name: string | number = "root";
        for (const step of path) {
          parent = Reflect.get(parent, name);
          name = step;
        }
        Reflect.set(parent, name, damage);
        const { root } = path.length === 0 ? parent : { root: copy };
        expect(["none", "ERR_ARGUMENT"]).toContain(codeOf(() => modelOfShape(root)).split(" ")[0]);
      }
  }
});
