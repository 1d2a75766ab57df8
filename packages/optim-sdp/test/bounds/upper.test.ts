import { dot, RandomGenerator, zeros } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { repairMatrix } from "../../src/bounds/repair.js";
import { upperBounds } from "../../src/bounds/upper.js";
import { gramOfPoints } from "../../src/gram.js";
import { centralPoint, centralValue } from "../../src/problem.js";
import { solveRing } from "../../src/ring.js";
import { clusteringPoint, randomGram, randomPoints, ringPoints } from "../helpers/small.js";
import { independentBounds } from "../helpers/verify.js";

const seeds = fc.integer({ min: 0, max: 2 ** 31 });

describe("upper bounds", () => {
  test("any S, of any signs and not symmetric, bounds hard clusterings and their mixtures", () => {
    fc.assert(
      fc.property(
        seeds,
        fc.integer({ min: 2, max: 25 }),
        fc.double({ min: 0, max: 20, noNaN: true }),
        (seed, n, size) => {
          const random = new RandomGenerator(seed);
          const gram = randomGram(n, 3, seed);
          const K = 1 + random.integer(n);
          const S = randomPoints(n, n, seed + 1);
          for (let k = 0; k < S.data.length; k++) S.data[k] *= size;
          const { fantope, spectraplex, margin } = upperBounds({ gram, clusters: K }, S);
          expect(fantope).toBeLessThanOrEqual(spectraplex + margin);
          const labels = Array.from({ length: n }, (_, i) => (i < K ? i : random.integer(K)));
          const Q = clusteringPoint(labels);
          const rounding = n * Number.EPSILON * gram.trace; // of the sum below
          expect(dot(gram.dense().data, Q.data)).toBeLessThanOrEqual(fantope + rounding);
          expect(centralValue({ gram, clusters: K })).toBeLessThanOrEqual(fantope);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("K need not be whole", () => {
    fc.assert(
      fc.property(seeds, fc.double({ min: 1, max: 12, noNaN: true }), (seed, K) => {
        const problem = { gram: randomGram(12, 2, seed), clusters: K };
        const Q = centralPoint(12, K);
        const value = repairMatrix(problem, Q, Q);
        expect(value).toBeLessThanOrEqual(upperBounds(problem, zeros(12, 12)).fantope + 1e-12);
      }),
    );
  });

  test("agree with a deflation and ml-matrix", () => {
    for (const [n, K] of [
      [20, 4],
      [60, 7.5],
      [150, 33.3],
      [40, 39],
    ]) {
      const gram = randomGram(n, 4, n);
      const S = randomPoints(n, n, 7);
      const ours = upperBounds({ gram, clusters: K }, S);
      const theirs = independentBounds(gram.dense(), S, K);
      expect(Math.abs(ours.spectraplex - theirs.spectraplex)).toBeLessThan(1e-9 * theirs.spectraplex);
      expect(Math.abs(ours.fantope - theirs.fantope)).toBeLessThan(1e-9 * theirs.fantope);
    }
  });

  test("on a ring of K <= 2 the bound from S = 0 is the optimum", () => {
    const gram = gramOfPoints(ringPoints(100), { scale: "none" });
    for (const K of [1.5, 2]) {
      const { fantope } = upperBounds({ gram, clusters: K }, zeros(100, 100));
      expect(fantope).toBeGreaterThanOrEqual(solveRing(100, K).value - 1e-12);
      expect(fantope).toBeLessThan(solveRing(100, K).value + 1e-9);
    }
  });

  test("for K = 1 and K = n they are the value of the only feasible point", () => {
    const gram = randomGram(9, 3, 1);
    for (const K of [1, 9]) {
      const { fantope, margin } = upperBounds({ gram, clusters: K }, randomPoints(9, 9, 1));
      expect(fantope).toBe((K === 1 ? 0 : gram.trace) + margin);
      expect(margin).toBe(K === 1 ? 0 : (9 + 3 + 16) * Number.EPSILON * gram.trace);
    }
  });

  test("S of another size, or with NaN, is refused", () => {
    const problem = { gram: randomGram(5, 2, 1), clusters: 2 };
    expect(() => upperBounds(problem, zeros(4, 4))).toThrowError(
      /S must be a dense matrix, 5 x 5.*received 4 x 4/,
    );
    const S = zeros(5, 5);
    S.data.fill(Number.NaN);
    expect(() => upperBounds(problem, S)).toThrowError(expect.objectContaining({ code: "ERR_NON_FINITE" }));
  });
});
