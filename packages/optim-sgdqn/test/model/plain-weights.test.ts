import { normal, RandomGenerator } from "@curvature/linalg";
import {
  LinearClassifier,
  type LinearClassifierOptions,
  LinearRegressor,
  type PlainWeights,
  plainWeights,
} from "@curvature/optim-sgdqn";
import { expect, test } from "vitest";

/** As anyone would compute them who has read what the numbers mean. */
function byHand(text: string, row: readonly number[]): { scores: number[]; probabilities: number[] } {
  const { coefficients, intercept, offsets, unitRows, probabilities, classes }: PlainWeights =
    JSON.parse(text);
  const length = unitRows ? Math.hypot(...row) || 1 : 1;
  const scores = coefficients.map((w, k) =>
    w.reduce((sum, wj, j) => sum + wj * (row[j] / length - (offsets?.[j] ?? 0)), intercept[k]),
  );
  if (probabilities === undefined) return { scores, probabilities: [] };
  const z = scores.map((s, k) => probabilities.scale[k] * s + probabilities.shift[k]);
  const sigmoids = z.map((each) => 1 / (1 + Math.exp(-each)));
  if (classes.length === 2) return { scores, probabilities: [1 - sigmoids[0], sigmoids[0]] };
  const parts =
    probabilities.rule === "softmax" ? z.map((each) => Math.exp(each - Math.max(...z))) : sigmoids;
  const sum = parts.reduce((a, b) => a + b, 0);
  return { scores, probabilities: parts.map((part) => part / sum) };
}

function rowsOf(n: number, offset: number, scale: number) {
  const random = new RandomGenerator(3);
  return Array.from({ length: n }, () => [
    normal(random),
    offset + scale * normal(random),
    5 + 0.01 * normal(random),
  ]);
}

const classOf = (row: readonly number[], classes: number, offset: number, scale: number): string =>
  "abc"[row[0] + (row[1] - offset) / scale > 0.3 ? (row[0] > 1 && classes === 3 ? 2 : 1) : 0];

test.each([
  ["two classes", 2, {}],
  ["two classes, weighted", 2, { classWeights: { a: 3, b: 1 } }],
  ["two classes, calibrated", 2, { loss: "squared-hinge", probabilities: true }],
  ["the hinge, which has no probabilities", 2, { loss: "hinge" }],
  ["rows of length 1", 2, { scale: "unit-rows" }],
  ["no scaling, no bias", 2, { scale: "none", bias: "none" }],
  ["softmax", 3, {}],
  ["softmax, weighted", 3, { classWeights: { a: 3, c: 0.5 } }],
  ["one against the rest", 3, { loss: "squared-hinge", probabilities: true }],
  ["one against the rest, weighted", 3, { solver: "lbfgs", classWeights: { a: 3, c: 0.5 } }],
] satisfies [string, number, LinearClassifierOptions<string>][])(
  "scores and probabilities by hand are the model's: %s",
  async (_, classes, options) => {
    for (const [offset, scale] of [
      [1000, 30],
      [1.7e9, 86_400 / 1e4],
    ]) {
      if ("scale" in options && offset > 1e6) continue;
      const X = rowsOf(120, offset, scale);
      const model = new LinearClassifier<string>(options);
      await model.fit(
        X,
        X.map((row) => classOf(row, classes, offset, scale)),
      );
      const text = JSON.stringify(plainWeights(model));
      const scores = model.decisionFunction(X);
      const probabilities =
        "loss" in options && !("probabilities" in options) ? undefined : model.predictProbabilities(X);
      for (const [i, row] of X.entries()) {
        const hand = byHand(text, row);
        for (const [k, score] of hand.scores.entries()) {
          const off = Math.abs(score - scores.data[i * scores.columns + k]);
          expect(off).toBeLessThan(1e-12 * sizeOf(text, row));
        }
        for (const [k, p] of hand.probabilities.entries())
          expect(p).toBeCloseTo(probabilities?.data[i * classes + k] ?? Number.NaN, 10);
        expect(hand.probabilities.length).toBe(probabilities === undefined ? 0 : classes);
      }
    }
  },
);

/** Terms that cancel take their digits with them, in any order of the sum. */
function sizeOf(text: string, row: readonly number[]): number {
  const { coefficients, intercept, offsets }: PlainWeights = JSON.parse(text);
  return Math.max(
    ...coefficients.map((w, k) =>
      w.reduce((sum, wj, j) => sum + Math.abs(wj * (row[j] - (offsets?.[j] ?? 0))), Math.abs(intercept[k])),
    ),
    1,
  );
}

test("numbers are predicted by hand; features without names have numbers", async () => {
  const X = rowsOf(80, 1000, 30);
  const model = new LinearRegressor();
  await model.fit(
    X,
    X.map(([a, b, c]) => 3 * a - b / 7 + c),
  );
  const weights = plainWeights(model);
  expect(weights).toMatchObject({
    task: "regression",
    classes: [],
    columns: ["feature 0", "feature 1", "feature 2"],
  });
  const predicted = model.predict(X);
  for (const [i, row] of X.entries()) {
    const [score] = byHand(JSON.stringify(weights), row).scores;
    expect(Math.abs(score - predicted[i])).toBeLessThan(1e-12 * sizeOf(JSON.stringify(weights), row));
  }
  expect(() => plainWeights(new LinearRegressor())).toThrow("not fitted");
});
