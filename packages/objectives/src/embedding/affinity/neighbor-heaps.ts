/**
 * The k best of each row as a max-heap by (distance, index). The first k are taken as they come, and become a heap
 * when they are complete; entries that are missing are at infinity.
 */
import { type Memory, ownMemory } from "../threads/memory.js";
import type { NeighborLists } from "./neighbor-lists.js";

/** What threads that fill the same heaps have in common. */
export interface HeapArrays {
  readonly distances: Float64Array;
  readonly indices: Int32Array;
  readonly worst: Float64Array;
  readonly sizes: Int32Array;
}

export function emptyHeaps(rows: number, k: number, { numbers, integers }: Memory): HeapArrays {
  return {
    distances: numbers(rows * k).fill(Number.POSITIVE_INFINITY),
    indices: integers(rows * k).fill(0x7fffffff),
    worst: numbers(rows).fill(Number.POSITIVE_INFINITY),
    sizes: integers(rows),
  };
}

export class NeighborHeaps {
  readonly distances: Float64Array;
  readonly indices: Int32Array;
  /** The worst distance that each row keeps. */
  readonly worst: Float64Array;
  private readonly sizes: Int32Array;

  constructor(
    readonly rows: number,
    readonly k: number,
    arrays: HeapArrays = emptyHeaps(rows, k, ownMemory),
  ) {
    this.distances = arrays.distances;
    this.indices = arrays.indices;
    this.worst = arrays.worst;
    this.sizes = arrays.sizes;
  }

  offer(row: number, index: number, distance: number): void {
    const { k } = this;
    const root = row * k;
    if (this.sizes[row] < k) {
      const at = root + this.sizes[row]++;
      this.distances[at] = distance;
      this.indices[at] = index;
      if (at === root + k - 1) this.becomeHeap(row);
      return;
    }
    const worst = this.distances[root];
    if (distance > worst || (distance === worst && index > this.indices[root])) return;
    this.siftDown(root, 0, k, distance, index);
    this.worst[row] = this.distances[root];
  }

  isFull(row: number): boolean {
    return this.sizes[row] === this.k;
  }

  /** Forgets what a row has. */
  clear(row: number): void {
    const { k } = this;
    this.sizes[row] = 0;
    this.worst[row] = Number.POSITIVE_INFINITY;
    this.distances.fill(Number.POSITIVE_INFINITY, row * k, row * k + k);
    this.indices.fill(0x7fffffff, row * k, row * k + k);
  }

  /** Floyd's way, from the leaves up. */
  private becomeHeap(row: number): void {
    const { k, distances, indices } = this;
    const root = row * k;
    for (let hole = (k >> 1) - 1; hole >= 0; hole--)
      this.siftDown(root, hole, k, distances[root + hole], indices[root + hole]);
    this.worst[row] = distances[root];
  }

  /** Puts an entry into a hole of the heap of `size` entries that starts at `root`. */
  private siftDown(root: number, top: number, size: number, distance: number, index: number): void {
    const { distances, indices } = this;
    let hole = top;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= size) break;
      if (child + 1 < size && this.isWorse(root + child + 1, distances[root + child], indices[root + child]))
        child += 1;
      if (!this.isWorse(root + child, distance, index)) break;
      distances[root + hole] = distances[root + child];
      indices[root + hole] = indices[root + child];
      hole = child;
    }
    distances[root + hole] = distance;
    indices[root + hole] = index;
  }

  private isWorse(at: number, distance: number, index: number): boolean {
    const d = this.distances[at];
    return d > distance || (d === distance && this.indices[at] > index);
  }

  /** Ends the search: heapsort of every row, which becomes row `order[row]` of the result (by default its own). */
  sorted(order?: Int32Array): NeighborLists {
    this.sortRows(0, this.rows);
    return this.lists(order);
  }

  /** The same for the rows first … end − 1, which take nothing more from then on. */
  sortRows(first: number, end: number): void {
    const { distances, indices, k } = this;
    for (let row = first; row < end; row++) {
      const root = row * k;
      if (!this.isFull(row)) this.becomeHeap(row);
      for (let size = k - 1; size > 0; size--) {
        const distance = distances[root + size];
        const index = indices[root + size];
        distances[root + size] = distances[root];
        indices[root + size] = indices[root];
        this.siftDown(root, 0, size, distance, index);
      }
    }
  }

  /** When all rows are sorted. */
  lists(order?: Int32Array): NeighborLists {
    const { distances, indices, k } = this;
    if (order === undefined) return { count: k, indices, distances };
    const lists = {
      count: k,
      indices: new Int32Array(indices.length),
      distances: new Float64Array(indices.length),
    };
    for (let row = 0; row < this.rows; row++) {
      lists.indices.set(indices.subarray(row * k, row * k + k), order[row] * k);
      lists.distances.set(distances.subarray(row * k, row * k + k), order[row] * k);
    }
    return lists;
  }
}
