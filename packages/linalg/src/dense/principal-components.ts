/**
 * Principal components: the directions of largest variance of N points in D dimensions, and the points' coordinates
 * along them.
 *
 * Problem    B = (X − 1 mᵀ) / s, m the means, s the largest deviation;  BᵀB v = λ v for the k largest λ;
 *            scores (X − 1 mᵀ) v, variances s² λ / (N − 1)
 * Way        Lanczos on the smaller of BᵀB (D × D) and BBᵀ (N × N; then v = Bᵀu, normalised). Up to 1000 × 1000 that
 *            matrix is formed, block by block of rows; beyond it only products with B are, so that nothing of size
 *            D × D or N × N is ever stored.
 *
 * | symbol | variable  | shape                    |
 * |--------|-----------|--------------------------|
 * | X      | X         | N × D                     |
 * | m      | means     | D                         |
 * | 1/s    | inverse   | so that no square overflows |
 *
 * Jolliffe: Principal Component Analysis, 2nd edition, Springer 2002, sections 1.1 and 3.5. Time N D min(N, D)
 * operations where the matrix is formed, otherwise 4 N D for each of some hundred products.
 */
import { lanczos } from "../eigen/lanczos.js";
import type { SymmetricOperator } from "../eigen/operator.js";
import { project } from "../eigen/orthogonal.js";
import { orientRows } from "../eigen/pairs.js";
import { CurvatureError } from "../errors.js";
import { gemm } from "../kernels/product.js";
import { norm2, scale } from "../kernels/vector.js";
import { checkOptions, integerFrom } from "../options.js";
import { checkDeviation, columnMeans } from "./column-means.js";
import { type DenseMatrix, type MatrixLike, toDense, zeros } from "./matrix.js";
import { matrixTimesVector } from "./product.js";

export interface PrincipalComponentsOptions {
  /** k, how many components. Default 2. */
  readonly count?: number;
  /** Seed of the eigensolver's start. Default 0. */
  readonly seed?: number;
}

export const principalComponentsDefaults: Readonly<Required<PrincipalComponentsOptions>> = Object.freeze({
  count: 2,
  seed: 0,
});

export interface PrincipalComponents {
  /** N × k: the points' coordinates along the components, about the mean. */
  readonly scores: DenseMatrix;
  /** k × D: rows of length 1, orthogonal, the largest entry in magnitude positive; rows of zeros beyond the rank. */
  readonly components: DenseMatrix;
  /** k, decreasing; the variances (with 1/(N − 1)) of the columns of `scores`. */
  readonly variances: Float64Array;
  /** The sum of the variances of all D columns, for shares. */
  readonly totalVariance: number;
  /** D */
  readonly means: Float64Array;
}

/** A variance below this share of the largest is rounding, and its component counts as beyond the rank. */
const LEAST_SHARE = 1e-12;
/** Of deviations that are not normal numbers the inverse may be infinite. */
const LARGEST_INVERSE = 2 ** 1000;
/** Up to this size the matrix of the eigenproblem is formed. */
const LARGEST_FORMED = 1000;
/** Rows that are centred at a time. */
const ROWS = 256;

/**
 * Beyond the rank of the centred data (which is below N, and at most D) scores, components and variances are 0.
 * Constant columns are harmless.
 *
 * @param data - N × D, a row for each point
 * @throws CurvatureError ERR_SHAPE without rows, ERR_NON_FINITE, ERR_OPTION
 */
export function principalComponents(
  data: MatrixLike,
  options: PrincipalComponentsOptions = {},
): PrincipalComponents {
  const { count, seed } = checkOptions<Required<PrincipalComponentsOptions>>(
    "principalComponents",
    options,
    principalComponentsDefaults,
    { count: integerFrom(1), seed: integerFrom(0) },
  );
  const X = toDense(data, "principalComponents: data");
  if (X.rows === 0) {
    throw new CurvatureError("ERR_SHAPE", "principalComponents: data has no rows. Give at least one point.", {
      path: "data",
    });
  }
  const B = centred(X);
  const components = zeros(count, X.columns);
  const variances = new Float64Array(count);
  const toVariance = (squares: number): number => squares / Math.max(1, X.rows - 1) / B.inverse / B.inverse;
  if (B.squares > 0) {
    leadingPairs(B, Math.min(count, X.rows, X.columns), seed, components, variances);
    for (let i = 0; i < count; i++) variances[i] = toVariance(variances[i]);
  }
  return {
    scores: scores(B, components),
    components,
    variances,
    totalVariance: toVariance(B.squares),
    means: B.means,
  };
}

/** X with what makes B of it. */
interface Centred {
  readonly X: DenseMatrix;
  readonly means: Float64Array;
  /** 1/s, or 1 where all points are one. */
  readonly inverse: number;
  /** ‖B‖_F² */
  readonly squares: number;
}

function centred(X: DenseMatrix): Centred {
  const means = new Float64Array(X.columns);
  columnMeans(X, means);
  let largest = 0;
  for (let i = 0, at = 0; i < X.rows; i++)
    for (let j = 0; j < X.columns; j++, at++) largest = Math.max(largest, Math.abs(X.data[at] - means[j]));
  checkDeviation("principalComponents", largest);
  const inverse = largest > 0 ? Math.min(1 / largest, LARGEST_INVERSE) : 1;
  let squares = 0;
  for (let i = 0, at = 0; i < X.rows; i++) {
    for (let j = 0; j < X.columns; j++, at++) {
      const b = (X.data[at] - means[j]) * inverse;
      squares += b * b;
    }
  }
  return { X, means, inverse, squares };
}

/** The pairs of BᵀB within the rank, as rows of `components` and their λ. */
function leadingPairs(
  B: Centred,
  count: number,
  seed: number,
  components: DenseMatrix,
  lambda: Float64Array,
): void {
  const { rows: N, columns: D } = B.X;
  const tall = D <= N;
  const size = Math.min(N, D);
  const product = size <= LARGEST_FORMED ? formed(B, tall) : tall ? throughRows(B) : throughColumns(B);
  const pairs = lanczos(product, size, { count, seed, tolerance: 1e-12 });
  const scratch = new Float64Array(count);
  for (let i = 0; i < count && pairs.values[i] > LEAST_SHARE * pairs.values[0]; i++) {
    const v = components.data.subarray(i * D, (i + 1) * D);
    const u = pairs.vectors.data.subarray(i * size, (i + 1) * size);
    if (tall) v.set(u);
    else transposeTimes(B, u, v);
    scale(1 / norm2(v), v);
    project({ data: components.data, count: i }, v, scratch);
    scale(1 / norm2(v), v);
    lambda[i] = pairs.values[i];
  }
  orientRows(components);
}

/** BᵀB or BBᵀ as a matrix, from blocks of rows of B. */
function formed(B: Centred, tall: boolean): SymmetricOperator {
  const { rows: N, columns: D } = B.X;
  const size = Math.min(N, D);
  const C = zeros(size, size);
  const into = { data: C.data, offset: 0, rowStride: size, columnStride: 1 };
  if (tall) {
    for (let start = 0; start < N; start += ROWS) {
      const data = blockOfRows(B, start, Math.min(N, start + ROWS));
      const plain = { data, offset: 0, rowStride: D, columnStride: 1 };
      gemm(1, D, D, data.length / D, { ...plain, rowStride: 1, columnStride: D }, plain, into, true);
    }
  } else {
    const plain = { data: blockOfRows(B, 0, N), offset: 0, rowStride: D, columnStride: 1 };
    gemm(1, N, N, D, plain, { ...plain, rowStride: 1, columnStride: D }, into, true);
  }
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) C.data[j * size + i] = C.data[i * size + j];
  return (v, out) => matrixTimesVector(C, v, out);
}

/** BᵀB v, row by row: one walk through X. */
function throughRows(B: Centred): SymmetricOperator {
  return (v, out) => {
    out.fill(0);
    for (let i = 0; i < B.X.rows; i++) addRow(B, i, rowTimes(B, i, v), out);
  };
}

/** BBᵀ u: two walks through X. */
function throughColumns(B: Centred): SymmetricOperator {
  const v = new Float64Array(B.X.columns);
  return (u, out) => {
    transposeTimes(B, u, v);
    for (let i = 0; i < B.X.rows; i++) out[i] = rowTimes(B, i, v);
  };
}

/** v ← Bᵀ u */
function transposeTimes(B: Centred, u: Float64Array, v: Float64Array): void {
  v.fill(0);
  for (let i = 0; i < B.X.rows; i++) addRow(B, i, u[i], v);
}

/** ⟨b_i, v⟩ */
function rowTimes({ X, means, inverse }: Centred, i: number, v: Float64Array): number {
  const { columns, data } = X;
  const row = i * columns;
  const even = columns - (columns % 2);
  let s0 = 0;
  let s1 = 0;
  for (let j = 0; j < even; j += 2) {
    s0 += (data[row + j] - means[j]) * inverse * v[j];
    s1 += (data[row + j + 1] - means[j + 1]) * inverse * v[j + 1];
  }
  if (even < columns) s0 += (data[row + even] - means[even]) * inverse * v[even];
  return s0 + s1;
}

/** v ← v + a b_i */
function addRow({ X, means, inverse }: Centred, i: number, a: number, v: Float64Array): void {
  const { columns, data } = X;
  const row = i * columns;
  const factor = a * inverse;
  for (let j = 0; j < columns; j++) v[j] += (data[row + j] - means[j]) * factor;
}

/** Rows start … end − 1 of B, a copy. */
function blockOfRows({ X, means, inverse }: Centred, start: number, end: number): Float64Array {
  const { columns } = X;
  const block = X.data.slice(start * columns, end * columns);
  for (let at = 0; at < block.length; )
    for (let j = 0; j < columns; j++, at++) block[at] = (block[at] - means[j]) * inverse;
  return block;
}

/** (X − 1 mᵀ) Vᵀ */
function scores(B: Centred, components: DenseMatrix): DenseMatrix {
  const { rows: N, columns: D } = B.X;
  const k = components.rows;
  const Y = zeros(N, k);
  const V = { data: components.data, offset: 0, rowStride: 1, columnStride: D };
  for (let start = 0; start < N; start += ROWS) {
    const data = blockOfRows(B, start, Math.min(N, start + ROWS));
    const rows = Math.min(N, start + ROWS) - start;
    const into = { data: Y.data, offset: start * k, rowStride: k, columnStride: 1 };
    gemm(1, rows, k, D, { data, offset: 0, rowStride: D, columnStride: 1 }, V, into);
  }
  scale(1 / B.inverse, Y.data);
  return Y;
}
