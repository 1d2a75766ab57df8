/** Every loss, as an objective and as a sum: derivatives, invariances, and what is refused. */
import { RandomGenerator } from "@curvature/linalg";
import * as exported from "@curvature/objectives/ordinal";
import {
  type Comparisons,
  checkComparisons,
  comparisonCount,
  errorShare,
  type OrdinalObjective,
  ordinalLoss,
  ordinalLossNames,
  ordinalObjective,
} from "@curvature/objectives/ordinal";
import { asObjective, checkGradient, type Objective } from "@curvature/optim-core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arePairsShared } from "../../src/ordinal/pair-losses.js";
import { randomComparisons, randomPoint } from "./comparisons.js";

const settings = (["triplets", "quadruplets"] as const).flatMap((form) =>
  [0, 0.7].flatMap((ridge) => [false, true].map((weighted) => ({ form, ridge, weighted }))),
);

function make(
  name: (typeof ordinalLossNames)[number],
  { form, ridge, weighted }: (typeof settings)[number],
  p = 3,
): OrdinalObjective {
  const random = new RandomGenerator(5);
  const comparisons = randomComparisons(random, 7, 40, form);
  const weights = Float64Array.from({ length: 40 }, () => 3 * random.uniform());
  return ordinalObjective(weighted ? { ...comparisons, weights } : comparisons, name, p, { ridge });
}

function gradientOf(objective: Objective, X: Float64Array): Float64Array {
  const gradient = new Float64Array(X.length).fill(Number.NaN);
  objective.evaluate(X, gradient);
  return gradient;
}

/** The gradient of one term by the sparse form, made dense. */
function sparseGradient(objective: OrdinalObjective, q: number, X: Float64Array) {
  const coordinates = new Int32Array(X.length);
  const entries = new Float64Array(X.length).fill(Number.NaN);
  const { value, touched } = objective.sum.evaluateSparse(q, X, coordinates, entries);
  const dense = new Float64Array(X.length);
  const seen = new Set(coordinates.subarray(0, touched));
  for (let t = 0; t < touched; t++) dense[coordinates[t]] = entries[t];
  return { value, dense, isDistinct: seen.size === touched };
}

const largest = (a: Float64Array): number => a.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0);
const apart = (a: Float64Array, b: Float64Array): number => largest(a.map((entry, i) => entry - b[i]));

test("the list holds every exported objective and every loss", () => {
  const factories = Object.keys(exported).filter((name) => /Objective$/.test(name));
  expect(factories).toEqual(["ordinalObjective"]);
  expect(ordinalLossNames.map((name) => ordinalLoss(name).name)).toEqual(ordinalLossNames);
  expect(ordinalLossNames).toHaveLength(7);
});

describe.each(ordinalLossNames)("%s", (name) => {
  test.each(settings)("gradient, $form, ridge $ridge, weighted $weighted", { tags: ["full"] }, (setting) => {
    for (const p of [1, 2, 3, 5]) {
      const objective = make(name, setting, p);
      for (const size of [0.3, 2]) {
        const X = randomPoint(new RandomGenerator(p), objective.dimension, size);
        const report = checkGradient(objective, X);
        expect(report.isCorrect, report.message).toBe(true);
        const ofSum = checkGradient(asObjective(objective.sum), X);
        expect(ofSum.isCorrect, ofSum.message).toBe(true);
      }
    }
  });

  test.each(settings)("one sum in all its forms, $form, ridge $ridge, weighted $weighted", (setting) => {
    const objective = make(name, setting);
    const { sum, dimension } = objective;
    const X = randomPoint(new RandomGenerator(3), dimension);
    const total = new Float64Array(dimension);
    let value = 0;
    for (let q = 0; q < sum.count; q++) {
      const gradient = new Float64Array(dimension).fill(Number.NaN);
      const term = sum.evaluate(q, X, gradient);
      const sparse = sparseGradient(objective, q, X);
      expect(sparse.isDistinct).toBe(true);
      expect(Math.abs(sparse.value - term)).toBeLessThanOrEqual(1e-15 * (1 + Math.abs(term)));
      expect(apart(sparse.dense, gradient)).toBeLessThanOrEqual(1e-15 * (1 + largest(gradient)));
      expect(sum.evaluate(q, X)).toBe(term);
      value += term;
      for (let t = 0; t < dimension; t++) total[t] += gradient[t];
    }
    const gradient = gradientOf(objective, X);
    expect(Math.abs(objective.evaluate(X) - value)).toBeLessThanOrEqual(1e-13 * (1 + value));
    expect(apart(gradient, total)).toBeLessThanOrEqual(1e-13 * (1 + largest(gradient)));
  });

  test("values and slopes at once have the bits of one after the other", () => {
    const loss = ordinalLoss(name, { dimensions: 4 });
    const random = new RandomGenerator(5);
    const d1 = Float64Array.from({ length: 300 }, () => 10 ** (8 * random.uniform() - 4));
    const d2 = Float64Array.from({ length: 300 }, () => 10 ** (8 * random.uniform() - 4));
    const [l, a, c, bothL, bothA, bothC] = Array.from({ length: 6 }, () => new Float64Array(300));
    loss.values(300, d1, d2, l);
    loss.slopes(300, d1, d2, a, c);
    loss.valuesAndSlopes(300, d1, d2, bothL, bothA, bothC);
    expect([bothL, bothA, bothC]).toEqual([l, a, c]);
  });

  test("the slopes are those of the values, for squared distances up to 10⁶", () => {
    const loss = ordinalLoss(name, { dimensions: 10 });
    const coefficients = new Float64Array(2);
    const distances = [1e-3, 0.4, 1, 7.3, 250, 3e4, 1e6];
    for (const d1 of distances)
      for (const d2 of distances) {
        const l = loss.evaluate(d1, d2, coefficients);
        const [a, c] = coefficients;
        expect(l).toBe(loss.value(d1, d2));
        expect([l, a, c].every(Number.isFinite), `${d1}, ${d2}`).toBe(true);
        expect(l).toBeGreaterThanOrEqual(0);
        expect(a).toBeGreaterThanOrEqual(0);
        expect(c).toBeLessThanOrEqual(0);
        const difference = (at: (h: number) => number, d: number): number => {
          const h = 1e-4 * Math.min(1, d);
          return (at(h) - at(-h)) / (2 * h);
        };
        const rounding = (d: number): number =>
          (1e-15 * Math.max(l, d1, d2, 1)) / (1e-4 * Math.min(1, d)) + 1e-9;
        const near = difference((h) => loss.value(d1 + h, d2), d1);
        const far = difference((h) => loss.value(d1, d2 + h), d2);
        const isKink = name === "gnmds" && d1 + 1 === d2;
        if (isKink) continue;
        expect(Math.abs(near - a), `a at ${d1}, ${d2}`).toBeLessThanOrEqual(2e-8 * a + rounding(d1));
        expect(Math.abs(far - c), `c at ${d1}, ${d2}`).toBeLessThanOrEqual(-2e-8 * c + rounding(d2));
      }
  });

  test("moving and turning change nothing, and the rows of the gradient have the sum 0", () => {
    const objective = make(name, { form: "quadruplets", ridge: 0, weighted: false }, 2);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (seed, by) => {
          const X = randomPoint(new RandomGenerator(seed), objective.dimension);
          const turned = X.map(
            (x, i) => (i % 2 === 0 ? 0.6 * x - 0.8 * X[i + 1] : 0.8 * X[i - 1] + 0.6 * x) + by,
          );
          const F = objective.evaluate(X);
          expect(Math.abs(objective.evaluate(turned) - F)).toBeLessThanOrEqual(1e-12 * (1 + F));
          const gradient = gradientOf(objective, X);
          const sums = [0, 0];
          gradient.forEach((g, i) => {
            sums[i % 2] += g;
          });
          expect(Math.max(...sums.map(Math.abs))).toBeLessThanOrEqual(1e-14 * (1 + largest(gradient)));
        },
      ),
      { numRuns: 50 },
    );
  });

  test("where points coincide, and far away, nothing is NaN", () => {
    const objective = make(name, { form: "triplets", ridge: 0, weighted: false });
    for (const X of [
      new Float64Array(objective.dimension),
      randomPoint(new RandomGenerator(1), objective.dimension, 1e3),
    ]) {
      expect(objective.evaluate(X)).toBeGreaterThanOrEqual(0);
      expect(gradientOf(objective, X).every(Number.isFinite)).toBe(true);
    }
    expect(objective.evaluate(new Float64Array(objective.dimension).fill(Number.NaN))).toBeNaN();
  });
});

test("few objects, whose distances are shared, and many: the same sum in both forms", () => {
  for (const [objects, isShared] of [
    [14, true],
    [15, false],
  ] as const)
    for (const weighted of [false, true]) {
      const random = new RandomGenerator(9);
      const comparisons = randomComparisons(random, objects, 19, "quadruplets");
      const weights = Float64Array.from({ length: 19 }, () => random.uniform());
      const given = weighted ? { ...comparisons, weights } : comparisons;
      expect(arePairsShared(given)).toBe(isShared);
      const objective = ordinalObjective(given, "logistic", 2, { ridge: 0.4 });
      const X = randomPoint(random, 2 * objects);
      const report = checkGradient(objective, X);
      expect(report.isCorrect, report.message).toBe(true);
      const all = Int32Array.from({ length: 19 }, (_, q) => q);
      const gradient = new Float64Array(2 * objects);
      const value = objective.sum.evaluateBatch(all, X, gradient);
      expect(objective.evaluate(X)).toBeCloseTo(value, 13);
      expect(apart(gradientOf(objective, X), gradient)).toBeLessThan(1e-14);
    }
});

test("another ridge on the same comparisons is the objective made with it", () => {
  const setting = { form: "triplets", weighted: true } as const;
  const plain = make("tste", { ...setting, ridge: 0 });
  const given = make("tste", { ...setting, ridge: 0.7 });
  const X = randomPoint(new RandomGenerator(2), plain.dimension);
  for (const other of [plain.withRidge(0.7), plain.withRidge(3).withRidge(0.7)]) {
    expect(other.evaluate(X)).toBe(given.evaluate(X));
    expect(gradientOf(other, X)).toEqual(gradientOf(given, X));
    expect(other.sum.evaluate(3, X)).toBe(given.sum.evaluate(3, X));
    expect(other.fingerprint).toBe(given.fingerprint);
  }
  expect(given.withRidge(0).evaluate(X)).toBe(plain.evaluate(X));
  for (const wrong of [-1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => plain.withRidge(wrong)).toThrow(/ridge must be/);
});

test("the values of the losses by hand", () => {
  const close = (value: number, expected: number) => expect(Math.abs(value - expected)).toBeLessThan(1e-12);
  close(ordinalLoss("gnmds").value(2, 2.5), 0.5);
  close(ordinalLoss("ckl", { mu: 1 }).value(2, 3), Math.log(7 / 4));
  close(ordinalLoss("ste").value(2, 3), Math.log(1 + Math.exp(-1)));
  close(ordinalLoss("tste", { alpha: 3 }).value(2, 4), Math.log(1 + (5 / 7) ** 2));
  close(ordinalLoss("soe").value(4, 6.25), 0.25);
  close(ordinalLoss("logistic").value(4, 9), Math.log(1 + Math.exp(-1)));
  close(ordinalLoss("smooth-hinge").value(2, 3), Math.log(2));
  expect(ordinalLoss("tste", { dimensions: 10 }).description).toBe("tste, alpha 9");
  expect(ordinalLoss("tste", { dimensions: 1 }).description).toBe("tste, alpha 1");
});

test("the fingerprint names data, loss, dimensions, weights and ridge", () => {
  const comparisons = randomComparisons(new RandomGenerator(1), 6, 20, "triplets");
  const weights = new Float64Array(20).fill(2);
  const objectives = [
    ordinalObjective(comparisons, "ste", 2),
    ordinalObjective(comparisons, "ste", 3),
    ordinalObjective(comparisons, "soe", 2),
    ordinalObjective(comparisons, "ckl", 2, { mu: 0.1 }),
    ordinalObjective(comparisons, "ckl", 2),
    ordinalObjective(comparisons, "ste", 2, { ridge: 1 }),
    ordinalObjective({ ...comparisons, weights }, "ste", 2),
    ordinalObjective(randomComparisons(new RandomGenerator(2), 6, 20, "triplets"), "ste", 2),
  ];
  expect(new Set(objectives.map(({ fingerprint }) => fingerprint)).size).toBe(objectives.length);
  expect(ordinalObjective(comparisons, ordinalLoss("ste"), 2).fingerprint).toBe(objectives[0].fingerprint);
});

test("ties and NaN are errors, and weights count", () => {
  const comparisons: Comparisons = { objects: 3, quadruplets: Int32Array.of(0, 1, 0, 2, 0, 2, 0, 1) };
  expect(errorShare(comparisons, Float64Array.of(0, 1, 2))).toBe(0.5);
  expect(errorShare(comparisons, Float64Array.of(0, 0, 0))).toBe(1);
  expect(errorShare(comparisons, Float64Array.of(0, Number.NaN, 1))).toBe(1);
  expect(errorShare({ ...comparisons, weights: Float64Array.of(3, 1) }, Float64Array.of(0, 1, 2))).toBe(0.25);
});

describe("bad input ends in a CurvatureError that says where", () => {
  const good = { objects: 4, quadruplets: Int32Array.of(0, 1, 0, 2, 3, 1, 2, 0) };
  const bad: readonly (readonly [Comparisons, RegExp])[] = [
    [{ ...good, quadruplets: Int32Array.of(0, 1, 0, 2, 3, 3, 2, 0) }, /Comparison 1 .* object 3 to itself/],
    [{ ...good, quadruplets: Int32Array.of(0, 1, 1, 0) }, /Comparison 0 .* a pair to itself/],
    [{ ...good, quadruplets: Int32Array.of(0, 1, 0, 4) }, /Comparison 0 .* object 4/],
    [{ ...good, quadruplets: Int32Array.of(0, 1, 0, -1) }, /object -1/],
    [{ ...good, quadruplets: Int32Array.of(0, 1, 0) }, /i, j, l, k/],
    [{ ...good, quadruplets: new Int32Array(0) }, /at least one/],
    [{ ...good, objects: 0 }, /objects/],
    [{ ...good, objects: Number.NaN }, /objects/],
    [{ ...good, weights: Float64Array.of(1) }, /length 2/],
    [{ ...good, weights: Float64Array.of(1, -1) }, /Comparison 1 .* weight -1/],
    [{ ...good, weights: Float64Array.of(1, Number.NaN) }, /Comparison 1 .* NaN/],
    [{ ...good, weights: new Float64Array(2) }, /above 0/],
  ];
  const curvatureError = (message: RegExp) =>
    expect.objectContaining({ name: "CurvatureError", message: expect.stringMatching(message) });

  test.each(bad)("%o", (comparisons, message) => {
    expect(() => checkComparisons(comparisons)).toThrow(curvatureError(message));
    expect(() => ordinalObjective(comparisons, "ste", 2)).toThrow(curvatureError(message));
  });

  test("options, names, dimensions and lengths", () => {
    expect(() => ordinalObjective(good, "ste", 0)).toThrow(curvatureError(/dimensions/));
    expect(() => ordinalObjective(good, "ste", 2, { ridge: -1 })).toThrow(curvatureError(/ridge/));
    expect(() => ordinalLoss("ckl", { mu: 0 })).toThrow(curvatureError(/mu/));
    expect(() => ordinalLoss("tste", { alpha: Number.NaN })).toThrow(curvatureError(/alpha/));
    const names: readonly unknown[] = ["steps", "toString", 3, null];
    for (const name of names)
      expect(() => Reflect.apply(ordinalLoss, undefined, [name])).toThrow(curvatureError(/one of/));
    expect(() => Reflect.apply(ordinalObjective, undefined, [good, null, 2])).toThrow(curvatureError(/loss/));
    const objective = ordinalObjective(good, "ste", 2);
    expect(() => objective.evaluate(new Float64Array(7))).toThrow(curvatureError(/length 8/));
    expect(() => errorShare(good, new Float64Array(7))).toThrow(curvatureError(/same number/));
    expect(() => Reflect.apply(errorShare, undefined, [null, new Float64Array(8)])).toThrow(
      curvatureError(/object/),
    );
  });

  test("anything for comparisons: an error of ours or none", () => {
    const functions = [checkComparisons, comparisonCount];
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (objects, quadruplets, weights) => {
        for (const input of [{ objects, quadruplets, weights }, objects])
          for (const called of functions)
            try {
              Reflect.apply(called, undefined, [input]);
            } catch (error) {
              expect(error).toMatchObject({ name: "CurvatureError" });
            }
      }),
    );
  });
});
