import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { NeighborLists } from "../../src/embedding/affinity/neighbor-lists.js";
import {
  nearestNeighbors,
  nearestNeighborsOf,
  neighborSearch,
} from "../../src/embedding/affinity/neighbors.js";
import { distance2, gridPoints, randomPoints } from "./points.js";

afterEach(disableSimd);

/** All candidates sorted by distance, then index. */
function bruteForce(queries: DenseMatrix, points: DenseMatrix, k: number, self: boolean): number[][] {
  return Array.from({ length: queries.rows }, (_, i) =>
    Array.from({ length: points.rows }, (_, j) => j)
      .filter((j) => !self || j !== i)
      .sort((a, b) => distance2(queries, i, points, a) - distance2(queries, i, points, b) || a - b)
      .slice(0, k),
  );
}

const rowsOf = (indices: Int32Array, k: number): number[][] =>
  Array.from({ length: indices.length / k }, (_, i) => Array.from(indices.subarray(i * k, (i + 1) * k)));

/** That these are the nearest: none is missing that is nearer than the last, and none is there twice. */
function expectNearest(points: DenseMatrix, { count: k, indices, distances }: NeighborLists): void {
  const sorted = bruteForce(points, points, k, true);
  for (const [i, row] of rowsOf(indices, k).entries()) {
    expect(new Set(row).size).toBe(k);
    expect(row).not.toContain(i);
    const last = distance2(points, i, points, sorted[i][k - 1]);
    for (const [p, j] of row.entries()) {
      const expected = distance2(points, i, points, sorted[i][p]);
      expect(Math.abs(distance2(points, i, points, j) - expected)).toBeLessThanOrEqual(1e-12 * expected);
      expect(Math.abs(distances[i * k + p] - expected)).toBeLessThanOrEqual(1e-12 * expected);
    }
    for (const j of sorted[i])
      if (distance2(points, i, points, j) < last * (1 - 1e-11)) expect(row).toContain(j);
  }
}

test("the neighbours are those of sorting all distances", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 40 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 0, max: 1e6 }),
      fc.boolean(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (N, D, seed, grid, fraction) => {
        const points = grid ? gridPoints(N, D, seed) : randomPoints(N, D, seed);
        const k = 1 + Math.floor(fraction * (N - 2));
        const lists = nearestNeighbors(points, k);
        expect(lists.count).toBe(k);
        expectNearest(points, lists);
        if (!grid) expect(rowsOf(lists.indices, k)).toEqual(bruteForce(points, points, k, true));
      },
    ),
    { numRuns: 150 },
  );
});

test("neighbours of new points are searched among all known points", () => {
  for (const [M, N, D, k] of [
    [7, 33, 5, 6],
    [21, 5, 2, 5],
    [1, 1, 1, 1],
    [0, 4, 3, 2],
  ]) {
    const queries = gridPoints(M, D, 3);
    const points = gridPoints(N, D, 4);
    const lists = nearestNeighborsOf(queries, points, k);
    expect(rowsOf(lists.indices, k)).toEqual(bruteForce(queries, points, k, false));
  }
});

test("several cache blocks give the same as one sort", { tags: ["full"] }, () => {
  const points = randomPoints(150, 700, 11);
  expect(rowsOf(nearestNeighbors(points, 12).indices, 12)).toEqual(bruteForce(points, points, 12, true));
  const queries = randomPoints(50, 700, 12);
  const lists = nearestNeighborsOf(queries, points, 12);
  expect(rowsOf(lists.indices, 12)).toEqual(bruteForce(queries, points, 12, false));
});

test("duplicates are neighbours at distance exactly 0, and no distance is negative", () => {
  const points = randomPoints(30, 13, 5);
  points.data.copyWithin(20 * 13, 4 * 13, 5 * 13);
  const lists = nearestNeighbors(points, 29);
  expect(lists.indices[4 * 29]).toBe(20);
  expect(lists.distances[4 * 29]).toBe(0);
  expect(lists.distances[20 * 29]).toBe(0);
  expect(Math.min(...lists.distances)).toBe(0);
});

test("a far origin does not cost neighbours: 1e6 away, differences of 1", () => {
  const near = gridPoints(60, 4, 8);
  const far = { ...near, data: near.data.map((y) => y + 1e6) };
  expectNearest(near, nearestNeighbors(far, 9));
});

test("points whose squared distances are barely numbers", () => {
  for (let seed = 0; seed < 20; seed++) {
    const points = randomPoints(40, 6, seed);
    const tiny = { ...points, data: points.data.map((y) => 1e-161 * y) };
    expectNearest(tiny, nearestNeighbors(tiny, 8));
  }
});

test("what cannot be searched is refused, by name", () => {
  const points = randomPoints(5, 2, 1);
  expect(() => nearestNeighbors(points, 5)).toThrowError("from 1 to 4; received 5");
  expect(() => nearestNeighbors(points, 1.5)).toThrowError(CurvatureError);
  expect(() => nearestNeighborsOf(randomPoints(5, 3, 1), points, 2)).toThrowError("3 columns");
  const broken = { ...points, data: points.data.with(7, Number.NaN) };
  expect(() => nearestNeighbors(broken, 2)).toThrowError("NaN at row 3, column 1");
  const huge = { ...points, data: points.data.with(2, 1e160) };
  expect(() => nearestNeighbors(huge, 2)).toThrowError(
    "row 1, column 0 (counted from 0): squared distances would overflow",
  );
  expect(() => nearestNeighbors({ rows: 3, columns: 0, data: new Float64Array(0) }, 1)).toThrowError(
    "at least one column",
  );
});

test("points in few dimensions, clusters far apart, a far outlier, huge coordinates: as one sort", {
  tags: ["full"],
}, () => {
  const plane = randomPoints(900, 2, 21);
  const clusters = randomPoints(900, 3, 22);
  for (let i = 0; i < 900; i++) clusters.data[3 * i] += 50 * (i % 4);
  const outlier = randomPoints(600, 5, 23);
  outlier.data[7] = 1e9;
  const huge = { ...outlier, data: outlier.data.with(8, 1e150) };
  for (const points of [outlier, huge]) expectNearest(points, nearestNeighbors(points, 7)); // the far row's tie
  for (const points of [plane, clusters])
    expect(rowsOf(nearestNeighbors(points, 7).indices, 7)).toEqual(bruteForce(points, points, 7, true));
});

test("all points are one, and all others are neighbours", () => {
  const same = { rows: 300, columns: 3, data: new Float64Array(900).fill(0.3) };
  const lists = nearestNeighbors(same, 2);
  const named = new Int32Array(300);
  for (const j of lists.indices) named[j] += 1;
  expect(named.every((times) => times === 2)).toBe(true); // they take turns
  expectNearest(same, lists);
  expect(lists.distances.every((distance) => distance === 0)).toBe(true);
  const few = gridPoints(31, 2, 1);
  expect(rowsOf(nearestNeighbors(few, 30).indices, 30)).toEqual(bruteForce(few, few, 30, true));
});

test("the search in steps tells a growing share, and ends with the same lists", () => {
  const points = randomPoints(1500, 60, 3);
  const steps = neighborSearch(points, 4);
  const shares: number[] = [];
  let next = steps.next();
  for (; next.done !== true; next = steps.next()) shares.push(next.value);
  expect(shares.length).toBeGreaterThan(3);
  expect(shares.every((share, i) => share >= (shares[i - 1] ?? 0) && share < 1)).toBe(true);
  const { search, recall, abandonedRecall, ...lists } = next.value;
  expect([search, recall, abandonedRecall]).toEqual(["exact", 1, undefined]);
  expect(lists).toEqual(nearestNeighbors(points, 4));
});

test("with SIMD, which proposes pairs in single precision, the lists are the same to the bit", {
  tags: ["full"],
}, () => {
  const outlier = randomPoints(500, 6, 25);
  outlier.data[10] = 1e12;
  const far = randomPoints(700, 7, 24);
  for (let i = 0; i < 700; i++) far.data[7 * i] += 1e5 * (i % 2);
  const sets = [randomPoints(1200, 50, 22), gridPoints(600, 3, 23), far, outlier];
  for (const points of sets) {
    for (const search of ["exact", "approximate"] as const) {
      const found = (): unknown => {
        const steps = neighborSearch(points, 9, { search });
        for (let next = steps.next(); ; next = steps.next()) if (next.done === true) return next.value;
      };
      const inTypeScript = found();
      expect(enableSimd()).toBe(true);
      const inSimd = found();
      disableSimd();
      expect(inSimd).toEqual(inTypeScript);
    }
  }
});
