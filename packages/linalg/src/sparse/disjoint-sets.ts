/**
 * Disjoint sets of 0 … n − 1, united pair by pair: union-find with path halving and the smaller index as the root.
 * Near-linear in practice, and the labels do not depend on the order of the pairs.
 *
 * Tarjan, van Leeuwen: Worst-case analysis of set union algorithms. J. ACM 31 (1984). doi:10.1145/62.2160.
 */
import { badArgument } from "../options.js";
import { checkSize } from "./triplets.js";

export interface Components {
  readonly count: number;
  /** Of each index, from 0 to count − 1, numbered by their first index. */
  readonly labels: Int32Array;
}

export class DisjointSets {
  private readonly parent: Int32Array;

  /**
   * @param size - n, up to 2^31 − 2; every index begins as a set of its own
   * @throws CurvatureError ERR_SHAPE
   */
  constructor(size: number) {
    checkSize(size, "DisjointSets: size");
    this.parent = new Int32Array(size);
    for (let i = 0; i < size; i++) this.parent[i] = i;
  }

  /** Makes the sets of i and j one. @throws CurvatureError ERR_ARGUMENT unless both are whole numbers from 0 to n − 1 */
  unite(i: number, j: number): void {
    const { parent } = this;
    checkIndex(i, parent.length);
    checkIndex(j, parent.length);
    const a = root(parent, i);
    const b = root(parent, j);
    parent[Math.max(a, b)] = Math.min(a, b);
  }

  components(): Components {
    const { parent } = this;
    const labels = new Int32Array(parent.length);
    let count = 0;
    // A root is the smallest of its set, so its label is known before it is asked for.
    for (let i = 0; i < labels.length; i++) labels[i] = parent[i] === i ? count++ : labels[root(parent, i)];
    return { count, labels };
  }
}

function checkIndex(i: number, size: number): void {
  if (Number.isInteger(i) && i >= 0 && i < size) return;
  throw badArgument("DisjointSets.unite", "an index", `a whole number from 0 to ${size - 1}`, i);
}

function root(parent: Int32Array, start: number): number {
  let i = start;
  while (parent[i] !== i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}
