/**
 * Supernodes: runs of neighbouring columns of L with (nearly) the same pattern, stored and worked on as dense
 * panels.
 *
 * A supernode is a panel of h rows and w columns, row-major. Its first w rows are the columns' own (the triangle
 * above the diagonal is unused), the others those below. Columns j and j + 1 belong together when parent(j) = j + 1
 * and c_j = c_{j+1} + 1; a supernode is also joined with its parent when that adds few zeros (relaxed
 * amalgamation), because many narrow panels cost more than a few zeros. A supernode wider than `widest` is cut into
 * several that share one list of rows, which blocks the dense work for the cache.
 *
 * Ashcraft, Grimes: The influence of relaxed supernode partitions on the multifrontal method. ACM TOMS 15 (1989)
 * 291-309. Ng, Peyton: Block sparse Cholesky algorithms on advanced uniprocessor computers. SIAM J. Sci. Comput. 14
 * (1993) 1034-1056.
 */
import type { SparseMatrix } from "./csr.js";

export interface Supernodes {
  readonly count: number;
  /** Supernode s holds the columns `first[s]` up to, not including, `first[s + 1]`; length count + 1. */
  readonly first: Int32Array;
  /** h of each. */
  readonly height: Int32Array;
  /** The supernode of each column. */
  readonly ofColumn: Int32Array;
  /** Supernode s has the rows `rows[rowStart[s]]` … `rows[rowStart[s] + height[s] − 1]`, increasing. */
  readonly rows: Int32Array;
  readonly rowStart: Int32Array;
  /** Where each panel begins in the array of all panels. */
  readonly panelStart: Int32Array;
  /** The length of that array. From 2³¹ on, `panelStart` is of no use. */
  readonly panelsLength: number;
}

const widest = 48;

/** Two supernodes are joined if at most this share of the joint panel is zero; narrow ones gain more by it. */
const narrow = 8;
const zerosWhereNarrow = 0.2;
const zerosWhereWide = 0.03;

/**
 * The supernodes of the factor of A.
 *
 * @param A - symmetric, stored whole, in a postorder of its elimination tree
 * @param parent - the tree
 * @param counts - nonzeros of each column of L
 */
export function supernodes(A: SparseMatrix, parent: Int32Array, counts: Int32Array): Supernodes {
  const first = amalgamated(parent, counts);
  const lists = rowLists(A, parent, counts, first);
  return cut(first, lists, A.rows);
}

/** The first columns of the supernodes, and n. */
function amalgamated(parent: Int32Array, counts: Int32Array): Int32Array {
  const n = parent.length;
  // A stack of finished supernodes: its first column and the nonzeros in its columns.
  const first = new Int32Array(n + 1);
  const nonzeros = new Float64Array(n);
  let top = 0;
  for (let j = 0; j < n; ) {
    first[top] = j;
    nonzeros[top] = counts[j];
    while (j + 1 < n && parent[j] === j + 1 && counts[j] === counts[j + 1] + 1) nonzeros[top] += counts[++j];
    const end = ++j;
    const below = counts[end - 1] - 1;
    while (top > 0 && isParent(parent, first[top], end)) {
      const width = end - first[top - 1];
      const entries = (width * (width + 1)) / 2 + width * below;
      const kept = nonzeros[top - 1] + nonzeros[top];
      if (!acceptable(width, 1 - kept / entries)) break;
      nonzeros[--top] = kept;
    }
    top++;
  }
  first[top] = n;
  return first.slice(0, top + 1);
}

/** Whether the column before `start` has its parent among the columns start … end − 1. */
function isParent(parent: Int32Array, start: number, end: number): boolean {
  return parent[start - 1] !== -1 && parent[start - 1] < end;
}

function acceptable(width: number, zeros: number): boolean {
  return zeros <= (width <= narrow ? zerosWhereNarrow : zerosWhereWide);
}

interface RowLists {
  readonly rows: Int32Array;
  readonly start: Int32Array;
}

/** The row list of each supernode, increasing because the rows are entered one after the other. */
function rowLists(A: SparseMatrix, parent: Int32Array, counts: Int32Array, first: Int32Array): RowLists {
  const count = first.length - 1;
  const ofColumn = new Int32Array(A.rows);
  const start = new Int32Array(count + 1);
  for (let s = 0; s < count; s++) {
    ofColumn.fill(s, first[s], first[s + 1]);
    start[s + 1] = start[s] + first[s + 1] - first[s] + counts[first[s + 1] - 1] - 1;
  }
  const rows = new Int32Array(start[count]);
  const next = start.slice(0, count);
  const latest = new Int32Array(count).fill(-1);
  for (let i = 0; i < A.rows; i++) {
    rows[next[ofColumn[i]]++] = i;
    latest[ofColumn[i]] = i;
    for (let p = A.rowPointers[i]; p < A.rowPointers[i + 1] && A.columnIndices[p] < i; p++) {
      // Up the row subtree of i, until what is already entered.
      let s = ofColumn[A.columnIndices[p]];
      while (latest[s] !== i) {
        rows[next[s]++] = i;
        latest[s] = i;
        s = ofColumn[parent[first[s + 1] - 1]];
      }
    }
  }
  return { rows, start };
}

/** Cuts wide supernodes; the parts' lists are tails of the whole one's. */
function cut(whole: Int32Array, lists: RowLists, n: number): Supernodes {
  let count = 0;
  for (let s = 0; s + 1 < whole.length; s++) count += Math.ceil((whole[s + 1] - whole[s]) / widest);
  const first = new Int32Array(count + 1);
  const height = new Int32Array(count);
  const ofColumn = new Int32Array(n);
  const rowStart = new Int32Array(count);
  const panelStart = new Int32Array(count);
  let panelsLength = 0;
  let t = 0;
  for (let s = 0; s + 1 < whole.length; s++) {
    for (let column = whole[s]; column < whole[s + 1]; column += widest) {
      const end = Math.min(column + widest, whole[s + 1]);
      rowStart[t] = lists.start[s] + column - whole[s];
      height[t] = lists.start[s + 1] - rowStart[t];
      panelStart[t] = panelsLength;
      panelsLength += height[t] * (end - column);
      ofColumn.fill(t, column, end);
      first[++t] = end;
    }
  }
  return { count, first, height, ofColumn, rows: lists.rows, rowStart, panelStart, panelsLength };
}
