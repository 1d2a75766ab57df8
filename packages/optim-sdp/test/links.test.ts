/** Labels that respect links: beside every partition that does, and refused where none can. */
import { RandomGenerator } from "@curvature/linalg";
import { clusterPoints } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";
import {
  costOf,
  drawnPairs,
  exactCost,
  exactOptimum,
  exactPoints,
  isAtMost,
  type Pairs,
  respectsLinks as respects,
} from "./helpers/cost.js";
import { randomPoints } from "./helpers/small.js";

describe("links", () => {
  test.each([1, 2, 3, 4])("against every partition of 4 to 8 points (seed %i)", async (seed) => {
    for (let draw = 0; draw < 20; draw++) {
      const random = new RandomGenerator(100 * seed + draw);
      const n = 4 + Math.floor(5 * random.uniform());
      const points = randomPoints(n, 2, 100 * seed + draw);
      if (draw % 4 === 0) points.data.set(points.data.subarray(0, 2), 2); // a copy
      const clusters = 2 + Math.floor(3 * random.uniform());
      const mustLink = drawnPairs(random, n, draw % 3);
      const cannotLink = drawnPairs(random, n, draw % 4);
      const { rows, exponent } = exactPoints(
        Array.from({ length: n }, (_, i) => [points.data[2 * i], points.data[2 * i + 1]]),
      );
      const least = exactOptimum(rows, clusters, (labels) => respects(labels, mustLink, cannotLink));
      const run = clusterPoints(points, { clusters, mustLink, cannotLink, exact: true });
      const name = JSON.stringify({ seed, draw, clusters, mustLink, cannotLink });
      if (least === undefined) {
        await expect(run, name).rejects.toThrow(/cannotLink parts rows|clusters respect cannotLink/);
        continue;
      }
      const { labels, cost, costLower, message } = await run;
      expect(message, name).toMatch(/proved best|No clustering into \d groups? costs less than this one/);
      expect(respects(labels, mustLink, cannotLink), name).toBe(true);
      expect(cost, name).toBeCloseTo(costOf(points, labels), 9);
      expect(isAtMost(costLower, least, exponent, n), name).toBe(true);
      expect(Number(exactCost(rows, [...labels])) / Number(least || 1n), name).toBeLessThan(1 + 1e-7);
    }
  });

  test("the bound knows of them: far above that of all clusterings, and closed", async () => {
    const points = [[0], [1], [10], [11], [20], [21]];
    const free = await clusterPoints(points, { clusters: 3 });
    expect(free.cost).toBeCloseTo(1.5, 12);
    const links = { mustLink: [[0, 3] as const], cannotLink: [[4, 5] as const] };
    // {0, 1, 10, 11}, {20}, {21}: 1 and 10 are nearer to the mean of 0 and 11 than to anything else
    const linked = await clusterPoints(points, { clusters: 3, ...links, tolerance: 1e-4 });
    expect(linked.cost).toBeCloseTo(101, 10);
    expect(linked.costLower).toBeGreaterThan(101 * (1 - 1e-4));
    expect(linked.costLower).toBeLessThanOrEqual(101);
  });

  test("pairs that must be apart change sides together: no search ends above the best of two clusters", async () => {
    for (let draw = 0; draw < 6; draw++) {
      const random = new RandomGenerator(700 + draw);
      const points = randomPoints(24, 2, 700 + draw);
      // Twelve pairs, each apart: 2^11 ways in all.
      const pairs = Array.from({ length: 12 }, (_, g): [number, number] => [2 * g, 2 * g + 1]);
      const joined: [number, number][] = random.uniform() < 0.5 ? [[0, 3]] : [];
      const labelsOf = (sides: number): Int32Array =>
        Int32Array.from({ length: 24 }, (_, i) => ((sides >> (i >> 1)) ^ i) & 1);
      let least = Number.POSITIVE_INFINITY;
      for (let sides = 0; sides < 2048; sides++) {
        const labels = labelsOf(sides);
        if (respects(labels, joined, pairs)) least = Math.min(least, costOf(points, labels));
      }
      const { cost } = await clusterPoints(points, { clusters: 2, cannotLink: pairs, mustLink: joined });
      expect(cost, `draw ${draw}`).toBeCloseTo(least, 9);
    }
  });

  test("of more points than one bound takes, the groups of points keep to them", async () => {
    const points = randomPoints(700, 2, 5);
    for (let i = 0; i < 700; i++) points.data[2 * i] += 10 * (i % 3);
    const pair = (i: number): [number, number] => [i, i + 1];
    const mustLink = Array.from({ length: 40 }, (_, i) => pair(i));
    const cannotLink = Array.from({ length: 40 }, (_, i) => pair(100 + i));
    const limits = { clusters: 3, maxIterations: 60 };
    const free = await clusterPoints(points, limits);
    const { cost, costLower, labels } = await clusterPoints(points, { ...limits, mustLink, cannotLink });
    expect(respects(labels, mustLink, cannotLink)).toBe(true);
    expect(costLower).toBeGreaterThan(free.cost);
    expect(costLower).toBeLessThanOrEqual(cost);
  });

  test("no move that respects them lowers the cost", async () => {
    const points = randomPoints(60, 3, 8);
    const random = new RandomGenerator(8);
    const mustLink = drawnPairs(random, 60, 8);
    const cannotLink = drawnPairs(random, 60, 25);
    const { labels, cost } = await clusterPoints(points, {
      ...{ clusters: 4, mustLink, cannotLink, maxIterations: 5 },
    });
    expect(respects(labels, mustLink, cannotLink)).toBe(true);
    const tied = new Set(mustLink.flat());
    for (let i = 0; i < 60; i++)
      for (let c = 0; c < 4; c++) {
        const moved = labels.map((label, k) => (k === i ? c : label));
        if (tied.has(i) || !respects(moved, mustLink, cannotLink)) continue;
        expect(costOf(points, moved)).toBeGreaterThan(cost - 1e-9);
      }
  });

  test("without links nothing changes, bit for bit", async () => {
    const points = randomPoints(40, 3, 2);
    const free = await clusterPoints(points, { clusters: 3, maxIterations: 20 });
    const none = await clusterPoints(points, {
      clusters: 3,
      mustLink: [],
      cannotLink: [],
      maxIterations: 20,
    });
    expect(none.labels).toEqual(free.labels);
    expect(none.cost).toBe(free.cost);
    const met = await clusterPoints(points, {
      ...{ clusters: 3, maxIterations: 20 },
      cannotLink: [[0, free.labels.findIndex((label) => label !== free.labels[0])]],
    });
    expect(met.cost).toBeCloseTo(free.cost, 9);
  });

  test("the message says that the bound is theirs, and a warning that joined rows are one", async () => {
    const { message, warnings } = await clusterPoints([[0], [1], [5]], { clusters: 3, mustLink: [[0, 1]] });
    expect(message).toMatch(/Labels and bound are of clusterings that respect the links\.$/);
    expect(warnings.find(({ code }) => code === "fewer-different-points")?.message).toMatch(
      /There are 2 points, those counted as one that mustLink joins/,
    );
  });

  test("equal rows that must be apart are, as far as there are clusters", async () => {
    const points = [[1], [1], [1], [5]];
    const { labels, cost } = await clusterPoints(points, { clusters: 2, cannotLink: [[0, 1]] });
    expect(labels[0]).not.toBe(labels[1]);
    expect(cost).toBeLessThan(12.1); // one of three equal ones beside the 5
    const three = await clusterPoints(points, { clusters: 3, cannotLink: [[0, 1]] });
    expect(three.cost).toBe(0);
  });

  test.each([
    [
      { mustLink: [[3, 5] as const, [5, 7] as const], cannotLink: [[3, 7] as const] },
      /cannotLink parts rows 3 and 7 \(counted from 0\), and mustLink joins them: 3 - 5 - 7\./,
    ],
    [{ cannotLink: [[0, 1] as const, [1, 2] as const, [2, 0] as const] }, /no 2 clusters respect cannotLink/],
    [{ cannotLink: [[0, 10] as const] }, /cannotLink names row 10, and there are 10, counted from 0/],
    [{ mustLink: [[1, 1] as const] }, /mustLink must be an array of pairs of different rows/],
    [{ mustLink: [[1, 1.5] as const] }, /mustLink must be an array of pairs of different rows/],
  ])("%j is refused", async (links, sentence) => {
    await expect(clusterPoints(randomPoints(10, 2, 1), { clusters: 2, ...links })).rejects.toThrow(sentence);
  });

  test("an odd ring of five needs three clusters, and has them", async () => {
    const points = randomPoints(5, 2, 3);
    const cannotLink: Pairs = [0, 1, 2, 3, 4].map((i) => [i, (i + 1) % 5]);
    await expect(clusterPoints(points, { clusters: 2, cannotLink })).rejects.toMatchObject({
      code: "ERR_OPTION",
    });
    const { labels } = await clusterPoints(points, { clusters: 3, cannotLink });
    expect(respects(labels, [], cannotLink)).toBe(true);
  });
});
