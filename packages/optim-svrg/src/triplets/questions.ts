/**
 * All questions "is i nearer to j or to k?" of n objects, j < k, in one line of numbers:
 *
 *   number = i · M + (pair of j, k among the other n − 1 objects),   M = (n − 1)(n − 2)/2,   n M questions in all
 *
 * With j' and k' the places of j < k among the others, the pair (j', k') has the number k'(k' − 1)/2 + j'.
 */
export class TripletQuestions {
  /** How many there are. */
  readonly count: number;
  private readonly perAnchor: number;

  /** @param objects - n; below 2^17, so that all numbers are exact */
  constructor(readonly objects: number) {
    this.perAnchor = ((objects - 1) * (objects - 2)) / 2;
    this.count = objects * this.perAnchor;
  }

  /** i, j, k of a question into `out`. */
  write(number: number, out: Int32Array): void {
    const i = Math.floor(number / this.perAnchor);
    const pair = number - i * this.perAnchor;
    let k = Math.floor((1 + Math.sqrt(1 + 8 * pair)) / 2);
    while ((k * (k - 1)) / 2 > pair) k--; // the root may be rounded up
    while ((k * (k + 1)) / 2 <= pair) k++;
    const j = pair - (k * (k - 1)) / 2;
    out[0] = i;
    out[1] = j < i ? j : j + 1;
    out[2] = k < i ? k : k + 1;
  }

  /** The number of the question about i, j and k, in either order of these two. */
  numberOf(i: number, j: number, k: number): number {
    const a = j < i ? j : j - 1;
    const b = k < i ? k : k - 1;
    const high = Math.max(a, b);
    return i * this.perAnchor + (high * (high - 1)) / 2 + Math.min(a, b);
  }
}
