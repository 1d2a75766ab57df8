/** A loss of one's own against the built-in one that it repeats, against differences of its values, and what is refused. */
import { RandomGenerator } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { type DifferenceLoss, ordinalLoss, ordinalObjective } from "../../src/ordinal/index.js";

const logistic: DifferenceLoss = {
  name: "my logistic",
  value: (z) => Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))),
  derivative: (z) => 1 / (1 + Math.exp(-z)),
};
const hinge: DifferenceLoss = { value: (z) => Math.max(0, 1 + z), derivative: (z) => (1 + z > 0 ? 1 : 0) };
const squaredHinge: DifferenceLoss = {
  value: (z) => Math.max(0, 1 + z) ** 2,
  derivative: (z) => 2 * Math.max(0, 1 + z),
};

function drawn(objects: number, count: number, p: number) {
  const random = new RandomGenerator(objects + count);
  const quadruplets = new Int32Array(4 * count);
  for (let q = 0; q < count; q++) {
    const i = random.integer(objects);
    const j = (i + 1 + random.integer(objects - 1)) % objects;
    const others = [...new Array(objects).keys()].filter((n) => n !== i && n !== j);
    quadruplets.set(
      [i, j, q % 2 === 0 ? i : others[0], others[1 + random.integer(others.length - 1)]],
      4 * q,
    );
  }
  const X = Float64Array.from({ length: objects * p }, () => 2 * random.uniform() - 1);
  return { comparisons: { objects, quadruplets, weights: undefined }, X };
}

// Few comparisons of many objects, and many of few, go different ways.
test.each([
  ["ste", logistic, 30, 40],
  ["ste", logistic, 8, 400],
  ["gnmds", hinge, 30, 40],
  ["gnmds", hinge, 8, 400],
] as const)("%s written by oneself is that loss (%#)", (name, own, objects, count) => {
  const { comparisons, X } = drawn(objects, count, 3);
  const [built, mine] = [name, ordinalLoss(own)].map((loss) => ordinalObjective(comparisons, loss, 3));
  const [g, h] = [new Float64Array(X.length), new Float64Array(X.length)];
  expect(Math.abs(mine.evaluate(X, h) - built.evaluate(X, g))).toBeLessThan(1e-12);
  for (let k = 0; k < g.length; k++) expect(Math.abs(g[k] - h[k])).toBeLessThan(1e-12);
});

test("the gradient of a loss that no built-in one is agrees with differences of the value", () => {
  const { comparisons, X } = drawn(9, 200, 2);
  const objective = ordinalObjective(comparisons, ordinalLoss(squaredHinge), 2);
  const gradient = new Float64Array(X.length);
  objective.evaluate(X, gradient);
  for (let k = 0; k < X.length; k++) {
    const [up, down] = [1e-6, -1e-6].map((step) =>
      objective.evaluate(X.map((x, at) => (at === k ? x + step : x))),
    );
    expect((up - down) / 2e-6).toBeCloseTo(gradient[k], 7);
  }
});

describe("refused is", () => {
  const refusal = (loss: unknown): string => {
    try {
      ordinalLoss(loss as DifferenceLoss);
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
    return "nothing";
  };
  test.each([
    [
      "a function that is missing",
      { value: (z: number) => z },
      "two functions of d1 - d2, value and derivative",
    ],
    [
      "a wrong derivative",
      { ...logistic, derivative: (z: number) => 1 / (1 + Math.exp(z)) },
      "but its values rise by",
    ],
    ["half of it", { value: (z: number) => z + 40, derivative: () => 0.5 }, "but its values rise by"],
    ["a loss that falls", { value: (z: number) => -z, derivative: () => -1 }, "at least 0"],
    ["a value that is no number", { value: () => Number.NaN, derivative: () => 0 }, "must be finite"],
    [
      "one that overflows",
      { value: (z: number) => Math.exp(30 * z), derivative: (z: number) => 30 * Math.exp(30 * z) },
      "must be finite",
    ],
    ["an empty name", { ...logistic, name: " " }, "not empty"],
    ["an array", [], "two functions"],
  ])("%s", (_, loss, words) => expect(refusal(loss)).toContain(words));
});
