import { type DenseMatrix, RandomGenerator, toSparse } from "@curvature/linalg";
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

/** Kept, trust and the map's nearest of point i, ties going to the point that is first in `order`. */
function inOrder(
  points: number[][],
  map: number[][],
  i: number,
  k: number,
  order: number[],
): [number, number, number[]] {
  const N = points.length;
  const ranking = (rows: number[][]): number[] => {
    const distance = (j: number) =>
      (rows[i] ?? []).reduce((sum, value, c) => sum + (value - (rows[j]?.[c] ?? 0)) ** 2, 0);
    return order.filter((j) => j !== i).sort((a, b) => distance(a) - distance(b)); // stable
  };
  const inData = ranking(points);
  let kept = 0;
  let penalty = 0;
  const inMap = ranking(map).slice(0, k);
  for (const j of inMap) {
    const rank = inData.indexOf(j) + 1;
    if (rank <= k) kept += 1 / k;
    else penalty += rank - k;
  }
  return [kept, 1 - (2 * penalty) / (k * (2 * N - 3 * k - 1)), inMap];
}

function* permutations(n: number): Generator<number[]> {
  if (n === 0) yield [];
  else
    for (const rest of permutations(n - 1)) for (let at = 0; at < n; at++) yield rest.toSpliced(at, 0, n - 1);
}

describe("over the order of ties", () => {
  test("all are the means over all orders of the rows, point by point", () => {
    const random = new RandomGenerator(5);
    for (let trial = 0; trial < 12; trial++) {
      const N = 5 + (trial % 3);
      const k = 1 + (trial % Math.min(3, Math.ceil(N / 2) - 1));
      const points = whole(N, 2, 1 + (trial % 2), random);
      const map = whole(N, 1 + (trial % 2), 2, random);
      const sums = Array.from({ length: N }, () => [0, 0] as [number, number]);
      /** In how many orders j is among the map's nearest of i. */
      const near = Array.from({ length: N }, () => new Float64Array(N));
      let count = 0;
      for (const order of permutations(N)) {
        count += 1;
        for (const [i, sum] of sums.entries()) {
          const [kept, trust, inMap] = inOrder(points, map, i, k, order);
          sum[0] += kept;
          sum[1] += trust;
          for (const j of inMap) near[i][j] += 1;
        }
      }
      const found = mapTrust(points, map, { neighbors: k });
      expect(found.k).toBe(k);
      for (const [i, [kept, trust]] of sums.entries()) {
        expect(found.kept[i]).toBeCloseTo(kept / count, 12);
        expect(found.trust[i]).toBeCloseTo(trust / count, 12);
        const around =
          sums.reduce((sum, [, other], j) => sum + (near[i][j] * other) / count, 0) / (k * count);
        expect(found.regional[i]).toBeCloseTo((trust / count + around) / 2, 12);
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
          expect(here.regional[place]).toBeCloseTo(there.regional[i] ?? Number.NaN, 12);
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

  test.each([1, 2])("%d points have no such numbers", (N) => {
    const rows = Array.from({ length: N }, (_, i) => [i]);
    for (const points of [
      rows,
      { distances: rows.map(([i = 0]) => rows.map(([j = 0]) => Math.abs(i - j))) },
    ]) {
      const { k, ...columns } = mapTrust(points, rows);
      expect(k).toBe(0);
      for (const column of Object.values(columns)) expect([...column]).toEqual(new Array(N).fill(Number.NaN));
    }
  });

  test("three points have one neighbour", () => {
    const { k, trust, regional } = mapTrust([[0], [1], [3]], [[0], [3], [1]]);
    // Point 0 has 2 beside it, its second in the data; 1 has 2, its second; 2 has 0, its second.
    expect([k, ...trust, ...regional]).toEqual([1, 0, 0, 0, 0, 0, 0]);
  });
});

describe("regional trust", () => {
  test("is half the point's own and half that of its nearest in the map", () => {
    const points = [
      [0, 0],
      [1, 0],
      [2, 0],
      [9, 9],
      [9, 8],
      [8, 9],
    ];
    const map = [
      [0, 0],
      [1, 0],
      [2, 0],
      [5, 5],
      [5, 4],
      [0, 1],
    ];
    const { trust, regional } = mapTrust(points, map, { neighbors: 2 });
    // One rank too far takes 0.2: point 0 has 5 beside it, of rank 3.5 with 4.
    for (const [i, value] of [0.7, 1, 1, 0.8, 0.8, 0].entries()) expect(trust[i]).toBeCloseTo(value, 12);
    // Nearest in the map: 0: 1 and 5, 1: 0 and 2, 2: 1 and 0, 3: 4 and 2, 4: 3 and 2, 5: 0 and 1.
    const expected = [0.6, 0.925, 0.925, 0.85, 0.85, 0.425];
    for (const [i, value] of expected.entries()) expect(regional[i]).toBeCloseTo(value, 12);
  });

  test("of given distances it is that of the points, and sparse points have the numbers of dense ones", () => {
    const random = new RandomGenerator(12);
    const [points, map] = [whole(60, 3, 2, random), whole(60, 2, 4, random)];
    const distances = points.map((a) => points.map((b) => Math.hypot(...a.map((v, c) => v - (b[c] ?? 0)))));
    const { k: _, ...ofPoints } = mapTrust(points, map);
    for (const same of [{ distances }, toSparse(matrix(points))]) {
      const { k: __, ...columns } = mapTrust(same, map);
      for (const [name, values] of Object.entries(columns))
        for (const [i, value] of values.entries())
          expect(value, name).toBeCloseTo(Object(ofPoints)[name][i], 9);
    }
  });

  test("sparse points of any size, and of metrics under which they stay sparse", () => {
    const points = Array.from({ length: 12 }, (_, i) => [1 + (i % 3), i % 4, (i * i) % 5, 9]);
    const map = points.map(([a = 0, b = 0]) => [a, b]);
    const times = (factor: number) => toSparse(matrix(points.map((row) => row.map((v) => v * factor))));
    const { regional } = mapTrust(points, map);
    for (const factor of [1e-200, 1e200])
      for (const [i, value] of mapTrust(times(factor), map).regional.entries())
        expect(value).toBeCloseTo(regional[i] ?? Number.NaN, 9);
    for (const metric of ["cosine", "correlation", "hellinger"] as const) {
      const dense = mapTrust(points, map, { metric }).regional;
      for (const [i, value] of mapTrust(times(1), map, { metric }).regional.entries())
        expect(value, metric).toBeCloseTo(dense[i] ?? Number.NaN, 9);
    }
    expect(() => mapTrust(times(1), map, { metric: "manhattan" })).toThrowError(
      /metric must be euclidean, cosine, correlation or hellinger for sparse points/,
    );
  });

  test("in a map of one place all others are as near: half a point's own and half the mean of the rest", () => {
    const random = new RandomGenerator(13);
    const points = Array.from({ length: 40 }, () => [random.uniform(), random.uniform()]);
    const { trust, regional } = mapTrust(
      points,
      points.map(() => [3]),
      { neighbors: 4 },
    );
    const sum = trust.reduce((a, b) => a + b, 0);
    for (const [i, own] of trust.entries()) expect(regional[i]).toBeCloseTo((own + (sum - own) / 39) / 2, 12);
  });
});
