import { type DenseMatrix, fromTriplets, type SparseMatrix } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entropicAffinities } from "../../src/embedding/affinity/entropic.js";
import { jointAffinities } from "../../src/embedding/affinity/joint.js";
import { type LaplacianEigenmaps, laplacianEigenmaps } from "../../src/embedding/laplacian-eigenmaps.js";
import type { Weights } from "../../src/embedding/objective.js";
import { digits } from "./digits.js";
import { jacobi } from "./eigen.js";
import { permuted, randomPoints, shuffled } from "./points.js";

type Edge = readonly [from: number, to: number, weight: number];

function graph(N: number, edges: readonly Edge[]): SparseMatrix {
  return fromTriplets(N, N, {
    rows: edges.map(([i]) => i).concat(edges.map(([, j]) => j)),
    columns: edges.map(([, j]) => j).concat(edges.map(([i]) => i)),
    values: edges.concat(edges).map(([, , w]) => w),
  });
}

function dense(W: Weights): DenseMatrix {
  if ("data" in W) return W;
  const data = new Float64Array(W.rows * W.rows);
  for (let i = 0; i < W.rows; i++)
    for (let p = W.rowPointers[i]; p < W.rowPointers[i + 1]; p++)
      data[i * W.rows + W.columnIndices[p]] = W.values[p];
  return { rows: W.rows, columns: W.rows, data };
}

const ring = (N: number): SparseMatrix =>
  graph(
    N,
    Array.from({ length: N }, (_, n) => [n, (n + 1) % N, 1]),
  );
const path = (N: number, from = 0): Edge[] =>
  Array.from({ length: N - 1 }, (_, n) => [from + n, from + n + 1, 1]);
const column = ({ coordinates: { rows, columns, data } }: LaplacianEigenmaps, i: number): Float64Array =>
  Float64Array.from({ length: rows }, (_, n) => data[n * columns + i]);

/** XᵀDX = I, XᵀD1 = 0, and D^-1/2 (L x − λ D x) = 0 for every column. */
function expectSolution(weights: Weights, result: LaplacianEigenmaps): void {
  const W = dense(weights);
  const N = W.rows;
  const { coordinates: X, eigenvalues } = result;
  const degrees = Float64Array.from({ length: N }, (_, n) =>
    W.data.subarray(n * N, (n + 1) * N).reduce((a, b) => a + b),
  );
  for (let i = 0; i < X.columns; i++) {
    const x = column(result, i);
    let mean = 0;
    let residual = 0;
    for (let n = 0; n < N; n++) {
      mean += degrees[n] * x[n];
      let Lx = degrees[n] * x[n];
      for (let m = 0; m < N; m++) Lx -= W.data[n * N + m] * x[m];
      residual += (Lx - eigenvalues[i] * degrees[n] * x[n]) ** 2 / degrees[n];
    }
    expect(Math.sqrt(residual)).toBeLessThan(1.1e-8);
    expect(Math.abs(mean)).toBeLessThan(1e-9 * Math.sqrt(degrees.reduce((a, b) => a + b)));
    for (let j = 0; j <= i; j++) {
      const y = column(result, j);
      const inner = degrees.reduce((sum, d, n) => sum + d * x[n] * y[n], 0);
      expect(inner).toBeCloseTo(i === j ? 1 : 0, 8);
    }
    if (i > 0) expect(eigenvalues[i]).toBeGreaterThanOrEqual(eigenvalues[i - 1] - 1e-12);
  }
}

describe("graphs whose eigenvectors are known", () => {
  test.each([5, 40, 1000])("a ring of %d: a circle, λ = 1 − cos(2π/N) twice", { tags: ["full"] }, (N) => {
    const result = laplacianEigenmaps(ring(N));
    for (const lambda of result.eigenvalues)
      expect(Math.abs(lambda - (1 - Math.cos((2 * Math.PI) / N)))).toBeLessThan(1e-13);
    // xᵀDx = 1 with D = 2 I on a circle of radius r in the plane: N r² · 2 = 2.
    for (let n = 0; n < N; n++)
      expect(Math.hypot(column(result, 0)[n], column(result, 1)[n])).toBeCloseTo(1 / Math.sqrt(N), 8);
    if (N <= 40) expectSolution(ring(N), result);
  });

  test.each([6, 30, 1500])(
    "a path of %d: cosines of the random walk reflected at its ends",
    { tags: ["full"] },
    (N) => {
      const result = laplacianEigenmaps(graph(N, path(N)), { dimensions: Math.min(3, N - 1) });
      for (let k = 0; k < 3; k++) {
        // D^-1 W on a path has eigenvectors cos(π (k + 1) n / (N − 1)).
        expect(Math.abs(result.eigenvalues[k] - (1 - Math.cos((Math.PI * (k + 1)) / (N - 1))))).toBeLessThan(
          1e-12,
        );
        const x = column(result, k);
        for (let n = 0; n < N; n++)
          expect(x[n] / x[0]).toBeCloseTo(Math.cos((Math.PI * (k + 1) * n) / (N - 1)), 4);
        expect(x[0]).toBeGreaterThan(0);
      }
      if (N <= 30) expectSolution(graph(N, path(N)), result);
    },
  );

  test("a complete graph: λ = N/(N − 1), as often as asked for", () => {
    const N = 12;
    const data = new Float64Array(N * N).fill(1);
    for (let n = 0; n < N; n++) data[n * N + n] = 0;
    const W = { rows: N, columns: N, data };
    const result = laplacianEigenmaps(W, { dimensions: 11 });
    for (const lambda of result.eigenvalues) expect(lambda).toBeCloseTo(12 / 11, 12);
    expectSolution(W, result);
  });

  test("two points, one edge: λ = 2", () => {
    const result = laplacianEigenmaps(graph(2, [[0, 1, 3]]), { dimensions: 1 });
    expect(result.eigenvalues[0]).toBeCloseTo(2, 12);
    expect(Array.from(result.coordinates.data)).toEqual([
      expect.closeTo(1 / Math.sqrt(6)),
      expect.closeTo(-1 / Math.sqrt(6)),
    ]);
  });
});

test("the smallest eigenvalues of the whole spectrum, whatever the connected graph", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 24 }),
      fc.array(fc.tuple(fc.nat(1000), fc.nat(1000), fc.double({ min: 1e-3, max: 1, noNaN: true })), {
        maxLength: 60,
      }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      (N, extra, share) => {
        const edges: Edge[] = [
          ...path(N),
          ...extra.map(([i, j, w]): Edge => [i % N, j % N, w]).filter(([i, j]) => i !== j),
        ];
        const sparse = graph(N, edges);
        const W = dense(sparse);
        const roots = Float64Array.from({ length: N }, (_, n) =>
          Math.sqrt(W.data.subarray(n * N, (n + 1) * N).reduce((a, b) => a + b)),
        );
        const normalized = W.data.map(
          (w, k) => (Math.floor(k / N) === k % N ? 1 : 0) - w / (roots[Math.floor(k / N)] * roots[k % N]),
        );
        const { values } = jacobi(N, normalized);
        const dimensions = 1 + Math.floor(share * (N - 2));
        for (const weights of [W, sparse]) {
          const result = laplacianEigenmaps(weights, { dimensions });
          expect(result.components).toBe(1);
          for (let i = 0; i < dimensions; i++) expect(result.eigenvalues[i]).toBeCloseTo(values[i + 1], 9);
          expectSolution(weights, result);
        }
      },
    ),
    { numRuns: 60 },
  );
});

describe("affinities of data", () => {
  const points = digits(600);
  const P = jointAffinities(entropicAffinities(points, { perplexity: 10 }).conditional);

  test("sparse and dense give the same, and it is the solution", () => {
    const sparse = laplacianEigenmaps(P, { dimensions: 3 });
    expect(sparse.warnings).toEqual([]);
    expectSolution(P, sparse);
    const full = laplacianEigenmaps(dense(P), { dimensions: 3 });
    for (let i = 0; i < 3; i++) expect(full.eigenvalues[i]).toBeCloseTo(sparse.eigenvalues[i], 9);
    for (let k = 0; k < 1800; k++)
      expect(full.coordinates.data[k]).toBeCloseTo(sparse.coordinates.data[k], 5);
  });

  test("scaled weights give the same eigenvalues, permuted points permuted rows", () => {
    const W = jointAffinities(entropicAffinities(randomPoints(60, 3, 2), { perplexity: 6 }).conditional);
    const order = shuffled(60, 3);
    const V = jointAffinities(
      entropicAffinities(permuted(randomPoints(60, 3, 2), order), { perplexity: 6 }).conditional,
    );
    const original = laplacianEigenmaps(W);
    const scaled = laplacianEigenmaps({ ...dense(W), data: dense(W).data.map((w) => 1e6 * w) });
    const other = laplacianEigenmaps(V);
    for (let i = 0; i < 2; i++) {
      expect(scaled.eigenvalues[i]).toBeCloseTo(original.eigenvalues[i], 9);
      expect(other.eigenvalues[i]).toBeCloseTo(original.eigenvalues[i], 9);
      const [x, y] = [column(original, i), column(other, i)];
      for (let n = 0; n < 60; n++) expect(Math.abs(y[n])).toBeCloseTo(Math.abs(x[order[n]]), 5);
    }
  });

  test("the same bits again", () => {
    expect(laplacianEigenmaps(P)).toEqual(laplacianEigenmaps(P));
  });
});

describe("graphs in parts", () => {
  const edges = [...path(6), ...path(9, 6), ...path(4, 15), ...path(5, 19)];
  const W = graph(24, edges);
  const part = (n: number): number => (n < 6 ? 0 : n < 15 ? 1 : n < 19 ? 2 : 3);

  test("the first axes tell the parts apart, all of them, and say so", () => {
    const result = laplacianEigenmaps(W);
    expect(result.components).toBe(4);
    expect(result.warnings).toHaveLength(1);
    expect(result.warnings[0]).toContain("falls into 4 parts. The first 2 axes only tell them apart");
    expect(Array.from(result.eigenvalues)).toEqual([0, 0]);
    expectSolution(W, result);
    const places = new Set(
      Array.from({ length: 24 }, (_, n) => `${part(n)}: ${column(result, 0)[n]}, ${column(result, 1)[n]}`),
    );
    expect(places.size).toBe(4);
    expect(new Set(column(result, 0)).size).toBe(4);
    const largestFirst = [10, 3, 20, 16].map((n) => column(result, 0)[n]); // a point of each part
    const sorted = largestFirst.toSorted((a, b) => a - b);
    expect([sorted, sorted.toReversed()]).toContainEqual(largestFirst);
  });

  test("further axes are the smoothest within the parts", () => {
    const result = laplacianEigenmaps(W, { dimensions: 5 });
    expectSolution(W, result);
    expect(result.eigenvalues[2]).toBe(0);
    expect(result.eigenvalues[3]).toBeCloseTo(1 - Math.cos(Math.PI / 8), 10);
    expect(result.eigenvalues[4]).toBeCloseTo(1 - Math.cos(Math.PI / 5), 10);
  });

  test("many parts: as many axes, all orthogonal", () => {
    const pairs = graph(
      120,
      Array.from({ length: 60 }, (_, n): Edge => [2 * n, 2 * n + 1, 1 + n]),
    );
    expectSolution(pairs, laplacianEigenmaps(pairs, { dimensions: 59 }));
  });

  test("two clusters that hardly touch are one part and are told apart", () => {
    const bridged = graph(40, [...path(20), ...path(20, 20), [3, 33, 1e-9]]);
    const result = laplacianEigenmaps(bridged);
    expect(result.components).toBe(1);
    expectSolution(bridged, result);
    const x = column(result, 0);
    expect(x[0] * x[39]).toBeLessThan(0);
    expect(result.eigenvalues[0]).toBeLessThan(1e-9);
  });
});

test("bad input is named", () => {
  expect(() => laplacianEigenmaps(ring(4), { dimensions: 4 })).toThrowError("at most 3 for 4 points");
  expect(() => laplacianEigenmaps(graph(4, path(3)))).toThrowError("Point 3 has no neighbours");
  const lopsided = { rows: 2, columns: 2, data: new Float64Array([0, 1, 2, 0]) };
  expect(() => laplacianEigenmaps(lopsided)).toThrowError("symmetric");
  expect(() =>
    laplacianEigenmaps({ rows: 2, columns: 2, data: new Float64Array([0, -1, -1, 0]) }),
  ).toThrowError("negative");
});
