import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { knnPreservation, mapQuality, mapTrust, trustworthiness } from "../src/metrics.js";

const matrix = (rows: readonly (readonly number[])[]): DenseMatrix => ({
  rows: rows.length,
  columns: rows[0]?.length ?? 0,
  data: Float64Array.from(rows.flat()),
});

/** Small whole numbers: ties and duplicates everywhere. */
function whole(rows: number, columns: number, most: number, random: RandomGenerator): number[][] {
  return Array.from({ length: rows }, () => Array.from({ length: columns }, () => random.integer(most + 1)));
}

function shuffled(n: number, random: RandomGenerator): number[] {
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = random.integer(i + 1);
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  return order;
}

/** Kept and trust of point i, ties going to the point that is first in `order`. */
function inOrder(
  points: number[][],
  map: number[][],
  i: number,
  k: number,
  order: number[],
): [number, number] {
  const N = points.length;
  const ranking = (rows: number[][]): number[] => {
    const distance = (j: number) =>
      (rows[i] ?? []).reduce((sum, value, c) => sum + (value - (rows[j]?.[c] ?? 0)) ** 2, 0);
    return order.filter((j) => j !== i).sort((a, b) => distance(a) - distance(b)); // stable
  };
  const inData = ranking(points);
  let kept = 0;
  let penalty = 0;
  for (const j of ranking(map).slice(0, k)) {
    const rank = inData.indexOf(j) + 1;
    if (rank <= k) kept += 1 / k;
    else penalty += rank - k;
  }
  return [kept, 1 - (2 * penalty) / (k * (2 * N - 3 * k - 1))];
}

function* permutations(n: number): Generator<number[]> {
  if (n === 0) yield [];
  else
    for (const rest of permutations(n - 1)) for (let at = 0; at < n; at++) yield rest.toSpliced(at, 0, n - 1);
}

describe("over the order of ties", () => {
  test("both are the means over all orders of the rows, point by point", () => {
    const random = new RandomGenerator(5);
    for (let trial = 0; trial < 12; trial++) {
      const N = 5 + (trial % 3);
      const k = 1 + (trial % Math.min(3, Math.ceil(N / 2) - 1));
      const points = whole(N, 2, 1 + (trial % 2), random);
      const map = whole(N, 1 + (trial % 2), 2, random);
      const sums = Array.from({ length: N }, () => [0, 0] as [number, number]);
      let count = 0;
      for (const order of permutations(N)) {
        count += 1;
        for (const [i, sum] of sums.entries()) {
          const [kept, trust] = inOrder(points, map, i, k, order);
          sum[0] += kept;
          sum[1] += trust;
        }
      }
      const found = mapTrust(points, map, { neighbors: k });
      expect(found.k).toBe(k);
      for (const [i, [kept, trust]] of sums.entries()) {
        expect(found.kept[i]).toBeCloseTo(kept / count, 12);
        expect(found.trust[i]).toBeCloseTo(trust / count, 12);
      }
    }
  });

  test("a lattice that was turned, mirrored, shifted and scaled keeps all neighbourhoods", () => {
    const lattice = Array.from({ length: 400 }, (_, i) => [i % 20, Math.floor(i / 20)]);
    for (const angle of [0, 0.5, 2.1, Math.PI])
      for (const [size, shift] of [
        [1, 0],
        [1e-3, 0],
        [1e4, 0],
        [1, 1e5],
      ] as const) {
        const turned = lattice.map(([a = 0, b = 0]) => [
          size * (a * Math.cos(angle) - b * Math.sin(angle)) + shift,
          size * (a * Math.sin(angle) + b * Math.cos(angle)),
        ]);
        const { knnPreservation: kept, trustworthiness: trust } = mapQuality(lattice, turned);
        expect(kept).toBeCloseTo(1, 12);
        expect(trust).toBeCloseTo(1, 12);
      }
  });

  test("permuted rows have the same numbers in the new order", () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 70 }), fc.integer({ min: 0, max: 1e6 }), (N, seed) => {
        const random = new RandomGenerator(seed);
        const points = whole(N, 3, 2, random);
        const map = whole(N, 2, 4, random).map((row) => row.map((v) => v + (seed % 2) * random.uniform()));
        const order = shuffled(N, random);
        const there = mapTrust(points, map);
        const pick = (rows: number[][]) => order.map((i) => rows[i] ?? []);
        const here = mapTrust(pick(points), pick(map));
        for (const [place, i] of order.entries()) {
          expect(here.kept[place]).toBeCloseTo(there.kept[i] ?? Number.NaN, 12);
          expect(here.trust[place]).toBeCloseTo(there.trust[i] ?? Number.NaN, 12);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("all points equally far: a map keeps what chance does", () => {
    const N = 60;
    const equal = Array.from({ length: N }, (_, i) => Array.from({ length: N }, (_, j) => Number(i === j)));
    const random = new RandomGenerator(1);
    const map = Array.from({ length: N }, () => [random.uniform(), random.uniform()]);
    const { kept, trust } = mapTrust(equal, map, { neighbors: 7 });
    for (const share of kept) expect(share).toBeCloseTo(7 / 59, 12);
    // The mean excess of a rank that is uniform on 1 … 59.
    const excess = (52 * 53) / (2 * 59);
    for (const share of trust) expect(share).toBeCloseTo(1 - (2 * excess) / (120 - 21 - 1), 12);
  });

  test("the means of mapTrust are the two measures", () => {
    const random = new RandomGenerator(9);
    const [points, map] = [matrix(whole(90, 4, 3, random)), matrix(whole(90, 2, 5, random))];
    const { kept, trust } = mapTrust(points, map, { neighbors: 6 });
    const mean = (values: Float64Array) => values.reduce((sum, v) => sum + v, 0) / values.length;
    expect(knnPreservation(points, map, { neighbors: 6 }).value).toBeCloseTo(mean(kept), 14);
    expect(trustworthiness(points, map, { neighbors: 6 }).value).toBeCloseTo(mean(trust), 14);
  });

  test("a sample among ties, too", () => {
    const lattice = Array.from({ length: 400 }, (_, i) => [i % 20, Math.floor(i / 20)]);
    const turned = lattice.map(([a = 0, b = 0]) => [0.6 * a - 0.8 * b, 0.8 * a + 0.6 * b]);
    const { knnPreservation: kept, trustworthiness: trust } = mapQuality(lattice, turned, { maxRows: 90 });
    expect(kept).toBeCloseTo(1, 12);
    expect(trust).toBeCloseTo(1, 12);
  });

  test("fewer than 3 points have no such numbers", () => {
    const { kept, trust, k } = mapTrust([[1], [2]], [[1], [2]]);
    expect([k, ...kept, ...trust]).toEqual([0, Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
  });
});
