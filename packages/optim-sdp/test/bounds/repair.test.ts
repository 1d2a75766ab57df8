import { dot, outerGram, RandomGenerator, zeros } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { factoredDense, factoredValue } from "../../src/bounds/factored-point.js";
import { repairFactor, repairMatrix } from "../../src/bounds/repair.js";
import { clusteringPoint, randomGram, randomPoints } from "../helpers/small.js";
import { worstViolation } from "../helpers/verify.js";

const seeds = fc.integer({ min: 0, max: 2 ** 31 });
/** Any K from 1 to n, the ends included. */
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe("the repair of a matrix", () => {
  test("of any positive semidefinite matrix is feasible to 1e-12, and its value is Tr(D Q)", () => {
    fc.assert(
      fc.property(
        seeds,
        fc.integer({ min: 2, max: 30 }),
        share,
        fc.integer({ min: 1, max: 5 }),
        (seed, n, at, rank) => {
          const K = 1 + at * (n - 1);
          const problem = { gram: randomGram(n, 3, seed), clusters: K };
          const Q = zeros(n, n);
          const value = repairMatrix(problem, outerGram(randomPoints(n, rank, seed)), Q);
          expect(worstViolation(Q, K)).toBeLessThan(1e-12);
          expect(value).toBeCloseTo(dot(problem.gram.dense().data, Q.data), 10);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("leaves a feasible point alone, in place too", () => {
    const Q = clusteringPoint([0, 1, 1, 2, 0, 2, 2]);
    const before = Q.data.slice();
    repairMatrix({ gram: randomGram(7, 2, 1), clusters: 3 }, Q, Q);
    for (let k = 0; k < before.length; k++) expect(Math.abs(Q.data[k] - before[k])).toBeLessThan(1e-15);
  });

  test("of E with rounding is the central point: the rounding is not blown up to Tr P = K - 1", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 3, max: 30 }), (seed, n) => {
        const K = 1 + (n - 1) / 2;
        const E = randomPoints(n, n, seed);
        for (let k = 0; k < E.data.length; k++) E.data[k] = (1 + 1e-15 * E.data[k]) / n;
        repairMatrix({ gram: randomGram(n, 3, seed), clusters: K }, E, E);
        expect(worstViolation(E, K)).toBeLessThan(1e-12);
      }),
    );
  });

  test("zero becomes the central point, NaN is refused", () => {
    const problem = { gram: randomGram(4, 2, 1), clusters: 2 };
    const Q = zeros(4, 4);
    expect(repairMatrix(problem, zeros(4, 4), Q)).toBeCloseTo(problem.gram.trace / 3, 14);
    expect(worstViolation(Q, 2)).toBeLessThan(1e-15);
    Q.data[5] = Number.NaN;
    expect(() => repairMatrix(problem, Q, Q)).toThrowError(
      expect.objectContaining({ code: "ERR_NON_FINITE" }),
    );
  });
});

describe("the repair of a factor", () => {
  test("of any nonnegative factor is feasible to 1e-12 after any number of sweeps", () => {
    fc.assert(
      fc.property(
        seeds,
        fc.integer({ min: 2, max: 30 }),
        share,
        fc.integer({ min: 0, max: 60 }),
        (seed, n, at, sweeps) => {
          const K = 1 + at * (n - 1);
          const random = new RandomGenerator(seed);
          const Y = randomPoints(n, 1 + random.integer(2 * n), seed);
          for (let k = 0; k < Y.data.length; k++) Y.data[k] = Math.max(0, Y.data[k]); // about half are 0, some rows wholly
          Y.data[0] = 1;
          const gram = randomGram(n, 3, seed);
          const point = repairFactor(K, Y, sweeps);
          const Q = factoredDense(point);
          expect(worstViolation(Q, K)).toBeLessThan(1e-12);
          expect(factoredValue(gram, point)).toBeCloseTo(dot(gram.dense().data, Q.data), 10);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("of a clustering's indicators is the clustering", () => {
    const labels = [0, 1, 1, 2, 0, 2, 2];
    const Y = zeros(7, 3);
    labels.forEach((label, i) => {
      Y.data[i * 3 + label] = 0.7;
    });
    const Q = factoredDense(repairFactor(3, Y));
    const right = clusteringPoint(labels);
    for (let k = 0; k < right.data.length; k++) expect(Q.data[k]).toBeCloseTo(right.data[k], 13);
  });

  test("refuses what is negative, zero or not a number", () => {
    for (const bad of [-1, 0, Number.NaN, Number.POSITIVE_INFINITY]) {
      const Y = zeros(3, 2);
      Y.data.fill(bad);
      expect(() => repairFactor(2, Y)).toThrowError(expect.objectContaining({ code: "ERR_ARGUMENT" }));
    }
    expect(() => repairFactor(4, { rows: 3, columns: 1, data: Float64Array.of(1, 1, 1) })).toThrowError(
      expect.objectContaining({ code: "ERR_OPTION" }),
    );
  });
});
