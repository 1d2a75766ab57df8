/**
 * Which entries of Y may be positive: the places, and those that a pricing adds, the steepest of each row.
 */
import { type Places, placesOf } from "./burer-monteiro-factor.js";

/** Places that one pricing may add to a row. */
const ADDED = 8;

export class Candidates {
  /** 1 at the places, 2 at those that pricing adds, n × r. */
  readonly marks: Uint8Array;
  private readonly steepest = new Int32Array(ADDED);

  constructor(
    private readonly n: number,
    private readonly r: number,
  ) {
    this.marks = new Uint8Array(n * r);
  }

  /** The places of Y's positive entries. */
  begin(Y: Float64Array): Places {
    for (let k = 0; k < Y.length; k++) this.marks[k] = Y[k] > 0 ? 1 : 0;
    return placesOf(this.n, this.r, this.marks);
  }

  /**
   * Marks the places of row i that are to be added: those where L falls fastest, `ADDED` at most.
   *
   * @param gradient - ∂L of the row, from `from` on
   * @param before - of the rows before it
   * @returns the sum of (∂L)² over all that could be
   */
  price(gradient: Float64Array, from: number, i: number, before: number): number {
    const { r, marks, steepest } = this;
    const at = i * r;
    let violation = before;
    let count = 0;
    for (let j = 0; j < r; j++) {
      const g = gradient[from + j];
      if (!(g < 0) || marks[at + j] !== 0) continue;
      violation += g * g;
      if (count === ADDED && g >= gradient[from + steepest[ADDED - 1]]) continue;
      let k = count < ADDED ? count++ : ADDED - 1;
      for (; k > 0 && gradient[from + steepest[k - 1]] > g; k--) steepest[k] = steepest[k - 1];
      steepest[k] = j;
    }
    for (let k = 0; k < count; k++) marks[at + steepest[k]] = 2;
    return violation;
  }

  /** Those that were marked are not added. */
  forget(): void {
    const { marks } = this;
    for (let at = 0; at < marks.length; at++) if (marks[at] === 2) marks[at] = 0;
  }

  /** The places without those where Y = 0 and ∂L ≥ 0, and with those that were marked. */
  exchange({ starts, rows }: Places, values: Float64Array, gradient: Float64Array): Places {
    const { n, r, marks } = this;
    for (let j = 0; j < r; j++)
      for (let k = starts[j]; k < starts[j + 1]; k++)
        if (values[k] === 0 && gradient[k] >= 0) marks[rows[k] * r + j] = 0;
    for (let at = 0; at < marks.length; at++) if (marks[at] === 2) marks[at] = 1;
    return placesOf(n, r, marks);
  }
}
