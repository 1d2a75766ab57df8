/**
 * Incomplete Cholesky factorisation without fill, IC(0): a preconditioner for symmetric M-matrices, such as
 * Laplacians plus a positive diagonal.
 *
 * Problem    L lower triangular with the pattern of A's lower triangle and (L Lᵀ)_ij = a_ij wherever a_ij is stored.
 * Iteration  for each row i, for each stored j < i, in order:
 *              l_ij ← ( a_ij − Σ_k l_ik l_jk ) / l_jj          over the k < j stored in both rows
 *              l_ii ← √ max( a_ii − Σ_k l_ik²,  guard · a_ii )
 *
 * | symbol | variable    | shape                                                        |
 * |--------|-------------|--------------------------------------------------------------|
 * | A      | `A`         | n × n, symmetric, stored whole; natural order                |
 * | L      | `L`         | n × n, compressed rows, each ending with its diagonal entry  |
 * | l_i·   | `row`       | n, row i of L spread out, zero elsewhere                     |
 *
 * Meijerink, van der Vorst: An iterative solution method for linear systems of which the coefficient matrix is a
 * symmetric M-matrix. Math. Comp. 31 (1977) 148-162. doi:10.1090/S0025-5718-1977-0438681-4. By its theorem 2.4 all
 * pivots of an M-matrix are positive.
 * Differs from it: no pivot is smaller than guard = 1e-3 of its diagonal entry, so that matrices that are nearly
 * singular or not quite M-matrices give a usable preconditioner too.
 */

import { checkBlock } from "../blocks.js";
import { CurvatureError } from "../errors.js";
import { checkSparseForm, checkSquare } from "./check-sparse.js";
import type { SparseMatrix } from "./csr.js";
import { lowerTriangle } from "./structure.js";
import { toSparse } from "./to-sparse.js";
import { notFinite } from "./triplets.js";

const guard = 1e-3;

export class IncompleteCholesky {
  /** The rows and columns of A. */
  readonly size: number;
  private readonly L: SparseMatrix;
  private readonly row: Float64Array;

  /**
   * Factors A approximately. Only its lower triangle is read.
   *
   * @param A - n × n, symmetric, with a positive diagonal
   * @throws CurvatureError ERR_SHAPE unless A is square; ERR_NON_FINITE; ERR_NOT_POSITIVE_DEFINITE where a diagonal
   *   entry is not positive
   */
  constructor(A: SparseMatrix) {
    const matrix = toSparse(A, "IncompleteCholesky: A");
    checkSquare(matrix, "IncompleteCholesky");
    this.size = matrix.rows;
    this.L = lowerTriangle(matrix);
    this.row = new Float64Array(matrix.rows);
    this.refactor(matrix);
  }

  /**
   * Factors a matrix of the same pattern, without allocating.
   *
   * @throws CurvatureError as the constructor, and ERR_ARGUMENT for another pattern
   */
  refactor(A: SparseMatrix): void {
    checkSparseForm(A, "IncompleteCholesky: A");
    this.enter(A);
    const { size, row } = this;
    const { rowPointers, columnIndices, values: L } = this.L;
    for (let i = 0; i < size; i++) {
      const start = rowPointers[i];
      const end = rowPointers[i + 1] - 1;
      const a = L[end];
      let pivot = a;
      for (let p = start; p < end; p++) row[columnIndices[p]] = L[p];
      for (let p = start; p < end; p++) {
        const j = columnIndices[p];
        const diagonal = rowPointers[j + 1] - 1;
        let l = row[j];
        for (let q = rowPointers[j]; q < diagonal; q++) l -= L[q] * row[columnIndices[q]];
        l /= L[diagonal];
        row[j] = l;
        L[p] = l;
        pivot -= l * l;
      }
      for (let p = start; p < end; p++) row[columnIndices[p]] = 0;
      L[end] = Math.sqrt(Math.max(pivot, guard * a));
    }
  }

  /**
   * X with L Lᵀ X = B, without allocating.
   *
   * @param B - n × d, row-major (entry (n, i) at n·d + i)
   * @param d - how many right-hand sides
   * @param out - n × d, for X; may be B itself
   * @throws CurvatureError ERR_SHAPE
   */
  solve(B: Float64Array, d: number, out: Float64Array): void {
    checkBlock("IncompleteCholesky.solve", "B", B, this.size, d);
    checkBlock("IncompleteCholesky.solve", "out", out, this.size, d);
    if (B !== out) out.set(B);
    if (d === 1) solveSingle(this.L, out);
    else if (d === 2) solvePair(this.L, out);
    else solveRows(this.L, d, out);
  }

  /** L as a matrix, lower triangular. A copy. */
  factor(): SparseMatrix {
    return { ...this.L, values: this.L.values.slice() };
  }

  /** The lower triangle of A into L: columns increase, so it is the first entries of each row. */
  private enter(A: SparseMatrix): void {
    const { size } = this;
    const { rowPointers, columnIndices, values } = this.L;
    if (A.rows !== size || A.columns !== size) throw otherPattern();
    for (let i = 0; i < size; i++) {
      const start = rowPointers[i];
      const end = rowPointers[i + 1];
      const shift = A.rowPointers[i] - start;
      if (A.rowPointers[i + 1] - shift < end) throw otherPattern();
      for (let p = start; p < end; p++) {
        if (A.columnIndices[p + shift] !== columnIndices[p]) throw otherPattern();
        values[p] = A.values[p + shift];
        if (!Number.isFinite(values[p])) throw notFinite("matrix", i, columnIndices[p], values[p]);
      }
      if (end === start || columnIndices[end - 1] !== i || !(values[end - 1] > 0)) {
        throw notPositive(i, end > start && columnIndices[end - 1] === i ? values[end - 1] : 0);
      }
    }
  }
}

function otherPattern(): CurvatureError {
  return new CurvatureError(
    "ERR_ARGUMENT",
    "the matrix has another pattern than the one that this was made for.",
    { where: "IncompleteCholesky", path: "A", expected: "the pattern of the first matrix" },
  );
}

function notPositive(row: number, diagonal: number): CurvatureError {
  return new CurvatureError(
    "ERR_NOT_POSITIVE_DEFINITE",
    `The matrix is not positive definite: its diagonal entry in row ${row} (counted from 0) is ${diagonal}.`,
    { path: `row ${row}`, expected: "a positive diagonal entry", received: diagonal },
  );
}

function solveSingle(matrix: SparseMatrix, y: Float64Array): void {
  const { rows, rowPointers, columnIndices, values: L } = matrix;
  for (let i = 0; i < rows; i++) {
    const diagonal = rowPointers[i + 1] - 1;
    let sum = y[i];
    for (let p = rowPointers[i]; p < diagonal; p++) sum -= L[p] * y[columnIndices[p]];
    y[i] = sum / L[diagonal];
  }
  for (let i = rows - 1; i >= 0; i--) {
    const diagonal = rowPointers[i + 1] - 1;
    const z = y[i] / L[diagonal];
    y[i] = z;
    for (let p = rowPointers[i]; p < diagonal; p++) y[columnIndices[p]] -= L[p] * z;
  }
}

function solvePair(matrix: SparseMatrix, y: Float64Array): void {
  const { rows, rowPointers, columnIndices, values: L } = matrix;
  for (let i = 0; i < rows; i++) {
    const diagonal = rowPointers[i + 1] - 1;
    let sum0 = y[2 * i];
    let sum1 = y[2 * i + 1];
    for (let p = rowPointers[i]; p < diagonal; p++) {
      const l = L[p];
      const j = 2 * columnIndices[p];
      sum0 -= l * y[j];
      sum1 -= l * y[j + 1];
    }
    y[2 * i] = sum0 / L[diagonal];
    y[2 * i + 1] = sum1 / L[diagonal];
  }
  for (let i = rows - 1; i >= 0; i--) {
    const diagonal = rowPointers[i + 1] - 1;
    const z0 = y[2 * i] / L[diagonal];
    const z1 = y[2 * i + 1] / L[diagonal];
    y[2 * i] = z0;
    y[2 * i + 1] = z1;
    for (let p = rowPointers[i]; p < diagonal; p++) {
      const l = L[p];
      const j = 2 * columnIndices[p];
      y[j] -= l * z0;
      y[j + 1] -= l * z1;
    }
  }
}

function solveRows(matrix: SparseMatrix, d: number, y: Float64Array): void {
  const { rows, rowPointers, columnIndices, values: L } = matrix;
  for (let i = 0; i < rows; i++) {
    const diagonal = rowPointers[i + 1] - 1;
    for (let p = rowPointers[i]; p < diagonal; p++) {
      const l = L[p];
      const j = columnIndices[p];
      for (let c = 0; c < d; c++) y[i * d + c] -= l * y[j * d + c];
    }
    for (let c = 0; c < d; c++) y[i * d + c] /= L[diagonal];
  }
  for (let i = rows - 1; i >= 0; i--) {
    const diagonal = rowPointers[i + 1] - 1;
    for (let c = 0; c < d; c++) y[i * d + c] /= L[diagonal];
    for (let p = rowPointers[i]; p < diagonal; p++) {
      const l = L[p];
      const j = columnIndices[p];
      for (let c = 0; c < d; c++) y[j * d + c] -= l * y[i * d + c];
    }
  }
}
