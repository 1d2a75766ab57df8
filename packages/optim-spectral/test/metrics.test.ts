import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { knnPreservation, mapQuality, trustworthiness } from "../src/metrics.js";

function random(rows: number, columns: number, seed: number): DenseMatrix {
  const generator = new RandomGenerator(seed);
  return { rows, columns, data: Float64Array.from({ length: rows * columns }, () => generator.uniform()) };
}

/** Of point i: the others, nearest first, ties by index. */
function ranking({ rows, columns, data }: DenseMatrix, i: number): number[] {
  const distance = (j: number): number => {
    let sum = 0;
    for (let c = 0; c < columns; c++) sum += (data[i * columns + c] - data[j * columns + c]) ** 2;
    return sum;
  };
  return Array.from({ length: rows }, (_, j) => j)
    .filter((j) => j !== i)
    .sort((a, b) => distance(a) - distance(b) || a - b);
}

/** Both measures as they are defined, for the given points. */
function byDefinition(points: DenseMatrix, map: DenseMatrix, k: number): { overlap: number; trust: number } {
  const N = points.rows;
  let common = 0;
  let penalty = 0;
  for (let i = 0; i < N; i++) {
    const inData = ranking(points, i);
    for (const j of ranking(map, i).slice(0, k)) {
      const rank = inData.indexOf(j) + 1;
      if (rank <= k) common += 1;
      else penalty += rank - k;
    }
  }
  return { overlap: common / (N * k), trust: 1 - (2 * penalty) / (N * k * (2 * N - 3 * k - 1)) };
}

test("both are what their definitions say", { tags: ["full"] }, () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 60 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 0, max: 1e6 }),
      (N, k, seed) => {
        const points = random(N, 4, seed);
        const map = random(N, 2, seed + 1);
        const used = Math.min(k, Math.ceil(N / 2) - 1);
        const { overlap, trust } = byDefinition(points, map, used);
        const preserved = knnPreservation(points, map, { neighbors: k });
        const trusted = trustworthiness(points, map, { neighbors: k });
        expect(preserved.value).toBeCloseTo(overlap, 12);
        expect(trusted.value).toBeCloseTo(trust, 12);
        expect(preserved).toEqual({ value: preserved.value, k: used, sampled: false });
        expect(mapQuality(points, map, { neighbors: k })).toEqual({
          knnPreservation: preserved.value,
          trustworthiness: trusted.value,
          k: used,
          sampled: false,
        });
      },
    ),
    { numRuns: 100 },
  );
});

describe("known extremes", () => {
  const points = random(80, 3, 5);
  test("the data as its own map, turned, moved and scaled", () => {
    const { data } = points;
    const turned = Float64Array.from(data, (_, k) => {
      const [n, c] = [Math.floor(k / 3), k % 3];
      return 5 - 2 * data[3 * n + ((c + 1) % 3)];
    });
    const map = { rows: 80, columns: 3, data: turned };
    expect(mapQuality(points, map)).toEqual({
      knnPreservation: 1,
      trustworthiness: 1,
      k: 10,
      sampled: false,
    });
  });
  test("a line folded so that its far end comes first", () => {
    // Points 0 … N − 1 on a line; the map puts n + N/2 next to n, so that every nearest neighbour is a far point.
    const N = 60;
    const line = { rows: N, columns: 1, data: Float64Array.from({ length: N }, (_, n) => n) };
    const folded = {
      rows: N,
      columns: 1,
      data: Float64Array.from({ length: N }, (_, n) => (n < N / 2 ? n : n - N / 2 + 0.25)),
    };
    const { knnPreservation: overlap, trustworthiness: trust } = mapQuality(line, folded, { neighbors: 1 });
    expect(overlap).toBe(0);
    expect(trust).toBeCloseTo(byDefinition(line, folded, 1).trust, 12);
    expect(trust).toBeLessThan(0.5);
  });
  test("a random map: about k/(N − 1), about 1/2", () => {
    const many = random(600, 3, 1);
    const { knnPreservation: overlap, trustworthiness: trust } = mapQuality(many, random(600, 2, 2));
    expect(Math.abs(Number(overlap) - 10 / 599)).toBeLessThan(0.005);
    expect(Math.abs(Number(trust) - 0.5)).toBeLessThan(0.03);
  });
  test("a projection that drops a coordinate of no weight keeps nearly all", () => {
    const flat = { rows: 80, columns: 3, data: points.data.map((y, k) => (k % 3 === 2 ? 1e-3 * y : y)) };
    const map = { rows: 80, columns: 2, data: flat.data.filter((_, k) => k % 3 !== 2) };
    expect(mapQuality(flat, map).trustworthiness).toBeGreaterThan(0.9999);
  });
});

test("a sample of points says its size, is repeatable, and is near the whole", () => {
  const points = random(900, 3, 8);
  const map = { rows: 900, columns: 2, data: points.data.filter((_, k) => k % 3 !== 2) };
  const whole = mapQuality(points, map);
  const part = mapQuality(points, map, { maxRows: 300, seed: 4 });
  expect(whole.sampled).toBe(false);
  expect(part.sampled).toBe(300);
  expect(mapQuality(points, map, { maxRows: 300, seed: 4 })).toEqual(part);
  expect(mapQuality(points, map, { maxRows: 300, seed: 5 })).not.toEqual(part);
  expect(Math.abs(Number(part.knnPreservation) - Number(whole.knnPreservation))).toBeLessThan(0.03);
  expect(Math.abs(Number(part.trustworthiness) - Number(whole.trustworthiness))).toBeLessThan(0.02);
  expect(mapQuality(points, points, { maxRows: 300 })).toMatchObject({
    knnPreservation: 1,
    trustworthiness: 1,
  });
});

test("many duplicates, sampled or not", () => {
  const points = { rows: 50, columns: 1, data: Float64Array.from({ length: 50 }, (_, n) => n % 2) };
  expect(mapQuality(points, points)).toMatchObject({ knnPreservation: 1, trustworthiness: 1 });
  expect(mapQuality(points, points, { maxRows: 20 })).toMatchObject({
    knnPreservation: 1,
    trustworthiness: 1,
  });
});

test("few points: k shrinks below N/2; with two there is nothing to say", () => {
  expect(mapQuality(random(6, 3, 1), random(6, 2, 2)).k).toBe(2);
  expect(mapQuality(random(3, 3, 1), random(3, 2, 2)).k).toBe(1);
  for (const N of [0, 1, 2]) {
    const nothing = { knnPreservation: undefined, trustworthiness: undefined, k: 0, sampled: false };
    expect(mapQuality(random(N, 3, 1), random(N, 2, 2))).toEqual(nothing);
  }
});

test("bad input is named", () => {
  expect(() => mapQuality(random(5, 2, 1), random(4, 2, 1))).toThrowError("The data has 5 points, the map 4");
  expect(() => mapQuality([[1], [Number.NaN], [2]], random(3, 2, 1))).toThrowError("NaN at row 1");
  expect(() => knnPreservation(random(5, 2, 1), random(5, 2, 1), { neighbors: 0 })).toThrowError("neighbors");
});
