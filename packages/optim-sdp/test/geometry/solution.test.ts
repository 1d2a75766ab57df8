import { fillNormal, RandomGenerator, zeros } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FactoredPoint, factoredDense } from "../../src/bounds/factored-point.js";
import { repairFactor } from "../../src/bounds/repair.js";
import { clustersOf } from "../../src/geometry/clusters.js";
import { blockMeans, orderOf } from "../../src/geometry/order.js";
import { DenseSolution, denseOf, FactoredSolution, rowSumErrorOf } from "../../src/geometry/solution.js";
import { atOnce } from "../../src/steps.js";
import { clusteringPoint } from "../helpers/small.js";

function randomPoint(n: number, r: number, K: number, seed: number): FactoredPoint {
  const Y = zeros(n, r);
  fillNormal(new RandomGenerator(seed), Y.data);
  for (let k = 0; k < Y.data.length; k++) Y.data[k] = Math.max(0, Y.data[k]);
  Y.data[0] = Math.max(Y.data[0], 0.1); // not all 0
  return repairFactor(K, Y);
}

const shape = fc.record({
  n: fc.integer({ min: 3, max: 12 }),
  r: fc.integer({ min: 1, max: 6 }),
  seed: fc.integer({ min: 0, max: 1000 }),
  share: fc.double({ min: 0.2, max: 0.8, noNaN: true }),
});

describe("a factor and its matrix are read alike", () => {
  test("in products, columns, sums, blocks and the least entry", () => {
    fc.assert(
      fc.property(shape, ({ n, r, seed, share }) => {
        const point = randomPoint(n, r, 1 + share * (n - 1), seed);
        const sparse = new FactoredSolution(point);
        const dense = new DenseSolution(factoredDense(point));
        const v = Float64Array.from({ length: n }, (_, i) => Math.sin(i + seed));
        const [a, b] = [new Float64Array(n), new Float64Array(n)];
        sparse.multiply(v, a);
        dense.multiply(v, b);
        near(a, b);
        near(denseOf(sparse).data, dense.Q.data);
        near(sparse.diagonal, dense.diagonal);
        const labels = Int32Array.from({ length: n }, (_, i) => (i * i) % 3);
        near(sparse.sumsOver(labels, 3).data, dense.sumsOver(labels, 3).data);
        expect(sparse.smallestEntry()).toBeCloseTo(dense.smallestEntry(), 12);
        expect(rowSumErrorOf(sparse)).toBeLessThan(1e-12);
        const rows = Int32Array.from([n - 1, 0, 1]);
        near(denseOf(sparse.restrictedTo(rows)).data, denseOf(dense.restrictedTo(rows)).data);
      }),
      { numRuns: 40 },
    );
  });

  test("in components, by any threshold", () => {
    fc.assert(
      fc.property(
        shape,
        fc.double({ min: 0.01, max: 0.9, noNaN: true }),
        ({ n, r, seed, share }, threshold) => {
          const point = randomPoint(n, r, 1 + share * (n - 1), seed);
          const factored = new FactoredSolution(point).components(threshold);
          expect(factored).toEqual(new DenseSolution(factoredDense(point)).components(threshold));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("clusters", () => {
  const labels = [0, 0, 1, 0, 2, 2, 1, 3, 3, 0, 2];

  test("a clustering's own point gives it back, with memberships 0 and 1", () => {
    const clusters = atOnce(clustersOf(new DenseSolution(clusteringPoint(labels)), 4, 7));
    expect([...clusters.labels]).toEqual(labels);
    for (const [k, u] of clusters.memberships.data.entries())
      expect(u).toBeCloseTo(Number(k % 4 === labels[Math.floor(k / 4)]), 12);
  });

  test("more clusters than different points leave the last ones empty", () => {
    const clusters = atOnce(clustersOf(new DenseSolution(clusteringPoint(labels)), 6, 7));
    expect([...clusters.labels]).toEqual(labels);
    expect(clusters.memberships.columns).toBe(6);
  });
});

describe("the order of a picture", () => {
  test("components stand together, the largest first; a shuffled band is found again", () => {
    const n = 24;
    const Q = zeros(n, n); // a ring of 16 with its neighbours, shuffled, and a block of 8
    const place = Array.from({ length: 16 }, (_, i) => (i * 7) % 16);
    for (let i = 0; i < 16; i++) {
      Q.data[place[i] * n + place[i]] = 0.5;
      for (const step of [1, 15]) Q.data[place[i] * n + place[(i + step) % 16]] = 0.25;
    }
    for (let i = 16; i < n; i++) for (let j = 16; j < n; j++) Q.data[i * n + j] = 1 / 8;
    const solution = new DenseSolution(Q);
    const order = orderOf(solution, solution.components(1e-2), new Int32Array(n));
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, i) => i));
    expect([...order.slice(16)].every((point) => point >= 16)).toBe(true);
    for (let k = 0; k < 16; k++) expect(Q.data[order[k] * n + order[(k + 1) % 16]]).toBe(0.25);
  });

  test("cells are means, and their sum over a whole is Q's", () => {
    const point = randomPoint(11, 4, 3, 1);
    const order = Int32Array.from({ length: 11 }, (_, i) => (i * 4) % 11);
    const cells = blockMeans(point, order, 3);
    near(cells.data, blockMeans(factoredDense(point), order, 3).data);
    const sizes = [4, 4, 3];
    const sum = cells.data.reduce((s, mean, k) => s + mean * sizes[Math.floor(k / 3)] * sizes[k % 3], 0);
    expect(sum).toBeCloseTo(11, 10);
    expect(blockMeans(point, order, 600).rows).toBe(11);
    expect(() => blockMeans(point, order.subarray(1), 3)).toThrowError(/each of 0 to 10 once/);
  });
});

function near(a: Float64Array, b: Float64Array): void {
  expect(a).toHaveLength(b.length);
  for (let k = 0; k < a.length; k++) expect(Math.abs(a[k] - b[k])).toBeLessThan(1e-12);
}
