/**
 * Variables i, j ∈ L_p of a quotient graph with equal lists have the same neighbours ever after: they become one
 * supervariable. They are found by hashes of their lists: those of one bucket are compared, by stamps on the entries of
 * one and a look at those of the others.
 *
 * Amestoy, Davis, Duff: An approximate minimum degree ordering algorithm. SIAM J. Matrix Anal. Appl. 17 (1996)
 * 886-905, section 3.
 */
import { leave, type QuotientLists } from "./quotient-lists.js";

export class EqualVariables {
  /** The first variable of each hash, and the one after each. */
  private readonly bucket: Int32Array;
  private readonly nextInBucket: Int32Array;
  private readonly hash: Int32Array;

  constructor(private readonly lists: QuotientLists) {
    const n = lists.start.length;
    this.bucket = new Int32Array(n).fill(-1);
    this.nextInBucket = new Int32Array(n);
    this.hash = new Int32Array(n);
  }

  /** @param h - the hash of i's list, from 0 to n − 1 */
  enter(i: number, h: number): void {
    this.hash[i] = h;
    this.nextInBucket[i] = this.bucket[h];
    this.bucket[h] = i;
  }

  /**
   * Merges the variables of L_p, and empties the buckets.
   *
   * @param tag - above all stamps
   * @returns the next such one
   */
  merge(p: number, tag: number): number {
    const { bucket, nextInBucket, hash } = this;
    const { store, start, length, weight } = this.lists;
    let next = tag;
    for (let k = start[p]; k < start[p] + length[p]; k++) {
      if (weight[store[k]] === 0) continue;
      const h = hash[store[k]];
      for (let i = bucket[h]; i !== -1; i = nextInBucket[i]) {
        if (nextInBucket[i] !== -1) this.mergeInto(i, next++);
      }
      bucket[h] = -1;
    }
    return next;
  }

  /** Merges into i what follows it in its bucket and has the same list. */
  private mergeInto(i: number, tag: number): void {
    const { nextInBucket, lists } = this;
    const { store, start, length, elements, weight, stamp } = lists;
    const end = start[i] + length[i];
    for (let r = start[i]; r < end; r++) stamp[store[r]] = tag;
    let last = i;
    for (let j = nextInBucket[i]; j !== -1; j = nextInBucket[j]) {
      if (length[j] === length[i] && elements[j] === elements[i] && this.allStamped(j, tag)) {
        weight[i] += weight[j];
        leave(lists, j, i);
        nextInBucket[last] = nextInBucket[j];
      } else {
        last = j;
      }
    }
  }

  private allStamped(j: number, tag: number): boolean {
    const { store, start, length, stamp } = this.lists;
    const end = start[j] + length[j];
    for (let r = start[j]; r < end; r++) if (stamp[store[r]] !== tag) return false;
    return true;
  }
}
