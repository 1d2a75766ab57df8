/**
 * All eigenvalues and eigenvectors of a dense symmetric matrix: Householder reduction to tridiagonal form, then QL
 * (`tridiagonal.ts`), or, from n = 160 on, divide and conquer (`divide-and-conquer.ts`).
 *
 * Reduction  for i = n−1 … 2, with x the entries of row i left of the diagonal:
 *            v = x ± ‖x‖ e_{i−1},  H_i = I − v vᵀ/h,  h = vᵀv/2;  then row i of H_i A H_i is tridiagonal, and
 *            A ← A − v wᵀ − w vᵀ,  p = A v/h,  w = p − (vᵀp / 2h) v
 * Assembly   A = Q T Qᵀ,  Qᵀ = H_2 ⋯ H_{n−1}, built in the place of A, whose rows hold the v
 *
 * From n = 160 on the reduction goes by panels (`kernels/tridiagonalize.ts`), and the reflections, by blocks, are applied
 * to the eigenvectors of T (`reflections.ts`), instead of rotations to Q: most operations are products.
 *
 * Martin, Reinsch, Wilkinson: Householder's tridiagonalization of a symmetric matrix. Numer. Math. 11 (1968) 181-195
 * (tred2). Some 9 n³ operations in all, from n = 160 on at most 5 n³. Differs from it: everything runs along rows.
 */
import { checkFinite, checkSquareForm, type DenseMatrix, zeros } from "../dense/matrix.js";
import { CurvatureError } from "../errors.js";
import { installed } from "../kernels/table.js";
import { PANEL, tridiagonalizeInTypeScript } from "../kernels/tridiagonalize.js";
import { maxAbs } from "../kernels/vector.js";
import { divideAndConquer } from "./divide-and-conquer.js";
import { type EigenPairs, orientRows } from "./pairs.js";
import { reflectRows } from "./reflections.js";
import { tridiagonalEigen } from "./tridiagonal.js";

/** Squares below this, of a matrix whose largest entry is 1, are nothing to it, and too small to divide by. */
const NEGLIGIBLE = 1e-280;

/** The most rows, of which all pairs take some hours. */
const MOST = 2 ** 14;

/** Sizes from which on the reduction by panels, and divide and conquer, are quicker. */
const PANELS_FROM = 160;

/**
 * The eigenvalues in increasing order, with their eigenvectors as rows.
 *
 * @param A - symmetric; its lower triangle is read, and must be finite
 * @throws CurvatureError ERR_SHAPE; ERR_NON_FINITE, also for eigenvalues beyond the range of float64; ERR_MEMORY above 16,384
 *   rows; ERR_NO_CONVERGENCE
 */
export function symmetricEigen(A: DenseMatrix): EigenPairs {
  const { Z, d, e, h, size } = tridiagonalized(A, "symmetricEigen");
  const n = d.length;
  const vectors = n < PANELS_FROM ? assembled(Z, n, h) : divideAndConquer(d, e);
  if (n < PANELS_FROM) tridiagonalEigen(d, e, vectors, n);
  else reflectRows(vectors, Z, n, h);
  enlarge(d, size, "symmetricEigen");
  return sorted(d, vectors);
}

/**
 * The eigenvalues alone, in increasing order: some 4/3 n³ operations.
 *
 * @param A - symmetric; its lower triangle is read, and must be finite
 * @throws CurvatureError as `symmetricEigen`
 */
export function symmetricEigenvalues(A: DenseMatrix): Float64Array {
  const { d, e, size } = tridiagonalized(A, "symmetricEigenvalues");
  tridiagonalEigen(d, e, new Float64Array(0), 0);
  enlarge(d, size, "symmetricEigenvalues");
  return d.sort();
}

/** d ← size d. @throws CurvatureError ERR_NON_FINITE */
export function enlarge(d: Float64Array, size: number, where: string): void {
  let isWithin = true;
  for (let i = 0; i < d.length; i++) {
    d[i] *= size;
    if (!Number.isFinite(d[i])) isWithin = false;
  }
  if (isWithin) return;
  throw new CurvatureError(
    "ERR_NON_FINITE",
    `an eigenvalue of A is beyond the range of float64. Divide A by ${d.length}.`,
    { where, path: "A", expected: "eigenvalues below 1.8e308" },
  );
}

/** @throws CurvatureError ERR_MEMORY for a decomposition that would take gigabytes, and hours without a sign of life */
export function checkEigenSize(n: number, where: string): void {
  if (n <= MOST) return;
  throw new CurvatureError(
    "ERR_MEMORY",
    `all eigenpairs of ${n} rows take hours and ${((8 * n * n) / 2 ** 30).toPrecision(3)} GiB several times over. Ask lanczos or blockEigen for a few, or Tridiagonalization, which is done in parts, for eigenvalues.`,
    { where, path: "A", expected: `at most ${MOST} rows`, received: n },
  );
}

/** T of A / size in d and e, with what makes Q. */
function tridiagonalized(
  A: DenseMatrix,
  where: string,
): { Z: Float64Array; d: Float64Array; e: Float64Array; h: Float64Array; size: number } {
  checkSquareForm(A, where);
  const n = A.rows;
  checkEigenSize(n, where);
  const Z = lowerTriangle(A);
  checkFinite({ rows: n, columns: n, data: Z }, `${where}: A`);
  const size = maxAbs(Z) || 1;
  for (let k = 0; k < Z.length; k++) Z[k] /= size; // so that no square overflows or vanishes
  const d = new Float64Array(n);
  const e = new Float64Array(n);
  const h = new Float64Array(n);
  if (n < PANELS_FROM) reduce(Z, n, d, e, h);
  else (installed.tridiagonalize ?? tridiagonalizeInTypeScript)(Z, n, n, Math.ceil(n / PANEL), d, e, h);
  return { Z, d, e, h, size };
}

function lowerTriangle(A: DenseMatrix): Float64Array {
  const n = A.rows;
  const L = new Float64Array(n * n);
  for (let i = 0; i < n; i++) L.set(A.data.subarray(i * n, i * n + i + 1), i * n);
  return L;
}

/** T into d and e; the v into the rows of A; their h, 0 where no reflection was needed. */
function reduce(A: Float64Array, n: number, d: Float64Array, e: Float64Array, h: Float64Array): void {
  const w = new Float64Array(n);
  for (let i = n - 1; i > 0; i--) {
    const row = i * n;
    let squares = 0;
    for (let k = 0; k < i - 1; k++) squares += A[row + k] * A[row + k];
    const x = A[row + i - 1];
    d[i] = A[row + i];
    if (squares < NEGLIGIBLE) {
      e[i - 1] = x;
      continue;
    }
    const norm = Math.sqrt(squares + x * x);
    e[i - 1] = x > 0 ? -norm : norm;
    A[row + i - 1] = x - e[i - 1];
    h[i] = squares + x * x - x * e[i - 1];
    twoSidedReflection(A, n, i, h[i], w);
  }
  if (n > 0) d[0] = A[0];
}

/** A ← H A H on the leading i × i block, v in row i. */
function twoSidedReflection(A: Float64Array, n: number, i: number, h: number, w: Float64Array): void {
  const v = i * n;
  for (let j = 0; j < i; j++) {
    const row = j * n;
    const vj = A[v + j];
    let sum = 0;
    for (let k = 0; k < j; k++) {
      const a = A[row + k];
      sum += a * A[v + k];
      w[k] += a * vj;
    }
    w[j] = sum + A[row + j] * vj;
  }
  let vp = 0;
  for (let j = 0; j < i; j++) {
    w[j] /= h;
    vp += A[v + j] * w[j];
  }
  const half = vp / (2 * h);
  for (let j = 0; j < i; j++) w[j] -= half * A[v + j];
  for (let j = 0; j < i; j++) {
    const row = j * n;
    const vj = A[v + j];
    const wj = w[j];
    for (let k = 0; k <= j; k++) A[row + k] -= vj * w[k] + wj * A[v + k];
  }
}

/** Qᵀ in the place of A: the leading block times H_i from the right, for rising i. */
function assembled(Z: Float64Array, n: number, h: Float64Array): Float64Array {
  for (let i = 0; i < n; i++) {
    const v = i * n;
    if (h[i] !== 0) {
      for (let j = 0; j < i; j++) {
        const row = j * n;
        let sum = 0;
        for (let k = 0; k < i; k++) sum += Z[row + k] * Z[v + k];
        sum /= h[i];
        for (let k = 0; k < i; k++) Z[row + k] -= sum * Z[v + k];
      }
    }
    for (let k = 0; k < i; k++) {
      Z[v + k] = 0;
      Z[k * n + i] = 0;
    }
    Z[v + i] = 1;
  }
  return Z;
}

function sorted(d: Float64Array, Z: Float64Array): EigenPairs {
  const n = d.length;
  const order = Array.from(d.keys()).sort((a, b) => d[a] - d[b] || a - b);
  const vectors = zeros(n, n);
  order.forEach((from, to) => {
    vectors.data.set(Z.subarray(from * n, (from + 1) * n), to * n);
  });
  orientRows(vectors);
  return { values: Float64Array.from(order, (i) => d[i]), vectors };
}
