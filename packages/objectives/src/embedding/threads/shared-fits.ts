/**
 * The affinities of listed neighbours by threads over common rows: each fits the stretch of the walk that comes next. Every
 * stretch begins anew, for one thread, too, and so the bits are the same.
 *
 * The rows lie in shared memory while they are fitted, 12 N K bytes, and are copied from it in the end.
 */
import { SharedUnits } from "@curvature/linalg/threads";
import {
  affinitiesOfRows,
  emptyRows,
  fillRows,
  NeighborFits,
  type NeighborRows,
} from "../affinity/neighbor-fits.js";
import type { NeighborLists } from "../affinity/neighbor-lists.js";
import type { EntropicAffinities } from "../affinity/row-fits.js";
import { sharedMemory } from "./memory.js";

export interface FitTask {
  readonly kind: "affinities";
  readonly rows: NeighborRows;
  /** Of `SharedUnits`: stretches. */
  readonly units: Int32Array;
}

/** Room for the rows; `fitTogether` fills it, while threads begin. */
export const fitTask = (lists: NeighborLists, perplexity: number): FitTask => ({
  kind: "affinities",
  rows: emptyRows(lists, perplexity, sharedMemory),
  units: new SharedUnits().integers,
});

/** The thread's life. */
export function serveFits({ rows, units }: FitTask): void {
  const fits = new NeighborFits(rows);
  new SharedUnits(units).serve((stretch) => fits.fit(stretch));
}

/**
 * The caller's part, in steps that yield the share that is done.
 *
 * @param task - which other threads have been given, too
 * @returns undefined where a thread has come to a standstill
 */
export function* fitTogether(
  { rows, units: integers }: FitTask,
  lists: NeighborLists,
): Generator<number, EntropicAffinities | undefined, void> {
  const units = new SharedUnits(integers);
  try {
    fillRows(rows, lists);
    const fits = new NeighborFits(rows);
    units.open(fits.count);
    for (let stretch = units.claim(); stretch >= 0; stretch = units.claim()) {
      fits.fit(stretch);
      units.finish();
      yield stretch / fits.count;
    }
    return units.areDone() ? affinitiesOfRows(rows) : undefined;
  } finally {
    units.stop();
  }
}
