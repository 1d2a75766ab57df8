import { type DenseMatrix, toDense } from "@curvature/linalg";
import { linearLoss, primalCost } from "@curvature/objectives/linear";
import { type ClassificationLoss, LinearClassifier, type LinearSolverName } from "@curvature/optim-sgdqn";
import { describe, expect, test } from "vitest";
import { fixture, noisyHalves, sparseOf } from "./helpers/rows.js";

const spam = fixture("spam", "train");
const spamTest = fixture("spam", "test");
const { rows: small, targets: halves } = noisyHalves(300, 6, { seed: 4 });

describe("spam", () => {
  test("the default learns it, and reports what it did", async () => {
    const model = new LinearClassifier();
    const result = await model.fit(spam.rows, spam.labels);
    expect(model.score(spamTest.rows, spamTest.labels)).toBeGreaterThan(0.93);
    expect(model.classes).toEqual([-1, 1]);
    expect(model.features).toBe(57);
    expect(result).toMatchObject({ status: "converged", usable: true, warnings: [] });
    expect(result.gap).toBeLessThanOrEqual(1e-3);
    // λ = R²/n
    let squares = 0;
    for (const value of spam.rows.values) squares += value * value;
    expect(result.lambda / (squares / 3601 / 3601)).toBeCloseTo(1, 12);
    const problem = {
      rows: spam.rows,
      targets: spam.labels,
      loss: linearLoss("squared-hinge"),
      lambda: result.lambda,
      bias: "regularized",
    } as const;
    expect(primalCost(problem, result.x) / (result.value ?? 0)).toBeCloseTo(1, 10);
    for (const seconds of Object.values(result.phases)) expect(seconds).toBeGreaterThanOrEqual(0);
    expect(result.options).toMatchObject({
      loss: "squared-hinge",
      bias: "regularized",
      lambda: result.lambda,
    });
  });

  const solvers: readonly LinearSolverName[] = [
    "auto",
    "sgd",
    "svmsgd2",
    "sgdqn",
    "sgdqn-2009",
    "asgd",
    "dcd",
    "newton",
    "lbfgs",
  ];
  test.each(solvers)("%s learns it", { tags: ["full"] }, async (solver) => {
    const model = new LinearClassifier({ solver, lambda: 1e-3 });
    const { value } = await model.fit(spam.rows, spam.labels);
    expect(model.score(spamTest.rows, spamTest.labels)).toBeGreaterThan(0.91);
    expect(value).toBeGreaterThan(0);
  });

  const losses: readonly ClassificationLoss[] = [
    "hinge",
    "squared-hinge",
    "smoothed-hinge",
    "logistic",
    "modified-huber",
  ];
  test.each(losses)("%s learns it", async (loss) => {
    const model = new LinearClassifier({ loss, lambda: 1e-3 });
    await model.fit(spam.rows, spam.labels);
    expect(model.score(spamTest.rows, spamTest.labels)).toBeGreaterThan(0.92);
  });

  test.each(["max-abs", "rms", "unit-rows"] as const)("scaled by %s", async (scale) => {
    const model = new LinearClassifier({ scale });
    const { lambda } = await model.fit(spam.rows, spam.labels);
    expect(model.score(spamTest.rows, spamTest.labels)).toBeGreaterThan(0.91);
    if (scale === "unit-rows") expect(lambda * 3601).toBeCloseTo(1, 2); // R² = 1, but for empty rows
  });
});

test("a9a: the default is at the error of the optimum", { tags: ["full"] }, async () => {
  const [train, check] = [fixture("a9a", "train"), fixture("a9a", "test")];
  const model = new LinearClassifier();
  const { warnings } = await model.fit(
    { ...train.rows, values: Float32Array.from(train.rows.values) },
    train.labels,
  );
  // Other programs' optima of the squared hinge have 14.96 to 14.97 % of errors there.
  expect(Math.abs(1 - model.score(check.rows, check.labels) - 0.1497)).toBeLessThan(0.001);
  expect(warnings).toEqual([]);
});

test("the coefficients on the features as given say what the scaled model says", async () => {
  const rows = toDense(small);
  for (const scale of ["max-abs", "rms", "standard"] as const) {
    const model = new LinearClassifier({ scale, tolerance: 1e-10, lambda: 1e-3 });
    const { x } = await model.fit(rows, halves);
    const scores = model.decisionFunction(rows).data;
    const scaling = model.fitted?.scaling;
    for (let i = 0; i < 300; i++) {
      let score = x[6];
      for (let j = 0; j < 6; j++)
        score += (x[j] * (rows.data[6 * i + j] - (scaling?.offsets[j] ?? 0))) / (scaling?.scales[j] ?? 1);
      expect(scores[i]).toBeCloseTo(score, 12);
    }
  }
});

test("every storage and precision of the same rows gives the same model", async () => {
  const single = Float32Array.from(small.data);
  const doubled: DenseMatrix = { ...small, data: Float64Array.from(single) };
  const sparse = sparseOf(doubled);
  const forms = [
    doubled,
    { ...small, data: single },
    sparse,
    { ...sparse, values: Float32Array.from(sparse.values) },
    Array.from({ length: 300 }, (_, i) => [...doubled.data.subarray(6 * i, 6 * i + 6)]),
    Array.from({ length: 300 }, (_, i) => single.subarray(6 * i, 6 * i + 6)),
    { rows: 300, columns: 6, get: (i: number, j: number) => doubled.data[6 * i + j] },
  ];
  const models = await Promise.all(
    forms.map(async (rows) => {
      const model = new LinearClassifier({ lambda: 0.01, tolerance: 1e-10 });
      await model.fit(rows, halves);
      return model;
    }),
  );
  for (const model of models)
    model.coefficients.data.forEach((w, j) => {
      expect(w).toBeCloseTo(models[0].coefficients.data[j], 6); // both within 1e-10 of the least P
    });
});

test("data are not touched, and the same seed gives the same bits", async () => {
  const before = structuredClone({ small, halves });
  for (const solver of ["auto", "sgdqn", "dcd"] as const) {
    const [a, b] = [new LinearClassifier({ solver, seed: 3 }), new LinearClassifier({ solver, seed: 3 })];
    await a.fit(small, halves);
    await b.fit(small, halves);
    expect(a.fitted).toEqual(b.fitted);
  }
  expect({ small, halves }).toEqual(before);
});

describe('lambda "auto"', () => {
  test("a path on held-out rows is tried, and the least error counts", async () => {
    for (const solver of ["auto", "svmsgd2"] as const) {
      const model = new LinearClassifier({ lambda: "auto", solver });
      const { lambda, triedLambdas } = await model.fit(spam.rows, spam.labels);
      expect(triedLambdas.length).toBeGreaterThan(4);
      const least = Math.min(...triedLambdas.map(({ error }) => error));
      expect(triedLambdas.find(({ error }) => error === least)?.lambda).toBe(lambda);
      expect(model.score(spamTest.rows, spamTest.labels)).toBeGreaterThan(0.92);
    }
  });

  test("for several classes too, and the same again", async () => {
    const labels = Array.from(halves, (y, i) => (y > 0 ? "a" : i % 2 === 0 ? "b" : "c"));
    const [first, again] = [
      new LinearClassifier({ lambda: "auto" }),
      new LinearClassifier({ lambda: "auto" }),
    ];
    const result = await first.fit(small, labels);
    await again.fit(small, labels);
    expect(again.fitted).toEqual(first.fitted);
    expect(result.phases.lambda).toBeGreaterThan(0);
    await expect(new LinearClassifier({ lambda: "auto" }).fit([[1], [2]], [0, 1])).resolves.toMatchObject({
      usable: true,
    });
  });
});
