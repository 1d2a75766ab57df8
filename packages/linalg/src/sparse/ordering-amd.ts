/**
 * Approximate minimum degree ordering of a symmetric matrix, so that its Cholesky factor has few nonzeros.
 *
 * Problem    find a permutation P for which L Lᵀ = P A Pᵀ fills in little; the pattern of A alone decides.
 * Iteration  eliminate a variable p of least (approximate) external degree. Its neighbours L_p become a clique,
 *            which is not stored by its edges but as one new element p of a quotient graph; the variables of L_p get
 *            shorter lists and new degrees; those that have become equal are treated as one from then on.
 *
 * The formulas and the symbols stand where they are computed: quotient-graph.ts.
 *
 * Amestoy, Davis, Duff: An approximate minimum degree ordering algorithm. SIAM J. Matrix Anal. Appl. 17 (1996)
 * 886-905. doi:10.1137/S0895479894278952. Sections 3 to 5.
 * Differs from the paper: rows with more than max(16, 10 √n) neighbours are left out and ordered last, since they
 * would be touched in nearly every step and end up there anyway. Deterministic; memory of the order of the entries.
 */
import type { SparseMatrix } from "./csr.js";
import { QuotientGraph } from "./quotient-graph.js";
import { symmetricPart } from "./structure.js";
import { toSparse } from "./to-sparse.js";

/**
 * A fill-reducing order of the rows of A, from the pattern of A + Aᵀ.
 *
 * @returns order[k] is the row that is eliminated k-th
 * @throws CurvatureError ERR_SHAPE unless A is square
 */
export function approximateMinimumDegree(A: SparseMatrix): Int32Array {
  const graph = new QuotientGraph(symmetricPart(toSparse(A)));
  while (graph.hasVariables()) {
    const p = graph.takePivot();
    graph.formElement(p);
    graph.measureElements(p);
    graph.updateVariables(p);
    graph.mergeEqualVariables(p);
    graph.closeElement(p);
  }
  return expanded(graph.pivots.subarray(0, graph.pivotCount), graph.owner);
}

/** The pivots, each with what went into it, and after them the dense rows, which went nowhere. */
function expanded(pivots: Int32Array, owner: Int32Array): Int32Array {
  const n = owner.length;
  const position = new Int32Array(n).fill(pivots.length);
  for (let k = 0; k < pivots.length; k++) position[pivots[k]] = k;
  const next = new Int32Array(pivots.length + 2);
  for (let i = 0; i < n; i++) {
    position[i] = position[finalOwner(owner, i)];
    next[position[i] + 1]++;
  }
  for (let k = 0; k <= pivots.length; k++) next[k + 1] += next[k];
  const order = new Int32Array(n);
  for (let i = 0; i < n; i++) order[next[position[i]]++] = i;
  return order;
}

/** Follows the owners to the last, and shortens the way for those who come after. */
function finalOwner(owner: Int32Array, start: number): number {
  let i = start;
  while (owner[i] !== -1) {
    const above = owner[i];
    if (owner[above] !== -1) owner[i] = owner[above];
    i = above;
  }
  return i;
}
