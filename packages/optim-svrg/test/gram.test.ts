/** The convex form: its objective, its projection, and where it leads. */
import { type DenseMatrix, multiplyTranspose, RandomGenerator, symmetricEigen } from "@curvature/linalg";
import { errorShare, ordinalLossNames, ordinalObjective } from "@curvature/objectives/ordinal";
import { checkGradient, maxIterations, run } from "@curvature/optim-core";
import { type ConformanceCase, solverConformance } from "@curvature/optim-core/conformance";
import { coordinatesFromGram, GramDescent } from "@curvature/optim-svrg";
import { describe, expect, test } from "vitest";
import { GramLoss } from "../src/gram/gram-loss.js";
import { positivePart } from "../src/gram/positive-part.js";
import { eurodist } from "./fixtures.js";

const random = (length: number, seed: number): Float64Array => {
  const generator = new RandomGenerator(seed);
  return Float64Array.from({ length }, () => 2 * generator.uniform() - 1);
};

const matrix = (n: number, data: Float64Array): DenseMatrix => ({ rows: n, columns: data.length / n, data });

const gramOf = (X: Float64Array, n: number): Float64Array =>
  multiplyTranspose(matrix(n, X), matrix(n, X)).data;

function centred(X: Float64Array, p: number): Float64Array {
  const mean = Array.from({ length: p }, (_, t) =>
    X.reduce((sum, x, i) => (i % p === t ? sum + (x * p) / X.length : sum), 0),
  );
  return X.map((x, i) => x - mean[i % p]);
}

const largestDifference = (a: Float64Array, b: Float64Array): number =>
  a.reduce((most, entry, i) => Math.max(most, Math.abs(entry - b[i])), 0);

const europe = eurodist();
const n = europe.objects;

describe.each(ordinalLossNames)("%s", (name) => {
  const objective = ordinalObjective(europe.train, name, 2, { ridge: 0.4 });

  test("F(X Xᵀ) is F(X) for X centred", () => {
    const X = centred(random(2 * n, 3), 2);
    const F = new GramLoss(objective).evaluate(gramOf(X, n));
    expect(Math.abs(F - objective.evaluate(X))).toBeLessThan(1e-12);
  });

  test("the gradient is that of the values, among centred matrices, and its rows have the sum 0", () => {
    const loss = new GramLoss(objective);
    const K = gramOf(centred(random(5 * n, 1), 5), n);
    const gradient = new Float64Array(n * n);
    loss.evaluate(K, gradient);
    for (let i = 0; i < n; i++) {
      const row = gradient.subarray(i * n, (i + 1) * n);
      expect(Math.abs(row.reduce((a, b) => a + b, 0))).toBeLessThan(1e-14);
      for (let j = 0; j < n; j++) expect(gradient[i * n + j]).toBe(gradient[j * n + i]);
    }
    // Along V Vᵀ with V centred, as a function of one number.
    const direction = gramOf(centred(random(n, 2), 1), n);
    const report = checkGradient(
      {
        dimension: 1,
        evaluate(t, out) {
          const moved = K.map((entry, i) => entry + t[0] * direction[i]);
          out?.fill(
            loss.evaluate(moved, gradient) * 0 + gradient.reduce((sum, g, i) => sum + g * direction[i], 0),
          );
          return loss.evaluate(moved);
        },
      },
      Float64Array.of(0.1),
    );
    expect(report.isCorrect, report.message).toBe(true);
  });

  test("the value falls in every step, and K stays centred and positive semidefinite", () => {
    const solver = new GramDescent(objective, europe.starts[0]);
    let before = Number.POSITIVE_INFINITY;
    for (let k = 0; k < 15; k++) {
      const { value, outcome } = solver.step();
      if (outcome !== undefined) break;
      expect(value).toBeLessThan(before);
      before = value ?? Number.NaN;
    }
    const K = solver.best.x;
    const { values } = symmetricEigen(matrix(n, K));
    const size = values[n - 1];
    expect(values[0]).toBeGreaterThan(-1e-12 * size);
    for (let i = 0; i < n; i++)
      expect(Math.abs(K.subarray(i * n, (i + 1) * n).reduce((a, b) => a + b, 0))).toBeLessThan(1e-11 * size);
  });
});

test("the positive part is the nearest: what it leaves is negative semidefinite and orthogonal to it", {
  tags: ["full"],
}, () => {
  for (const [size, rank, known] of [
    [30, 30, undefined],
    [300, 6, 2],
    [300, 60, 6],
  ] as const) {
    const U = random(size * rank, 5);
    const V = random(size * 9, 6);
    const plus = gramOf(U, size);
    const minus = gramOf(V, size);
    const A = matrix(
      size,
      plus.map((entry, i) => entry - 3 * minus[i]),
    );
    const part = positivePart(A, known);
    const { values } = symmetricEigen(A);
    expect(part.rank).toBe(values.filter((value) => value > 1e-9 * values[size - 1]).length);
    const rest = matrix(
      size,
      A.data.map((entry, i) => entry - part.matrix.data[i]),
    );
    expect(symmetricEigen(rest).values[size - 1]).toBeLessThan(1e-8 * values[size - 1]);
    const product = multiplyTranspose(rest, part.matrix).data;
    expect(Math.max(...product.map(Math.abs))).toBeLessThan(1e-7 * values[size - 1] ** 2);
  }
});

test("coordinates of a matrix of rank p give back its distances", () => {
  const X = centred(random(3 * 12, 8), 3);
  const Y = coordinatesFromGram(matrix(12, gramOf(X, 12)), 3);
  expect(largestDifference(gramOf(X, 12), gramOf(Y, 12))).toBeLessThan(1e-13);
  const wide = coordinatesFromGram(matrix(12, gramOf(X, 12)), 5);
  expect(Math.max(...wide.filter((_, i) => i % 5 > 2).map(Math.abs))).toBeLessThan(1e-7);
  expect(() => coordinatesFromGram(matrix(12, gramOf(X, 12)), 13)).toThrow(/from 1 to 12/);
});

test.each(["ste", "gnmds"] as const)("it learns Europe's distances, %s", { tags: ["full"] }, async (name) => {
  const solver = new GramDescent(ordinalObjective(europe.train, name, 2), europe.starts[0]);
  await run(solver, { stop: maxIterations(200) });
  // Recorded for K itself, of rank 15 or so: 0.043, 0.051. Its best plane satisfies less.
  expect(errorShare(europe.test, solver.coordinates(n))).toBeLessThan(0.055);
  expect(errorShare(europe.test, solver.coordinates())).toBeLessThan(0.11);
});

test("a convex loss leads to the same value from every start", { tags: ["full"] }, async () => {
  const objective = ordinalObjective(europe.train, "ste", 2, { ridge: 0.05 });
  const values = await Promise.all(
    [0, 1].map(
      async (k) =>
        (await run(new GramDescent(objective, europe.starts[k]), { stop: maxIterations(400) })).value ??
        Number.NaN,
    ),
  );
  expect(Math.abs(values[0] - values[1])).toBeLessThan(1e-3 * values[0]);
});

const given: ConformanceCase = {
  name: "Gram",
  create: () => new GramDescent(ordinalObjective(europe.train, "ste", 2), europe.starts[0]),
  hasFaults: false,
  bits: "1c4b9a81617ebc926de905b1026bbae8",
  steps: 20,
  longSteps: 40,
};
describe("conformance", () => {
  for (const { name, check } of solverConformance(given)) test(name, check);
});

test("what is no objective, no matrix or no number of dimensions is refused in words", () => {
  const ours = expect.objectContaining({ name: "CurvatureError" });
  for (const objective of [undefined, null, {}, 3])
    expect(() => Reflect.construct(GramDescent, [objective, new Float64Array(8)])).toThrow(ours);
  const K = matrix(2, new Float64Array(4));
  for (const given of [undefined, null, {}, { rows: 1e9, columns: 1e9, data: [] }])
    expect(() => Reflect.apply(coordinatesFromGram, undefined, [given, 1])).toThrow(ours);
  for (const dimensions of [0, 3, Symbol("two"), Object.create(null)])
    expect(() => Reflect.apply(coordinatesFromGram, undefined, [K, dimensions])).toThrow(ours);
});
