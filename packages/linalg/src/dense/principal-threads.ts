/** What threads do for principal components, as those see it; `@curvature/linalg/threads` makes them. */
import type { GramArrays } from "./gram-work.js";

/** What other threads are given: all arrays in memory that they share. */
export interface GramTask extends GramArrays {
  /** L × n */
  readonly A: Float64Array;
}

/** Others who have the same task. */
export interface Companions {
  /**
   * Has `count` units done, by whoever comes first; `work` does those that this thread gets.
   *
   * @param patience - milliseconds within which some unit will be done
   * @returns false where another has come to a standstill, and the caller is to do it all by himself
   */
  perform(count: number, work: (unit: number) => void, patience: number): boolean;
  /** They end. */
  stop(): void;
}

export interface SharedTask {
  readonly task: GramTask;
  readonly others: Companions;
}

export interface PrincipalThreads {
  /** How many there are to be, the caller's included: 1 where there is no way to have more. */
  readonly count: number;
  /** How many were started for any data so far, the caller's included, but those that ended by a failure. */
  readonly started: number;
  /** Of data for which they would have been of use: why the caller's thread had to do it all. Results are the same. */
  readonly warnings: readonly string[];
  /** Starts the others; undefined where there are none, or no memory for the task. */
  share(make: () => GramTask): SharedTask | undefined;
}
