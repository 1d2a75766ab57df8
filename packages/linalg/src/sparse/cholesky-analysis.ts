/**
 * What can be known of a Cholesky factor L Lᵀ = P A Pᵀ from the pattern of A alone: the order, the elimination
 * tree, how many nonzeros each column of L has, and from these the memory and the work, before either is spent.
 */
import { CurvatureError } from "../errors.js";
import { type OptionsOf, oneOf, option, optionTable } from "../options.js";
import { checkSquare } from "./check-sparse.js";
import { type SparseMatrix, storedEntries } from "./csr.js";
import { columnCounts, eliminationTree, postorder } from "./elimination-tree.js";
import { mirrorPositions } from "./mirror.js";
import { approximateMinimumDegree } from "./ordering-amd.js";
import { nestedDissection } from "./ordering-nested-dissection.js";
import { permuteSymmetric } from "./permute.js";
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

export const choleskyAnalysisOptions = optionTable({
  /**
   * `"amd"`: approximate minimum degree; `"nested-dissection"`; `"natural"`: as given, up to the postorder of its
   * tree, which changes no fill; `"auto"`: minimum degree, and where its factor takes much work the one of both that
   * takes less.
   */
  ordering: oneOf("auto", "amd", "nested-dissection", "natural").default("auto"),
});
export type CholeskyAnalysisOptions = OptionsOf<typeof choleskyAnalysisOptions>;

/** Its parts are there, and fit together; what they say is not looked at. */
export const anAnalysis = option("a result of analyzeCholesky", (value): value is CholeskyAnalysis => {
  if (typeof value !== "object" || value === null) return false;
  const { matrix, order, parent, columnCounts, factorNonzeros }: Partial<CholeskyAnalysis> = value;
  const size = matrix?.rowPointers instanceof Int32Array ? matrix.rows : undefined;
  const areWhole = [order, parent, columnCounts].every(
    (part) => part instanceof Int32Array && part.length === size,
  );
  return areWhole && typeof factorNonzeros === "number";
});

/**
 * Nested dissection costs some 25 µs a row, as much as 8e4 operations of the factorisation; a factor is solved with
 * many times, so it is tried from a quarter of that.
 */
const flopsPerRowWorthDissecting = 2e4;

/**
 * Orders A and predicts its factor, in time and memory of the order of A's entries.
 *
 * @param A - n × n with a symmetric pattern, both triangles stored; the values do not matter
 * @throws CurvatureError ERR_SHAPE unless A is square, ERR_NON_FINITE, ERR_ARGUMENT unless its pattern is symmetric,
 *   ERR_OPTION
 */
export function analyzeCholesky(A: SparseMatrix, options?: CholeskyAnalysisOptions): CholeskyAnalysis {
  const { ordering } = choleskyAnalysisOptions.resolve("analyzeCholesky", options);
  if (toSparse(A, "A") !== A)
    throw new CurvatureError(
      "ERR_SHAPE",
      "A must be a SparseMatrix with Float64Array values. Call toSparse(A) first.",
      { where: "analyzeCholesky", path: "A", expected: "a SparseMatrix", received: A },
    );
  checkSquare(A, "analyzeCholesky");
  mirrorPositions(A);
  if (ordering === "natural") return analysisOf(A, naturalOrder(A.rows));
  if (ordering === "nested-dissection") return analysisOf(A, nestedDissection(A));
  const byDegree = analysisOf(A, approximateMinimumDegree(A));
  if (ordering === "amd" || byDegree.flops <= flopsPerRowWorthDissecting * A.rows) return byDegree;
  const byDissection = analysisOf(A, nestedDissection(A));
  return byDissection.flops < byDegree.flops ? byDissection : byDegree;
}

function analysisOf(A: SparseMatrix, filling: Int32Array): CholeskyAnalysis {
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
