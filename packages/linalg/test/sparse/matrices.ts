import fc from "fast-check";
import { fromTriplets, RandomGenerator, type SparseMatrix } from "../../src/index.js";

/** The same matrix as rows of numbers. */
export function denseOf(A: SparseMatrix): number[][] {
  return Array.from({ length: A.rows }, (_, i) => {
    const row = new Array<number>(A.columns).fill(0);
    for (let p = A.rowPointers[i]; p < A.rowPointers[i + 1]; p++) row[A.columnIndices[p]] = A.values[p];
    return row;
  });
}

export type Edge = readonly [number, number];

/** Lap(w) + shift I of an undirected graph, every edge given once. */
export function laplacian(
  n: number,
  edges: readonly Edge[],
  shift: number,
  weight: (k: number) => number = () => 1,
): SparseMatrix {
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  const add = (i: number, j: number, value: number) => {
    rows.push(i);
    columns.push(j);
    values.push(value);
  };
  for (let i = 0; i < n; i++) add(i, i, shift);
  edges.forEach(([i, j], k) => {
    const w = weight(k);
    add(i, i, w);
    add(j, j, w);
    add(i, j, -w);
    add(j, i, -w);
  });
  return fromTriplets(n, n, { rows, columns, values });
}

/** The edges of a side × side grid. */
export function gridEdges(side: number): Edge[] {
  const edges: Edge[] = [];
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      if (j + 1 < side) edges.push([i * side + j, i * side + j + 1]);
      if (i + 1 < side) edges.push([i * side + j, (i + 1) * side + j]);
    }
  }
  return edges;
}

/** Graphs of 1 to 40 nodes, from empty to complete, some in several parts, with random positive weights. */
export const anyLaplacian: fc.Arbitrary<SparseMatrix> = fc
  .record({
    n: fc.integer({ min: 1, max: 40 }),
    density: fc.double({ min: 0, max: 1, noNaN: true }),
    seed: fc.nat(),
  })
  .map(({ n, density, seed }) => {
    const random = new RandomGenerator(seed);
    const edges: Edge[] = [];
    for (let i = 0; i < n; i++) {
      // Squared, so that most are sparse.
      for (let j = 0; j < i; j++) if (random.uniform() < density * density) edges.push([i, j]);
    }
    return laplacian(n, edges, 0.1, () => 0.1 + random.uniform());
  });

/** max |entry| */
export function largest(values: Iterable<number>): number {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  return most;
}
