import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { resultOf } from "../../src/embedding/affinity/neighbors.js";
import {
  entropicAffinities,
  jointAffinities,
  nearestNeighbors,
  neighborSearch,
  type Weights,
} from "../../src/embedding/index.js";
import { gridPoints, permuted, randomPoints, shuffled } from "./points.js";

const oneHot = (N: number): DenseMatrix => ({
  rows: N,
  columns: N,
  data: Float64Array.from({ length: N * N }, (_, p) => Number(p % (N + 1) === 0)),
});

/** 64 columns of random bits: ties, but hardly a duplicate. */
const bits = (rows: number, seed: number, columns = 64): DenseMatrix => {
  const random = new RandomGenerator(seed);
  return { rows, columns, data: Float64Array.from({ length: rows * columns }, () => random.integer(2)) };
};

function dense(weights: Weights): DenseMatrix {
  if ("data" in weights) return weights;
  const { rows, columns, rowPointers, columnIndices, values } = weights;
  const data = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++)
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++)
      data[i * columns + columnIndices[p]] = values[p];
  return { rows, columns, data };
}

const joint = (points: DenseMatrix, perplexity: number, neighbors: number): DenseMatrix =>
  dense(jointAffinities(entropicAffinities(points, { perplexity, neighbors }).conditional));

const inDegrees = (points: DenseMatrix, k: number): Int32Array => {
  const named = new Int32Array(points.rows);
  for (const j of nearestNeighbors(points, k).indices) named[j] += 1;
  return named;
};

/** Of the values with their places. */
function correlation(values: ArrayLike<number>): number {
  const all = Array.from(values);
  const n = all.length;
  const mean = all.reduce((a, b) => a + b, 0) / n;
  const middle = (n - 1) / 2;
  const sum = (f: (v: number, i: number) => number) =>
    all.reduce((s, v, i) => s + f(v - mean, i - middle), 0);
  return sum((v, i) => v * i) / Math.sqrt(sum((v) => v * v) * sum((_, i) => i * i) || 1);
}

test("affinities permute with the rows: grids, duplicates, bits, one-hot rows", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 12, max: 70 }),
      fc.integer({ min: 0, max: 1e6 }),
      fc.integer({ min: 0, max: 3 }),
      (N, seed, kind) => {
        const points = [
          () => gridPoints(N, 2, seed),
          () => bits(N, seed, 5),
          () => oneHot(N),
          () => randomPoints(N, 3, seed),
        ][kind]();
        const order = shuffled(N, seed + 1);
        const k = 4 + (seed % 5);
        const P = joint(points, 3, k);
        const Q = joint(permuted(points, order), 3, k);
        let furthest = 0;
        for (let a = 0; a < N; a++)
          for (let b = 0; b < N; b++)
            furthest = Math.max(furthest, Math.abs(Q.data[a * N + b] - P.data[order[a] * N + order[b]]));
        expect(furthest).toBeLessThan(1e-12);
      },
    ),
    { numRuns: 60 },
  );
});

test("of points that are all equally far none is nearer", () => {
  const N = 50;
  const P = joint(oneHot(N), 10, 30);
  for (let a = 0; a < N; a++)
    for (let b = 0; b < N; b++) expect(P.data[a * N + b]).toBeCloseTo(a === b ? 0 : 1 / (N * (N - 1)), 14);
});

test("a row of shares sums to 1, and a tied point has the share of a place", () => {
  // From 0: at 1 one point, at 2 four of which two have a place.
  const points = { rows: 6, columns: 2, data: Float64Array.of(0, 0, 1, 0, 2, 0, -2, 0, 0, 2, 0, -2) };
  const { conditional } = entropicAffinities(points, { perplexity: 2, neighbors: 3 });
  const P = dense(conditional);
  const alone = P.data[1];
  for (const j of [2, 3, 4, 5]) expect(P.data[j]).toBeCloseTo((1 - alone) / 4, 14);
  for (let i = 0; i < 6; i++)
    expect(P.data.subarray(6 * i, 6 * i + 6).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 14);
});

test("the neighbours that are named do not depend on the numbers of the rows", () => {
  for (const [points, k] of [
    [bits(300, 1), 20],
    [gridPoints(300, 14, 2), 12],
    [oneHot(200), 30],
  ] as const) {
    const order = shuffled(points.rows, 5);
    const there = nearestNeighbors(points, k);
    const here = nearestNeighbors(permuted(points, order), k);
    const isDistinct =
      new Set(
        Array.from({ length: points.rows }, (_, i) =>
          String(points.data.subarray(i * points.columns, (i + 1) * points.columns)),
        ),
      ).size === points.rows;
    expect(isDistinct).toBe(true);
    for (const [place, i] of order.entries()) {
      const names = Array.from(here.indices.subarray(place * k, place * k + k), (j) => order[j]);
      expect(names.sort()).toEqual(Array.from(there.indices.subarray(i * k, i * k + k)).sort());
    }
  }
});

test("no row is special by its number: equally far, bits, one place, few places", () => {
  const places = {
    rows: 600,
    columns: 1,
    data: Float64Array.from({ length: 600 }, (_, i) => (i * 7919) % 5),
  };
  const same = { rows: 500, columns: 2, data: new Float64Array(1000).fill(3) };
  for (const points of [oneHot(400), bits(600, 3, 12), bits(600, 4, 24), places, same]) {
    const named = inDegrees(points, 30);
    expect(Math.abs(correlation(named))).toBeLessThan(3.5 / Math.sqrt(points.rows));
    expect(Math.min(...named)).toBeGreaterThan(0);
  }
});

test("identical rows take turns", () => {
  const same = { rows: 500, columns: 2, data: new Float64Array(1000).fill(3) };
  expect(inDegrees(same, 30).every((times) => times === 30)).toBe(true);
});

test("more ties than there is room for: 4,000 equal distances", { tags: ["full"] }, () => {
  const N = 4000;
  // The corners of a simplex, in few columns, cannot be had; ties at the far end of a row of duplicates can.
  const points = { rows: N, columns: 1, data: Float64Array.from({ length: N }, (_, i) => i % 2) };
  const lists = nearestNeighbors(points, 40);
  const most = Math.max(
    ...Array.from(
      lists.ties?.rows ?? [],
      (_, t) => (lists.ties?.starts[t + 1] ?? 0) - (lists.ties?.starts[t] ?? 0),
    ),
  );
  expect(most).toBe(500); // 2e6 / N
  expect(inDegrees(points, 40).every((times) => times === 40)).toBe(true);
});

test("without ties nothing is shared, and steps give the same", () => {
  const points = randomPoints(400, 5, 2);
  expect(nearestNeighbors(points, 12).ties).toBeUndefined();
  const { indices, ties } = resultOf(neighborSearch(points, 12, { search: "approximate" }));
  expect(ties).toBeUndefined();
  expect(indices).toHaveLength(400 * 12);
});
