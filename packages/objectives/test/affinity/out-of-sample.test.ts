import { squaredDistances } from "@curvature/linalg";
import { expect, test } from "vitest";
import { entropicAffinities } from "../../src/embedding/affinity/entropic.js";
import {
  outOfSampleAffinities,
  outOfSampleDistanceWeights,
} from "../../src/embedding/affinity/out-of-sample.js";
import type { Weights } from "../../src/embedding/objective.js";
import { distance2, randomPoints } from "./points.js";

function dense(weights: Weights): number[][] {
  return Array.from({ length: weights.rows }, (_, i) => {
    if ("data" in weights)
      return Array.from(weights.data.subarray(i * weights.columns, (i + 1) * weights.columns));
    const row = new Array<number>(weights.columns).fill(0);
    for (let p = weights.rowPointers[i]; p < weights.rowPointers[i + 1]; p++)
      row[weights.columnIndices[p]] = weights.values[p];
    return row;
  });
}

test.each(["all", 12] as const)("a known point, taken out, has the row that it had (%s)", (neighbors) => {
  const points = randomPoints(41, 4, 3);
  const within = entropicAffinities(points, { perplexity: 5, neighbors });
  const rest = { rows: 40, columns: 4, data: points.data.slice(0, 160) };
  const last = { rows: 1, columns: 4, data: points.data.slice(160) };
  const { affinities, beta } = outOfSampleAffinities(last, rest, { perplexity: 5, neighbors });
  expect(affinities.rows).toBe(1);
  expect(affinities.columns).toBe(40);
  expect(beta[0] / within.beta[40]).toBeCloseTo(1, 9);
  const [row] = dense(affinities);
  const expected = dense(within.conditional)[40];
  for (let m = 0; m < 40; m++) expect(row[m]).toBeCloseTo(expected[m], 10);
});

test("each row sums to 1, has entropy log k, and has the same bits without the other new points", () => {
  const points = randomPoints(30, 3, 4);
  const queries = randomPoints(9, 3, 5);
  for (const neighbors of ["auto", "all"] as const) {
    const { affinities } = outOfSampleAffinities(queries, points, { perplexity: 6, neighbors });
    for (const [i, row] of dense(affinities).entries()) {
      expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 13);
      expect(-row.reduce((H, p) => (p > 0 ? H + p * Math.log(p) : H), 0)).toBeCloseTo(Math.log(6), 9);
      const alone = { rows: 1, columns: 3, data: queries.data.slice(3 * i, 3 * i + 3) };
      const [same] = dense(outOfSampleAffinities(alone, points, { perplexity: 6, neighbors }).affinities);
      expect(same).toEqual(row);
    }
  }
});

test("w⁻ of new points is their squared distance over the sum of the known ones", () => {
  const points = randomPoints(25, 6, 7);
  const queries = randomPoints(4, 6, 8);
  const total = squaredDistances(points).data.reduce((a, b) => a + b);
  const weights = outOfSampleDistanceWeights(queries, points);
  for (let i = 0; i < 4; i++)
    for (let m = 0; m < 25; m++)
      expect(weights.data[i * 25 + m] / (distance2(queries, i, points, m) / total)).toBeCloseTo(1, 12);
});

test("no new points, a new point on a known one, and what is refused", () => {
  const points = randomPoints(10, 2, 1);
  const none = { rows: 0, columns: 2, data: new Float64Array(0) };
  expect(outOfSampleAffinities(none, points, { perplexity: 3 }).affinities.rows).toBe(0);
  const onPoint = { rows: 1, columns: 2, data: points.data.slice(4, 6) };
  const [row] = dense(outOfSampleAffinities(onPoint, points, { perplexity: 3, neighbors: "all" }).affinities);
  expect(row.indexOf(Math.max(...row))).toBe(2);
  expect(() => outOfSampleAffinities(onPoint, points, { perplexity: 10 })).toThrowError(
    "above 1 and below 10",
  );
  expect(() =>
    outOfSampleAffinities(randomPoints(1, 3, 1), points, { perplexity: 3, neighbors: "all" }),
  ).toThrowError("3 columns");
  const equal = { rows: 4, columns: 2, data: new Float64Array(8) };
  expect(() => outOfSampleDistanceWeights(onPoint, equal)).toThrowError("All known points are equal");
  const huge = { ...points, data: points.data.map((y) => (y > 0.5 ? 2e153 : -2e153)) };
  expect(() => outOfSampleDistanceWeights(onPoint, huge)).toThrowError("all known points overflows");
});
