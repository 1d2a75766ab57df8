import { allocate } from "./bytes.js";

/** 32-bit integers that come one after the other, their number not known beforehand. */
export class IntegerStore {
  private numbers = new Int32Array(4096);
  private used = 0;

  get length(): number {
    return this.used;
  }

  append(value: number): void {
    if (this.used === this.numbers.length) {
      const larger = allocate(() => new Int32Array(2 * this.used), 8 * this.used);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.used++] = value;
  }

  /** All of them in an array of their own length. */
  finish(): Int32Array {
    return this.numbers.slice(0, this.used);
  }
}
