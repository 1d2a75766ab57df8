import { DenseCholesky, inverse, normal, RandomGenerator } from "@curvature/linalg";
import { LinearClassifier, LinearRegressor, loadModel, saveModel } from "@curvature/optim-sgdqn";
import { expect, test } from "vitest";
import { coverage, designs } from "../helpers/coverage.js";
import { noisyHalves } from "../helpers/rows.js";

const errorsOf = ({
  fitted,
}: LinearClassifier<string> | LinearClassifier<number> | LinearRegressor): number[] =>
  Array.from(fitted?.standardErrors ?? []);

test("of the squared error they are those of ridge regression, by the textbook's formula", async () => {
  const n = 60;
  const { rows, scores: y } = noisyHalves(n, 3, { seed: 4, noise: 1 });
  const lambda = 0.2;
  const model = new LinearRegressor({ scale: "none", lambda });
  await model.fit(rows, y);
  const D = 4;
  const A = { rows: D, columns: D, data: new Float64Array(D * D) };
  const at = (i: number, j: number): number => (j < 3 ? rows.data[3 * i + j] : 1);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < D; j++) for (let k = 0; k < D; k++) A.data[j * D + k] += at(i, j) * at(i, k);
  for (let j = 0; j < 3; j++) A.data[j * (D + 1)] += n * lambda;
  const C = inverse(new DenseCholesky(A)).data;
  const predicted = model.predict(rows);
  let [squares, hats] = [0, 0];
  for (let i = 0; i < n; i++) {
    squares += (y[i] - predicted[i]) ** 2;
    for (let j = 0; j < D; j++) for (let k = 0; k < D; k++) hats += at(i, j) * C[j * D + k] * at(i, k);
  }
  const expected = Array.from({ length: D }, (_, j) => Math.sqrt((squares / (n - hats)) * C[j * (D + 1)]));
  for (const [j, error] of errorsOf(model).entries()) expect(error / expected[j]).toBeCloseTo(1, 8);
});

test("they are in the data's units, whatever those are, and count a row of weight 2 twice", async () => {
  const { rows, targets } = noisyHalves(80, 3, { seed: 2 });
  const labels = targets.map((y) => (y > 0 ? 1 : 0));
  const plain = new LinearClassifier<number>({ lambda: 0.02, tolerance: 1e-10 });
  await plain.fit(rows, labels);
  const moved = new LinearClassifier<number>({ lambda: 0.02, tolerance: 1e-10 });
  const data = rows.data.map((x, k) => (k % 3 === 0 ? 1000 * x + 1e7 : x / 50));
  await moved.fit({ ...rows, data }, labels);
  const [a, b] = [errorsOf(plain), errorsOf(moved)];
  expect(b[0] / a[0]).toBeCloseTo(1e-3, 8);
  expect(b[1] / a[1]).toBeCloseTo(50, 4);
  const doubled = new LinearClassifier<number>({ lambda: 0.02, tolerance: 1e-10 });
  await doubled.fit(rows, labels, { sampleWeights: new Float64Array(80).fill(2) });
  const twice = new LinearClassifier<number>({ lambda: 0.02, tolerance: 1e-10 });
  const twiceData = Float64Array.from([...rows.data, ...rows.data]);
  await twice.fit({ rows: 160, columns: 3, data: twiceData }, [...labels, ...labels]);
  for (const [j, error] of errorsOf(doubled).entries()) {
    expect(error / errorsOf(twice)[j]).toBeCloseTo(1, 6);
    expect(error).toBeLessThan(a[j]);
  }
});

test("columns that say nothing have 0; other losses and weights of classes have none; the file keeps them", async () => {
  const { rows, targets } = noisyHalves(80, 3, { seed: 2 });
  const data = rows.data.map((x, k) => (k % 3 === 1 ? 7 : x));
  const labels = Array.from(targets, (y) => (y > 0 ? "yes" : "no"));
  const model = new LinearClassifier<string>();
  await model.fit({ ...rows, data }, labels);
  const [first, constant] = errorsOf(model);
  expect(first).toBeGreaterThan(0);
  expect(constant).toBe(0);
  const loaded = loadModel(saveModel(model));
  expect(loaded.fitted?.standardErrors).toEqual(model.fitted?.standardErrors);
  expect(loaded.fitted?.training).toEqual(model.fitted?.training);
  expect(model.fitted?.training).toMatchObject({ rows: 80, lambdaRule: "leave-one-out", anchor: 1 / 80 });
  for (const options of [{ loss: "squared-hinge" }, { classWeights: "balanced" }] as const) {
    const other = new LinearClassifier<string>(options);
    await other.fit(rows, labels);
    expect(errorsOf(other)).toEqual([]);
  }
});

test("of a softmax they are the spread of its coefficients over samples", async () => {
  const random = new RandomGenerator(5);
  const draws = 80;
  const W = [
    [1, 0],
    [0, -0.7],
    [-1, 0.7],
  ];
  const found: number[][] = [];
  const said: number[][] = [];
  for (let draw = 0; draw < draws; draw++) {
    const data = Float64Array.from({ length: 600 }, (_, k) =>
      k % 2 === 0 ? normal(random) : 3 + normal(random),
    );
    const labels = Array.from({ length: 300 }, (_, i) => {
      const e = W.map(([a, b], k) => Math.exp(a * data[2 * i] + b * (data[2 * i + 1] - 3) + 0.3 * k));
      const [a, b, c] = e;
      const drawn = random.uniform() * (a + b + c);
      return drawn < a ? "a" : drawn < a + b ? "b" : "c";
    });
    const model = new LinearClassifier<string>({ lambda: 1e-4, tolerance: 1e-8 });
    await model.fit({ rows: 300, columns: 2, data }, labels);
    const { coefficients, intercepts } = model;
    found.push([0, 1, 2].flatMap((k) => [...coefficients.data.subarray(2 * k, 2 * k + 2), intercepts[k]]));
    said.push(errorsOf(model));
  }
  for (let j = 0; j < 9; j++) {
    const column = found.map((each) => each[j]);
    const mean = column.reduce((a, b) => a + b, 0) / draws;
    const spread = Math.sqrt(column.reduce((a, b) => a + (b - mean) ** 2, 0) / draws);
    const ratio = said.reduce((a, each) => a + each[j], 0) / draws / spread;
    // The spread of 80 draws is known to 8 %.
    expect(ratio).toBeGreaterThan(0.75);
    expect(ratio).toBeLessThan(1.33);
  }
});

test.each(designs.filter(({ n, correlation }) => n === 100 && correlation > 0))(
  "intervals hold the true coefficients that are not large: %j",
  { timeout: 60_000 },
  async (design) => {
    const { held, ratio } = await coverage(design, 60, 11);
    // Of 60 draws at 95 %, fewer than 50 are one in 10⁴; half the width would hold 67 %, twice it all.
    for (const share of [held[0], held[1], held[2], held[3]]) expect(share).toBeGreaterThan(0.83);
    for (const each of ratio) {
      expect(each).toBeGreaterThan(0.7);
      expect(each).toBeLessThan(1.6);
    }
  },
);
