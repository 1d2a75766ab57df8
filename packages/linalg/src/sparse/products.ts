/**
 * Products of a sparse matrix with a vector or a block of vectors. Nothing is allocated; `out` must not be the
 * input. These are inner loops: only lengths are checked, the matrix itself is validated by `toSparse`.
 */

import { checkBlock } from "../blocks.js";
import { CurvatureError } from "../errors.js";
import type { SparseMatrix } from "./csr.js";

/**
 * A x into `out`.
 *
 * @param x - length `A.columns`
 * @param out - length `A.rows`
 * @throws CurvatureError ERR_SHAPE
 */
export function sparseTimesVector(A: SparseMatrix, x: Float64Array, out: Float64Array): void {
  checkBlocks(A, x, 1, out);
  timesVector(A, x, out);
}

/**
 * A X into `out` for a block of d vectors, both row-major (entry (n, i) at n·d + i).
 *
 * @param X - `A.columns` × d
 * @param out - `A.rows` × d
 * @throws CurvatureError ERR_SHAPE
 */
export function sparseTimesBlock(A: SparseMatrix, X: Float64Array, d: number, out: Float64Array): void {
  checkBlocks(A, X, d, out);
  if (d === 1) timesVector(A, X, out);
  else if (d === 2) timesPair(A, X, out);
  else timesRows(A, X, d, out);
}

function timesVector(A: SparseMatrix, x: Float64Array, out: Float64Array): void {
  const { rows, rowPointers, columnIndices, values } = A;
  for (let i = 0; i < rows; i++) {
    const end = rowPointers[i + 1];
    let sum = 0;
    for (let p = rowPointers[i]; p < end; p++) sum += values[p] * x[columnIndices[p]];
    out[i] = sum;
  }
}

function timesPair(A: SparseMatrix, X: Float64Array, out: Float64Array): void {
  const { rows, rowPointers, columnIndices, values } = A;
  for (let i = 0; i < rows; i++) {
    const end = rowPointers[i + 1];
    let sum0 = 0;
    let sum1 = 0;
    for (let p = rowPointers[i]; p < end; p++) {
      const a = values[p];
      const j = 2 * columnIndices[p];
      sum0 += a * X[j];
      sum1 += a * X[j + 1];
    }
    out[2 * i] = sum0;
    out[2 * i + 1] = sum1;
  }
}

function timesRows(A: SparseMatrix, X: Float64Array, d: number, out: Float64Array): void {
  const { rows, rowPointers, columnIndices, values } = A;
  out.fill(0);
  for (let i = 0; i < rows; i++) {
    const to = i * d;
    const end = rowPointers[i + 1];
    for (let p = rowPointers[i]; p < end; p++) {
      const a = values[p];
      const from = columnIndices[p] * d;
      for (let c = 0; c < d; c++) out[to + c] += a * X[from + c];
    }
  }
}

function checkBlocks(A: SparseMatrix, X: Float64Array, d: number, out: Float64Array): void {
  checkBlock("product", "X", X, A.columns, d);
  checkBlock("product", "out", out, A.rows, d);
  if (X === out) {
    throw new CurvatureError("ERR_SHAPE", "out must be another array than X.", {
      where: "product",
      path: "out",
    });
  }
}
