import { type DenseMatrix, fillNormal, RandomGenerator, zeros } from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import { afterEach, expect, test } from "vitest";
import type { FoundNeighbors } from "../../src/embedding/affinity/neighbor-lists.js";
import {
  approximatelyIfWell,
  type NeighborSearchOptions,
  nearestNeighbors,
  neighborSearch,
} from "../../src/embedding/affinity/neighbors.js";
import { gridPoints, randomPoints } from "./points.js";

afterEach(disableSimd);

/** Clusters of unequal spread, each filling 4 of 20 dimensions and a little of the others. */
function clusters(N: number, seed: number): DenseMatrix {
  const random = new RandomGenerator(seed);
  const [count, D, d] = [12, 20, 4];
  const centres = new Float64Array(count * D);
  const axes = new Float64Array(count * D * d);
  fillNormal(random, centres);
  fillNormal(random, axes);
  const points = zeros(N, D);
  fillNormal(random, points.data);
  const z = new Float64Array(d);
  for (let n = 0; n < N; n++) {
    const c = random.integer(count);
    fillNormal(random, z);
    for (let j = 0; j < D; j++) {
      let y = 3 * centres[c * D + j] + 0.05 * points.data[n * D + j];
      for (let i = 0; i < d; i++) y += (0.2 + c / count) * z[i] * axes[(c * D + j) * d + i];
      points.data[n * D + j] = y;
    }
  }
  return points;
}

function found(points: DenseMatrix, k: number, options: Partial<NeighborSearchOptions>): FoundNeighbors {
  return resultOf(neighborSearch(points, k, options));
}

function resultOf(steps: Generator<number, FoundNeighbors, void>): FoundNeighbors {
  for (let next = steps.next(); ; next = steps.next()) if (next.done === true) return next.value;
}

/** The share of entries whose distance is no more than the k-th least, and a check of every list. */
function recallOf(lists: FoundNeighbors, points: DenseMatrix): number {
  const exact = nearestNeighbors(points, lists.count);
  const k = lists.count;
  let right = 0;
  for (let p = 0; p < lists.indices.length; p++) {
    const n = Math.floor(p / k);
    if (lists.distances[p] <= exact.distances[n * k + k - 1]) right++;
    if (p % k > 0) expect(lists.distances[p]).toBeGreaterThanOrEqual(lists.distances[p - 1]);
  }
  for (let n = 0; n < points.rows; n++) {
    const row = lists.indices.subarray(n * k, (n + 1) * k);
    expect(new Set(row).size).toBe(k);
    expect(row.includes(n)).toBe(false);
    expect(row.every((m) => m >= 0 && m < points.rows)).toBe(true);
  }
  return right / lists.indices.length;
}

test.each([
  ["30 neighbours", 4000, 30],
  ["3 neighbours", 3000, 3],
])(
  "clusters, %s: at least 95 %% are found, and the reported recall is near the true one",
  { tags: ["full"] },
  (_, N, k) => {
    const points = clusters(N, 5);
    const lists = found(points, k, { search: "approximate", seed: 1 });
    const recall = recallOf(lists, points);
    expect(lists.search).toBe("approximate");
    expect(recall).toBeGreaterThan(0.95);
    // 200 of the rows: standard error about 0.004 here
    expect(Math.abs(lists.recall - recall)).toBeLessThan(0.02);
  },
);

test("the distances are those of the exact search, bit for bit, and a seed gives the same lists again", {
  tags: ["full"],
}, () => {
  const points = clusters(1500, 6);
  const lists = found(points, 5, { search: "approximate", seed: 2 });
  expect(found(points, 5, { search: "approximate", seed: 2 })).toEqual(lists);
  const all = nearestNeighbors(points, 1499);
  for (let n = 0; n < 1500; n += 97) {
    const distances = new Map(
      Array.from(all.indices.subarray(n * 1499, (n + 1) * 1499), (m, i) => [m, all.distances[n * 1499 + i]]),
    );
    for (let p = 5 * n; p < 5 * n + 5; p++) expect(lists.distances[p]).toBe(distances.get(lists.indices[p]));
  }
});

test("few points, all neighbours, duplicates, one point many times, outliers: full lists, recall 1", {
  tags: ["full"],
}, () => {
  const outliers = randomPoints(500, 4, 9);
  outliers.data[3] = 1e150;
  outliers.data[400] = -1e12;
  const cases: readonly (readonly [DenseMatrix, number])[] = [
    [randomPoints(2, 3, 1), 1],
    [randomPoints(50, 3, 2), 49],
    [gridPoints(300, 2, 3), 120],
    [{ rows: 700, columns: 2, data: new Float64Array(1400).fill(7) }, 9],
    [outliers, 6],
  ];
  for (const [points, k] of cases) {
    const lists = found(points, k, { search: "approximate" });
    expect(recallOf(lists, points)).toBeGreaterThan(0.97);
    expect(lists.recall).toBeGreaterThan(0.97);
  }
});

test("auto is exact for few points, and options that are none are refused before the first step", () => {
  const points = randomPoints(40, 3, 1);
  expect(found(points, 4, {}).search).toBe("exact");
  const misspelt: object = { search: "aproximate" };
  expect(() => neighborSearch(points, 4, misspelt)).toThrowError("search must be one of");
  expect(() => neighborSearch(points, 40, { search: "approximate" })).toThrowError("from 1 to 39");
  const broken = { ...points, data: points.data.with(7, Number.NaN) };
  expect(() => neighborSearch(broken, 2, { search: "approximate" })).toThrowError("NaN at row 2, column 1");
});

test("left to choose, the search is exact where lists find too few, says so, and its share still grows", {
  tags: ["full"],
}, () => {
  enableSimd(); // for its speed
  const noise = zeros(4000, 100);
  fillNormal(new RandomGenerator(3), noise.data);
  const steps = approximatelyIfWell(noise, 5, 0);
  let last = 0;
  let next = steps.next();
  for (; next.done !== true; next = steps.next()) {
    expect(next.value).toBeGreaterThanOrEqual(last);
    last = next.value;
  }
  expect(last).toBeLessThan(1);
  const { search, recall, abandonedRecall, ...lists } = next.value;
  expect([search, recall]).toEqual(["exact", 1]);
  expect(abandonedRecall).toBeLessThan(0.45);
  expect(lists).toEqual(nearestNeighbors(noise, 5));
  const structured = clusters(1500, 5);
  expect(resultOf(approximatelyIfWell(structured, 30, 1))).toEqual(
    found(structured, 30, { search: "approximate", seed: 1 }),
  );
});
