import type { DenseMatrix, SparseMatrix } from "@curvature/linalg";
import { expect, test } from "vitest";
import { initialMap } from "../src/initial-map.js";

/** A ring of points, and pairs that nothing connects with it. */
function ringAndPairs(
  ring: number,
  pairs: number,
): { readonly indices: number[][]; readonly distances: number[][] } {
  const onRing = Array.from({ length: ring }, (_, i) =>
    [1, 2, 3].flatMap((s) => [(i + s) % ring, (i + ring - s) % ring]),
  );
  const others = Array.from({ length: 2 * pairs }, (_, i) => [ring + (i % 2 === 0 ? i + 1 : i - 1)]);
  const indices = [...onRing, ...others];
  return { indices, distances: indices.map((row) => row.map((_, k) => 1 + Math.floor(k / 2))) };
}

function affinitiesOf({ indices }: { readonly indices: readonly (readonly number[])[] }): SparseMatrix {
  const rows = indices.length;
  const sorted = indices.map((row) => [...row].sort((a, b) => a - b));
  const pointers = new Int32Array(rows + 1);
  for (const [i, { length }] of sorted.entries()) pointers[i + 1] = pointers[i] + length;
  const columnIndices = Int32Array.from(sorted.flat());
  const values = new Float64Array(columnIndices.length).fill(1 / columnIndices.length);
  return { rows, columns: rows, rowPointers: pointers, columnIndices, values };
}

const distance = ({ data }: DenseMatrix, i: number, j: number): number =>
  Math.hypot(data[2 * i] - data[2 * j], data[2 * i + 1] - data[2 * j + 1]);

test.each([0, 1, 4])(
  "of a graph with %i parts beside the largest, that one is spread as by itself",
  (pairs) => {
    const N = 200;
    const graph = ringAndPairs(N, pairs);
    const settings = {
      initialization: "laplacian",
      dimensions: 2,
      method: "tsne",
      solver: "auto",
      seed: 0,
    } as const;
    const source = { kind: "affinities", rows: N + 2 * pairs, affinities: affinitiesOf(graph) };
    const map = initialMap(source as never, affinitiesOf(graph), settings as never);
    // Eigenmaps of a ring are a circle: each next point is 2 sin(π/N) radii away, the opposite one two.
    for (let i = 0; i < N; i++) {
      const across = distance(map, i, (i + N / 2) % N);
      expect(across).toBeGreaterThan(2);
      expect(distance(map, i, (i + 1) % N)).toBeLessThan(0.06 * across);
    }
    // Pairs stand apart from the ring and from each other.
    for (let p = 0; p < pairs; p++) {
      const at = N + 2 * p;
      expect(distance(map, at, at + 1)).toBeLessThan(0.1);
      for (let q = 0; q < p; q++) expect(distance(map, at, N + 2 * q)).toBeGreaterThan(0.5);
    }
  },
);
