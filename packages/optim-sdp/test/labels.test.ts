/** Labels and their own certificate: against every partition in fractions, against copies, and against moves of one point. */

import { RandomGenerator } from "@curvature/linalg";
import { clusterPoints, nomad } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";
import { costSentence } from "../src/labels/cost.js";
import { greedyStart } from "../src/labels/greedy-start.js";
import { polished } from "../src/labels/k-means.js";
import { atOnce } from "../src/steps.js";
import { costOf, drawnPoints, exactCost, exactOptimum, exactPoints, isAtMost } from "./helpers/cost.js";
import { randomPoints } from "./helpers/small.js";

describe("no clustering costs less than costLower", () => {
  test.each([1, 2, 3])("against every partition of 2 to 7 points, in fractions (seed %i)", async (seed) => {
    for (let draw = 0; draw < 25; draw++) {
      const random = new RandomGenerator(1000 * seed + draw);
      const points = drawnPoints(random);
      const n = points.length;
      const clusters = 1 + Math.floor(n * random.uniform());
      const { rows, exponent } = exactPoints(points);
      const optimum = exactOptimum(rows, clusters);
      const result = await clusterPoints(points, { clusters, maxIterations: 60 });
      const { cost, costLower, costGap, labels } = result;
      const name = JSON.stringify({ points, clusters, cost, costLower });
      expect(isAtMost(costLower, optimum, exponent, n), name).toBe(true);
      const own = exactCost(rows, [...labels]);
      expect(isAtMost(cost * (1 - 1e-12), own, exponent, n), name).toBe(true);
      expect(isAtMost(cost * (1 + 1e-12), own, exponent, n) && own !== 0n && cost > 1e-290, name).toBe(false);
      expect(costGap, name).toBeGreaterThanOrEqual(0);
      expect(costGap, name).toBeLessThanOrEqual(1);
    }
  });

  test("K = 1 and K = n are closed: the bounds hold the exact value between them", async () => {
    for (const points of [
      [[0], [1], [3]],
      [[0], [1], [2], [4], [5]],
      [[0], [1], [5], [7], [9], [10]],
    ]) {
      const n = points.length;
      const { rows, exponent } = exactPoints(points);
      const total = exactCost(rows, new Array(n).fill(0));
      const all = await nomad(points, { clusters: n, scale: "none" });
      expect(isAtMost(all.lower, total, exponent, n)).toBe(true);
      expect(isAtMost(all.upper, total - 1n, exponent, n)).toBe(false);
      expect(all.gap).toBeLessThan(1e-13);
      expect(all).toMatchObject({ cost: 0, costLower: 0, costGap: 0 });
      const one = await nomad(points, { clusters: 1, scale: "none" });
      expect(one).toMatchObject({ lower: 0, upper: 0, gap: 0, status: "converged" });
      expect(isAtMost(one.costLower ?? Number.NaN, total, exponent, n)).toBe(true);
      expect(one.costGap).toBeLessThan(1e-12);
    }
  });
});

describe("labels", () => {
  const points = randomPoints(60, 3, 5);

  test("no move of one point lowers their cost", async () => {
    for (const clusters of [2, 5, 9]) {
      const { labels, cost } = await clusterPoints(points, { clusters, maxIterations: 5 });
      expect(cost).toBeCloseTo(costOf(points, labels), 9);
      expect(new Set(labels).size).toBe(clusters);
      for (let i = 0; i < 60; i++) {
        for (let c = 0; c < clusters; c++) {
          const moved = labels.slice();
          moved[i] = c;
          expect(costOf(points, moved)).toBeGreaterThanOrEqual(cost * (1 - 1e-9));
        }
      }
    }
  });

  test("copies are one point of their weight: Lloyd and Hartigan-Wong see the same", () => {
    const few = randomPoints(12, 2, 3);
    const weights = Float64Array.from({ length: 12 }, (_, i) => 1 + (i % 3));
    const weighted = { X: few, weights };
    const rowOf = [...weights.keys()].flatMap((i) => new Array<number>(weights[i]).fill(i));
    const data = Float64Array.from(rowOf.flatMap((i) => [few.data[2 * i], few.data[2 * i + 1]]));
    const labels = atOnce(polished(weighted, atOnce(greedyStart(weighted, 3, new RandomGenerator(1))), 3));
    const copies = { rows: rowOf.length, columns: 2, data };
    const cost = costOf(
      copies,
      Int32Array.from(rowOf, (i) => labels[i]),
    );
    for (let i = 0; i < 12; i++) {
      for (let c = 0; c < 3; c++) {
        const moved = labels.slice();
        moved[i] = c;
        expect(
          costOf(
            copies,
            Int32Array.from(rowOf, (row) => moved[row]),
          ),
        ).toBeGreaterThanOrEqual(cost * (1 - 1e-9));
      }
    }
  });

  test("copies of a point are in one cluster, and more clusters than different points are said to be impossible", async () => {
    const rows = [
      [0, 0],
      [5, 5],
      [0, 0],
      [9, 0],
      [5, 5],
      [0, 0],
    ];
    const result = await clusterPoints(rows, { clusters: 5 });
    expect([...result.labels]).toEqual([0, 1, 0, 2, 1, 0]);
    expect(result).toMatchObject({ cost: 0, costLower: 0, costGap: 0, status: "converged" });
    expect(result.warnings).toMatchObject([
      {
        code: "fewer-different-points",
        message: expect.stringMatching(/^There are 3 different points.*labels are of 3 clusters, not of 5/),
      },
    ]);
  });

  test("cost and bound do not see the scale, and go with the square of the unit", async () => {
    const options = { clusters: 3, tolerance: 0.02 };
    const one = await clusterPoints(points, options);
    const unscaled = await clusterPoints(points, { ...options, scale: "none" });
    const doubled = await clusterPoints({ ...points, data: points.data.map((x) => 2 * x) }, options);
    expect(unscaled.cost).toBe(one.cost);
    expect(doubled.cost).toBe(4 * one.cost);
    expect(doubled.costLower).toBeCloseTo(4 * one.costLower, 9);
    expect([...doubled.labels]).toEqual([...one.labels]);
  });
});

test.each([
  [75.518672, "75.518"],
  [1.00001, "1"],
  [0.99999999, "0.99999"],
  [1e-138 / 3, "3.3333e-139"],
  [2 / 3, "0.66666"],
])("in words the bound %d is rounded down, %s", (costLower, words) => {
  expect(costSentence({ cost: 2 * costLower, costLower, costGap: 0.5 }, 3)).toContain(`less than ${words};`);
});

describe("how it ends", () => {
  const apart = Array.from({ length: 30 }, (_, i) => [20 * (i % 3) + Math.sin(i), Math.cos(5 * i)]);

  test("converged where the labels are proved to be within the tolerance of the best", async () => {
    const result = await clusterPoints(apart, { clusters: 3, tolerance: 1e-4 });
    expect(result.status).toBe("converged");
    expect(result.costGap).toBeLessThanOrEqual(1e-4);
    expect(result.message).toMatch(
      /^No clustering into 3 groups costs less than this one, \S+, .* proved best/,
    );
    expect([...result.labels]).toEqual(apart.map((_, i) => i % 3));
    expect(result.options).toMatchObject({ tolerance: 1e-4, clusters: 3 });
  });

  test("stalled where the bound stands still and leaves more, and the message says so", async () => {
    const result = await clusterPoints(randomPoints(30, 20, 1), { clusters: 5 });
    expect(result.costGap).toBeGreaterThan(1e-3);
    expect(result).toMatchObject({ status: "stalled", usable: true });
    expect(result.message).toMatch(/Better labels need not exist/);
  });

  test("triangle cuts close what the relaxation leaves open, and Q stays that of the relaxation", async () => {
    const points = randomPoints(40, 2, 1);
    const relaxed = await nomad(points, { clusters: 4 });
    const result = await clusterPoints(points, { clusters: 4 });
    expect(relaxed.costGap).toBeGreaterThan(0.02);
    expect(result.status).toBe("converged");
    expect(result.costGap).toBeLessThanOrEqual(1e-3);
    expect(result.upper).toBeGreaterThan(result.value ?? 0);
    expect([...(result.Q?.data ?? [])]).toEqual([...(relaxed.Q?.data ?? [])]);
  });

  test("nomad's tolerance is of Tr(D Q), whatever the labels cost", async () => {
    const result = await nomad(randomPoints(40, 2, 1), { clusters: 4 });
    expect(result.status).toBe("converged");
    expect(result.gap).toBeLessThanOrEqual(1e-3);
    expect(result.costGap).toBeGreaterThan(1e-3);
    expect(result.message).toMatch(/gap .* is at most 0\.001\. No clustering into 4 groups costs less than/);
  });

  test("without an upper bound nothing is claimed", async () => {
    const result = await clusterPoints(apart, { clusters: 3, certify: false });
    expect(result).toMatchObject({ costLower: 0, costGap: 1, upper: Number.POSITIVE_INFINITY });
    expect(result.status).toBe("stalled");
    expect(result.message).toMatch(/how much less another one costs is not known/);
  });

  test("layers and a K that is not whole have no cost", async () => {
    for (const options of [{ layers: [6, 3] }, { clusters: 2.5 }])
      expect(await nomad(apart, options)).toMatchObject({ cost: undefined, costLower: undefined });
  });

  test.each([
    [{}, /clusters must be a whole number from 1/],
    [{ clusters: 2.5 }, /clusters must be/],
    [{ clusters: 31 }, /from 1 to 30/],
    [{ clusters: 3, layers: [3] }, /layers/],
  ])("%j is refused", async (options, sentence) => {
    await expect(Reflect.apply(clusterPoints, undefined, [apart, options])).rejects.toMatchObject({
      code: "ERR_OPTION",
      message: expect.stringMatching(sentence),
    });
  });
});
