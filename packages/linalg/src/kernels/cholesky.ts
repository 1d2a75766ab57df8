/** The factorisation of `dense/cholesky.ts`, in TypeScript. */
import { gemmInTypeScript, ProductWorkspace } from "./gemm.js";

/** Columns per block. */
export const CHOLESKY_WIDTH = 64;

/**
 * L, with zeros above the diagonal.
 *
 * @param A - its lower triangle is read
 * @param least - n, what each pivot must be above
 * @param L - zeros, or A itself
 * @returns the index of the first pivot that is not, whose value is then L's entry there; −1 where all are
 */
export type FactorCholesky = (A: Float64Array, n: number, least: Float64Array, L: Float64Array) => number;

export const factorCholeskyInTypeScript: FactorCholesky = (A, n, least, L) => {
  if (L !== A) for (let i = 0; i < n; i++) L.set(A.subarray(i * n, i * n + i + 1), i * n);
  const failed = factorInPlace(L, n, least);
  clearAbove(L, n);
  return failed;
};

/** Zeros above the diagonal. */
export function clearAbove(L: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) L.fill(0, i * n + i + 1, (i + 1) * n);
}

/** What is above the diagonal is lost. */
function factorInPlace(A: Float64Array, n: number, least: Float64Array): number {
  const workspace = new ProductWorkspace();
  for (let start = 0; start < n; start += CHOLESKY_WIDTH) {
    const end = Math.min(n, start + CHOLESKY_WIDTH);
    const failed = factorColumns(A, n, start, end, least);
    if (failed >= 0) return failed;
    const rest = n - end;
    const panel = end * n + start;
    const L21 = { data: A, offset: panel, rowStride: n, columnStride: 1 };
    const L21t = { data: A, offset: panel, rowStride: 1, columnStride: n };
    const A22 = { data: A, offset: end * n + end, rowStride: n, columnStride: 1 };
    gemmInTypeScript(-1, rest, rest, end - start, L21, L21t, A22, true, workspace);
  }
  return -1;
}

/** Columns start … end − 1 of L, from those of A with all earlier columns' products taken off. */
function factorColumns(A: Float64Array, n: number, start: number, end: number, least: Float64Array): number {
  for (let i = start; i < end; i++) {
    const row = i * n;
    solveRow(A, n, row, start, i);
    const pivot = A[row + i] - dotRows(A, row, row, start, i);
    A[row + i] = pivot;
    if (!(pivot > least[i] && pivot < Number.POSITIVE_INFINITY)) return i;
    A[row + i] = Math.sqrt(pivot);
  }
  let i = end;
  for (; i + 3 < n; i += 4) solveFourRows(A, n, i * n, start, end);
  for (; i < n; i++) solveRow(A, n, i * n, start, end);
  return -1;
}

/** Entries start … end − 1 of the row of L that begins at `row`, by the rows of L above. */
function solveRow(A: Float64Array, n: number, row: number, start: number, end: number): void {
  for (let j = start; j < end; j++) {
    A[row + j] = (A[row + j] - dotRows(A, row, j * n, start, j)) / A[j * n + j];
  }
}

/** The same for four rows together, which loads the rows above once. */
function solveFourRows(A: Float64Array, n: number, row: number, start: number, end: number): void {
  for (let j = start; j < end; j++) {
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    const above = j * n;
    for (let k = start; k < j; k++) {
      const l = A[above + k];
      s0 += A[row + k] * l;
      s1 += A[row + n + k] * l;
      s2 += A[row + 2 * n + k] * l;
      s3 += A[row + 3 * n + k] * l;
    }
    const pivot = A[above + j];
    A[row + j] = (A[row + j] - s0) / pivot;
    A[row + n + j] = (A[row + n + j] - s1) / pivot;
    A[row + 2 * n + j] = (A[row + 2 * n + j] - s2) / pivot;
    A[row + 3 * n + j] = (A[row + 3 * n + j] - s3) / pivot;
  }
}

/** Σ_k A[a + k] A[b + k], k = start … end − 1 */
function dotRows(A: Float64Array, a: number, b: number, start: number, end: number): number {
  const whole = start + ((end - start) & ~3);
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let k = start; k < whole; k += 4) {
    s0 += A[a + k] * A[b + k];
    s1 += A[a + k + 1] * A[b + k + 1];
    s2 += A[a + k + 2] * A[b + k + 2];
    s3 += A[a + k + 3] * A[b + k + 3];
  }
  for (let k = whole; k < end; k++) s0 += A[a + k] * A[b + k];
  return s0 + s1 + (s2 + s3);
}
