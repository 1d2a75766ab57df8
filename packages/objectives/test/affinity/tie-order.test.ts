/** Ties among nearest neighbours: lists go with the rows, and no row is special. */
import { type DenseMatrix, RandomGenerator, sampleWithoutReplacement, selectRows } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { nearestNeighbors, nearestNeighborsOf } from "../../src/embedding/affinity/neighbors.js";

const oneHot = (N: number): DenseMatrix => ({
  rows: N,
  columns: N,
  data: Float64Array.from({ length: N * N }, (_, p) => Number(p % (N + 1) === 0)),
});

function bits(rows: number, columns: number, seed: number): DenseMatrix {
  const random = new RandomGenerator(seed);
  const data = Float64Array.from({ length: rows * columns }, () => Number(random.uniform() < 0.5));
  return { rows, columns, data };
}

/** Each binary number of `columns` digits once, in random order. */
function distinctBits(columns: number, seed: number): DenseMatrix {
  const rows = 2 ** columns;
  const data = Float64Array.from(
    { length: rows * columns },
    (_, p) => (Math.floor(p / columns) >> (p % columns)) & 1,
  );
  return selectRows({ rows, columns, data }, sampleWithoutReplacement(new RandomGenerator(seed), rows, rows));
}

function inDegrees({ indices }: { readonly indices: Int32Array }, N: number): number[] {
  const counts = Array.from({ length: N }, () => 0);
  for (const m of indices) counts[m] = (counts[m] ?? 0) + 1;
  return counts;
}

/** Of the values with their places. */
function correlation(values: readonly number[]): number {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  let [product, squares] = [0, 0];
  for (const [i, value] of values.entries()) {
    product += (i - (n - 1) / 2) * (value - mean);
    squares += (value - mean) ** 2;
  }
  return product / Math.sqrt((squares * n * (n * n - 1)) / 12);
}

describe("lists go with the rows when they are permuted", () => {
  test.each([
    ["equally far from each other", oneHot(300), 20],
    ["all binary numbers", distinctBits(9, 3), 30],
  ])("%s", (_, points, k) => {
    const N = points.rows;
    const order = sampleWithoutReplacement(new RandomGenerator(8), N, N);
    const given = nearestNeighbors(points, k);
    const permuted = nearestNeighbors(selectRows(points, order), k);
    for (const [place, n] of order.entries()) {
      const named = permuted.indices.subarray(place * k, place * k + k).map((m) => order[m] ?? -1);
      expect([...named].sort()).toEqual([...given.indices.subarray(n * k, n * k + k)].sort());
    }
  });
});

describe("no row is special", () => {
  test.each([
    ["equally far from each other", oneHot(400), 30],
    ["binary rows, many of them duplicates", bits(1200, 6, 11), 60],
    ["rows that are all equal", { rows: 500, columns: 3, data: new Float64Array(1500).fill(0.3) }, 30],
  ])("%s", (_, points, k) => {
    const N = points.rows;
    const counts = inDegrees(nearestNeighbors(points, k), N);
    expect(Math.abs(correlation(counts))).toBeLessThan(4 / Math.sqrt(N));
    const [first, last] = [counts.slice(0, N / 10), counts.slice(-N / 10)];
    for (const tenth of [first, last])
      expect(Math.abs(tenth.reduce((sum, count) => sum + count, 0) / (N / 10) - k)).toBeLessThan(0.15 * k);
  });
});

test("a new point's neighbours are the same in any company", () => {
  const [points, queries] = [distinctBits(8, 1), bits(20, 8, 2)];
  const together = nearestNeighborsOf(queries, points, 12);
  for (let q = 0; q < queries.rows; q++) {
    const alone = nearestNeighborsOf(selectRows(queries, Int32Array.of(q)), points, 12);
    expect(alone.indices).toEqual(together.indices.slice(q * 12, q * 12 + 12));
  }
});

test("zero is zero with either sign", () => {
  const { rows, columns, data } = oneHot(50);
  const signed = { rows, columns, data: data.map((value, p) => (value === 0 && p % 3 === 0 ? -0 : value)) };
  expect(nearestNeighbors(signed, 7).indices).toEqual(nearestNeighbors({ rows, columns, data }, 7).indices);
});
