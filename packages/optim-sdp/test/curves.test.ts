/** Points on curves: exact small cases, laws of the partition, the certificate against all partitions. */
import {
  CurvatureError,
  type DenseMatrix,
  log,
  RandomGenerator,
  squaredDistances,
  zeros,
} from "@curvature/linalg";
import { separateCurves } from "@curvature/optim-sdp";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { graphKernels, unitDistances } from "../src/curves/graph-kernels.js";
import { cutBound, cutOf, doublyStochastic } from "../src/curves/normalized-cut.js";
import { separation, singleLinkage } from "../src/curves/separation.js";
import { CutSequence } from "../src/curves/sweep-cuts.js";

/** What a generator returns in the end. */
function ended<T>(work: Generator<unknown, T, void>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

const dense = (rows: readonly (readonly number[])[]): DenseMatrix => ({
  rows: rows.length,
  columns: rows[0]?.length ?? 0,
  data: Float64Array.from(rows.flat()),
});

const labelsOf = (rows: readonly (readonly number[])[], clusters: number | "auto" = "auto"): number[] =>
  Array.from(ended(separation(dense(rows), clusters)).labels);

/** Two rings of radii 1 and 2, each point at a place of its own, with a little noise. */
function rings(seed: number, count = 60): number[][] {
  const random = new RandomGenerator(seed);
  const noise = (): number => 0.02 * (random.uniform() + random.uniform() - 1);
  return Array.from({ length: 2 * count }, (_, i) => {
    const [angle, radius] = [2 * Math.PI * random.uniform(), 1 + (i % 2)];
    return [radius * Math.cos(angle) + noise(), radius * Math.sin(angle) + noise()];
  });
}
const alternating = Array.from({ length: 120 }, (_, i) => i % 2);

/** Whether two labellings are the same up to the labels' names. */
const isSamePartition = (a: readonly number[], b: readonly number[]): boolean =>
  new Set(a.map((label, i) => `${label} ${b[i]}`)).size === new Set(a).size &&
  new Set(a).size === new Set(b).size;

describe("exact small cases", () => {
  test.each([
    [[[3, 4]], 1],
    [[[0], [1]], 1],
    [[[0], [1], [5]], 1],
    [
      [
        [2, 2],
        [2, 2],
        [2, 2],
        [2, 2],
      ],
      1,
    ],
  ])("%j is one curve", async (points, clusters) => {
    const result = await separateCurves(points);
    expect(result.clusters).toBe(clusters);
    expect(Array.from(result.labels)).toEqual(points.map(() => 0));
    expect([result.cut, result.cutLower, result.cutGap]).toEqual([0, 0, 0]);
    expect(result.status).toBe("converged");
  });

  test("two, three and four points in as many parts as are asked for", async () => {
    expect(labelsOf([[0], [1]], 2)).toEqual([0, 1]);
    expect(labelsOf([[0], [1], [5]], 2)).toEqual([0, 0, 1]);
    expect(labelsOf([[5], [0], [1]], 3)).toEqual([0, 1, 2]);
    const { labels, clusters, warnings } = await separateCurves([[0], [9], [0], [9]], { clusters: 3 });
    expect([Array.from(labels), clusters]).toEqual([[0, 1, 0, 1], 2]);
    expect(warnings.map(({ code }) => code)).toContain("fewer-different-points");
  });

  test("a parabola's graph: paths of power 2 and 8 are the least sums over all paths", () => {
    const rows = Array.from({ length: 7 }, (_, i) => [i, (i * i) / 3]);
    const e = unitDistances(dense(rows.map((row) => row.map((x) => x / 16))));
    const [, f2] = ended(graphKernels(e));
    // seven points: all are neighbours, so that the shortest paths are those of the complete graph (Floyd, Warshall)
    const sums = Array.from({ length: 49 }, (_, k) => e.data[k] ** 2);
    for (let k = 0; k < 7; k++)
      for (let i = 0; i < 7; i++)
        for (let j = 0; j < 7; j++)
          sums[7 * i + j] = Math.min(sums[7 * i + j], sums[7 * i + k] + sums[7 * k + j]);
    const farthest = Array.from({ length: 7 }, (_, i) =>
      Math.sqrt(Math.max(...sums.slice(7 * i, 7 * i + 7))),
    );
    for (let i = 0; i < 7; i++)
      for (let j = 0; j < 7; j++) {
        const expected = i === j ? 0 : sums[7 * i + j] / (farthest[i] * farthest[j]); // 16 neighbours: the farthest
        if (i !== j) expect(-log(f2.W.data[7 * i + j])).toBeCloseTo(expected, 10);
        else expect(f2.W.data[8 * i]).toBe(0);
      }
  });

  test("the first sweep cut of two cliques joined by one weak edge is that edge", () => {
    const W = zeros(8, 8);
    for (let i = 0; i < 8; i++)
      for (let j = 0; j < 8; j++) if (i !== j && i < 4 === j < 4) W.data[8 * i + j] = 1;
    W.data[8 * 3 + 4] = 0.01;
    W.data[8 * 4 + 3] = 0.01;
    const sequence = new CutSequence(W);
    expect(sequence.cut()).toBe(true);
    expect(sequence.values[0]).toBeCloseTo((2 * 0.01) / 12.01, 12);
    expect(isSamePartition(Array.from(sequence.partition(2) ?? []), [0, 0, 0, 0, 1, 1, 1, 1])).toBe(true);
    expect(sequence.ratio(1)).toBe(0);
  });

  test("single linkage is what a search over all thresholds finds", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 12 }), (values) => {
        const xs = [...new Set(values)].sort((a, b) => a - b);
        if (xs.length < 2) return;
        const gaps = xs.slice(1).map((x, i) => x - xs[i]);
        const sorted = [...gaps].sort((a, b) => b - a);
        for (let K = 1; K <= xs.length; K++) {
          if (sorted[K - 2] === sorted[K - 1]) continue; // equal gaps: either may be cut
          let part = 0;
          const expected = xs.map((_, i) => (i > 0 && K > 1 && gaps[i - 1] >= sorted[K - 2] ? ++part : part));
          const D = squaredDistances(xs.map((x) => [x]));
          expect(isSamePartition(Array.from(singleLinkage(D, K)), expected)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("laws", () => {
  const points = rings(7);

  test("two rings at random places are two", () => expect(labelsOf(points)).toEqual(alternating));

  test("the order of the rows does not count", () => {
    const random = new RandomGenerator(3);
    const order = points
      .map((_, i) => [random.uniform(), i] as const)
      .sort(([a], [b]) => a - b)
      .map(([, i]) => i);
    const labels = labelsOf(order.map((i) => points[i]));
    expect(
      isSamePartition(
        labels,
        order.map((i) => i % 2),
      ),
    ).toBe(true);
  });

  test.each([
    ["a unit of 1e-200", (x: number[]) => x.map((v) => 1e-200 * v)],
    ["a unit of 1e200", (x: number[]) => x.map((v) => 1e200 * v)],
    ["a place of 1e6", (x: number[]) => x.map((v) => v + 1e6)],
    ["a turn", ([x, y]: number[]) => [0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y]],
    ["a mirror and a column of zeros", ([x, y]: number[]) => [-x, 0, y]],
  ])("%s does not count", (_, to) => expect(labelsOf(points.map(to))).toEqual(alternating));

  test("copies of points are on their curve, and change nothing", () => {
    const labels = labelsOf([...points, ...points, ...points.slice(0, 31)]);
    expect(labels).toEqual([...alternating, ...alternating, ...alternating.slice(0, 31)]);
  });

  test("a far point does not take the count away", () => {
    const labels = labelsOf([...points, [1e9, 0]]);
    expect(labels.slice(0, -1)).toEqual(alternating);
  });

  test("no partition is below the bound, of all of ten points", async () => {
    for (let seed = 0; seed < 4; seed++) {
      const random = new RandomGenerator(seed);
      const few = Array.from({ length: 10 }, () => [random.uniform(), random.uniform()]);
      const result = await separateCurves(few, { clusters: 2, tolerance: 1e-6 });
      const found = ended(separation(dense(few), 2));
      const stochastic = doublyStochastic(found.W);
      expect(stochastic.rowSumError).toBeLessThan(1e-12);
      expect(cutOf(stochastic.G, found.labels, 2)).toBe(result.cut);
      expect(cutBound(stochastic, 2, result.upper)).toBeGreaterThanOrEqual(result.cutLower);
      let least = Number.POSITIVE_INFINITY;
      for (let subset = 1; subset < 512; subset++) {
        const labels = Int32Array.from({ length: 10 }, (_, i) => (subset >> i) & 1);
        least = Math.min(least, cutOf(stochastic.G, labels, 2));
      }
      expect(result.cutLower).toBeLessThanOrEqual(least);
      expect(result.cut).toBeGreaterThanOrEqual(least);
    }
  });
});

describe("what it says", () => {
  test("two rings: the cut is proved", async () => {
    const result = await separateCurves(rings(11));
    expect(result).toMatchObject({ clusters: 2, status: "converged" });
    expect(result.cutLower).toBeLessThanOrEqual(result.cut);
    expect(result.message).toMatch(/^2 curves, .*The certificate proves the cut, not the truth\./);
    expect(result.warnings).toEqual([]);
    expect(result.kernels.map(({ kernel }) => kernel)).toEqual(["euclidean", "paths-2", "paths-8"]);
    expect(result.options).toMatchObject({ input: "points", clusters: 2, tolerance: 1e-3 });
  });

  test("two far pairs of squares are two, and could be four", async () => {
    const random = new RandomGenerator(2);
    const squares = Array.from({ length: 160 }, (_, i) => [
      random.uniform() + 1.8 * (i & 1) + 1e4 * ((i >> 1) & 1),
      random.uniform(),
    ]);
    const { clusters, otherClusters, message } = await separateCurves(squares);
    expect(clusters).toBe(2);
    expect(otherClusters[0]).toBe(4);
    expect(message).toContain("Other numbers of curves stand out as well: 4");
    expect((await separateCurves(rings(11))).otherClusters).toEqual([]);
  });

  test("one ring cut to two: an open gap is a warning", async () => {
    const ring = Array.from({ length: 240 }, (_, i) => [
      Math.cos((i * Math.PI) / 120),
      Math.sin((i * Math.PI) / 120),
    ]);
    const result = await separateCurves(ring, { clusters: 2 });
    expect(result.status).toBe("stalled");
    expect(result.cut).toBeGreaterThan(2 * result.cutLower);
    expect(result.warnings.map(({ code }) => code)).toEqual(["cut-not-proved"]);
  });

  test("a run that is stopped says so, with the same labels", async () => {
    const result = await separateCurves(rings(5), { clusters: 3, maxIterations: 1 });
    expect(result.status).toBe("max-iterations");
    expect(result.cutLower).toBeLessThanOrEqual(result.cut);
    const whole = await separateCurves(rings(5), { clusters: 3 });
    expect(whole.labels).toEqual(result.labels);
  });

  test.each([
    ["no points", [], {}, "ERR_SHAPE"],
    ["NaN", [[1, Number.NaN]], {}, "ERR_NON_FINITE"],
    ["more curves than points", [[1], [2]], { clusters: 3 }, "ERR_OPTION"],
    ["half a curve", [[1], [2]], { clusters: 1.5 }, "ERR_OPTION"],
    ["no curve", [[1], [2]], { clusters: 0 }, "ERR_OPTION"],
    ["an option of another function", [[1], [2]], { layers: "auto" }, "ERR_OPTION"],
    ["too little memory", rings(1), { memoryLimit: 1e5 }, "ERR_MEMORY"],
  ])("%s: an error that says so", async (_, points, options, code) => {
    const error = await Reflect.apply(separateCurves, undefined, [points, options]).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(CurvatureError);
    expect(error).toMatchObject({ code });
  });
});
