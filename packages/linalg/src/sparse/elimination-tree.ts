/**
 * The elimination tree of a symmetric matrix, its postorder, and the column counts of the Cholesky factor, all
 * from the pattern and in time nearly linear in the entries of A (not of L).
 *
 * Tree       parent(j) = min { i > j : l_ij ≠ 0 },  −1 for a root
 * Rows       row i of L is nonzero at j < i exactly where j lies on a path from some k with a_ik ≠ 0 up to i: the
 *            row subtree T_i
 * Counts     c_j = |{ i : l_ij ≠ 0 }|, diagonal included. With A reduced to the edges from leaves of row subtrees,
 *            each leaf adds 1 to c_j and each least common ancestor of consecutive leaves takes 1 away; summing
 *            these weights up the tree gives the counts.
 *
 * Liu: The role of elimination trees in sparse factorization. SIAM J. Matrix Anal. Appl. 11 (1990) 134-172.
 * Gilbert, Ng, Peyton: An efficient algorithm to compute row and column counts for sparse Cholesky factorization.
 * SIAM J. Matrix Anal. Appl. 15 (1994) 1075-1091. doi:10.1137/S0895479892236921. Figure 3, columns only.
 *
 * Nothing recurses: a path of 100,000 nodes is an ordinary tree here. A is stored whole.
 */

import { checkSquare } from "./check-sparse.js";
import type { SparseMatrix } from "./csr.js";

/** parent(j), −1 for roots. @throws CurvatureError ERR_SHAPE unless A is square */
export function eliminationTree(A: SparseMatrix): Int32Array {
  checkSquare(A, "eliminationTree");
  const n = A.rows;
  const parent = new Int32Array(n).fill(-1);
  // Shortcuts along the paths already walked: all walked nodes point to the newest row.
  const ancestor = new Int32Array(n).fill(-1);
  for (let i = 0; i < n; i++) {
    for (let p = A.rowPointers[i]; p < A.rowPointers[i + 1]; p++) {
      let j = A.columnIndices[p];
      while (j !== -1 && j < i) {
        const above = ancestor[j];
        ancestor[j] = i;
        if (above === -1) parent[j] = i;
        j = above;
      }
    }
  }
  return parent;
}

/** The nodes of a forest, each after its children, subtrees contiguous, smaller siblings first. */
export function postorder(parent: Int32Array): Int32Array {
  const n = parent.length;
  const firstChild = new Int32Array(n + 1).fill(-1); // of node n: the roots
  const sibling = new Int32Array(n);
  for (let j = n - 1; j >= 0; j--) {
    const above = parent[j] === -1 ? n : parent[j];
    sibling[j] = firstChild[above];
    firstChild[above] = j;
  }
  const order = new Int32Array(n);
  let count = 0;
  let j = firstChild[n];
  while (j !== -1) {
    while (firstChild[j] !== -1) j = firstChild[j];
    order[count++] = j;
    // Up, as long as the last sibling is done.
    while (sibling[j] === -1 && parent[j] !== -1) {
      j = parent[j];
      order[count++] = j;
    }
    j = sibling[j];
  }
  return order;
}

/**
 * How many nonzeros each column of L has, the diagonal included.
 *
 * @param parent - of `eliminationTree(A)`
 * @param order - of `postorder(parent)`
 */
export function columnCounts(A: SparseMatrix, parent: Int32Array, order: Int32Array): Int32Array {
  const n = A.rows;
  const counts = new Int32Array(n);
  const first = firstDescendants(parent, order);
  const latestFirst = new Int32Array(n).fill(-1); // of row i: first[·] of its latest leaf
  const latestLeaf = new Int32Array(n).fill(-1);
  const above = new Int32Array(n); // union-find: the root of a node's done part of the tree
  for (let j = 0; j < n; j++) above[j] = j;
  for (let k = 0; k < n; k++) {
    const j = order[k];
    if (first[j] === k) counts[j]++; // a leaf of the whole tree
    if (parent[j] !== -1) counts[parent[j]]--;
    for (let p = A.rowPointers[j]; p < A.rowPointers[j + 1]; p++) {
      const i = A.columnIndices[p];
      if (i <= j || first[j] <= latestFirst[i]) continue; // j is no leaf of T_i
      const leaf = latestLeaf[i];
      counts[j]++;
      if (leaf !== -1) counts[root(above, leaf)]--;
      latestLeaf[i] = j;
      latestFirst[i] = first[j];
    }
    if (parent[j] !== -1) above[j] = parent[j];
  }
  for (let k = 0; k < n; k++) {
    const j = order[k];
    if (parent[j] !== -1) counts[parent[j]] += counts[j];
  }
  return counts;
}

/** Of each node the place in the postorder of its first descendant (of a leaf: its own). */
function firstDescendants(parent: Int32Array, order: Int32Array): Int32Array {
  const first = new Int32Array(order.length).fill(-1);
  for (let k = 0; k < order.length; k++) {
    for (let j = order[k]; j !== -1 && first[j] === -1; j = parent[j]) first[j] = k;
  }
  return first;
}

function root(above: Int32Array, start: number): number {
  let j = start;
  while (above[j] !== j) {
    above[j] = above[above[j]];
    j = above[j];
  }
  return j;
}
