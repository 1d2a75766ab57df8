/** Clusters of numbers: labels and bound beside every partition, and beside a dynamic programme in whole numbers without rounding. */
import { fillNormal, RandomGenerator } from "@curvature/linalg";
import { clusterPoints, nomad } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";
import { scaledCost } from "../src/labels/cost.js";
import { clustersOnLine, type LineClusters, onlyColumn } from "../src/labels/one-column.js";
import { drawnPoints, exactCost, exactOptimum, exactPoints, isAtMost } from "./helpers/cost.js";
import { exactLeastOnLine } from "./helpers/line.js";

function toEnd(values: readonly number[], K: number): LineClusters {
  const steps = clustersOnLine(Float64Array.from(values), K);
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

const columnOf = (values: readonly number[]) => ({
  rows: values.length,
  columns: 1,
  data: Float64Array.from(values),
});

/** The bound is no larger than the least cost, and the labels cost no more than it but for rounding. */
function expectBest(values: readonly number[], K: number, least: bigint, exponent: number): void {
  const { labels, lower } = toEnd(values, K);
  const bound = lower.cost * lower.unit * lower.unit;
  expect(isAtMost(bound, least, exponent, values.length)).toBe(true);
  const { cost, unit } = scaledCost(columnOf(values), labels, K);
  expect(cost * unit * unit * (1 - 1e-9)).toBeLessThanOrEqual(bound * (1 + 1e-9));
}

describe("beside every partition", () => {
  test("of 2 to 7 numbers, with copies, ties, far values and scales of 1e-138 to 1e138", () => {
    const random = new RandomGenerator(50);
    for (let trial = 0; trial < 1500; trial++) {
      const values = drawnPoints(random).map(([x]) => x);
      const K = 1 + Math.floor(values.length * random.uniform());
      const { rows, exponent } = exactPoints(values.map((x) => [x]));
      const least = exactOptimum(rows, K);
      expectBest(values, K, least, exponent);
      const { labels } = toEnd(values, K);
      const own = exactCost(rows, [...labels]);
      expect(own - least <= least / 10n ** 12n).toBe(true);
    }
  });
});

/** Numbers that take digits away, each in its own way. */
const families: Readonly<Record<string, (random: RandomGenerator, i: number) => number>> = {
  uniform: (random) => random.uniform(),
  copies: (random) => Math.floor(12 * random.uniform()),
  "far from 0": (random) => 1e15 + Math.floor(100 * random.uniform()),
  "clumps far apart": (random) => 1e12 * Math.floor(4 * random.uniform()) + random.uniform(),
  "one far value, and many copies of another": (random, i) =>
    i === 0 ? 1e9 : i % 2 === 0 ? 1 : random.uniform(),
  "all magnitudes": (random) =>
    (random.uniform() < 0.5 ? -1 : 1) * 2 ** Math.floor(80 * random.uniform() - 40),
  "1e-150": (random) => 1e-150 * (1 + Math.floor(9 * random.uniform()) / 3),
  "1e150": (random) => -1e150 * random.uniform(),
  "a regular grid": (_, i) => i / 7,
};

describe("beside whole numbers without rounding", () => {
  test.each(Object.keys(families))("%s", (name) => {
    const random = new RandomGenerator(name.length);
    for (let trial = 0; trial < 12; trial++) {
      const n = 5 + Math.floor(60 * random.uniform());
      const K = 1 + Math.floor(Math.min(n, 9) * random.uniform());
      const values = Array.from({ length: n }, (_, i) => families[name](random, i));
      const { rows, exponent } = exactPoints(values.map((x) => [x]));
      expectBest(
        values,
        K,
        exactLeastOnLine(
          rows.map(([x]) => x),
          K,
        ),
        exponent,
      );
    }
  });

  test("the order of rows, their sign and a power of two change nothing", () => {
    const random = new RandomGenerator(9);
    const values = Array.from({ length: 400 }, () => Math.floor(300 * random.uniform()) + random.uniform());
    const { labels, lower } = toEnd(values, 7);
    const turned = toEnd(values.toReversed(), 7);
    expect([...turned.labels].toReversed()).toEqual([...labels]);
    expect(turned.lower).toEqual(lower);
    const smaller = toEnd(
      values.map((x) => 2 ** -400 * x),
      7,
    );
    expect(smaller.labels).toEqual(labels);
    expect(smaller.lower).toEqual({ cost: lower.cost, unit: 2 ** -400 * lower.unit });
    const negative = toEnd(
      values.map((x) => -x),
      7,
    );
    expect([...negative.labels]).toEqual([...labels].map((c) => 6 - c));
  });
});

describe("clusterPoints", () => {
  test("of 100,000 numbers is proved best, whatever the solver's limits are", async () => {
    const data = new Float64Array(100_000);
    fillNormal(new RandomGenerator(1), data);
    const { status, costGap, message, labels, iterations } = await clusterPoints(
      { rows: data.length, columns: 1, data },
      { clusters: 10, tolerance: 1e-8, maxIterations: 1 },
    );
    expect({ status, iterations }).toEqual({ status: "converged", iterations: 1 });
    expect(costGap).toBeLessThan(1e-9);
    expect(message).toContain("proved best");
    // clusters are intervals
    const order = Int32Array.from(data.keys()).sort((i, j) => data[i] - data[j]);
    let changes = 0;
    for (let at = 1; at < order.length; at++) if (labels[order[at]] !== labels[order[at - 1]]) changes++;
    expect(changes).toBe(9);
  });

  test("knows a line among constant columns, and is the same as of the line alone", async () => {
    const random = new RandomGenerator(2);
    const values = Array.from(
      { length: 150 },
      () => 5 * Math.floor(3 * random.uniform()) + 2 * random.uniform(),
    );
    const alone = await clusterPoints(columnOf(values), { clusters: 4 });
    const among = await clusterPoints(
      values.map((x) => [7e3, x, 0]),
      { clusters: 4 },
    );
    expect(among.labels).toEqual(alone.labels);
    expect(among.cost).toBeCloseTo(alone.cost, 10);
    expect(among.costGap).toBeLessThan(1e-9);
    expect(onlyColumn({ rows: 2, columns: 2, data: Float64Array.of(1, 2, 2, 1) })).toBeUndefined();
    expect(onlyColumn({ rows: 2, columns: 1, data: Float64Array.of(3, 3) })).toBeUndefined();
  });

  test("has the best labels with a solver that was asked for, in nomad, and to the end", async () => {
    const values = [0, 1, 1, 2, 5, 5.5, 6, 9, 9, 14];
    const { rows, exponent } = exactPoints(values.map((x) => [x]));
    const least = exactOptimum(rows, 3);
    const results = [
      await clusterPoints(columnOf(values), { clusters: 3, solver: "admm" }),
      await clusterPoints(columnOf(values), { clusters: 3, exact: true }),
      await nomad(columnOf(values), { clusters: 3 }),
    ];
    for (const { cost = Number.NaN, costLower = Number.NaN, labels } of results) {
      expect(exactCost(rows, [...labels])).toBe(least);
      expect(isAtMost(costLower, least, exponent, values.length)).toBe(true);
      expect(costLower).toBeGreaterThan(cost * (1 - 1e-9));
    }
    expect(results[1].message).toContain("proved best");
  });

  test("every K of a choice is proved; far values are named", async () => {
    const random = new RandomGenerator(4);
    const values = Array.from({ length: 90 }, (_, i) => 10 * (i % 3) + random.uniform());
    const { choice } = await clusterPoints(columnOf(values), { clusters: "auto" });
    expect(choice?.clusters).toBe(3);
    for (const { costGap } of choice?.table ?? []) expect(costGap).toBeLessThan(1e-9);
    const { warnings, labels } = await clusterPoints(columnOf([...values, 1e9]), { clusters: 4 });
    expect(warnings.map(({ code }) => code)).toEqual(["far-rows"]);
    expect(new Set(labels).size).toBe(4);
  });
});
