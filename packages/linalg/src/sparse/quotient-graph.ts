/**
 * The quotient graph of minimum degree ordering: variables that are not yet eliminated, and elements, the cliques
 * that eliminated pivots leave behind.
 *
 * Eliminating the variable p changes it by
 *
 *   L_p = (A_p ∪ ⋃_{e ∈ E_p} L_e) \ {p}             and all e ∈ E_p are absorbed in p
 *   A_i ← A_i \ (L_p ∪ {p}),  E_i ← (E_i \ E_p) ∪ {p}                    for i ∈ L_p
 *   d_i ← min( n − k,  d_i + |L_p \ i|,  |A_i \ i| + |L_p \ i| + Σ_{e ∈ E_i \ {p}} |L_e \ L_p| )     (1)
 *
 * | symbol  | variable                                  | meaning                                              |
 * |---------|-------------------------------------------|------------------------------------------------------|
 * | A_i     | list i, after its first `elements[i]`     | variables adjacent to variable i by edges of A       |
 * | E_i     | list i, its first `elements[i]`           | elements adjacent to variable i                      |
 * | L_e     | list e                                    | variables of element e                               |
 * | |i|     | `weight[i]`                               | how many variables of A supervariable i stands for;  |
 * |         |                                           | negative while i ∈ L_p; 0 when i is no longer there  |
 * | d_i     | `degree[i]`; of an element: |L_e|         | bound on the external degree, in variables of A      |
 * | w(e)    | `stamp[e] − tag`                          | |L_e \ L_p|; stamp 0: the element is absorbed        |
 * | k       | `eliminated`                              | variables of A eliminated so far                     |
 *
 * With aggressive absorption (L_e ⊆ L_p: e is absorbed too), mass elimination (E_i = {p}, A_i = ∅: i is eliminated
 * with p), and supervariables (i, j ∈ L_p with equal lists become one: `equal-variables.ts`). All lists live in one
 * store of entries + n numbers: a list never outgrows those that it replaces, and when the room behind the last
 * list is too small for the next L_p, the lists are moved together.
 *
 * Amestoy, Davis, Duff: An approximate minimum degree ordering algorithm. SIAM J. Matrix Anal. Appl. 17 (1996)
 * 886-905. doi:10.1137/S0895479894278952. The bound (1) is that of section 4; the
 * rest is in sections 2 and 3.
 */
import { type SparseMatrix, storedEntries } from "./csr.js";
import { DegreeLists } from "./degree-lists.js";
import { EqualVariables } from "./equal-variables.js";
import { leave, packLists, type QuotientLists } from "./quotient-lists.js";

export class QuotientGraph implements QuotientLists {
  private readonly n: number;
  /** All lists; list i is at start[i] … start[i] + length[i] − 1. */
  readonly store: Int32Array;
  readonly start: Int32Array;
  readonly length: Int32Array;
  readonly elements: Int32Array;
  readonly weight: Int32Array;
  private readonly degree: Int32Array;
  /** Doubles, since the tag grows by up to n in each of n steps. */
  readonly stamp: Float64Array;
  private tag = 1;
  private readonly byDegree: DegreeLists;
  private readonly equals: EqualVariables;
  /** The variable or pivot that a variable went into; −1 for pivots and those still there. */
  readonly owner: Int32Array;
  /** The pivots in their order, as many as `pivotCount`. */
  readonly pivots: Int32Array;
  pivotCount = 0;
  private eliminated = 0;
  private free: number;
  /** |L_p|, the weight of p with what is eliminated together with it. */
  private elementDegree = 0;
  private largestElement = 0;

  /** @param A - symmetric, stored whole */
  constructor(A: SparseMatrix) {
    const n = A.rows;
    this.n = n;
    this.store = new Int32Array(storedEntries(A) + n);
    this.start = new Int32Array(n);
    this.length = new Int32Array(n);
    this.elements = new Int32Array(n);
    this.weight = new Int32Array(n).fill(1);
    this.degree = new Int32Array(n);
    this.stamp = new Float64Array(n).fill(1);
    this.byDegree = new DegreeLists(n);
    this.owner = new Int32Array(n).fill(-1);
    this.pivots = new Int32Array(n);
    this.equals = new EqualVariables(this);
    this.free = 0;
    const dense = Math.max(16, 10 * Math.sqrt(n));
    for (let i = 0; i < n; i++) this.enter(A, i, dense);
    // From the last to the first, so that of equal degrees the first row comes first.
    for (let i = n - 1; i >= 0; i--) if (this.weight[i] > 0) this.byDegree.insert(i, this.degree[i]);
  }

  private enter(A: SparseMatrix, i: number, dense: number): void {
    this.start[i] = this.free;
    for (let q = A.rowPointers[i]; q < A.rowPointers[i + 1]; q++) {
      if (A.columnIndices[q] !== i) this.store[this.free++] = A.columnIndices[q];
    }
    this.length[i] = this.free - this.start[i];
    this.degree[i] = this.length[i];
    if (this.length[i] > dense) {
      this.free = this.start[i];
      this.length[i] = 0;
      this.weight[i] = 0;
      this.eliminated++;
    }
  }

  hasVariables(): boolean {
    return this.eliminated < this.n;
  }

  takePivot(): number {
    const p = this.byDegree.takeLeast();
    this.pivots[this.pivotCount++] = p;
    this.eliminated += this.weight[p];
    return p;
  }

  /** L_p = (A_p ∪ ⋃ L_e) \ {p}: behind the last list, or in place of A_p where E_p is empty. */
  formElement(p: number): void {
    const { store, start, length, weight } = this;
    const adjacentElements = this.elements[p];
    if (adjacentElements > 0 && this.free + this.degree[p] > store.length)
      this.free = packLists(this, this.free);
    const from = start[p];
    const end = from + length[p];
    weight[p] = -weight[p];
    const to = adjacentElements > 0 ? this.free : from;
    let q = to;
    this.elementDegree = 0;
    for (let k = 0; k < adjacentElements; k++) {
      const e = store[from + k];
      q = this.gather(start[e], start[e] + length[e], q);
      this.absorb(e);
    }
    q = this.gather(from + adjacentElements, end, q);
    start[p] = to;
    length[p] = q - to;
    if (adjacentElements > 0) this.free = q;
  }

  /** Appends at q the variables of a list that are not in L_p yet; returns the new end. */
  private gather(from: number, end: number, to: number): number {
    const { store, weight, degree } = this;
    let q = to;
    for (let k = from; k < end; k++) {
      const i = store[k];
      const w = weight[i];
      if (w <= 0) continue;
      this.elementDegree += w;
      weight[i] = -w;
      this.byDegree.remove(i, degree[i]);
      store[q++] = i;
    }
    return q;
  }

  private absorb(e: number): void {
    this.stamp[e] = 0;
    this.length[e] = 0;
  }

  /** w(e) = |L_e \ L_p| for all e adjacent to a variable of L_p (the paper's algorithm 2). */
  measureElements(p: number): void {
    const { store, start, length, elements, weight, degree, stamp, tag } = this;
    for (let k = start[p]; k < start[p] + length[p]; k++) {
      const i = store[k];
      const w = -weight[i];
      const end = start[i] + elements[i];
      for (let q = start[i]; q < end; q++) {
        const e = store[q];
        const s = stamp[e];
        if (s >= tag) stamp[e] = s - w;
        else if (s !== 0) stamp[e] = degree[e] + tag - w;
      }
    }
  }

  /** The new A_i, E_i and d_i (without |L_p \ i|) for i ∈ L_p, and their hashes. */
  updateVariables(p: number): void {
    const { store, start, length, elements, weight, degree, stamp, tag, n } = this;
    for (let k = start[p]; k < start[p] + length[p]; k++) {
      const i = store[k];
      const from = start[i];
      const elementsEnd = from + elements[i];
      const end = from + length[i];
      let q = from;
      let d = 0;
      let h = 0;
      for (let r = from; r < elementsEnd; r++) {
        const e = store[r];
        if (stamp[e] === 0) continue;
        const outside = stamp[e] - tag;
        if (outside === 0) {
          this.absorb(e); // L_e ⊆ L_p
          continue;
        }
        d += outside;
        h += e;
        store[q++] = e;
      }
      const variables = q;
      for (let r = elementsEnd; r < end; r++) {
        const j = store[r];
        if (weight[j] <= 0) continue;
        d += weight[j];
        h += j;
        store[q++] = j;
      }
      if (d === 0) {
        this.eliminateWith(p, i);
        continue;
      }
      // p takes the first variable's place; the room at the end is p's own or an absorbed element's.
      store[q] = store[variables];
      store[variables] = p;
      elements[i] = variables - from + 1;
      length[i] = q - from + 1;
      degree[i] = Math.min(degree[i], d); // (1), to be completed when |L_p| is known
      this.equals.enter(i, h % n);
    }
  }

  private eliminateWith(p: number, i: number): void {
    const w = -this.weight[i];
    this.elementDegree -= w;
    this.eliminated += w;
    leave(this, i, p);
  }

  /** Variables of L_p whose lists are equal have the same neighbours ever after: they become one. */
  mergeEqualVariables(p: number): void {
    this.largestElement = Math.max(this.largestElement, this.elementDegree);
    this.tag += this.largestElement + 1; // above all stamps
    this.tag = this.equals.merge(p, this.tag);
  }

  /** Completes the degrees, gives the variables back to their lists, and keeps of L_p who is still there. */
  closeElement(p: number): void {
    const { store, start, length, weight, degree, n, eliminated, elementDegree } = this;
    const end = start[p] + length[p];
    let q = start[p];
    for (let k = start[p]; k < end; k++) {
      const i = store[k];
      const w = -weight[i];
      if (w === 0) continue;
      weight[i] = w;
      degree[i] = Math.min(degree[i] + elementDegree - w, n - eliminated - w); // (1)
      this.byDegree.insert(i, degree[i]);
      store[q++] = i;
    }
    if (this.free === end) this.free = q;
    length[p] = q - start[p];
    degree[p] = elementDegree;
    weight[p] = 0;
    this.stamp[p] = length[p] === 0 ? 0 : 1;
  }
}
