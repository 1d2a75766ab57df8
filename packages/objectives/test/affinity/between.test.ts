/** Neighbours of new points among known ones: by lists as by direct differences, with SIMD as without it. */
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { searchBetweenApproximately } from "../../src/embedding/affinity/approximate-between.js";
import { nearestNeighborsOf, neighborSearchOf, resultOf } from "../../src/embedding/affinity/neighbors.js";
import { distance2, randomPoints } from "./points.js";

const known = randomPoints(700, 6, 2);
const fresh = randomPoints(150, 6, 3);
const k = 12;

/** All distances, sorted. */
function expectedOf(i: number): { index: number; distance: number }[] {
  return Array.from({ length: 700 }, (_, index) => ({ index, distance: distance2(fresh, i, known, index) }))
    .sort((a, b) => a.distance - b.distance || a.index - b.index)
    .slice(0, k);
}

function checkExact(): void {
  const { indices, distances, recall, search } = resultOf(neighborSearchOf(fresh, known, k));
  expect({ recall, search }).toEqual({ recall: 1, search: "exact" });
  for (let i = 0; i < 150; i++)
    for (const [j, { index, distance }] of expectedOf(i).entries()) {
      expect(indices[i * k + j]).toBe(index);
      expect(distances[i * k + j]).toBeCloseTo(distance, 12);
    }
}

function checkApproximate(): void {
  const { lists, recall } = resultOf(searchBetweenApproximately(fresh, known, k, 0));
  let found = 0;
  for (let i = 0; i < 150; i++) {
    const own = new Set(lists.indices.subarray(i * k, i * k + k));
    expect(own.size).toBe(k);
    for (let j = 0; j < k; j++)
      expect(lists.distances[i * k + j]).toBeCloseTo(
        distance2(fresh, i, known, lists.indices[i * k + j]),
        12,
      );
    found += expectedOf(i).filter(({ index }) => own.has(index)).length / (150 * k);
  }
  expect(found).toBeGreaterThan(0.9);
  expect(Math.abs(found - recall)).toBeLessThan(0.06);
}

test("the exact search finds what sorting all distances finds", checkExact);
test("the approximate search finds most of it, and measures how much", checkApproximate);

test("one point, and all known points as neighbours", () => {
  const one = { ...fresh, rows: 1, data: fresh.data.slice(0, 6) };
  for (const search of ["exact", "approximate"] as const) {
    const { indices } = resultOf(neighborSearchOf(one, known, 700, { search }));
    expect(new Set(indices).size).toBe(700);
    expect(indices.slice(0, k)).toEqual(nearestNeighborsOf(one, known, k).indices);
  }
});

describe("with SIMD", () => {
  const before = nearestNeighborsOf(fresh, known, k);
  beforeAll(() => void enableSimd());
  afterAll(disableSimd);

  test("the same lists, bit by bit", () => {
    expect(nearestNeighborsOf(fresh, known, k)).toEqual(before);
    checkExact();
    checkApproximate();
  });
});
