/**
 * Connected components of the graph of a square matrix: i and j are joined where a_ij or a_ji is stored with a
 * value other than 0.
 *
 * Union-find with path halving and the smaller index as the root: near-linear in practice, and the labels do not
 * depend on the order of the entries.
 *
 * Tarjan, van Leeuwen: Worst-case analysis of set union algorithms. J. ACM 31 (1984). doi:10.1145/62.2160.
 */
import type { SparseMatrix } from "./csr.js";
import { checkSquare } from "./structure.js";

export interface Components {
  readonly count: number;
  /** Of each row, from 0 to count − 1, numbered by their first row. */
  readonly labels: Int32Array;
}

/** @throws CurvatureError ERR_SHAPE unless A is square */
export function connectedComponents(A: SparseMatrix): Components {
  checkSquare(A, "connectedComponents");
  const n = A.rows;
  const parent = new Int32Array(n);
  for (let i = 0; i < n; i++) parent[i] = i;
  for (let i = 0; i < n; i++) {
    for (let p = A.rowPointers[i]; p < A.rowPointers[i + 1]; p++) {
      if (A.values[p] !== 0) unite(parent, i, A.columnIndices[p]);
    }
  }
  const labels = new Int32Array(n);
  let count = 0;
  // A root is the smallest index of its component, so its label is known before it is asked for.
  for (let i = 0; i < n; i++) labels[i] = parent[i] === i ? count++ : labels[root(parent, i)];
  return { count, labels };
}

function unite(parent: Int32Array, i: number, j: number): void {
  const a = root(parent, i);
  const b = root(parent, j);
  parent[Math.max(a, b)] = Math.min(a, b);
}

function root(parent: Int32Array, start: number): number {
  let i = start;
  while (parent[i] !== i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}
