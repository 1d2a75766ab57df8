/**
 * Which cluster a point belongs to, softly and hard, from a solution Q of NOMAD.
 *
 * Soft   Q ≈ Y Yᵀ, Y ≥ 0 (n × k), the best of a few symmetric factorisations; as 1 = Q 1 ≈ Y (Yᵀ 1), the memberships
 *        u_ic = Y_ic (Yᵀ 1)_c sum to 1 in every row, nearly, and are divided by their sum to do so exactly
 * Hard   the cluster of the largest membership, the first of them in a tie
 *
 * For a hard clustering's Q = Σ z zᵀ/|C| the memberships are 0 and 1. The factorisation is no convex problem: `error` says
 * how well k clusters explain Q. On manifolds that overlapping clusters tile, the components (see `components.ts`) say more.
 */
import {
  checkArgument,
  type DenseMatrix,
  integerFrom,
  type MatrixLike,
  type OptionsOf,
  optionTable,
  zeros,
} from "@curvature/linalg";
import { squareMatrix } from "../arguments.js";
import { symmetricNmf } from "../symmetric-nmf.js";

export const assignmentOptions = optionTable({
  /** Factorisations that are tried. */
  starts: integerFrom(1, 10_000).default(5),
  /** Of the first; the others follow it. */
  seed: integerFrom(0).default(0),
});
export type AssignmentOptions = OptionsOf<typeof assignmentOptions>;

export interface Assignments {
  /** n × k, rows sum to 1. */
  readonly memberships: DenseMatrix;
  /** Of each point the cluster of its largest membership, 0 … k − 1. */
  readonly labels: Int32Array;
  /** ‖Q − Y Yᵀ‖_F / ‖Q‖_F */
  readonly error: number;
}

/**
 * @param Q - n × n, symmetric, at least 0 but for rounding
 * @param clusters - k, a whole number from 1
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT if Q is not symmetric or `clusters` not whole, ERR_OPTION
 */
export function assignmentsOf(Q: MatrixLike, clusters: number, options?: AssignmentOptions): Assignments {
  const { starts, seed } = assignmentOptions.resolve("assignmentsOf", options);
  checkArgument("assignmentsOf", "clusters", integerFrom(1), clusters);
  const matrix = squareMatrix("assignmentsOf", Q);
  let best = symmetricNmf(matrix, clusters, { seed });
  for (let k = 1; k < starts; k++) {
    const other = symmetricNmf(matrix, clusters, { seed: seed + k });
    if (other.error < best.error) best = other;
  }
  const memberships = normalizedRows(best.factor);
  return { memberships, labels: largestInRows(memberships), error: best.error };
}

/** Y_ic (Yᵀ 1)_c over its row's sum; a row of zeros belongs to all alike. */
function normalizedRows(Y: DenseMatrix): DenseMatrix {
  const { rows: n, columns: k, data } = Y;
  const sums = new Float64Array(k);
  for (let at = 0; at < data.length; at++) sums[at % k] += data[at];
  const U = zeros(n, k);
  for (let i = 0; i < n; i++) {
    let total = 0;
    for (let c = 0; c < k; c++) {
      U.data[i * k + c] = data[i * k + c] * sums[c];
      total += U.data[i * k + c];
    }
    for (let c = 0; c < k; c++) U.data[i * k + c] = total > 0 ? U.data[i * k + c] / total : 1 / k;
  }
  return U;
}

function largestInRows({ rows: n, columns: k, data }: DenseMatrix): Int32Array {
  const labels = new Int32Array(n);
  for (let i = 0; i < n; i++)
    for (let c = 1; c < k; c++) if (data[i * k + c] > data[i * k + labels[i]]) labels[i] = c;
  return labels;
}
