/** A weight of 2 is the row twice, a weight of 0 is no row: for scaling, λ, the fit, probabilities, parts of the rows and warnings. */
import { fitScaling, RandomGenerator } from "@curvature/linalg";
import { type LinearProblem, linearLoss } from "@curvature/objectives/linear";
import { runSync } from "@curvature/optim-core";
import {
  LinearClassifier,
  type LinearClassifierOptions,
  type LinearFitResult,
  LinearRegressor,
} from "@curvature/optim-sgdqn";
import { describe, expect, test } from "vitest";
import { fitSigmoid } from "../../src/calibration/sigmoid.js";
import { partsOf } from "../../src/fit/holdout.js";
import { ValidatedSolver } from "../../src/fit/validated.js";
import { countsOf, effectiveCount } from "../../src/fit/weights.js";
import { chooseLambda } from "../../src/path/choose-lambda.js";
import { partOf, scoreOf } from "../../src/path/task.js";
import { Newton } from "../../src/solvers/newton/newton.js";
import { noisyHalves, sparseOf, table } from "../helpers/rows.js";

/** Whole-number weights, rows with wild entries where they are 0, and the rows that they stand for. */
function twins(X: readonly (readonly number[])[]) {
  const weights = X.map((_, i) => (i * 7) % 4);
  const wild = X.map((row, i) => (weights[i] === 0 ? row.map((v) => 1e6 * v + 1e5) : [...row]));
  const copies = weights.flatMap((weight, i) => Array.from({ length: weight }, () => i));
  return { weights, wild, copies, repeated: copies.map((i) => [...X[i]]) };
}

function expectSame(a: ArrayLike<number>, b: ArrayLike<number>, tolerance: number): void {
  expect(a.length).toBe(b.length);
  const size = Array.from(b).reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  for (let k = 0; k < a.length; k++) expect(Math.abs(a[k] - b[k])).toBeLessThanOrEqual(tolerance * size);
}

function expectSameFit(weighted: LinearFitResult, repeated: LinearFitResult): void {
  const losses = ({ triedLambdas }: LinearFitResult) => triedLambdas.map(({ loss }) => loss);
  const lambdas = ({ triedLambdas }: LinearFitResult) => triedLambdas.map(({ lambda }) => lambda);
  expect(lambdas(weighted)).toEqual(lambdas(repeated));
  for (const [k, loss] of losses(repeated).entries())
    expect(Math.abs(losses(weighted)[k] / loss - 1)).toBeLessThan(1e-9);
  expect(weighted.lambda).toBe(repeated.lambda);
  expect(Number(weighted.options.lossWidth) / Number(repeated.options.lossWidth)).toBeCloseTo(1, 12);
  expect(Math.abs((weighted.value ?? 0) / (repeated.value ?? 1) - 1)).toBeLessThan(1e-9);
  expectSame(weighted.x, repeated.x, 1e-6);
  expect(weighted.warnings).toEqual(repeated.warnings);
}

const { rows, labels, halves, scores } = (() => {
  const drawn = noisyHalves(150, 4, { seed: 6, noise: 1 });
  const X = Array.from({ length: 150 }, (_, i) =>
    Array.from(drawn.rows.data.subarray(4 * i, 4 * i + 4), (v, j) => 10 ** (j - 1) * v + 3 * j),
  );
  const names = Array.from(drawn.scores, (s) => (s < -1 ? "low" : s < 1 ? "middle" : "high"));
  return { rows: X, labels: names, halves: Array.from(drawn.targets), scores: Array.from(drawn.scores) };
})();

const classifiers: readonly [string, LinearClassifierOptions, readonly (string | number)[]][] = [
  ["two classes", {}, halves],
  ["three classes, softmax", {}, labels],
  ["three classes, one against the rest", { loss: "squared-hinge" }, labels],
  ["two classes, smoothed hinge", { loss: "smoothed-hinge" }, halves],
  ["class weights", { classWeights: "balanced" }, halves],
  ["class weights, softmax", { classWeights: { low: 3, high: 0.5 } }, labels],
];

describe("weights are copies of rows", () => {
  const { weights, wild, copies, repeated } = twins(rows);

  test.each(classifiers)("%s", async (_, options, y) => {
    const [a, b] = [0, 1].map(() => new LinearClassifier({ ...options, tolerance: 1e-13 }));
    const weighted = await a.fit(wild, [...y], { sampleWeights: weights });
    const whole = await b.fit(
      repeated,
      copies.map((i) => y[i]),
    );
    expectSameFit(weighted, whole);
    expectSame(a.fitted?.scaling?.offsets ?? [], b.fitted?.scaling?.offsets ?? [], 1e-12);
    expectSame(a.fitted?.scaling?.scales ?? [], b.fitted?.scaling?.scales ?? [], 1e-12);
    expectSame(a.coefficients.data, b.coefficients.data, 1e-6);
    expect(a.classes).toEqual(b.classes);
    if (options.loss === undefined)
      expectSame(a.predictProbabilities(rows).data, b.predictProbabilities(rows).data, 1e-6);
  });

  test.each(["squared-error", "huber"] as const)("%s", async (loss) => {
    const [a, b] = [0, 1].map(() => new LinearRegressor({ loss, tolerance: 1e-13 }));
    const weighted = await a.fit(wild, scores, { sampleWeights: weights });
    const whole = await b.fit(
      repeated,
      copies.map((i) => scores[i]),
    );
    expectSameFit(weighted, whole);
    expectSame(a.predict(rows), b.predict(rows), 1e-6);
  });

  test("iris and penguins, sparse rows too", async () => {
    for (const name of ["iris", "penguins"] as const) {
      const { rows: X, labels: y } = table(name);
      const twin = twins(X);
      const columns = X[0].length;
      const sparse = sparseOf({ rows: X.length, columns, data: Float64Array.from(twin.wild.flat()) });
      const [a, b, c] = [0, 1, 2].map(() => new LinearClassifier<string>({ tolerance: 1e-13 }));
      const weighted = await a.fit(twin.wild, y, { sampleWeights: twin.weights });
      const names = twin.copies.map((i) => y[i]);
      expectSameFit(weighted, await b.fit(twin.repeated, names));
      const sparser = await c.fit(sparse, y, { sampleWeights: twin.weights });
      expect(sparser.lambda).toBe(weighted.lambda);
      expectSame(c.coefficients.data, a.coefficients.data, 1e-6);
    }
  });

  test("of more columns than rows", async () => {
    const { rows: wide, targets } = noisyHalves(30, 100, { seed: 2 });
    const X = Array.from({ length: 30 }, (_, i) => [...wide.data.subarray(100 * i, 100 * i + 100)]);
    const twin = twins(X);
    const [a, b] = [0, 1].map(() => new LinearClassifier({ tolerance: 1e-12 }));
    const weighted = await a.fit(twin.wild, targets, { sampleWeights: twin.weights });
    const whole = await b.fit(
      twin.repeated,
      twin.copies.map((i) => targets[i]),
    );
    expect(weighted.lambda).toBe(whole.lambda);
    for (const [k, { loss }] of whole.triedLambdas.entries())
      expect(Math.abs(weighted.triedLambdas[k].loss / loss - 1)).toBeLessThan(1e-6); // rows' span, to a jitter of 1e-12
    expectSame(a.coefficients.data, b.coefficients.data, 1e-5);
  });

  test("a class of which no row counts is none, and one class alone is refused", async () => {
    const none = halves.map((y) => (y > 0 ? 1 : 0));
    await expect(new LinearClassifier().fit(rows, halves, { sampleWeights: none })).rejects.toThrowError(
      "all labels are 1",
    );
    const model = new LinearClassifier<string>();
    await model.fit(rows, labels, { sampleWeights: labels.map((name) => (name === "low" ? 0 : 1)) });
    expect(model.classes).toEqual(["high", "middle"]);
    const named = new LinearClassifier<string>({ classes: ["low", "middle"] });
    await expect(
      named.fit(rows, labels, { sampleWeights: labels.map((_, i) => i % 2) }),
    ).rejects.toThrowError(
      `row ${labels.findIndex((name, i) => i % 2 === 1 && name === "high")} (counted from 0)`,
    );
  });

  test("importances: only their ratios matter, and a row of 0 is none", async () => {
    const importances = rows.map((_, i) => (i % 5) / 3);
    const kept = Array.from(rows.keys()).filter((i) => i % 5 > 0);
    const [a, b, c] = [0, 1, 2].map(() => new LinearClassifier({ tolerance: 1e-13 }));
    const weighted = await a.fit(rows, halves, { sampleWeights: importances });
    const scaled = await b.fit(rows, halves, { sampleWeights: importances.map((w) => 1e-9 * w) });
    expect(scaled.lambda).toBe(weighted.lambda);
    expectSame(scaled.x, weighted.x, 1e-6);
    const without = await c.fit(
      kept.map((i) => rows[i]),
      kept.map((i) => halves[i]),
      { sampleWeights: kept.map((i) => importances[i]) },
    );
    expectSameFit(weighted, without);
  });
});

describe("parts of the rows", () => {
  const { weights, copies } = twins(rows);
  const data = (indices: readonly number[]) => ({
    rows: indices.length,
    columns: 4,
    data: Float64Array.from(indices.flatMap((i) => rows[i])),
  });
  const all = Array.from(rows.keys());
  const problem: LinearProblem = {
    rows: data(all),
    targets: Float64Array.from(halves),
    loss: linearLoss("logistic"),
    lambda: 0.1,
    bias: "free",
    importances: Float64Array.from(weights),
  };
  const whole: LinearProblem = {
    ...problem,
    rows: data(copies),
    targets: Float64Array.from(copies, (i) => halves[i]),
    importances: undefined,
  };
  const foldOf = (i: number): number => i % 3;
  const weightedPart = Int32Array.from(all.filter((i) => foldOf(i) > 0));
  const repeatedPart = Int32Array.from(Array.from(copies.keys()).filter((k) => foldOf(copies[k]) > 0));
  const [weightedRest, repeatedRest] = [
    Int32Array.from(all.filter((i) => foldOf(i) === 0)),
    Int32Array.from(Array.from(copies.keys()).filter((k) => foldOf(copies[k]) === 0)),
  ];
  const mean = weights.reduce((a, b) => a + b) / weights.length;
  const normalised = { ...problem, importances: problem.importances?.map((c) => c / mean) };
  const optimum = (task: LinearProblem) => runSync(new Newton(task, { tolerance: 1e-13 }));

  test("a fold's fit and its score are those of the copies in that fold", () => {
    const [a, b] = [partOf(normalised, weightedPart), partOf(whole, repeatedPart)];
    if ("labels" in a || "labels" in b) throw new Error("not binary");
    const [weighted, repeated] = [optimum(a), optimum(b)];
    expect(Math.abs((weighted.value ?? 0) / (repeated.value ?? 1) - 1)).toBeLessThan(1e-9);
    expectSame(weighted.x, repeated.x, 1e-6);
    const parameters = { rows: 1, columns: 5, data: weighted.x };
    const [held, copied] = [partOf(normalised, weightedRest), partOf(whole, repeatedRest)];
    const [own, other] = [scoreOf(held, parameters), scoreOf(copied, parameters)];
    expect(own.error).toBeCloseTo(other.error, 12);
    expect(own.loss).toBeCloseTo(other.loss, 12);
  });

  test("early stopping goes by the error of the copies", async () => {
    const errors = await Promise.all(
      [
        [normalised, weightedPart, weightedRest],
        [whole, repeatedPart, repeatedRest],
      ].map(async ([task, part, rest]) => {
        if (!("targets" in task) || !(part instanceof Int32Array) || !(rest instanceof Int32Array))
          throw new Error("no problem");
        const solver = new ValidatedSolver(
          new Newton(partsOf([task], part)[0], { tolerance: 1e-13 }),
          partsOf([task], rest),
        );
        for (let k = 0; k < 100 && (await solver.step()).outcome === undefined; k++);
        return solver.state.bestError;
      }),
    );
    expect(errors[0]).toBeCloseTo(errors[1], 12);
    expect(errors[0]).toBeGreaterThan(0);
  });

  test("Platt's sigmoid counts copies", () => {
    const positive = Uint8Array.from(halves, (y) => (y > 0 ? 1 : 0));
    const counts = countsOf(Float64Array.from(weights));
    const weighted = fitSigmoid(Float64Array.from(scores), positive, counts);
    const repeated = fitSigmoid(
      Float64Array.from(copies, (i) => scores[i]),
      Uint8Array.from(copies, (i) => positive[i]),
      undefined,
    );
    expect(weighted.slope).toBeCloseTo(repeated.slope, 10);
    expect(weighted.offset).toBeCloseTo(repeated.offset, 10);
  });

  test("chooseLambda alone: importances that are copies, their mean as it may be", async () => {
    const repeated = await chooseLambda(whole);
    const weighted = await chooseLambda(normalised, { weights });
    expect(weighted.lambda).toBe(repeated.lambda);
    expect(weighted.anchor).toBe(1 / copies.length);
    for (const [k, { loss }] of repeated.tried.entries())
      expect(Math.abs(weighted.tried[k].loss / loss - 1)).toBeLessThan(1e-9);
    expect(weighted.leftOut?.rows).toEqual(Int32Array.from(all.filter((i) => weights[i] > 0)));
  });
});

test("as many rows count as there are copies, or as the ratios of importances leave", () => {
  expect(effectiveCount(Float64Array.of(1, 2, 3))).toBeCloseTo(6, 12);
  expect(effectiveCount(Float64Array.of(0.5, 0.5, 0.5))).toBeCloseTo(3, 12);
  expect(effectiveCount(Float64Array.of(1e-300, 1.5e-300))).toBeCloseTo(6.25 / 3.25, 12);
  expect(effectiveCount(Float64Array.of(1e308 / 3, 1e308))).toBeCloseTo((4 / 3) ** 2 / (10 / 9), 12);
  const counts = countsOf(Float64Array.of(0.5, 1000)) ?? [];
  expect(counts[0] + counts[1]).toBeCloseTo(effectiveCount(Float64Array.of(0.5, 1000)), 12);
});

test("scales are those of the copies, whatever the method", () => {
  const random = new RandomGenerator(3);
  const X = Array.from({ length: 40 }, () => [
    random.uniform(),
    1e9 + random.uniform(),
    1e-12 * random.uniform(),
  ]);
  const { weights, wild, repeated } = twins(X);
  for (const method of ["standard", "deviation", "rms", "max-abs"] as const) {
    const [weighted, whole] = [fitScaling(wild, method, weights), fitScaling(repeated, method)];
    for (let j = 0; j < 3; j++) {
      expect(weighted.scales[j] / whole.scales[j]).toBeCloseTo(1, 7);
      expect(Math.abs(weighted.offsets[j] - whole.offsets[j])).toBeLessThanOrEqual(
        1e-15 * Math.abs(whole.offsets[j]),
      );
    }
  }
});
