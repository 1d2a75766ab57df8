/** The objectives of `sums` against their definitions, written out. */
import { RandomGenerator } from "@curvature/linalg";
import { independentComponents, isingModel, softmaxRegression } from "@curvature/objectives/sums";
import { expect, test } from "vitest";
import { randomRows } from "./models.js";

const around = (initial: Float64Array, width = 0.5): Float64Array => {
  const random = new RandomGenerator(3);
  return initial.map((entry) => entry + width * (2 * random.uniform() - 1));
};

test("softmax regression is minus the logarithm of the probability of the labels", () => {
  const rows = randomRows(5, 2);
  const labels = [0, 2, 1, 1, 0];
  const sum = softmaxRegression(rows, labels, { count: 2, lambda: 0.1 });
  const x = around(sum.initial);
  let expected = 0;
  for (let n = 0; n < 5; n++) {
    const weights = [0, 1, 2].map((k) =>
      Math.exp(x[3 * k] * rows.data[2 * n] + x[3 * k + 1] * rows.data[2 * n + 1] + x[3 * k + 2]),
    );
    expected -= (2 / 5) * Math.log(weights[labels[n]] / (weights[0] + weights[1] + weights[2]));
  }
  expected += 2 * 0.05 * x.reduce((squares, entry) => squares + entry * entry, 0);
  expect(sum.whole.evaluate(x)).toBeCloseTo(expected, 13);
});

test("scores of any size neither overflow nor lose the value", () => {
  const sum = softmaxRegression([[1], [1]], [0, 1], { count: 1, lambda: 0, bias: false });
  const gradient = new Float64Array(2);
  expect(sum.evaluate(0, Float64Array.of(1e6, -1e6), gradient)).toBe(1e6);
  expect(gradient).toEqual(Float64Array.of(0.5, -0.5));
});

/** Simpson's rule for the integral over the line, by t = sinh u. */
function integral(density: (t: number) => number): number {
  const h = 1 / 64;
  let sum = 0;
  for (let k = -1600; k <= 1600; k++) {
    const u = k * h;
    sum += (k % 2 === 0 ? 2 : 4) * density(Math.sinh(u)) * Math.cosh(u);
  }
  return (sum * h) / 3;
}

test.each([0.7, 1, 3, 12, 500])(
  "with one component f is −log of a density of integral 1, ν = %d",
  { tags: ["full"] },
  (shape) => {
    const density = (t: number): number =>
      Math.exp(
        -independentComponents([[t]], { count: 1 }).evaluate(0, Float64Array.of(1.7, Math.log(shape))),
      );
    expect(integral(density)).toBeCloseTo(1, 7);
  },
);

test("with one degree of freedom it is Cauchy's density, in as many dimensions as one likes", () => {
  const rows = randomRows(4, 3);
  const sum = independentComponents(rows, { count: 1 });
  const x = around(sum.initial);
  x.fill(0, 9); // ν = 1
  const [a, b, c, d, e, f, g, h, i] = x;
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  let expected = -Math.log(Math.abs(determinant));
  for (let n = 0; n < 4; n++)
    for (let k = 0; k < 3; k++) {
      let y = 0;
      for (let j = 0; j < 3; j++) y += x[3 * k + j] * rows.data[3 * n + j];
      expected += Math.log(Math.PI * (1 + y * y)) / 4;
    }
  expect(sum.evaluate(0, x)).toBeCloseTo(expected, 13);
});

test("singular filters have the value ∞", () => {
  const sum = independentComponents(randomRows(3, 2), { count: 1 });
  const gradient = new Float64Array(6);
  expect(sum.evaluate(0, Float64Array.of(1, 2, 2, 4, 0, 0), gradient)).toBe(Number.POSITIVE_INFINITY);
  expect(gradient.every(Number.isNaN)).toBe(true);
});

test("the Ising model's flow is that of the energies of the states and their neighbours", () => {
  const d = 4;
  const states = [
    [0, 1, 1, 0],
    [1, 1, 0, 1],
    [0, 0, 0, 0],
  ];
  const sum = isingModel(states, { count: 1, lambda: 0 });
  const x = around(sum.initial);
  const J = (i: number, j: number): number => {
    const [low, high] = [Math.min(i, j), Math.max(i, j)];
    return x[low * d - (low * (low - 1)) / 2 + high - low];
  };
  const energy = (s: readonly number[]): number =>
    s.reduce((total, si, i) => total + s.reduce((inner, sj, j) => inner + si * J(i, j) * sj, 0), 0);
  let expected = 0;
  for (const s of states)
    s.forEach((_, i) => {
      const flipped = s.map((bit, j) => (j === i ? 1 - bit : bit));
      expected += Math.exp(0.5 * (energy(s) - energy(flipped))) / 3;
    });
  expect(sum.whole.evaluate(x)).toBeCloseTo(expected, 13);
});
