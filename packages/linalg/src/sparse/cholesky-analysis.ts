/**
 * What can be known of a Cholesky factor L Lᵀ = P A Pᵀ from the pattern of A alone: the order, the elimination
 * tree, how many nonzeros each column of L has, and from these the memory and the work, before either is spent.
 */
import { checkOptions, oneOf } from "../options.js";
import { type SparseMatrix, storedEntries } from "./csr.js";
import { columnCounts, eliminationTree, postorder } from "./elimination-tree.js";
import { approximateMinimumDegree } from "./ordering-amd.js";
import { checkSquare, mirrorPositions, permuteSymmetric } from "./structure.js";
import { toSparse } from "./to-sparse.js";

export interface CholeskyAnalysis {
  /** order[k] is the row of A that is eliminated k-th. */
  readonly order: Int32Array;
  /** The elimination tree in that order, −1 for roots; every node's number is above those of its descendants. */
  readonly parent: Int32Array;
  /** Nonzeros of each column of L, the diagonal included. */
  readonly columnCounts: Int32Array;
  /** nnz(L), the diagonal included. */
  readonly factorNonzeros: number;
  /** Additions and multiplications of the factorisation: Σ_j c_j². */
  readonly flops: number;
  /** The matrix that was analysed; only its pattern matters. */
  readonly matrix: SparseMatrix;
}

export interface CholeskyAnalysisOptions {
  /**
   * `"amd"`: approximate minimum degree; `"natural"`: as given, up to the postorder of its tree, which changes no
   * fill. Default `"amd"`.
   */
  readonly ordering?: "amd" | "natural";
}

export const choleskyAnalysisDefaults: Readonly<Required<CholeskyAnalysisOptions>> = Object.freeze({
  ordering: "amd",
});

/**
 * Orders A and predicts its factor, in time and memory of the order of A's entries.
 *
 * @param A - n × n with a symmetric pattern, both triangles stored; the values do not matter
 * @throws CurvatureError ERR_SHAPE unless A is square, ERR_NON_FINITE, ERR_ARGUMENT unless its pattern is symmetric,
 *   ERR_OPTION
 */
export function analyzeCholesky(A: SparseMatrix, options: CholeskyAnalysisOptions = {}): CholeskyAnalysis {
  const settings = checkOptions("analyzeCholesky", options, choleskyAnalysisDefaults, {
    ordering: oneOf("amd", "natural"),
  });
  checkSquare(toSparse(A), "analyzeCholesky");
  mirrorPositions(A);
  const filling = settings.ordering === "amd" ? approximateMinimumDegree(A) : naturalOrder(A.rows);
  const tree = eliminationTree(permuteSymmetric(A, filling));
  const post = postorder(tree);
  const order = post.map((k) => filling[k]);
  const parent = renumbered(tree, post);
  const counts = columnCounts(permuteSymmetric(A, order), parent, naturalOrder(A.rows));
  let factorNonzeros = 0;
  let flops = 0;
  for (const c of counts) {
    factorNonzeros += c;
    flops += c * c;
  }
  return { order, parent, columnCounts: counts, factorNonzeros, flops, matrix: A };
}

function naturalOrder(n: number): Int32Array {
  return new Int32Array(n).map((_, i) => i);
}

/** The tree when node post[k] gets the number k. */
function renumbered(parent: Int32Array, post: Int32Array): Int32Array {
  const number = new Int32Array(post.length);
  for (let k = 0; k < post.length; k++) number[post[k]] = k;
  return post.map((j) => (parent[j] === -1 ? -1 : number[parent[j]]));
}

/** Whether both have the same entries stored. */
export function samePattern(A: SparseMatrix, B: SparseMatrix): boolean {
  return (
    A.rows === B.rows &&
    A.columns === B.columns &&
    storedEntries(A) === storedEntries(B) &&
    equal(A.rowPointers, B.rowPointers) &&
    equal(A.columnIndices, B.columnIndices)
  );
}

function equal(a: Int32Array, b: Int32Array): boolean {
  if (a === b) return true;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return a.length === b.length;
}
