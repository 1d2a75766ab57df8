/** Clusters for later rows: by a search of its own over all centres, through a file bit for bit, and refused where it is damaged. */
import { applyScaling, fillNormal, fitScaling, RandomGenerator } from "@curvature/linalg";
import {
  clusterModel,
  clusterPoints,
  loadClusterModel,
  radiusShares,
  saveClusterModel,
} from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";
import { randomPoints } from "./helpers/small.js";

const rowsOf = ({ rows, columns, data }: { rows: number; columns: number; data: Float64Array }): number[][] =>
  Array.from({ length: rows }, (_, i) => [...data.subarray(i * columns, (i + 1) * columns)]);

/** Three groups in columns of units that differ by thousands, and ten rows that lie elsewhere. */
function drawn(): { readonly training: number[][]; readonly later: number[][] } {
  const noise = new Float64Array(200);
  fillNormal(new RandomGenerator(7), noise);
  let next = 0;
  const row = (at: number): number[] => [at + 0.3 * noise[next++], 1e4 * (at % 2) + 900 * noise[next++], 5];
  return {
    training: Array.from({ length: 60 }, (_, i) => row(4 * (i % 3))),
    later: [
      ...Array.from({ length: 20 }, (_, i) => row(4 * (i % 3))),
      ...Array.from({ length: 10 }, (_, i) => [100 + i, -3e5, 5]),
    ],
  };
}

describe("later rows", () => {
  test.each(["none", "standard", "unit-rows"] as const)("go to the nearest centre (%s)", async (method) => {
    const { training, later } = drawn();
    const scaling = method === "none" ? undefined : fitScaling(training, method);
    const scaled = (rows: number[][]): number[][] =>
      scaling === undefined ? rows : rowsOf(applyScaling(scaling, rows));
    const found = await clusterPoints(scaled(training), { clusters: 3, maxIterations: 20 });
    const model = clusterModel(training, found, scaling);
    const X = scaled(training);
    const centers = [0, 1, 2].map((c) => {
      const members = X.filter((_, i) => found.labels[i] === c);
      return X[0].map((_, j) => members.reduce((sum, x) => sum + x[j], 0) / members.length);
    });
    for (const [c, center] of centers.entries())
      for (const [j, x] of center.entries()) expect(model.parts.centers.data[3 * c + j]).toBeCloseTo(x, 9);
    const distance = (x: number[], c: number): number => Math.hypot(...x.map((v, j) => v - centers[c][j]));
    const nearest = (x: number[]): number =>
      [0, 1, 2].reduce((best, c) => (distance(x, c) < distance(x, best) ? c : best));
    const farthest = [0, 1, 2].map((c) =>
      Math.max(...X.filter((x) => nearest(x) === c).map((x) => distance(x, c))),
    );
    const { labels, distances, outside } = model.assign(later);
    for (const [i, x] of scaled(later).entries()) {
      const c = nearest(x);
      expect(labels[i]).toBe(c);
      expect(distances[i]).toBeCloseTo(distance(x, c), 9);
      expect(outside[i]).toBe(Number(distance(x, c) > farthest[c]));
    }
    expect([...model.parts.sizes].reduce((sum, size) => sum + size)).toBe(60);
    if (method === "standard") expect([...outside.subarray(20)]).toEqual(new Array(10).fill(1));
    if (method !== "unit-rows") expect(model.means.data[2]).toBe(5); // a constant column stays
  });

  test("rows of the training have their labels again, none of them outside, even copies and rows far from 0", async () => {
    for (const offset of [0, 1e9]) {
      const { data, ...shape } = randomPoints(80, 4, 3);
      const points = { ...shape, data: data.map((x, at) => (at % 8 < 4 ? x : data[at - 4]) + offset) }; // each row twice
      const found = await clusterPoints(points, { clusters: 5, maxIterations: 5 });
      const { labels, outside } = clusterModel(points, found).assign(points);
      expect([...labels]).toEqual([...found.labels]);
      expect(outside.some((flag) => flag === 1)).toBe(false);
    }
  });

  test("rows of no cluster count for nothing, and may be outside", () => {
    const model = clusterModel([[0], [2], [10], [12], [500]], { labels: [0, 0, 1, 1, -1] });
    expect([...model.parts.centers.data]).toEqual([1, 11]);
    expect([...model.parts.sizes]).toEqual([2, 2]);
    const { labels, distances, outside } = model.assign([[500], [2], [2.5]]);
    expect([...labels]).toEqual([1, 0, 0]);
    expect([...distances]).toEqual([489, 1, 1.5]);
    expect([...outside]).toEqual([1, 0, 1]);
  });

  test("radii are those of the shares of the rows", () => {
    const points = Array.from({ length: 64 }, (_, i) => [i - 31.5]);
    const { radii } = clusterModel(points, { labels: new Int32Array(64) }).parts;
    for (const [s, share] of radiusShares.entries()) {
      const within = points.filter(([x]) => Math.abs(x) <= radii.data[s]).length;
      const below = points.filter(([x]) => Math.abs(x) < radii.data[s]).length;
      expect(within).toBeGreaterThanOrEqual(64 * share);
      expect(below).toBeLessThan(64 * share);
    }
  });

  test("n = 1, 2, no later row, and numbers that overflow", () => {
    const one = clusterModel([[3, 4]], { labels: [0] });
    expect(one.assign([[3, 4]])).toEqual({
      labels: Int32Array.of(0),
      distances: Float64Array.of(0),
      outside: Uint8Array.of(0),
    });
    expect(one.assign([]).labels).toHaveLength(0);
    const wide = clusterModel([[1e308], [-1e308]], { labels: [0, 1] });
    expect([...wide.assign([[-1e308], [1.7e308]]).distances]).toEqual([0, 1.7e308 - 1e308]);
  });
});

describe("a file", () => {
  test.each([undefined, "standard", "unit-rows"] as const)("holds the model bit for bit (%s)", (method) => {
    const points = randomPoints(30, 3, 5);
    const scaling = method && fitScaling(points, method);
    const labels = Array.from({ length: 30 }, (_, i) => i % 4);
    const preparation = {
      isNamed: true,
      columns: ["a", "b", "c"].map((name) => ({
        ...{ name, how: "number" as const, fill: 0, levels: [], hasIndicator: false },
      })),
      missing: "error" as const,
      others: ["kind"],
      labels: undefined,
    };
    const model = clusterModel(points, { labels, cost: 7, costLower: 6.5 }, scaling, preparation);
    const bytes = saveClusterModel(model);
    const read = loadClusterModel(bytes);
    expect(read.parts).toEqual(model.parts);
    expect(read.assign(points)).toEqual(model.assign(points));
    expect(saveClusterModel(read)).toEqual(bytes);
    expect(loadClusterModel(new TextDecoder().decode(bytes)).parts).toEqual(model.parts);
  });

  test("that was cut, changed or is of another kind is refused", () => {
    const bytes = saveClusterModel(clusterModel([[1], [2], [9]], { labels: [0, 0, 1] }));
    const refused = { name: "CurvatureError", code: "ERR_PARSE" };
    const thrown = (file: Uint8Array): unknown => {
      try {
        return loadClusterModel(file);
      } catch (error) {
        return error;
      }
    };
    for (let length = 0; length < bytes.length; length += 7)
      expect(thrown(bytes.subarray(0, length))).toMatchObject(refused);
    for (let at = 0; at < bytes.length; at += 5) {
      const changed = bytes.slice();
      changed[at] ^= 1;
      expect(thrown(changed), `byte ${at}`).toMatchObject(refused);
    }
    expect(thrown(new TextEncoder().encode('{"format":"curvature-linear-model"}\n'))).toMatchObject(refused);
  });
});

describe("is refused with what is wrong, and where", () => {
  const points = [
    [1, 2],
    [3, 4],
    [0, 0],
  ];
  test.each([
    [() => clusterModel(points, { labels: [0, 1] }), /labels must be 3 whole numbers, one for each row/],
    [() => clusterModel(points, { labels: [0, 2, 2] }), /no row is of cluster 1, and some are of cluster 2/],
    [() => clusterModel(points, { labels: [0, 0.5, 1] }), /labels\[1\] must be the number of a cluster/],
    [() => clusterModel(points, { labels: [-1, -1, -1] }), /no row is of a cluster/],
    [
      () => clusterModel(points, { labels: [0, 0, 0] }, fitScaling(points, "unit-rows")),
      /row 2 \(counted from 0\) of the points is all 0 and has no direction/,
    ],
    [() => Reflect.apply(clusterModel, undefined, [points, null]), /clustered must be an object with labels/],
    [() => clusterModel(points, { labels: [0, 0, 0] }).assign([[1, 2, 3]]), /points must have 2 columns/],
    [
      () => clusterModel(points, { labels: [0, 0, 0] }).assign([[1, Number.NaN]]),
      /points has NaN at row 0, column 1/,
    ],
    [() => Reflect.apply(saveClusterModel, undefined, [{}]), /saveClusterModel takes a model of clusters/],
  ])("case %#", (make, sentence) => {
    expect(make).toThrow(sentence);
    expect(make).toThrow(expect.objectContaining({ name: "CurvatureError" }));
  });
});
