/** What the defaults make of ordinary tables, and of odd ones. */
import { normal, RandomGenerator } from "@curvature/linalg";
import {
  type Labels,
  LinearClassifier,
  type LinearClassifierOptions,
  LinearRegressor,
  type LinearRegressorOptions,
} from "@curvature/optim-sgdqn";
import { describe, expect, test } from "vitest";
import { dealFolds } from "../src/path/folds.js";
import { table } from "./helpers/rows.js";

/** The share of rows that models of the other folds put in a wrong class, and their mean −ln p. */
async function heldOut(X: readonly (readonly number[])[], y: readonly string[], seed: number) {
  const foldOf = dealFolds(X.length, 5, new RandomGenerator(seed), (i) => y.indexOf(y[i]));
  let [wrong, loss] = [0, 0];
  for (let fold = 0; fold < 5; fold++) {
    const [rest, held] = [false, true].map((isHeld) =>
      [...X.keys()].filter((i) => (foldOf[i] === fold) === isHeld),
    );
    const model = new LinearClassifier<string>();
    await model.fit(
      rest.map((i) => X[i]),
      rest.map((i) => y[i]),
    );
    const rows = held.map((i) => X[i]);
    const [predicted, p] = [model.predict(rows), model.predictProbabilities(rows)];
    for (const [k, i] of held.entries()) {
      if (predicted[k] !== y[i]) wrong++;
      loss -= Math.log(p.data[k * p.columns + model.classes.indexOf(y[i])]);
    }
  }
  return { error: wrong / X.length, loss: loss / X.length };
}

describe("ordinary tables", () => {
  test("iris: at most 5 % of rows held out are wrong", async () => {
    const { rows, labels } = table("iris");
    let [error, loss] = [0, 0];
    for (const seed of [0, 1, 2, 3]) {
      const found = await heldOut(rows, labels, seed);
      error += found.error / 4;
      loss += found.loss / 4;
    }
    expect(error).toBeLessThanOrEqual(0.05);
    expect(loss).toBeLessThan(0.15);
  });

  test("temperatures in kelvin, heights in millimetres: as good as in units near 1", async () => {
    const random = new RandomGenerator(2);
    const plain = Array.from({ length: 300 }, () => [normal(random), normal(random), normal(random)]);
    const labels = plain.map(([a, b]) => (a + 0.5 * b + 0.7 * normal(random) > 0.4 ? "warm" : "cold"));
    const units = plain.map(([a, b, c]) => [290 + 3 * a, 1_700_000_000 + 100 * b, 1e-6 * c]);
    const [own, other] = [await heldOut(plain, labels, 1), await heldOut(units, labels, 1)];
    const majority = labels.filter((label) => label === "warm").length / 300;
    expect(own.error).toBeLessThan(majority - 0.1);
    expect(other.error).toBe(own.error);
    expect(other.loss).toBeCloseTo(own.loss, 6);
  });

  test("house prices: Huber's width is in the target's unit", async () => {
    const random = new RandomGenerator(4);
    const X = Array.from({ length: 200 }, () => [60 + 100 * random.uniform(), 1900 + 120 * random.uniform()]);
    const prices = X.map(
      ([area, year], i) =>
        3e5 + 4000 * area + 800 * (year - 1900) + (i % 20 === 0 ? 2e6 : 2e4 * normal(random)),
    );
    const model = new LinearRegressor({ loss: "huber" });
    const { options } = await model.fit(X, prices);
    expect(options.lossWidth).toBeGreaterThan(1.345 * 1.5e4);
    expect(options.lossWidth).toBeLessThan(1.345 * 3e4);
    expect(model.coefficients.data[0] / 4000).toBeCloseTo(1, 1);
    expect(model.coefficients.data[1] / 800).toBeCloseTo(1, 1);
    const cents = new LinearRegressor({ loss: "huber" });
    const result = await cents.fit(
      X,
      prices.map((price) => 100 * price),
    );
    expect(Number(result.options.lossWidth) / Number(options.lossWidth) / 100).toBeCloseTo(1, 9);
    expect(cents.coefficients.data[0] / model.coefficients.data[0] / 100).toBeCloseTo(1, 4);
  });
});

describe("probabilities under class weights are those of the data", () => {
  const random = new RandomGenerator(5);
  const X = Array.from({ length: 3000 }, () => [normal(random), normal(random)]);
  const two = X.map(([a, b]) =>
    1 / (1 + Math.exp(2.5 - a + 0.5 * b)) > random.uniform() ? "rare" : "usual",
  );
  const three = X.map(([a, b]) => {
    const odds = [Math.exp(a), Math.exp(2 + b), Math.exp(1)];
    const draw = random.uniform() * (odds[0] + odds[1] + odds[2]);
    return draw < odds[0] ? "a" : draw < odds[0] + odds[1] ? "b" : "c";
  });
  const cases: readonly [string, LinearClassifierOptions, readonly string[]][] = [
    ["two, balanced", { classWeights: "balanced" }, two],
    ["two, by class", { classWeights: { rare: 20 } }, two],
    ["softmax, balanced", { classWeights: "balanced" }, three],
    ["softmax, by class", { classWeights: { a: 7, b: 0.5 } }, three],
    ["one against the rest", { classWeights: "balanced", solver: "lbfgs" }, three],
    ["none", {}, three],
  ];
  test.each(cases)("%s", async (name, options, y) => {
    const model = new LinearClassifier<string>(options as LinearClassifierOptions<string>);
    const { multiclass } = await model.fit(X.slice(0, 1500), y.slice(0, 1500));
    if (name.startsWith("softmax")) expect(multiclass).toBe("softmax");
    if (name.startsWith("one")) expect(multiclass).toBe("one-versus-rest");
    const p = model.predictProbabilities(X.slice(1500));
    for (const [k, label] of model.classes.entries()) {
      const share = y.slice(1500).filter((each) => each === label).length / 1500;
      let mean = 0;
      for (let i = 0; i < 1500; i++) mean += p.data[i * p.columns + k] / 1500;
      // Three standard errors of the share, of these rows and of those of the training.
      expect(Math.abs(mean - share)).toBeLessThan(3 * Math.sqrt((2 * share * (1 - share)) / 1500));
    }
  });

  test("the decision is the class of the largest κ p", async () => {
    const kappa = { a: 7, b: 0.5, c: 1 };
    const model = new LinearClassifier<string>({ classWeights: kappa });
    await model.fit(X, three);
    const [p, predicted] = [model.predictProbabilities(X), model.predict(X)];
    for (let i = 0; i < X.length; i++) {
      const costs = [7, 0.5, 1].map((weight, k) => weight * p.data[3 * i + k]);
      expect(predicted[i]).toBe(["a", "b", "c"][costs.indexOf(Math.max(...costs))]);
    }
  });
});

describe("odd data", () => {
  const random = new RandomGenerator(7);
  const X = Array.from({ length: 80 }, (_, i) => [normal(random), normal(random), i % 3]);
  const y = X.map(([a, b]) => (a + b + normal(random) > 0 ? 1 : 0));
  const targets = X.map(([a, b, c]) => 2 * a - b + 0.5 * c + 0.1 * normal(random));
  const classified = (
    rows: readonly (readonly number[])[],
    labels: Labels,
    options?: LinearClassifierOptions,
  ) => new LinearClassifier(options).fit(rows, labels);
  const measured = (rows: readonly (readonly number[])[], t: number[], options?: LinearRegressorOptions) =>
    new LinearRegressor(options).fit(rows, t);
  const codes = ({ warnings }: { readonly warnings: readonly { readonly code: string }[] }) =>
    warnings.map(({ code }) => code);

  test("a constant target is predicted as it is", async () => {
    for (const loss of ["squared-error", "huber"] as const) {
      const model = new LinearRegressor({ loss });
      const result = await model.fit(
        X,
        X.map(() => 5),
      );
      expect([result.status, result.gap, codes(result)]).toEqual(["converged", 0, ["constant-targets"]]);
      expect([...new Set(model.predict(X))]).toEqual([5]);
    }
  });

  test("targets of 1e9 and more change nothing but the constant", async () => {
    for (const loss of ["squared-error", "huber"] as const) {
      const [near, far] = [0, 1].map(() => new LinearRegressor({ loss, tolerance: 1e-12 }));
      const a = await near.fit(X, targets);
      const b = await far.fit(
        X,
        targets.map((t) => t + 1e9),
      );
      expect(b.lambda).toBe(a.lambda);
      expect((b.value ?? 0) / (a.value ?? 1)).toBeCloseTo(1, 5);
      for (let j = 0; j < 3; j++)
        expect(far.coefficients.data[j] / near.coefficients.data[j]).toBeCloseTo(1, 5);
    }
    const huge = await measured(
      X,
      targets.map((t) => 1e200 * t),
    );
    expect([huge.usable, codes(huge)]).toEqual([false, ["unusable-model"]]);
  });

  test("a column of 1e200 is standardised, and refused where that is not wanted", async () => {
    const rows = X.map(([a, b, c]) => [1e200 * a, b, 1e-200 * c]);
    const [plain, scaled] = [0, 1].map(() => new LinearClassifier());
    await plain.fit(X, y);
    const result = await scaled.fit(rows, y);
    expect(result.status).toBe("converged");
    expect(scaled.predict(rows)).toEqual(plain.predict(X));
    await expect(classified(rows, y, { scale: "none" })).rejects.toThrowError(
      "the squares of the entries overflow",
    );
  });

  test("one class is refused, and one row of a class is learned, with a word on it", async () => {
    await expect(
      classified(
        X,
        X.map(() => "a"),
      ),
    ).rejects.toThrowError('at least two classes are needed: all labels are "a"');
    for (const labels of [X.map((_, i) => Number(i === 3)), X.map((_, i) => (i === 3 ? 2 : Number(y[i])))]) {
      const result = await classified(X, labels);
      expect(result.status).toBe("converged");
      expect(codes(result)).toContain("never-predicted");
    }
  });

  test("a thousand times as many columns as rows", async () => {
    const wide = Array.from({ length: 6 }, () => Array.from({ length: 6000 }, () => normal(random)));
    const result = await classified(wide, [0, 1, 0, 1, 0, 1]);
    expect([result.status, result.lambdaRule]).toEqual(["converged", "leave-one-out"]);
    expect(codes(result)).toContain("separable");
    const regression = await measured(wide, [1, 2, 3, 4, 5, 6]);
    expect(regression.status).toBe("converged");
    const three = await classified(wide, ["a", "b", "c", "a", "b", "c"]);
    expect([three.usable, three.multiclass]).toEqual([true, "softmax"]);
  });

  test("separable rows at the smallest λ", async () => {
    const labels = X.map(([a]) => (a > 0 ? 1 : 0));
    const rows = X.map(([a, b]) => [a + Math.sign(a), b]);
    for (const loss of ["logistic", "squared-hinge", "hinge", "modified-huber"] as const) {
      const result = await classified(rows, labels, { loss, lambda: 1e-12 });
      expect([result.usable, Number.isFinite(result.value)]).toEqual([true, true]);
    }
  });

  test("weights: negative, NaN, none above 0, too few; for classes that there are not", async () => {
    const weighted = (sampleWeights: unknown, Model: typeof LinearClassifier | typeof LinearRegressor) =>
      new Model().fit(X, y, { sampleWeights: sampleWeights as number[] });
    for (const Model of [LinearClassifier, LinearRegressor]) {
      await expect(weighted([-1, ...y.slice(1)], Model)).rejects.toThrowError("the weight of row 0");
      await expect(weighted([Number.NaN, ...y.slice(1)], Model)).rejects.toThrowError("NaN at 0");
      await expect(weighted(new Float64Array(80), Model)).rejects.toThrowError(
        "the mean of sampleWeights is 0",
      );
      await expect(weighted([1], Model)).rejects.toThrowError("80 numbers");
    }
    await expect(classified(X, y, { classWeights: { 7: 2 } })).rejects.toThrowError("by class, of 0, 1");
  });

  test("no column varies", async () => {
    const rows = X.map(() => [1, 0, 7]);
    const model = new LinearClassifier();
    const result = await model.fit(rows, y);
    expect(codes(result)).toContain("constant-columns");
    const share = y.filter((label) => label === 1).length / 80;
    expect(model.predictProbabilities(rows).data[1]).toBeCloseTo(share, 6);
    const regressor = new LinearRegressor();
    expect(codes(await regressor.fit(rows, targets))).toEqual(["constant-columns"]);
    expect(regressor.predict(rows)[0]).toBeCloseTo(targets.reduce((a, b) => a + b) / 80, 9);
  });
});

describe("what is decided is said", () => {
  test("by the result: λ and its rule, the width, the scale, the bias, the way of several classes", async () => {
    const { rows, labels } = table("iris");
    const result = await new LinearClassifier().fit(rows, labels);
    expect(result).toMatchObject({
      lambdaRule: "leave-one-out",
      multiclass: "softmax",
      certificate: "duality-gap",
    });
    expect(result.options).toMatchObject({ scale: "standard", bias: "free", loss: "logistic" });
    expect(result.triedLambdas).toHaveLength(13);
    const given = await new LinearClassifier({ lambda: 0.1 }).fit(rows, labels);
    expect(given).toMatchObject({
      lambdaRule: "given",
      lambda: 0.1,
      triedLambdas: [],
      leftOut: undefined,
    });
    const hinge = await new LinearClassifier({ loss: "hinge" }).fit(rows, labels);
    expect(hinge.multiclass).toBe("one-versus-rest");
  });
});
