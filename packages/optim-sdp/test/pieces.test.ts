/** Far values and many points: bounds by pieces and by groups, against every partition, and the least cost on a line. */
import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import { clusterPoints } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";
import { anticlusters } from "../src/labels/anticlusters.js";
import { assigned } from "../src/labels/assignment.js";
import { copiesOf } from "../src/labels/copies.js";
import { scaledCost } from "../src/labels/cost.js";
import { GroupBound } from "../src/labels/group-bound.js";
import { ownCoordinates } from "../src/labels/own-coordinates.js";
import { piecesOf, sharedOut } from "../src/labels/pieces.js";
import { costOf, exactOptimum, exactPoints, isAtMost } from "./helpers/cost.js";
import { leastOnLine } from "./helpers/line.js";
import { randomPoints } from "./helpers/small.js";

const matrixOf = (rows: readonly (readonly number[])[]): DenseMatrix => ({
  rows: rows.length,
  columns: rows[0].length,
  data: Float64Array.from(rows.flat()),
});

/** Three clusters about the corners of a triangle, near and touching. */
function blobs(n: number, random: RandomGenerator): number[][] {
  return Array.from({ length: n }, (_, i) => [
    4 * (i % 3) + 2 * random.uniform(),
    3 * ((i % 3) % 2) + 2 * random.uniform(),
  ]);
}

describe("pieces", () => {
  test("are those of the graph {d²/2 ≤ cost}, of every pair", () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = new RandomGenerator(seed);
      const n = 2 + Math.floor(40 * random.uniform());
      const points = matrixOf(
        Array.from({ length: n }, () => [
          Math.floor(8 * random.uniform()),
          random.uniform() < 0.1 ? 1e5 * random.uniform() : random.uniform(),
        ]),
      );
      const labels = Int32Array.from({ length: n }, (_, i) => (i < 3 ? i : Math.floor(3 * random.uniform())));
      const own = scaledCost(points, labels, 3);
      const limit = 2 * own.cost * own.unit * own.unit;
      const square = (i: number, j: number): number =>
        (points.data[2 * i] - points.data[2 * j]) ** 2 +
        (points.data[2 * i + 1] - points.data[2 * j + 1]) ** 2;
      const pieces = piecesOf(points, own);
      expect([...pieces.flatMap((piece) => [...piece])].sort((a, b) => a - b)).toEqual([...labels.keys()]);
      const of = new Int32Array(n);
      pieces.forEach((piece, q) => {
        for (const i of piece) of[i] = q;
      });
      for (let i = 0; i < n; i++)
        for (let j = 0; j < i; j++) if (square(i, j) <= limit) expect(of[i]).toBe(of[j]);
      for (const piece of pieces) {
        if (piece.length === 1 || own.cost === 0) continue; // a cost of 0 proves itself
        // from its first point all of a piece are reached
        const reached = new Set([piece[0]]);
        for (const i of reached)
          for (const j of piece) if (square(i, j) <= limit * (1 + 1e-9)) reached.add(j);
        expect(reached.size).toBe(piece.length);
      }
    }
  });

  test("clusters are shared out at the least sum", () => {
    for (let seed = 0; seed < 50; seed++) {
      const random = new RandomGenerator(seed);
      const most = Array.from({ length: 1 + Math.floor(3 * random.uniform()) }, () =>
        Math.floor(1 + 4 * random.uniform()),
      );
      const K = most.length + Math.floor(5 * random.uniform());
      const costs = most.map((m) => Array.from({ length: m }, () => random.uniform()).sort((a, b) => b - a));
      let least = Number.POSITIVE_INFINITY;
      const visit = (q: number, left: number, sum: number): void => {
        if (q === most.length) least = Math.min(least, sum);
        else for (let s = 1; s <= Math.min(most[q], left); s++) visit(q + 1, left - s, sum + costs[q][s - 1]);
      };
      visit(0, K, 0);
      const { shares, cost } = sharedOut(most, K, (q, share) => costs[q][share - 1]);
      expect(cost).toBeCloseTo(least, 12);
      expect(shares.reduce((sum, share, q) => sum + costs[q][share - 1], 0)).toBeCloseTo(least, 12);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(K);
    }
  });
});

describe("far rows", () => {
  const near = blobs(60, new RandomGenerator(5));

  test.each([1e2, 1e5, 1e9, 1e12])(
    "at %d the others are clustered as without them, and certified",
    async (far) => {
      const alone = await clusterPoints(near, { clusters: 3, tolerance: 1e-4 });
      const points = [[far, far], ...near, [-far, 0], [0, 3 * far], [0, 3 * far + 1e-3]];
      const { labels, cost, costGap, status, warnings } = await clusterPoints(points, {
        clusters: 6,
        tolerance: 1e-4,
      });
      expect(status).toBe("converged");
      expect(costGap).toBeLessThanOrEqual(1e-4);
      expect([...labels.slice(1, 61)].map((label) => label - labels[1])).toEqual([...alone.labels]);
      expect(labels[62]).toBe(labels[63]);
      expect(new Set(labels).size).toBe(6);
      const pair = (points[62][1] - points[63][1]) ** 2 / 2;
      expect(Math.abs(cost - (alone.cost + pair))).toBeLessThanOrEqual(1e-13 * alone.cost);
      expect(warnings.map((warning) => warning.message).join(" ")).toMatch(
        /Rows 0, 61 \(counted from 0\) are so far from the rest that each is a cluster of its own in every good clustering\. Rows 62, 63/,
      );
    },
  );

  test("a typing error that takes one of the clusters is named", async () => {
    const points = near.map((row, i) => (i === 17 ? [row[0] * 1e4, row[1]] : row));
    const { labels, warnings } = await clusterPoints(points, { clusters: 3, tolerance: 0.05 });
    expect(labels.filter((label) => label === labels[17])).toHaveLength(1);
    expect(warnings).toContainEqual(
      expect.objectContaining({
        code: "far-rows",
        message: expect.stringMatching(/^Row 17 \(counted from 0\).*the other rows have 2\..*clusters 4/),
      }),
    );
  });

  test("more clusters are advised only where the far rows cannot take them", async () => {
    // 80 rows about two middles, and four different rows at a distance, of which K = 3 makes one cluster
    const cloud = Array.from({ length: 80 }, (_, i) => [40 * (i & 1) + (i % 7) / 7, (i % 11) / 11]);
    const far = [0, 1, 2, 3].map((i) => [1e5 + 300 * i, 0]);
    const open = await clusterPoints([...cloud, ...far], { clusters: 3, tolerance: 0.05, maxSeconds: 2 });
    const sentence = open.warnings.find(({ code }) => code === "far-rows")?.message;
    expect(sentence).toMatch(/See whether there are typing errors\.$/);
    const lone = await clusterPoints([...cloud, far[0]], { clusters: 3, tolerance: 0.05, maxSeconds: 2 });
    expect(lone.warnings.find(({ code }) => code === "far-rows")?.message).toMatch(
      /clusters 4 where the others are to have 3\.$/,
    );
    const more = await clusterPoints([...cloud, far[0]], { clusters: 4, tolerance: 0.05, maxSeconds: 2 });
    expect(new Set(more.labels.slice(0, 80)).size).toBe(3);
  });

  test("scales within scales: each piece is searched in its own digits", async () => {
    // pairs at 1, 1e6 and 1e12: no unit has digits for all of them
    const points = [[0], [1], [1e6], [1e6 + 1], [1e12], [1e12 + 1]];
    const result = await clusterPoints(points, { clusters: 4 });
    expect(result).toMatchObject({ cost: 1, status: "converged" });
    expect(result.costLower).toBeGreaterThan(0.99);
  });

  test.each([1, 2, 3])(
    "against every partition, far values and copies among them (seed %i)",
    async (seed) => {
      for (let draw = 0; draw < 20; draw++) {
        const random = new RandomGenerator(1000 * seed + draw);
        const n = 3 + Math.floor(5 * random.uniform());
        const points = Array.from({ length: n }, () => [
          Math.floor(4 * random.uniform()) +
            (random.uniform() < 0.3 ? 10 ** Math.floor(16 * random.uniform()) : 0),
          random.uniform(),
        ]);
        if (draw % 3 === 0) points[1] = points[0].slice();
        const clusters = 1 + Math.floor(n * random.uniform());
        const { rows, exponent } = exactPoints(points);
        const { costLower, cost, labels } = await clusterPoints(points, {
          clusters,
          tolerance: 0,
          maxIterations: 300,
        });
        const name = JSON.stringify({ points, clusters, cost, costLower });
        const optimum = exactOptimum(rows, clusters);
        expect(isAtMost(costLower, optimum, exponent, n), name).toBe(true);
        expect(isAtMost(cost * (1 - 1e-12), optimum, exponent, n), name).toBe(true); // the search finds the best ones
        expect(cost, name).toBeCloseTo(costOf(matrixOf(points), labels), -Math.log10(cost || 1) + 6);
      }
    },
  );
});

describe("groups", () => {
  test("an assignment is the least of all permutations", () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = new RandomGenerator(seed);
      const p = 1 + Math.floor(6 * random.uniform());
      const r = 1 + Math.floor(p * random.uniform());
      const costs = Float64Array.from({ length: r * p }, () => random.uniform() - 0.5);
      const columns = assigned(costs, r, p);
      expect(new Set(columns).size).toBe(r);
      let least = Number.POSITIVE_INFINITY;
      const visit = (row: number, taken: readonly number[], sum: number): void => {
        if (row === r) least = Math.min(least, sum);
        else
          for (let j = 0; j < p; j++)
            if (!taken.includes(j)) visit(row + 1, [...taken, j], sum + costs[row * p + j]);
      };
      visit(0, [], 0);
      expect(columns.reduce((sum, j, row) => sum + costs[row * p + j], 0)).toBeCloseTo(least, 12);
    }
  });

  test("have each row once, and lose little of the cost; drawn at random they lose more", () => {
    const random = new RandomGenerator(2);
    const X = matrixOf(blobs(1400, random));
    const labels = Int32Array.from({ length: 1400 }, (_, i) => i % 3);
    const weights = new Float64Array(1400).fill(1);
    const lost = (groups: readonly Int32Array[]): number => {
      const within = groups.map((rows) =>
        costOf(
          matrixOf([...rows].map((i) => [X.data[2 * i], X.data[2 * i + 1]])),
          rows.map((i) => labels[i]),
        ),
      );
      return 1 - within.reduce((sum, cost) => sum + cost, 0) / costOf(X, labels);
    };
    for (const count of [7, 40]) {
      const groups = anticlusters({ X, weights }, labels, 3, count);
      expect(groups.flatMap((group) => [...group]).sort((a, b) => a - b)).toEqual([...labels.keys()]);
      const sizes = groups.map((group) => group.length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(8);
      const anyGroups = sizes.map((_, g) =>
        Int32Array.from(labels.keys()).filter((i) => (i * 7919) % sizes.length === g),
      );
      expect(lost(groups)).toBeLessThan(0.2 * lost(anyGroups));
    }
  });

  test("their sum is below every partition's cost", () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = new RandomGenerator(seed);
      const n = 4 + Math.floor(5 * random.uniform());
      const K = 2 + Math.floor(2 * random.uniform());
      const points = Array.from({ length: n }, () => [
        Math.floor(9 * random.uniform()),
        3 * random.uniform(),
      ]);
      const { X, unit } = ownCoordinates(matrixOf(points));
      const labels = Int32Array.from({ length: n }, (_, i) => i % K);
      const weights = new Float64Array(n).fill(1);
      const bound = new GroupBound({ X, weights }, K, labels, { tolerance: 0, memoryLimit: 2 ** 20 }, 4);
      for (let step = 0; step < 3000 && !bound.settled; step++) bound.step();
      const { rows, exponent } = exactPoints(points);
      const lower = (bound.lower - 1e-12) * unit * unit;
      expect(isAtMost(lower, exactOptimum(rows, K), exponent, n), JSON.stringify({ points, K, lower })).toBe(
        true,
      );
    }
  });

  test.each([1, 2])(
    "many points on a line in a plane: never above the least cost, and near it (seed %i)",
    async (seed) => {
      const random = new RandomGenerator(seed);
      const points = Array.from({ length: 700 }, (_, i) => [
        1000 * (i % 3) + Math.floor(900 * random.uniform() * random.uniform()),
      ]);
      const least =
        2 *
        leastOnLine(
          points.map(([x]) => x),
          3,
        );
      const diagonal = points.map(([x]) => [x, x]);
      const result = await clusterPoints(diagonal, { clusters: 3, tolerance: 0.02, maxIterations: 2000 });
      expect(result.cost).toBeGreaterThanOrEqual(least * (1 - 1e-12));
      expect(result.costLower).toBeLessThanOrEqual(least);
      expect(result.costGap).toBeLessThanOrEqual(0.02);
      expect(result.status).toBe("converged");
    },
  );
});

test("copies are those of equal numbers, whatever the hash", () => {
  const random = new RandomGenerator(1);
  const points = matrixOf(
    Array.from({ length: 500 }, () => [
      Math.floor(9 * random.uniform()) - 4,
      Math.floor(5 * random.uniform()) * 2 ** -30,
    ]),
  );
  points.data[0] = -0;
  const names = Array.from({ length: 500 }, (_, i) => `${points.data[2 * i] + 0},${points.data[2 * i + 1]}`);
  const { rowOf, copies } = copiesOf(points);
  const first = [...new Set(names)];
  expect([...rowOf]).toEqual(names.map((name) => first.indexOf(name)));
  expect([...copies]).toEqual(first.map((name) => names.filter((other) => other === name).length));
});

describe("the result of many points", () => {
  const points = randomPoints(650, 3, 4);

  test("says what is true of Q of the labels", async () => {
    const result = await clusterPoints(points, { clusters: 4, maxIterations: 45 });
    const { cost, costLower, labels, lower, upper, factored, embedding, order, components, memberships } =
      result;
    expect(result.Q?.data[0]).toBeCloseTo(1 / labels.filter((label) => label === 0).length, 12);
    expect(result.status).toBe("max-iterations");
    expect(result.message).toMatch(/2 of 3 groups of points have a bound so far\.$/);
    expect(cost).toBeCloseTo(costOf(points, labels), 9);
    expect(costLower).toBeGreaterThan(0);
    // Tr D is the cost of one cluster, in the unit of D
    const one = await clusterPoints(points, { clusters: 1, scale: "none" });
    const unscaled = await clusterPoints(points, { clusters: 4, maxIterations: 45, scale: "none" });
    expect(unscaled.lower).toBeCloseTo(one.cost - cost, 6);
    expect(unscaled.upper).toBeCloseTo(one.cost - unscaled.costLower, 6);
    expect(lower).toBeLessThanOrEqual(upper);
    expect(factored?.factor).toMatchObject({ rows: 650, columns: 4 });
    expect([...order].sort((a, b) => a - b)).toEqual([...labels.keys()]);
    expect(components).toMatchObject({ count: 4 });
    expect([...components.labels]).toEqual([...labels]);
    expect(memberships.data[labels[0]]).toBe(1);
    expect(embedding).toMatchObject({ rows: 650, columns: 2 });
    expect(result.varianceExplained).toBeGreaterThan(0.3);
    expect(result.rowSumError).toBeLessThan(1e-12);
  });

  test("is that of the uninterrupted run, from a checkpoint", async () => {
    const options = { clusters: 4, maxIterations: 60 } as const;
    const whole = await clusterPoints(points, options);
    let bytes: Uint8Array | undefined;
    await clusterPoints(points, {
      ...options,
      maxIterations: 25,
      checkpoint: {
        write: (written) => {
          bytes = written;
        },
      },
    });
    const resumed = await clusterPoints(points, { ...options, resume: bytes });
    expect(resumed.costLower).toBe(whole.costLower);
    expect(resumed.iterations).toBe(60);
  });

  test("obeys the signal while it looks for labels, and while it bounds", async () => {
    const reason = new Error("enough");
    const early = new AbortController();
    const starts = clusterPoints(points, {
      clusters: 4,
      signal: early.signal,
      onPhase: (_, share) => (share !== undefined && share > 0.2 ? early.abort(reason) : undefined),
    });
    await expect(starts).rejects.toBe(reason);
    const late = new AbortController();
    const result = await clusterPoints(points, {
      clusters: 4,
      signal: late.signal,
      onIteration: ({ index }) => (index === 5 ? late.abort(reason) : undefined),
    });
    expect(result).toMatchObject({ status: "aborted", iterations: 5, usable: true });
    expect(result.message).toMatch(/The signal was aborted.*clustering into 4 groups costs/);
  });

  test("has no bound where none is asked for", async () => {
    const result = await clusterPoints(points, { clusters: 4, certify: false });
    expect(result).toMatchObject({ costLower: 0, costGap: 1, status: "stalled" });
    expect(result.message).toMatch(/how much less another one costs is not known/);
  });
});
