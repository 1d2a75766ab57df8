/** The lists of a quotient graph in their one store (see `quotient-graph.ts`). */

export interface QuotientLists {
  /** All lists; list i is at start[i] … start[i] + length[i] − 1. */
  readonly store: Int32Array;
  readonly start: Int32Array;
  readonly length: Int32Array;
  /** How many of a variable's list are elements; they come first. */
  readonly elements: Int32Array;
  readonly weight: Int32Array;
  readonly stamp: Float64Array;
  readonly owner: Int32Array;
}

/** A variable is no longer there: it goes into another one, or into a pivot. */
export function leave({ weight, length, owner }: QuotientLists, i: number, into: number): void {
  weight[i] = 0;
  length[i] = 0;
  owner[i] = into;
}

/**
 * Moves all lists together at the front of the store.
 *
 * @param end - of what the store holds
 * @returns the new end
 */
export function packLists({ store, start, length }: QuotientLists, end: number): number {
  // The head of each list changes places with a mark that says whose list it is.
  for (let i = 0; i < start.length; i++) {
    if (length[i] === 0) continue;
    const head = store[start[i]];
    store[start[i]] = -1 - i;
    start[i] = head;
  }
  let q = 0;
  for (let r = 0; r < end; ) {
    const i = -1 - store[r];
    if (i < 0) {
      r++;
      continue;
    }
    store[q] = start[i];
    store.copyWithin(q + 1, r + 1, r + length[i]);
    start[i] = q;
    q += length[i];
    r += length[i];
  }
  return q;
}
