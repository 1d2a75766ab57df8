/** Independent columns pass for structure as rarely as stated, whatever their distribution; dependent ones are seen. */
import { normal, RandomGenerator } from "@curvature/linalg";
import { shuffledColumns } from "@curvature/optim-spectral";
import { describe, expect, test } from "vitest";

type Row = (random: RandomGenerator) => number[];
const times = (count: number, make: (k: number) => number) =>
  Array.from({ length: count }, (_, k) => make(k));

const independent: Record<string, Row> = {
  "a uniform and a normal column": (r) => [r.uniform(), 100 * normal(r)],
  "columns with tails": (r) => times(3, () => normal(r) / Math.abs(normal(r)) ** 2),
  "two groups along each column": (r) => times(3, () => normal(r) + 8 * Number(r.uniform() < 0.3)),
  "two columns of two values": (r) => [r.integer(2), Number(r.uniform() < 0.2)],
  "whole numbers, with many equal rows": (r) => times(4, () => r.integer(3)),
};
const dependent: Record<string, Row> = {
  "three groups": (r) => {
    const group = r.integer(3);
    return times(6, (k) => normal(r) + 3 * Number(k % 3 === group));
  },
  "a sphere with noise": (r) => {
    const v = times(3, () => normal(r));
    return v.map((x) => x / Math.hypot(...v) + 0.05 * normal(r));
  },
  "one column three times, of two values": (r) => {
    const value = r.integer(2);
    return [value, value, value];
  },
  "two columns of five values, often the same": (r) => {
    const value = r.integer(5);
    return [value, r.uniform() < 0.5 ? value : r.integer(5)];
  },
  "a common factor": (r) => {
    const factor = normal(r);
    return times(5, () => factor + normal(r));
  },
};
const DRAWS = 100;
const flagged = (row: Row, rows: number): number => {
  let count = 0;
  for (let seed = 0; seed < DRAWS; seed++) {
    const random = new RandomGenerator(700 + seed);
    const points = times(rows, () => 0).map(() => row(random));
    count += Number(shuffledColumns(points, { seed }).isBeyond === false);
  }
  return count;
};

describe("of 100 tables", { tags: ["full"] }, () => {
  // 2.5 of 100 are expected beyond all copies: above 8 in one of 4 kinds once in 500 tries, and seeds are fixed
  test.each(Object.entries(independent))("%s: no structure", (_, row) => {
    expect(flagged(row, 50)).toBeGreaterThanOrEqual(92);
  });
  test.each(Object.entries(dependent))("%s: structure", (_, row) => {
    expect(flagged(row, 100)).toBeLessThanOrEqual(5);
  });
});

test("over all kinds at most 5 of 100 tables of independent columns pass", { tags: ["full"] }, () => {
  const counts = Object.values(independent).map((row) => flagged(row, 30));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(95 * counts.length);
});

test("a table of independent columns has none, one of three groups has structure", () => {
  const table = (row: Row, seed: number) => {
    const random = new RandomGenerator(seed);
    return times(60, () => 0).map(() => row(random));
  };
  expect(shuffledColumns(table(independent["two groups along each column"], 1)).isBeyond).toBe(false);
  expect(shuffledColumns(table(dependent["three groups"], 1)).isBeyond).toBe(true);
});

test("p counts the data among its copies; shift and unit of a column do not matter to it", () => {
  const random = new RandomGenerator(3);
  const points = times(60, () => 0).map(() => times(3, () => normal(random)));
  const { p = 0, ratio, isBeyond } = shuffledColumns(points, { copies: 9, seed: 2 });
  expect(p * 10).toBeCloseTo(Math.round(p * 10), 12);
  expect(isBeyond).toBe(p === 0.1);
  expect(ratio).toBeCloseTo(1, 1);
  const shifted = points.map((row) => row.map((v) => 1024 * v + 512));
  expect(shuffledColumns(shifted, { copies: 9, seed: 2 }).p).toBe(p);
});

test("one column, few rows, equal rows", () => {
  const none = { isBeyond: undefined, p: undefined, ratio: undefined };
  expect(shuffledColumns([[1], [2], [3], [5], [8], [13], [21], [34], [55]])).toEqual(none);
  expect(shuffledColumns(times(7, (k) => k).map((k) => [k, k * k]))).toEqual(none);
  expect(shuffledColumns(times(20, () => 0).map(() => [4, 2]))).toMatchObject({ isBeyond: false, p: 1 });
  expect(() => shuffledColumns([[1, Number.NaN]])).toThrowError(/points/);
  expect(() => shuffledColumns([[1, 2]], { copies: 0 })).toThrowError(/copies/);
});
