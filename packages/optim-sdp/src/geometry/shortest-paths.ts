/**
 * Shortest paths from every point to every other, by Dijkstra's method over lists of neighbours, with a heap of the points that
 * are reached: e log n operations per point for e edges.
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
  const heap = new Heap(n);
  for (let i = 0; i < n; i++) pathsFrom(edges, i, distances.data.subarray(i * n, (i + 1) * n), heap);
  return distances;
}

/** Shortest paths from one point into `distance`. @param heap - of n points, which is empty before and after */
export function pathsFrom(
  { pointers, ends, lengths }: Edges,
  from: number,
  distance: Float64Array,
  heap: Heap,
): void {
  distance.fill(Number.POSITIVE_INFINITY);
  distance[from] = 0;
  heap.lift(from, distance);
  for (let nearest = heap.take(distance); nearest >= 0; nearest = heap.take(distance)) {
    for (let p = pointers[nearest]; p < pointers[nearest + 1]; p++) {
      const length = distance[nearest] + lengths[p];
      if (!(length < distance[ends[p]])) continue;
      distance[ends[p]] = length;
      heap.lift(ends[p], distance);
    }
  }
}

/** Points by their distances, the nearest on top. */
export class Heap {
  private readonly points: Int32Array;
  /** Of each point its place in `points`, −1 where it is not there. */
  private readonly places: Int32Array;
  private size = 0;

  constructor(n: number) {
    this.points = new Int32Array(n);
    this.places = new Int32Array(n).fill(-1);
  }

  /** To where a point belongs that is new, or nearer than before. */
  lift(point: number, distance: Float64Array): void {
    const { points, places } = this;
    let at = places[point] < 0 ? this.size++ : places[point];
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (distance[points[above]] <= distance[point]) break;
      points[at] = points[above];
      places[points[at]] = at;
      at = above;
    }
    points[at] = point;
    places[point] = at;
  }

  /** Takes the nearest point out. @returns −1 if there is none */
  take(distance: Float64Array): number {
    if (this.size === 0) return -1;
    const { points, places } = this;
    const nearest = points[0];
    places[nearest] = -1;
    const last = points[--this.size];
    if (last === nearest) return nearest;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.size) break;
      if (below + 1 < this.size && distance[points[below + 1]] < distance[points[below]]) below++;
      if (distance[last] <= distance[points[below]]) break;
      points[at] = points[below];
      places[points[at]] = at;
      at = below;
    }
    points[at] = last;
    places[last] = at;
    return nearest;
  }
}
