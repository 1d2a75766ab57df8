import { applyScaling, type DenseMatrix, toDense } from "@curvature/linalg";
import { linearLoss, primalCost } from "@curvature/objectives/linear";
import {
  type ClassificationLoss,
  defaultLambda,
  LinearClassifier,
  type LinearSolverName,
} from "@curvature/optim-sgdqn";
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
    expect(result.certificate).toBe("duality-gap");
    const scaling = model.fitted?.scaling;
    expect(scaling?.method).toBe("deviation");
    const problem = {
      rows: scaling === undefined ? spam.rows : applyScaling(scaling, spam.rows),
      targets: spam.labels,
      loss: linearLoss("logistic"),
      lambda: result.lambda,
      bias: "free",
    } as const;
    expect(primalCost(problem, result.x) / (result.value ?? 0)).toBeCloseTo(1, 10);
    for (const seconds of Object.values(result.phases)) expect(seconds).toBeGreaterThanOrEqual(0);
    expect(result.lambdaRule).toBe("leave-one-out");
    expect(result.options).toMatchObject({
      loss: "logistic",
      bias: "free",
      scale: "deviation",
      lambda: result.lambda,
    });
    // What the models of the other rows say is what new rows show.
    const { error } = result.leftOut ?? { error: 1 };
    expect(Math.abs(error - (1 - model.score(spamTest.rows, spamTest.labels)))).toBeLessThan(0.02);
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
    const loss = solver === "dcd" ? "squared-hinge" : "logistic";
    const model = new LinearClassifier({ solver, loss, lambda: 1e-3 });
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
    await model.fit(spam.rows, spam.labels);
    expect(model.fitted?.scaling?.method).toBe(scale);
    expect(model.score(spamTest.rows, spamTest.labels)).toBeGreaterThan(0.91);
  });
});

test("a9a: the default is at the error of the optimum", { tags: ["full"] }, async () => {
  const [train, check] = [fixture("a9a", "train"), fixture("a9a", "test")];
  const rows = { ...train.rows, values: Float32Array.from(train.rows.values) };
  const model = new LinearClassifier();
  const { warnings } = await model.fit(rows, train.labels);
  // LIBLINEAR's logistic regression has 15.0 % of errors there.
  expect(Math.abs(1 - model.score(check.rows, check.labels) - 0.15)).toBeLessThan(0.002);
  expect(warnings).toEqual([]);
  const squared = new LinearClassifier({
    loss: "squared-hinge",
    scale: "none",
    bias: "regularized",
    lambda: defaultLambda(rows),
  });
  await squared.fit(rows, train.labels);
  // Other programs' optima of the squared hinge have 14.96 to 14.97 % of errors there.
  expect(Math.abs(1 - squared.score(check.rows, check.labels) - 0.1497)).toBeLessThan(0.001);
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
      const model = new LinearClassifier({ lambda: 0.01, tolerance: 1e-13 });
      await model.fit(rows, halves);
      return model;
    }),
  );
  for (const model of models)
    model.coefficients.data.forEach((w, j) => {
      expect(w).toBeCloseTo(models[0].coefficients.data[j], 6); // both within 1e-13 of the least P
    });
});

test("data are not touched, and the same seed gives the same bits", async () => {
  const before = structuredClone({ small, halves });
  for (const solver of ["auto", "sgdqn", "dcd"] as const) {
    const options = { solver, loss: solver === "dcd" ? "squared-hinge" : "logistic", seed: 3 } as const;
    const [a, b] = [new LinearClassifier(options), new LinearClassifier(options)];
    await a.fit(small, halves);
    await b.fit(small, halves);
    expect(a.fitted).toEqual(b.fitted);
  }
  expect({ small, halves }).toEqual(before);
});

describe('lambda "auto"', () => {
  test("a path is tried, and what is chosen predicts new rows, whatever the solver", async () => {
    const lambdas: number[] = [];
    for (const solver of ["auto", "svmsgd2"] as const) {
      const model = new LinearClassifier({ solver });
      const { lambda, triedLambdas } = await model.fit(spam.rows, spam.labels);
      expect(triedLambdas).toHaveLength(13);
      expect(triedLambdas.map((tried) => tried.lambda)).toContain(lambda);
      const least = Math.min(...triedLambdas.map(({ loss }) => loss));
      expect(triedLambdas.find((tried) => tried.lambda === lambda)?.loss).toBeLessThan(1.02 * least);
      expect(model.score(spamTest.rows, spamTest.labels)).toBeGreaterThan(0.92);
      lambdas.push(lambda);
    }
    expect(lambdas[1]).toBe(lambdas[0]);
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
