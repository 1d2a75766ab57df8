/**
 * The singular value decomposition A = Σ_i σ_i u_i v_iᵀ of any matrix.
 *
 * Tall       A P = Q R (`pivoted-qr.ts`), rows of A in the order of their size; of a wide A its transpose
 * Rotations  J R = Σ W (`jacobi.ts`);  then the rows of W Pᵀ are the v, and those of J Qᵀ the u
 * Rank       rows that vanish have no direction: v of σ = 0 fill up an orthonormal basis
 *
 * Both steps find small singular values to their own digits where A is graded by rows or columns, or both. 4 m n² operations
 * for the first, some 20 to 60 n³ for the second.
 */
import { CurvatureError } from "../errors.js";
import { maxAbs, norm2, powerOfTwoBelow, scale } from "../kernels/vector.js";
import { nonNegative, type OptionsOf, optionTable, positive } from "../options.js";
import { orthogonaliseRows } from "./jacobi.js";
import { type DenseMatrix, type MatrixLike, toDense, zeros } from "./matrix.js";
import { decreasingRows, PivotedQr } from "./pivoted-qr.js";

export const svdOptions = optionTable({
  /** The rank counts singular values above this times the largest. Left out: max(m, n) · 2⁻⁵². */
  tolerance: nonNegative,
  /** Operations from which on it is refused; 1e12 take some ten minutes. */
  maxOperations: positive.default(1e12),
});
export type SvdOptions = OptionsOf<typeof svdOptions>;

export interface SingularValues {
  /** σ, min(m, n) of them, decreasing. */
  readonly values: Float64Array;
  /** How many σ are above tolerance · σ_1. */
  readonly rank: number;
  /** That of the rank: the option, or max(m, n) · 2⁻⁵². */
  readonly tolerance: number;
}

export interface Svd extends SingularValues {
  /** min(m, n) × m: row i is u_i, of length 1, orthogonal to the others. */
  readonly left: DenseMatrix;
  /** min(m, n) × n: row i is v_i, as well; its largest entry in magnitude is positive. */
  readonly right: DenseMatrix;
}

const EPSILON = 2 ** -52;

/**
 * A = Σ_i σ_i u_i v_iᵀ. Values below 1e-140 of the largest are 0.
 *
 * @example
 * const { values, rank } = svd([[1, 2], [2, 4], [3, 6]]); // √70 and 0; rank 1
 *
 * @param A - m × n, of any shape, finite
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, also where σ_1 is beyond the range of float64; ERR_OPTION, also where it
 *   would take more than `maxOperations`
 */
export function svd(A: MatrixLike, options?: SvdOptions): Svd {
  const found = decomposed(A, options, "svd", true);
  const { X, J, values, qr, rowOrder, isWide, m, n } = found;
  const k = values.length;
  const columnVectors = zeros(k, n);
  const rowVectors = zeros(k, m);
  const directions = completed(X, values, k, n);
  const y = new Float64Array(m);
  for (let i = 0; i < k; i++) {
    for (let j = 0; j < n; j++) columnVectors.data[i * n + qr.order[j]] = directions[i * n + j];
    y.fill(0);
    y.set(J.subarray(i * k, (i + 1) * k));
    qr.apply(y);
    for (let p = 0; p < m; p++) rowVectors.data[i * m + rowOrder[p]] = y[p];
  }
  const left = isWide ? columnVectors : rowVectors;
  const right = isWide ? rowVectors : columnVectors;
  orientPairs(right, left);
  return { ...valuesOf(found), left, right };
}

/**
 * The singular values of A alone, in a third of the time.
 *
 * @param A - m × n, of any shape, finite
 * @throws CurvatureError as `svd`
 */
export function singularValues(A: MatrixLike, options?: SvdOptions): SingularValues {
  return valuesOf(decomposed(A, options, "singularValues", false));
}

interface Decomposed {
  /** k × n rows of length σ (of A in units of `unit`), in the order of R's columns. */
  readonly X: Float64Array;
  /** k × k */
  readonly J: Float64Array;
  /** In units of `unit`. */
  readonly values: Float64Array;
  readonly unit: number;
  readonly qr: PivotedQr;
  readonly rowOrder: Int32Array;
  readonly isWide: boolean;
  /** Of the tall one of A and Aᵀ. */
  readonly m: number;
  readonly n: number;
  readonly tolerance: number;
}

function decomposed(
  given: MatrixLike,
  options: SvdOptions | undefined,
  where: string,
  hasVectors: boolean,
): Decomposed {
  const settings = svdOptions.resolve(where, options);
  const A = toDense(given, `${where}: A`);
  const m = Math.max(A.rows, A.columns);
  const n = Math.min(A.rows, A.columns);
  checkOperations(where, 4 * m * n * n + 60 * n * n * n, settings.maxOperations, A);
  const isWide = A.rows < A.columns;
  const unit = powerOfTwoBelow(maxAbs(A.data));
  const { columns, rowOrder } = arranged(A, isWide, unit);
  const qr = new PivotedQr(columns, m, n);
  const X = new Float64Array(n * n);
  for (let i = 0; i < qr.steps; i++) for (let j = i; j < n; j++) X[i * n + j] = qr.entry(i, j);
  const J = new Float64Array(hasVectors ? n * n : 0);
  if (hasVectors) for (let i = 0; i < n; i++) J[i * n + i] = 1;
  orthogonaliseRows(X, n, n, J);
  const lengths = Float64Array.from({ length: n }, (_, i) => norm2(X.subarray(i * n, (i + 1) * n)));
  const tolerance = settings.tolerance ?? m * EPSILON;
  const values = lengths;
  if (values.length > 0 && !Number.isFinite(values[0] * unit))
    throw new CurvatureError(
      "ERR_NON_FINITE",
      `the largest singular value of A is beyond the range of float64. Divide A by ${m}.`,
      { where, path: "A", received: Number.POSITIVE_INFINITY },
    );
  return { X, J, values, unit, qr, rowOrder, isWide, m, n, tolerance };
}

function valuesOf({ values, unit, tolerance }: Decomposed): SingularValues {
  const rank = values.filter((value) => value > tolerance * values[0]).length;
  return { values: values.map((value) => value * unit), rank, tolerance };
}

/** Columns of the tall one as rows, its rows by their size, all in units of `unit`. */
function arranged(
  A: DenseMatrix,
  isWide: boolean,
  unit: number,
): { columns: Float64Array; rowOrder: Int32Array } {
  const { rows, columns: width, data } = A;
  const [m, n] = isWide ? [width, rows] : [rows, width];
  const [rowStride, columnStride] = isWide ? [1, width] : [width, 1];
  const size = new Float64Array(m);
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) size[i] = Math.max(size[i], Math.abs(data[i * rowStride + j * columnStride]));
  const rowOrder = decreasingRows(size);
  const columns = zeros(n, m).data;
  for (let p = 0; p < m; p++) {
    const from = rowOrder[p] * rowStride;
    for (let j = 0; j < n; j++) columns[j * m + p] = data[from + j * columnStride] / unit;
  }
  return { columns, rowOrder };
}

/** The rows of X of length 1; those that are 0 replaced by what is orthogonal to the others. */
function completed(X: Float64Array, lengths: Float64Array, k: number, n: number): Float64Array {
  const present = lengths.filter((length) => length > 0).length;
  for (let i = 0; i < present; i++) scale(1 / lengths[i], X.subarray(i * n, (i + 1) * n));
  if (present === k) return X;
  const basis = new PivotedQr(X.slice(0, present * n), n, present, false);
  for (let i = present; i < k; i++) {
    const v = X.subarray(i * n, (i + 1) * n);
    v.fill(0);
    v[i] = 1;
    basis.apply(v);
  }
  return X;
}

function orientPairs(right: DenseMatrix, left: DenseMatrix): void {
  for (let i = 0; i < right.rows; i++) {
    const v = right.data.subarray(i * right.columns, (i + 1) * right.columns);
    let largest = 0;
    for (let j = 0; j < v.length; j++) if (Math.abs(v[j]) > Math.abs(largest)) largest = v[j];
    if (largest >= 0) continue;
    scale(-1, v);
    scale(-1, left.data.subarray(i * left.columns, (i + 1) * left.columns));
  }
}

/** @throws CurvatureError ERR_OPTION for what would take more than `most` */
export function checkOperations(where: string, operations: number, most: number, A: DenseMatrix): void {
  if (operations <= most) return;
  throw new CurvatureError(
    "ERR_OPTION",
    `A of ${A.rows} x ${A.columns} takes some ${operations.toPrecision(2)} operations, and maxOperations is ${most}. Raise it, if you have the time.`,
    { where, path: "maxOperations", expected: `at least ${operations}`, received: most },
  );
}
