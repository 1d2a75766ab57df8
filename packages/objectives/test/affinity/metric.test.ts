/** Metrics beside SciPy's, and searches beside sorted distances of all pairs. */
import { readFileSync } from "node:fs";
import { type DenseMatrix, RandomGenerator, toDense, toSparse, zeros } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { squaredRowDistance } from "../../src/embedding/affinity/distances.js";
import { isEuclidean, type Metric, preparedRows, rowDistance } from "../../src/embedding/affinity/metric.js";
import {
  metricSearch,
  metricSquares,
  sparseSearch,
  sparseSquares,
} from "../../src/embedding/affinity/metric-search.js";
import { nearestNeighbors, resultOf } from "../../src/embedding/affinity/neighbors.js";
import { metricNames } from "../../src/embedding/options.js";

/** SciPy 1.17.1: `cdist`; hellinger by its formula, of rows over their sums. */
const fixture: {
  readonly points: number[][];
  readonly distances: Readonly<Record<string, number[][]>>;
} = JSON.parse(readFileSync(new URL("../fixtures/scipy-distances.json", import.meta.url), "utf8"));

/** Distances of all pairs as the module computes them. */
function matrixOf(points: DenseMatrix, metric: Metric): number[][] {
  const { rows: N, columns: D, data } = preparedRows(points, metric);
  const between = isEuclidean(metric)
    ? (a: Float64Array, i: number, b: Float64Array, j: number) => Math.sqrt(squaredRowDistance(a, i, b, j, D))
    : rowDistance(metric);
  return Array.from({ length: N }, (_, i) =>
    Array.from({ length: N }, (__, j) => between(data, i, data, j, D)),
  );
}

/** From our distances to SciPy's. */
const toScipy: Readonly<Record<string, (d: number) => number>> = {
  cosine: (d) => (d * d) / 2,
  correlation: (d) => (d * d) / 2,
  hellinger: (d) => d / Math.SQRT2,
};

describe("metrics", () => {
  test.each(metricNames)("%s is SciPy's", (metric) => {
    const ours = matrixOf(toDense(fixture.points), metric);
    const scipy = fixture.distances[metric] ?? [];
    const worst = ours.flatMap((row, i) =>
      row.map((d, j) => Math.abs((toScipy[metric]?.(d) ?? d) - (scipy[i]?.[j] ?? Number.NaN))),
    );
    expect(Math.max(...worst)).toBeLessThan(1e-14 * 16);
  });

  test("rows do not depend on their size, however large or small", () => {
    const points = toDense(fixture.points);
    for (const metric of ["cosine", "correlation", "hellinger"] as const)
      for (const size of [1e-300, 1e300]) {
        const rescaled = { ...points, data: points.data.map((x) => x * size) };
        const [a, b] = [preparedRows(points, metric).data, preparedRows(rescaled, metric).data];
        expect(Math.max(...a.map((x, k) => Math.abs(x - b[k])))).toBeLessThan(1e-14);
      }
  });

  test("rows without a direction and negative shares are errors that name the row, and the input stays", () => {
    const rows = [
      [1, 2],
      [0, 0],
      [3, 3],
    ];
    expect(() => preparedRows(toDense(rows), "cosine")).toThrow(/Row 1 of points has zeros only/);
    expect(() => preparedRows(toDense(rows), "hellinger")).toThrow(/Row 1 of points has zeros only/);
    expect(() =>
      preparedRows(
        toDense([
          [1, 2],
          [0.1, 0.1],
        ]),
        "correlation",
      ),
    ).toThrow(/Row 1 of points is the same in all/);
    expect(() =>
      preparedRows(
        toDense([
          [1, 2],
          [1, -2],
        ]),
        "hellinger",
      ),
    ).toThrow(/-2 in row 1/);
    const given = toDense([
      [1, 2],
      [2, 3],
    ]);
    preparedRows(given, "correlation");
    expect([...given.data]).toEqual([1, 2, 2, 3]);
  });

  test("a function that is no distance is an error that names the pair", () => {
    const points = toDense(fixture.points);
    const run = (metric: Metric) => () => resultOf(metricSearch(points, 3, metric));
    expect(run(() => Number.NaN)).toThrow(/returned NaN for the rows 0 and 0/);
    expect(run((a, b) => a[0] - b[0])).toThrow(/returned -\d+ for the rows/);
    expect(run((a, b) => (a === b ? 0 : Math.max(0, a[1] - b[1])))).toThrow(/is asymmetric: it returned/);
    expect(run(() => 1)).toThrow(/returned 1 for row 0 and itself/);
  });
});

const random = new RandomGenerator(4);
const sparseRows = Array.from({ length: 80 }, () =>
  Array.from({ length: 30 }, () => (random.uniform() < 0.3 ? Math.ceil(5 * random.uniform()) : 0)),
);
for (const row of sparseRows) row[0] = 1;
sparseRows[7] = [...(sparseRows[8] ?? [])];
sparseRows[9] = Array.from({ length: 30 }, (_, j) => j + 1);

describe("searches", () => {
  test.each(["manhattan", "jaccard"] as const)("by %s: the nearest of all pairs, as sorted", (metric) => {
    const points = toDense(sparseRows);
    const all = matrixOf(points, metric);
    const lists = resultOf(metricSearch(points, 6, metric));
    const squares = resultOf(metricSquares(points, metric));
    all.forEach((row, i) => {
      const order = [...row.keys()].filter((j) => j !== i).sort((a, b) => row[a] - row[b] || a - b);
      expect([...lists.indices.subarray(6 * i, 6 * i + 6)]).toEqual(order.slice(0, 6));
      for (const [j, d] of row.entries()) expect(squares.data[i * 80 + j]).toBe(i === j ? 0 : d * d);
    });
  });

  test.each(metricNames.filter(isEuclidean))("of sparse rows by %s: those of the dense rows", (metric) => {
    const dense = preparedRows(toDense(sparseRows), metric);
    const sparse = preparedRows(toSparse(sparseRows), metric);
    const [a, b] = [nearestNeighbors(dense, 8), resultOf(sparseSearch(sparse, 8, metric))];
    const most = Math.max(1, ...a.distances);
    expect(Math.max(...a.distances.map((d, p) => Math.abs(d - b.distances[p])))).toBeLessThan(1e-14 * most);
    expect(b.distances[8 * 7]).toBeLessThan(1e-30); // row 7 is row 8
    const squares = resultOf(sparseSquares(sparse, metric));
    const expected = zeros(80, 80);
    for (let i = 0; i < 80; i++)
      for (let j = 0; j < 80; j++)
        expected.data[80 * i + j] = squaredRowDistance(dense.data, i, dense.data, j, 30);
    const largest = Math.max(...expected.data);
    expect(Math.max(...squares.data.map((d, p) => Math.abs(d - expected.data[p])))).toBeLessThan(
      1e-14 * Math.max(1, largest),
    );
  });

  test.each(metricNames.filter(isEuclidean))(
    "of sparse one-hot rows by %s: none has a special place",
    (metric) => {
      const oneHot = toSparse(
        Array.from({ length: 60 }, (_, i) => Array.from({ length: 12 }, (__, j) => Number(j === i % 12))),
      );
      const { count, distances, ties } = resultOf(sparseSearch(preparedRows(oneHot, metric), 8, metric));
      expect(count).toBe(8);
      // Four others are the same; all 55 others lie equally far, and share the last four places.
      expect([...distances.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
      const starts = ties?.starts ?? [];
      expect(starts).toHaveLength(61);
      for (let n = 0; n < 60; n++) expect(starts[n + 1] - starts[n]).toBe(55);
    },
  );
});

test("a metric that is not Euclidean has no search of sparse rows", () => {
  expect(() => resultOf(sparseSearch(toSparse(sparseRows), 3, "manhattan"))).toThrow(
    /^sparseSearch: metric must be/,
  );
});
