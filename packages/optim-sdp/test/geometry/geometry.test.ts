import { zeros } from "@curvature/linalg";
import { clusterPoints, nomad } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";
import { partitionPoint } from "../../src/bounds/factored-point.js";
import { assignmentsOf } from "../../src/geometry/assignments.js";
import { componentsOf, factoredComponents } from "../../src/geometry/components.js";
import { embeddingOf } from "../../src/geometry/embedding.js";
import { geodesicDistances } from "../../src/geometry/geodesics.js";
import { solveRing } from "../../src/ring.js";
import { clusteringPoint, randomPoints } from "../helpers/small.js";

/** Two rings of n points, each with the optimal Q of a ring: block diagonal. */
function twoRings(n: number, K: number) {
  const { row } = solveRing(n, K);
  const Q = zeros(2 * n, 2 * n);
  for (let i = 0; i < 2 * n; i++)
    for (let j = 0; j < 2 * n; j++)
      if (i < n === j < n) Q.data[i * 2 * n + j] = Math.max(0, row[(((j - i) % n) + n) % n]);
  return Q;
}

const labels = [0, 1, 1, 2, 0, 2, 2, 0, 1];

describe("the embedding", () => {
  test("of a ring's Q is a ring, with the share of two of its eigenvalues", () => {
    const n = 40;
    const { row, spectrum } = solveRing(n, 6);
    const Q = zeros(n, n);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) Q.data[i * n + j] = row[(j - i + n) % n];
    const { coordinates, eigenvalues, varianceExplained } = embeddingOf(Q);
    expect(eigenvalues[0]).toBeCloseTo(spectrum[1], 10);
    expect(eigenvalues[1]).toBeCloseTo(spectrum[1], 10);
    expect(varianceExplained).toBeCloseTo((2 * spectrum[1]) / 5, 10);
    const radius = Math.sqrt((2 * spectrum[1]) / n);
    for (let i = 0; i < n; i++) {
      const next = 2 * ((i + 1) % n);
      const { data } = coordinates;
      expect(Math.sqrt(data[2 * i] ** 2 + data[2 * i + 1] ** 2)).toBeCloseTo(radius, 9);
      const step = Math.sqrt((data[2 * i] - data[next]) ** 2 + (data[2 * i + 1] - data[next + 1]) ** 2);
      expect(step).toBeCloseTo(2 * radius * Math.sin(Math.PI / n), 9);
    }
  });

  test("tells components apart although the eigenvalue 1 is multiple", () => {
    const { coordinates, eigenvalues, varianceExplained } = embeddingOf(clusteringPoint(labels));
    expect(Array.from(eigenvalues)).toEqual([expect.closeTo(1, 12), expect.closeTo(1, 12)]);
    expect(varianceExplained).toBeCloseTo(1, 12);
    for (let i = 0; i < 9; i++)
      for (let j = 0; j < 9; j++) {
        const apart =
          Math.abs(coordinates.data[2 * i] - coordinates.data[2 * j]) +
          Math.abs(coordinates.data[2 * i + 1] - coordinates.data[2 * j + 1]);
        if (labels[i] === labels[j]) expect(apart).toBeLessThan(1e-12);
        else expect(apart).toBeGreaterThan(0.3);
      }
  });

  test("of one point, and of E, has nothing to show", () => {
    expect(embeddingOf([[1]])).toEqual({
      coordinates: zeros(1, 2),
      eigenvalues: new Float64Array(2),
      varianceExplained: 1,
    });
    const { coordinates, varianceExplained } = embeddingOf(clusteringPoint([0, 0, 0]));
    expect(varianceExplained).toBe(1);
    expect(Math.max(...coordinates.data.map(Math.abs))).toBeLessThan(1e-7);
  });
});

describe("the components", () => {
  test("are those of the blocks, numbered by their first point", () => {
    expect(componentsOf(clusteringPoint(labels))).toEqual({ count: 3, labels: Int32Array.from(labels) });
    expect(componentsOf(twoRings(30, 4)).count).toBe(2);
  });

  test("join where an entry is above the threshold times the roots of both diagonal ones, on either side of the diagonal", () => {
    const Q = clusteringPoint([0, 0, 1, 1]);
    Q.data[3] = 0.5e-4;
    expect(componentsOf(Q).count).toBe(2);
    expect(componentsOf(Q, 0.99e-4).count).toBe(1);
    expect(componentsOf(Q, 1.01e-4).count).toBe(2);
  });

  test("are the clusters whatever their sizes, in a matrix as in a factor", () => {
    const sizes = [1000, 100, 10, 1];
    const labels = Int32Array.from(sizes.flatMap((size, c) => new Array<number>(size).fill(c)));
    expect(componentsOf(clusteringPoint([...labels]))).toEqual({ count: 4, labels });
    const large = new Int32Array(10_001);
    large[10_000] = 1;
    for (const threshold of [1e-2, 0.5])
      expect(factoredComponents(partitionPoint(large, 2), threshold)).toEqual({ count: 2, labels: large });
  });

  test("are the clusters where the solver stood still, and the labels' own Q is the result", async () => {
    const groups = randomPoints(300, 2, 4).data;
    const points = { rows: 301, columns: 2, data: Float64Array.of(...groups, 500, 500) };
    const { components, labels, Q, lower, upper, smallestEntry } = await clusterPoints(points, {
      clusters: 2,
      maxIterations: 2,
    });
    expect(components).toEqual({ count: 2, labels });
    expect(Q?.data[1]).toBeCloseTo(1 / 300, 12);
    expect(smallestEntry).toBe(0);
    expect(lower).toBeLessThanOrEqual(upper);
    const matrix = await nomad(points, { clusters: 2, maxIterations: 2 });
    expect(matrix.components.count).toBe(2);
  });
});

describe("the assignments", () => {
  test("of a clustering are 0 and 1", () => {
    const found = assignmentsOf(clusteringPoint(labels), 3);
    expect(found.error).toBeLessThan(1e-4);
    labels.forEach((label, i) => {
      expect(found.labels[i]).toBe(found.labels[labels.indexOf(label)]);
      expect(Math.max(...found.memberships.data.slice(3 * i, 3 * i + 3))).toBeCloseTo(1, 4);
    });
    expect(new Set(found.labels).size).toBe(3);
  });

  test("have rows that sum to 1", () => {
    const { memberships } = assignmentsOf(twoRings(20, 5), 6);
    for (let i = 0; i < 40; i++)
      expect(memberships.data.slice(6 * i, 6 * i + 6).reduce((x, y) => x + y)).toBeCloseTo(1, 12);
  });
});

describe("the geodesic distances", () => {
  test("run around a ring, and nowhere between two", () => {
    const n = 24;
    const distances = geodesicDistances(twoRings(n, 12)); // K = n/2: only neighbours are joined
    const step = distances.data[1];
    expect(step).toBeGreaterThan(0);
    for (let j = 0; j < n; j++) expect(distances.data[j]).toBeCloseTo(Math.min(j, n - j) * step, 6);
    for (let j = n; j < 2 * n; j++) expect(distances.data[j]).toBe(Number.POSITIVE_INFINITY);
    for (let i = 0; i < 2 * n; i++)
      for (let j = 0; j < i; j++)
        if (Number.isFinite(distances.data[i * 2 * n + j]))
          expect(distances.data[i * 2 * n + j]).toBeCloseTo(distances.data[j * 2 * n + i], 12);
  });
});

test("bad input ends in an error of its own", () => {
  const code = (code: string) => expect.objectContaining({ name: "CurvatureError", code });
  for (const read of [embeddingOf, componentsOf, geodesicDistances, (Q: number[][]) => assignmentsOf(Q, 1)]) {
    expect(() => read([])).toThrowError(code("ERR_SHAPE"));
    expect(() => read([[1, 2]])).toThrowError(code("ERR_SHAPE"));
    expect(() => read([[Number.NaN]])).toThrowError(code("ERR_NON_FINITE"));
  }
  expect(() => embeddingOf([[1]], 0)).toThrowError(code("ERR_ARGUMENT"));
  expect(() => componentsOf([[1]], Number.NaN)).toThrowError(code("ERR_ARGUMENT"));
  expect(() => geodesicDistances([[1]], -1)).toThrowError(code("ERR_ARGUMENT"));
  expect(() => assignmentsOf([[1]], 1.5)).toThrowError(code("ERR_ARGUMENT"));
});
