/**
 * Shortest paths from every point to every other, by Dijkstra's method over lists of neighbours, without a heap: n² comparisons
 * and a visit of every edge per point.
 */
import { type DenseMatrix, zeros } from "@curvature/linalg";

/** The edges that leave point i are those from pointers[i] to pointers[i + 1]. */
export interface Edges {
  /** n + 1 */
  readonly pointers: Int32Array;
  readonly ends: Int32Array;
  /** At least 0. */
  readonly lengths: Float64Array;
}

/** @returns n × n; Infinity where there is no path */
export function shortestPaths(edges: Edges): DenseMatrix {
  const n = edges.pointers.length - 1;
  const distances = zeros(n, n);
  distances.data.fill(Number.POSITIVE_INFINITY);
  const isDone = new Uint8Array(n);
  for (let i = 0; i < n; i++)
    pathsFrom(edges, i, distances.data.subarray(i * n, (i + 1) * n), isDone.fill(0));
  return distances;
}

function pathsFrom(
  { pointers, ends, lengths }: Edges,
  from: number,
  distance: Float64Array,
  isDone: Uint8Array,
): void {
  const n = distance.length;
  distance[from] = 0;
  for (;;) {
    let nearest = -1;
    for (let j = 0; j < n; j++)
      if (isDone[j] === 0 && (nearest < 0 || distance[j] < distance[nearest])) nearest = j;
    if (nearest < 0 || distance[nearest] === Number.POSITIVE_INFINITY) return;
    isDone[nearest] = 1;
    for (let p = pointers[nearest]; p < pointers[nearest + 1]; p++)
      distance[ends[p]] = Math.min(distance[ends[p]], distance[nearest] + lengths[p]);
  }
}
