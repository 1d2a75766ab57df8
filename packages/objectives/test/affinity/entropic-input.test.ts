/** Entropic affinities of degenerate data, and input that is refused. */
import { type DenseMatrix, RandomGenerator, squaredDistances } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  affinitiesOfDistances,
  affinitiesOfSquaredDistances,
  entropicAffinities,
} from "../../src/embedding/affinity/entropic.js";
import { jointAffinities } from "../../src/embedding/affinity/joint.js";
import { affinitiesOfNeighbors } from "../../src/embedding/affinity/neighbor-affinities.js";
import { distanceWeights, distanceWeightsOf } from "../../src/embedding/affinity/repulsive-weights.js";
import { gridPoints, randomPoints } from "./points.js";
import { entropies, full, largestDifference, sum } from "./weights.js";

describe("degenerate data", () => {
  test("duplicates fewer than the perplexity still have a β", () => {
    const points = randomPoints(30, 3, 21);
    for (const copy of [10, 11]) points.data.copyWithin(copy * 3, 0, 3);
    const { conditional, warnings } = entropicAffinities(points, { perplexity: 5, neighbors: "all" });
    expect(warnings).toEqual([]);
    for (const H of entropies(conditional)) expect(Math.abs(H - Math.log(5))).toBeLessThan(1e-9);
  });

  test("more duplicates than the perplexity: the row is uniform on them, with a warning", () => {
    const points = randomPoints(30, 3, 22);
    for (let copy = 10; copy < 18; copy++) points.data.copyWithin(copy * 3, 9, 12);
    for (const neighbors of ["all", 15] as const) {
      const { conditional, beta, warnings } = entropicAffinities(points, { perplexity: 5, neighbors });
      const row = full(conditional).subarray(3 * 30, 4 * 30);
      for (let m = 0; m < 30; m++) expect(row[m]).toBe(m >= 10 && m < 18 ? 1 / 8 : 0);
      expect(beta[3]).toBe(Number.POSITIVE_INFINITY);
      expect(Number.isFinite(beta[0])).toBe(true);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain("9 points (the first is point 3) have");
    }
  });

  test("all points equal: uniform rows, no NaN", () => {
    const points = { rows: 12, columns: 2, data: new Float64Array(24).fill(3) };
    const { conditional, warnings } = entropicAffinities(points, { perplexity: 4, neighbors: "all" });
    const P = full(conditional);
    for (let n = 0; n < 12; n++)
      for (let m = 0; m < 12; m++) expect(P[n * 12 + m]).toBe(n === m ? 0 : 1 / 11);
    expect(warnings).toHaveLength(1);
  });

  test("ties that differ by rounding alone are ties: a grid shifted by 1/3 has the affinities of the grid", () => {
    const grid = {
      rows: 100,
      columns: 2,
      data: Float64Array.from({ length: 200 }, (_, k) => (k % 2 === 0 ? (k >> 1) % 10 : Math.floor(k / 20))),
    };
    const shifted = { ...grid, data: grid.data.map((y) => y * 0.1 + 1 / 3) };
    const exact = entropicAffinities(grid, { perplexity: 3, neighbors: "all" });
    const rounded = entropicAffinities(shifted, { perplexity: 3, neighbors: "all" });
    expect(largestDifference(full(exact.conditional), full(rounded.conditional))).toBeLessThan(1e-10);
    expect(exact.warnings).toHaveLength(1);
  });

  test("whatever the data, rows are distributions and nothing hangs", () => {
    const wild = fc.oneof(
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.constantFrom(0, 1, 1e-160, 1e-300, 5e-324, 1e150, -1e150, 1e-8),
    );
    fc.assert(
      fc.property(
        fc
          .integer({ min: 3, max: 12 })
          .chain((N) => fc.tuple(fc.constant(N), fc.array(wild, { minLength: 2 * N, maxLength: 2 * N }))),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        ([N, data], share) => {
          const points = { rows: N, columns: 2, data: Float64Array.from(data) };
          const { conditional, evaluations } = entropicAffinities(points, {
            perplexity: perplexity(share, N - 1),
            neighbors: "all",
          });
          const P = full(conditional);
          for (let n = 0; n < N; n++) expect(sum(P.subarray(n * N, (n + 1) * N))).toBeCloseTo(1, 12);
          expect(evaluations.most).toBeLessThanOrEqual(200);
        },
      ),
      { numRuns: 500 },
    );
    function perplexity(share: number, K: number): number {
      return 1 + share * (K - 1);
    }
  });

  test("whole-number data, full of ties", () => {
    for (let seed = 0; seed < 20; seed++) {
      const { conditional, warnings } = entropicAffinities(gridPoints(30, 2, seed), {
        perplexity: 6,
        neighbors: "all",
      });
      const H = entropies(conditional);
      const short = H.filter((h) => Math.abs(h - Math.log(6)) > 1e-9);
      for (const h of short) expect(h).toBeGreaterThan(Math.log(6) - 1e-12);
      expect(warnings.length).toBe(short.length > 0 ? 1 : 0);
    }
  });
});

describe("input", () => {
  const points = randomPoints(10, 2, 1);
  test.each([1, 9, 30, 0.5])("perplexity %d is refused with the range", (perplexity) => {
    expect(() => entropicAffinities(points, { perplexity, neighbors: "all" })).toThrowError(
      `perplexity must be above 1 and below 9, the number of neighbours used for each of 10 points; received ${perplexity}.`,
    );
  });
  test("the bound is that of the neighbours used", () => {
    expect(() => entropicAffinities(points, { perplexity: 5, neighbors: 5 })).toThrowError(
      "above 1 and below 5",
    );
  });
  test("other options", () => {
    const misspelt = { perplexty: 5, perplexity: 5 };
    expect(() => entropicAffinities(points, { perplexity: 5, neighbors: 10 })).toThrowError("at most 9");
    expect(() => entropicAffinities(points, { perplexity: Number.NaN })).toThrowError("perplexity");
    expect(() => entropicAffinities(points, misspelt)).toThrowError('Did you mean "perplexity"?');
  });
  test("two points, NaN, distances that are none", () => {
    expect(() => entropicAffinities(randomPoints(2, 2, 1), { perplexity: 1.5 })).toThrowError(
      "at least 3 points",
    );
    const broken = { ...points, data: points.data.with(5, Number.POSITIVE_INFINITY) };
    expect(() => entropicAffinities(broken, { perplexity: 5 })).toThrowError("Infinity at row 2, column 1");
    expect(() => affinitiesOfDistances(points, 3)).toThrowError("must be square");
    const negative: DenseMatrix = squaredDistances(points);
    negative.data[3] = -1;
    for (const affinities of [affinitiesOfDistances, affinitiesOfSquaredDistances])
      expect(() => affinities(negative, 3)).toThrowError("-1 at row 0, column 3");
    const lists = { count: 3, indices: new Int32Array(30), distances: new Float64Array(29) };
    expect(() => affinitiesOfNeighbors(lists, 2)).toThrowError("distances");
  });
  test("rows as arrays are points too", () => {
    const rows = Array.from({ length: 10 }, (_, n) => Array.from(points.data.subarray(2 * n, 2 * n + 2)));
    expect(entropicAffinities(rows, { perplexity: 3 })).toEqual(
      entropicAffinities(points, { perplexity: 3 }),
    );
    expect(() => entropicAffinities([[1, 2], [3]], { perplexity: 3 })).toThrowError("ragged");
  });
  test("repulsive weights", () => {
    const equal = { rows: 4, columns: 1, data: new Float64Array(4) };
    expect(() => distanceWeights(equal)).toThrowError("All points are equal");
    const huge = { ...points, data: points.data.map((y) => (y > 0.5 ? 2e153 : -2e153)) };
    expect(() => distanceWeights(huge)).toThrowError("all points overflows. Rescale the data.");
    const given = (distance: number) => ({ rows: 2, columns: 2, data: Float64Array.of(0, distance, 1, 0) });
    expect(() => distanceWeightsOf(given(-1))).toThrowError("-1 at row 0, column 1");
    expect(() => distanceWeightsOf(given(Number.NaN))).toThrowError("NaN at row 0, column 1");
  });

  test("neighbour lists: counts, places, points that are themselves or named twice", () => {
    const lists = {
      count: 2,
      indices: Int32Array.of(1, 2, 0, 2, 0, 1, 0, 1),
      distances: new Float64Array(8),
    };
    const withIndex = (place: number, index: number) => ({
      ...lists,
      indices: lists.indices.with(place, index),
    });
    expect(() => affinitiesOfNeighbors({ ...lists, count: 0 }, 1.5)).toThrowError("count 0, 8 indices");
    expect(() => affinitiesOfNeighbors({ ...lists, count: 3 }, 1.5)).toThrowError("count 3, 8 indices");
    expect(() => affinitiesOfNeighbors(withIndex(3, 4), 1.5)).toThrowError(
      "Row 1 of the neighbour lists has 4",
    );
    expect(() => affinitiesOfNeighbors(withIndex(3, -1), 1.5)).toThrowError("has -1");
    expect(() => affinitiesOfNeighbors(withIndex(0, 0), 1.5)).toThrowError(
      "Row 0 of the neighbour lists has 0",
    );
    expect(() => affinitiesOfNeighbors(withIndex(7, 0), 1.5)).toThrowError(
      "Row 3 of the neighbour lists has 0",
    );
    expect(affinitiesOfNeighbors(lists, 1.5).conditional.rows).toBe(4);
  });

  test("joint affinities of what are no affinities", () => {
    expect(() =>
      jointAffinities([
        [0, Number.NaN],
        [1, 0],
      ]),
    ).toThrowError("NaN at row 0, column 1");
    expect(() =>
      jointAffinities([
        [0, -1],
        [1, 0],
      ]),
    ).toThrowError("must not be negative");
    expect(() =>
      jointAffinities([
        [1, 1],
        [1, 0],
      ]),
    ).toThrowError("its diagonal must be zero");
    expect(() =>
      jointAffinities([
        [0, 0],
        [0, 0],
      ]),
    ).toThrowError("a positive, finite sum; it is 0");
    expect(() =>
      jointAffinities([
        [0, 1e308],
        [1e308, 0],
      ]),
    ).toThrowError("it is Infinity");
    expect(() => jointAffinities({ rows: 2, columns: 3, data: new Float64Array(6) })).toThrowError("square");
    expect(
      jointAffinities([
        [0, 1],
        [3, 0],
      ]),
    ).toEqual({ rows: 2, columns: 2, data: Float64Array.of(0, 0.5, 0.5, 0) });
  });
});

test("the order of the visit depends on nothing but the data", () => {
  const random = new RandomGenerator(1);
  const points = { rows: 60, columns: 3, data: Float64Array.from({ length: 180 }, () => random.uniform()) };
  const first = entropicAffinities(points, { perplexity: 8 });
  expect(entropicAffinities(points, { perplexity: 8 })).toEqual(first);
});
