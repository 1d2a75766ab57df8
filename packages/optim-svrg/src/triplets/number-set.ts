/** A set of whole numbers from 0 to 2^53 − 1, of a size known beforehand: JavaScript's own ends at 16 million. */
export class NumberSet {
  private readonly slots: Float64Array;
  private readonly mask: number;

  /** @param most - how many numbers it may hold */
  constructor(most: number) {
    let size = 16;
    while (size < 2 * most) size *= 2;
    this.slots = new Float64Array(size).fill(-1);
    this.mask = size - 1;
  }

  has(number: number): boolean {
    return this.slots[this.find(number)] === number;
  }

  /** @returns whether it was not there yet */
  add(number: number): boolean {
    const slot = this.find(number);
    if (this.slots[slot] === number) return false;
    this.slots[slot] = number;
    return true;
  }

  private find(number: number): number {
    const high = Math.floor(number / 4294967296);
    let h = Math.imul((number | 0) ^ Math.imul(high, 0xc2b2ae35), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35);
    let slot = (h ^ (h >>> 16)) & this.mask;
    while (this.slots[slot] >= 0 && this.slots[slot] !== number) slot = (slot + 1) & this.mask;
    return slot;
  }
}
