/**
 * The exact search for nearest neighbours by threads over common heaps: each visits the pair of blocks that comes next, while
 * it has both blocks to itself. Pairs, distances and ties are those of one thread, and so are the lists.
 *
 * Points and heaps lie in shared memory; where SIMD is on every thread has another copy of the points, in single and in
 * double precision, 12 N D bytes.
 */
import type { DenseMatrix } from "@curvature/linalg";
import { SharedLocks, SharedUnits } from "@curvature/linalg/threads";
import { BlockPairSearch } from "../affinity/block-pair-search.js";
import { blockOrder, TURN } from "../affinity/exact-search.js";
import { emptyHeaps, type HeapArrays, NeighborHeaps } from "../affinity/neighbor-heaps.js";
import type { NeighborLists } from "../affinity/neighbor-lists.js";
import {
  type BlockedPoints,
  blockedPoints,
  blockSize,
  centreOf,
  PointBlocks,
} from "../affinity/point-blocks.js";
import { sharedMemory } from "./memory.js";

/** Bytes that the copies of all threads but the caller's may take. */
const COPIES = 2 ** 31;

/** Threads beside the caller's that the search may have: as many as their copies allow, and one. */
export const mostSearchers = (Y: DenseMatrix): number =>
  Math.max(1, Math.floor(COPIES / (12 * Y.rows * Y.columns)));

export interface SearchTask {
  readonly kind: "search";
  readonly points: BlockedPoints;
  readonly k: number;
  readonly heaps: HeapArrays;
  /** Of `SharedUnits`: visits. */
  readonly units: Int32Array;
  /** Of `SharedLocks`: blocks. */
  readonly locks: Int32Array;
}

export function searchTask(Y: DenseMatrix, k: number): SearchTask {
  const block = blockSize(Y.columns);
  return {
    kind: "search",
    points: blockedPoints(Y, centreOf(Y), blockOrder(Y), block, sharedMemory),
    k,
    heaps: emptyHeaps(Y.rows, k, sharedMemory),
    units: new SharedUnits().integers,
    locks: SharedLocks.for(Math.ceil(Y.rows / block)).words,
  };
}

/** One thread's part. */
export class SharedSearch {
  readonly units: SharedUnits;
  private readonly heaps: NeighborHeaps;
  private readonly search: BlockPairSearch;
  private readonly locks: SharedLocks;

  constructor(private readonly task: SearchTask) {
    this.units = new SharedUnits(task.units);
    this.locks = new SharedLocks(task.locks);
    this.heaps = new NeighborHeaps(task.points.rows, task.k, task.heaps);
    this.search = new BlockPairSearch(new PointBlocks(task.points), this.heaps);
  }

  get count(): number {
    return this.search.count;
  }

  serve(): void {
    this.units.serve((visit) => this.visit(visit));
  }

  /** Returns the work that it took; stops all where a block is not to be had. */
  visit(visit: number): number {
    const [I, J] = this.search.blocks(visit);
    if (!this.locks.take(I) || (J !== I && !this.locks.take(J))) {
      this.units.stop();
      return 0;
    }
    const work = this.search.visit(visit);
    this.locks.giveBack(I);
    if (J !== I) this.locks.giveBack(J);
    return work;
  }

  /** Ends the search. */
  lists(): NeighborLists {
    return this.heaps.sorted(this.task.points.order);
  }
}

/**
 * The caller's part, in steps that yield the share that is done.
 *
 * @param task - which other threads have been given, too
 * @returns undefined where a thread has come to a standstill
 */
export function* searchTogether(task: SearchTask): Generator<number, NeighborLists | undefined, void> {
  const units = new SharedUnits(task.units);
  try {
    const search = new SharedSearch(task);
    const { count } = search;
    units.open(count);
    let work = 0;
    for (let visit = units.claim(); visit >= 0; visit = units.claim()) {
      work += search.visit(visit);
      units.finish();
      if (work < TURN) continue;
      work = 0;
      yield visit / count;
    }
    return units.areDone() ? search.lists() : undefined;
  } finally {
    units.stop();
  }
}
