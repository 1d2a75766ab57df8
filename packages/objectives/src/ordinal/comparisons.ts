/**
 * Answers to "which two are nearer to each other?". A quadruplet (i, j, l, k) says that i, j are nearer than l, k; a
 * triplet "i is nearer to j than to k" is (i, j, i, k).
 */
export interface Comparisons {
  /** The number of objects, n; indices are from 0 to n − 1. */
  readonly objects: number;
  /** i, j, l, k of each comparison, one after the other; length 4N. */
  readonly quadruplets: Int32Array;
  /** A weight ≥ 0 for each comparison, length N; all 1 without. */
  readonly weights?: Float64Array | undefined;
}

/** N. */
export function comparisonCount({ quadruplets }: Comparisons): number {
  return quadruplets.length / 4;
}
