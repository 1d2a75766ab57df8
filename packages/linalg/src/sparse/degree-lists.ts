/**
 * Doubly linked lists of variables by degree, from which one of least degree is taken: each operation O(1), the
 * search for the least amortised over the degrees' falls.
 */
export class DegreeLists {
  private readonly head: Int32Array;
  private readonly next: Int32Array;
  private readonly previous: Int32Array;
  /** No list below this degree has a member. */
  private least = 0;

  /** Variables and degrees are both from 0 to n − 1. */
  constructor(n: number) {
    this.head = new Int32Array(n).fill(-1);
    this.next = new Int32Array(n);
    this.previous = new Int32Array(n);
  }

  insert(variable: number, degree: number): void {
    const first = this.head[degree];
    this.next[variable] = first;
    this.previous[variable] = -1;
    if (first !== -1) this.previous[first] = variable;
    this.head[degree] = variable;
    if (degree < this.least) this.least = degree;
  }

  remove(variable: number, degree: number): void {
    const after = this.next[variable];
    const before = this.previous[variable];
    if (after !== -1) this.previous[after] = before;
    if (before !== -1) this.next[before] = after;
    else this.head[degree] = after;
  }

  /** The variable of least degree that was inserted last, taken out; some variable must be there. */
  takeLeast(): number {
    while (this.head[this.least] === -1) this.least++;
    const variable = this.head[this.least];
    this.remove(variable, this.least);
    return variable;
  }
}
