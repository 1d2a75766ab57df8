/**
 * The safeguards that neither the paper nor its authors' program have, and when they act.
 */

/** What the reference traces were made without. */
export interface Schedule {
  /** Evaluations between two rebuilds of the sums, as a multiple of N; Infinity for none. */
  readonly rebuildEvery: number;
  /** Whether the shortest step is in units of max(1, ‖x‖), not of 1. */
  readonly isRelative: boolean;
  /** Whether divergence is watched for. */
  readonly isWatched: boolean;
}

export const usualSchedule: Schedule = { rebuildEvery: 1, isRelative: true, isWatched: true };
