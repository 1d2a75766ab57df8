/** When a fit warns, and when it does not. */
import { normal, RandomGenerator } from "@curvature/linalg";
import { LinearClassifier, LinearRegressor } from "@curvature/optim-sgdqn";
import { describe, expect, test } from "vitest";
import { sparseOf, table } from "../helpers/rows.js";

const random = new RandomGenerator(11);
const X = Array.from({ length: 200 }, () => [normal(random), normal(random), normal(random)]);
const informative = X.map(([a]) => (a + normal(random) > 0 ? "yes" : "no"));

async function warned(
  rows: readonly (readonly number[])[],
  labels: readonly (string | number)[],
  sampleWeights?: readonly number[],
) {
  const { warnings } = await new LinearClassifier().fit(rows, labels, { sampleWeights });
  return warnings.map(({ code }) => code);
}

test("of an ordinary table nothing is said", async () => {
  expect(await warned(X, informative)).toEqual([]);
  const { rows, labels } = table("iris");
  expect(await warned(rows, labels)).toEqual([]);
});

test("columns that say nothing of the classes: nine times of ten", async () => {
  let fired = 0;
  for (let k = 0; k < 10; k++) {
    const labels = X.map(() => (random.uniform() < 0.4 ? "yes" : "no"));
    if ((await warned(X, labels)).includes("uninformative")) fired++;
  }
  expect(fired).toBeGreaterThanOrEqual(8);
});

test("a rare class that is never predicted, and predictions no better than the majority", async () => {
  const labels = X.map(([a], i) => (i % 20 === 0 || a > 2.2 ? "rare" : "usual"));
  const result = await new LinearClassifier().fit(X, labels);
  expect(result.warnings.map(({ code }) => code)).toContain("never-predicted");
  const { message } = result.warnings.find(({ code }) => code === "never-predicted") ?? { message: "" };
  expect(message).toContain('class rare. Give classWeights: "balanced"');
});

test("rows that can be separated", async () => {
  const labels = X.map(([a]) => (a > 0 ? "yes" : "no"));
  const apart = X.map(([a, b]) => [a + Math.sign(a), b]);
  expect(await warned(apart, labels)).toEqual(["separable"]);
});

test("passes that are used up far from the end, as far as the duality gap shows", async () => {
  const fit = (solver: "newton" | "svmsgd2", lambda: number) =>
    new LinearClassifier({ solver, lambda }).fit(X, informative);
  const codes = ({ warnings }: Awaited<ReturnType<typeof fit>>) => warnings.map(({ code }) => code);
  const far = await fit("svmsgd2", 1e-6);
  expect(codes(far)).toEqual(["unfinished-training"]);
  const least = (await fit("newton", 1e-6)).value ?? Number.NaN;
  expect((far.value ?? Number.NaN) - least).toBeGreaterThan(0.05 * least);
  expect(far.gap).toBeGreaterThan(0.3);
  expect(codes(await fit("svmsgd2", 0.1))).toEqual([]);
});

test("targets that are all the same, among the rows that count", async () => {
  const targets = X.map((_, i) => (i === 3 ? 7 : 5));
  const codes = async (sampleWeights?: readonly number[]) =>
    (await new LinearRegressor().fit(X, targets, { sampleWeights })).warnings.map(({ code }) => code);
  expect(await codes(X.map((_, i) => Number(i !== 3)))).toEqual(["constant-targets"]);
  expect(await codes()).toEqual([]);
});

test("Huber's loss on counts, most of which are 0", async () => {
  const counts = X.map((_, i) => (i % 5 < 3 ? 0 : i % 7));
  const fit = (
    loss: "huber" | "squared-error",
    targets: readonly number[],
    sampleWeights?: readonly number[],
  ) => new LinearRegressor({ loss }).fit(X, targets, { sampleWeights });
  const { warnings } = await fit("huber", counts);
  expect(warnings.map(({ code }) => code)).toEqual(["mostly-one-target"]);
  expect(warnings[0]?.message).toMatch(/^6\d(\.\d)? % of the rows have the target 0\. /);
  expect((await fit("squared-error", counts)).warnings).toEqual([]);
  expect(
    (
      await fit(
        "huber",
        X.map(([a]) => a + normal(random)),
      )
    ).warnings,
  ).toEqual([]);
  const rare = counts.map((count) => (count === 0 ? 1 : 4));
  expect((await fit("huber", counts, rare)).warnings.map(({ code }) => code)).not.toContain(
    "mostly-one-target",
  );
});

test("a cost that overflows has no gap", async () => {
  const huge = X.map(([a, b]) => [1e200 * a, b]);
  const result = await new LinearClassifier({ scale: "none", lambda: 1 }).fit(huge, informative);
  expect([result.status, result.gap]).toEqual(["diverged", undefined]);
});

describe("a column that does not vary", () => {
  const beside = X.map(([a, b, c]) => [a, b, 7, c]);

  test.each([7, 1, 0, 0.1, 1e9])("is named, and all else is the same to the bit: %d", async (value) => {
    const more = X.map(([a, b, c]) => [a, b, value, c]);
    for (const labels of [informative, X.map(([a, b]) => (a > 1 ? "a" : b > 0 ? "b" : "c"))]) {
      const [plain, wide] = [new LinearClassifier<string>(), new LinearClassifier<string>()];
      const own = await plain.fit(X, labels);
      const other = await wide.fit(more, labels);
      expect(other.warnings.filter(({ code }) => code !== "separable")).toEqual([
        {
          code: "constant-columns",
          message: "Column 2 (counted from 0) is the same in all rows. It is left out: its coefficient is 0.",
        },
      ]);
      expect([other.lambda, other.value, other.gap, other.iterations, other.triedLambdas]).toEqual([
        own.lambda,
        own.value,
        own.gap,
        own.iterations,
        own.triedLambdas,
      ]);
      const models = labels === informative ? 1 : 3;
      const kept = Array.from(wide.coefficients.data).filter((_, k) => k % 4 !== 2);
      expect(kept).toEqual([...plain.coefficients.data]);
      for (let k = 0; k < models; k++) expect(wide.coefficients.data[4 * k + 2]).toBe(0);
      expect(wide.decisionFunction(more).data).toEqual(plain.decisionFunction(X).data);
      expect(wide.predictProbabilities(more).data).toEqual(plain.predictProbabilities(X).data);
    }
  });

  test("in regression, where the anchor counts columns, and in calibrated probabilities", async () => {
    const targets = X.map(([a, b]) => a - b + normal(random));
    for (const loss of ["squared-error", "huber"] as const) {
      const [plain, wide] = [new LinearRegressor({ loss }), new LinearRegressor({ loss })];
      const own = await plain.fit(X, targets);
      const other = await wide.fit(beside, targets);
      expect([other.lambda, other.value, other.triedLambdas]).toEqual([
        own.lambda,
        own.value,
        own.triedLambdas,
      ]);
      expect(wide.predict(beside)).toEqual(plain.predict(X));
    }
    const options = { loss: "squared-hinge", probabilities: true } as const;
    const [plain, wide] = [new LinearClassifier<string>(options), new LinearClassifier<string>(options)];
    await plain.fit(X, informative);
    await wide.fit(beside, informative);
    expect(wide.fitted?.calibration).toEqual(plain.fitted?.calibration);
  });

  test("of sparse rows, and one that varies by rounding alone", async () => {
    const data = Float64Array.from(beside.flat());
    const sparse = sparseOf({ rows: 200, columns: 4, data });
    const model = new LinearClassifier<string>();
    const { warnings } = await model.fit(sparse, informative);
    expect(warnings.map(({ code }) => code)).toEqual(["constant-columns"]);
    expect(model.coefficients.data[2]).toBe(0);
    const rounded = X.map(([a, b, c], i) => [a, b, i % 2 === 0 ? 0.3 : 0.1 + 0.2, c]);
    expect(await warned(rounded, informative)).toEqual(["constant-columns"]);
    const unseen = sparseOf({ rows: 200, columns: 3, data: Float64Array.from(X.flat()) });
    const wider = new LinearClassifier<string>();
    expect((await wider.fit({ ...unseen, columns: 9 }, informative)).warnings).toEqual([]);
  });

  test("stays where a bias that is not free makes use of it", async () => {
    const model = new LinearClassifier<string>({ bias: "none", scale: "none", lambda: 1e-3 });
    const shifted = X.map(([a]) => (a > 0.8 ? "yes" : "no"));
    const { warnings } = await model.fit(beside, shifted);
    expect(warnings.map(({ code }) => code)).not.toContain("constant-columns");
    expect(Math.abs(model.coefficients.data[2])).toBeGreaterThan(0.01);
  });

  test("many of many columns are pixels and the like", async () => {
    const wide = (constant: number) =>
      X.map((row) => [...row, ...Array.from({ length: 60 }, (_, j) => (j < constant ? 7 : normal(random)))]);
    expect(await warned(wide(10), informative)).not.toContain("constant-columns");
    expect(await warned(wide(1), informative)).toContain("constant-columns");
  });
});

test("numbers as classes", async () => {
  const numbers = X.map(([a]) => Math.round(20 * a));
  expect(await warned(X, numbers)).toContain("numbers-as-classes");
  expect(await warned(X, numbers.map(String))).toContain("numbers-as-classes");
  const digits = X.map(([a]) => Math.max(0, Math.min(9, Math.round(5 + 2 * a))));
  expect(await warned(X, digits)).not.toContain("numbers-as-classes");
});

describe("weights", () => {
  const { rows, labels } = table("iris");

  test("that are copies are nothing to speak of, however uneven", async () => {
    expect(
      await warned(
        rows,
        labels,
        rows.map(() => 2),
      ),
    ).toEqual([]);
    const uneven = rows.map((_, i) => (i % 2 === 0 ? 1 : 1000));
    expect(await warned(rows, labels, uneven)).not.toContain("uneven-weights");
  });

  test("that are importances and uneven: as how many rows they count", async () => {
    const weights = rows.map((_, i) => (i % 2 === 0 ? 0.5 : 1000));
    const { warnings } = await new LinearClassifier().fit(rows, labels, { sampleWeights: weights });
    expect(warnings.filter(({ code }) => code === "uneven-weights")).toEqual([
      {
        code: "uneven-weights",
        message:
          "The weights are not all whole numbers, and so not copies of rows: only their ratios matter. They are uneven, so that 150 rows say as much as 75.1 of equal weights.",
      },
    ]);
    for (const [draw, isUneven] of [
      [() => 0.5 + random.uniform(), false],
      [() => 2.5, false],
      [() => random.uniform(), true],
      [() => -Math.log(random.uniform()), true],
    ] as const) {
      const codes = await warned(rows, labels, rows.map(draw));
      expect(codes.includes("uneven-weights")).toBe(isUneven);
    }
  });

  test("in regression too", async () => {
    const { warnings } = await new LinearRegressor().fit(
      rows,
      rows.map(([a, b]) => a - b + normal(random)),
      { sampleWeights: rows.map((_, i) => (i % 2 === 0 ? 0.5 : 1000)) },
    );
    expect(warnings.map(({ code }) => code)).toEqual(["uneven-weights"]);
  });
});
