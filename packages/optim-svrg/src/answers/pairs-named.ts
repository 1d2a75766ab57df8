/** The pairs of objects that answers name, numbered from 0 in the order in which they come first. */
export interface PairsNamed {
  readonly count: number;
  /** The numbers of {i, j} and {l, k} of every answer, one after the other; length 2N. */
  readonly pairOf: Int32Array;
}

/** By a hash table in flat arrays, since a Map of millions takes ten times the memory. Time and memory O(N). */
export function pairsNamed(quadruplets: Int32Array): PairsNamed {
  const places = quadruplets.length / 2;
  let size = 16;
  while (size < 1.5 * places) size *= 2;
  const slots = new Int32Array(size).fill(-1); // the first place of the pair found there
  const pairOf = new Int32Array(places);
  let count = 0;
  for (let at = 0; at < places; at++) {
    const low = Math.min(quadruplets[2 * at], quadruplets[2 * at + 1]);
    const high = Math.max(quadruplets[2 * at], quadruplets[2 * at + 1]);
    let slot = mixed(low, high) & (size - 1);
    let first = slots[slot];
    while (
      first >= 0 &&
      (Math.min(quadruplets[2 * first], quadruplets[2 * first + 1]) !== low ||
        Math.max(quadruplets[2 * first], quadruplets[2 * first + 1]) !== high)
    ) {
      slot = (slot + 1) & (size - 1);
      first = slots[slot];
    }
    if (first < 0) {
      slots[slot] = at;
      pairOf[at] = count++;
    } else {
      pairOf[at] = pairOf[first];
    }
  }
  return { count, pairOf };
}

/** Two words as one, mixed by MurmurHash3's multiplications and shifts (Appleby, public domain). */
export function mixed(a: number, b: number): number {
  let h = Math.imul(Math.imul(a, 0x85ebca6b) ^ b, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  return (h ^ (h >>> 16)) >>> 0;
}
