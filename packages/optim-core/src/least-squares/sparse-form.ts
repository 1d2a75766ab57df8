/** A sparse Jacobian: its pattern stays, its numbers are kept row by row. */
import {
  CurvatureError,
  type MatrixLike,
  type SparseMatrix,
  type SparseMatrixLike,
  sparseTimesVector,
  toSparse,
} from "@curvature/linalg";
import { checkJacobianShape, checkMatrix, denseOf, type JacobianForm } from "./jacobian-form.js";
import { LinearModel, type StepModel } from "./linear-model.js";
import { NormalEquations, type SparseColumns, sparseColumns } from "./normal-equations.js";
import { SparseModel, transposeTimes } from "./sparse-model.js";

/** m n² and m n up to which dense QR stands in for Cholesky where that is worth nothing. */
const MOST_WORK = 5e7;
const MOST_NUMBERS = 1e6;

export class SparseForm implements JacobianForm {
  readonly count: number;
  readonly names: readonly Int32Array[];
  /** The entries by columns. */
  readonly columns: SparseColumns;
  private equations: NormalEquations | undefined;

  /** @param pattern - m × n, its own; the values are not looked at */
  constructor(readonly pattern: SparseMatrix) {
    this.count = pattern.values.length;
    this.columns = sparseColumns(pattern);
    this.names = [pattern.rowPointers, pattern.columnIndices];
  }

  /** Whether dense matrices of its shape are affordable. */
  get isSmall(): boolean {
    const { rows, columns } = this.pattern;
    return rows * columns <= MOST_NUMBERS && rows * columns * columns <= MOST_WORK;
  }

  /** Kept from one Jacobian to the next. */
  get normal(): NormalEquations {
    this.equations ??= new NormalEquations(this.pattern, this.columns);
    return this.equations;
  }

  entriesOf(answer: MatrixLike | SparseMatrixLike): Float64Array {
    const { rows, columns, rowPointers, columnIndices } = this.pattern;
    checkMatrix(answer, rows, columns);
    const given = toSparse(answer, "leastSquares: the Jacobian");
    checkJacobianShape(given, rows, columns);
    const J = new Float64Array(this.count);
    for (let i = 0; i < rows; i++) {
      let p = rowPointers[i];
      for (let q = given.rowPointers[i]; q < given.rowPointers[i + 1]; q++) {
        const j = given.columnIndices[q];
        while (p < rowPointers[i + 1] && columnIndices[p] < j) p++;
        if (p < rowPointers[i + 1] && columnIndices[p] === j) J[p] = given.values[q];
        else if (given.values[q] !== 0) throw newEntry(i, j);
      }
    }
    return J;
  }

  gradient(J: Float64Array, r: Float64Array): Float64Array {
    return transposeTimes(this.of(J), r);
  }

  along(J: Float64Array, p: Float64Array): Float64Array {
    const along = new Float64Array(this.pattern.rows);
    sparseTimesVector(this.of(J), p, along);
    return along;
  }

  lengths(J: Float64Array): Float64Array {
    const { columnIndices } = this.pattern;
    const largest = new Float64Array(this.pattern.columns);
    for (let p = 0; p < J.length; p++) {
      const j = columnIndices[p];
      largest[j] = Math.max(largest[j], Math.abs(J[p]));
    }
    const squares = new Float64Array(largest.length);
    for (let p = 0; p < J.length; p++) {
      const j = columnIndices[p];
      if (largest[j] > 0) squares[j] += (J[p] / largest[j]) * (J[p] / largest[j]);
    }
    return squares.map((sum, j) => largest[j] * Math.sqrt(sum));
  }

  scaleRows(J: Float64Array, factors: Float64Array): void {
    const { rowPointers } = this.pattern;
    for (const [i, factor] of factors.entries())
      for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) J[p] *= factor;
  }

  /** By Cholesky; by QR where that is worth nothing and the problem is small. */
  model(
    J: Float64Array,
    residuals: Float64Array,
    columns: Int32Array,
    D: Float64Array,
    error: number,
  ): StepModel {
    const model = this.sparseModel(J, residuals, columns, D);
    if (model.hasFullRank || !this.isSmall) return model;
    return new LinearModel({ jacobian: this.dense(J), residuals }, columns, D, error);
  }

  sparseModel(J: Float64Array, residuals: Float64Array, columns: Int32Array, D: Float64Array): SparseModel {
    return new SparseModel(this.of(J), residuals, columns, this.lengths(J), D, this.normal);
  }

  /** Row by row, zeros included. */
  dense(J: Float64Array): Float64Array {
    return denseOf(this.of(J)).data;
  }

  matrix(J: Float64Array): SparseMatrix {
    const { rows, columns, rowPointers, columnIndices } = this.pattern;
    return {
      ...{ rows, columns, rowPointers: rowPointers.slice(), columnIndices: columnIndices.slice() },
      values: J.slice(),
    };
  }

  private of(values: Float64Array): SparseMatrix {
    return { ...this.pattern, values };
  }
}

const newEntry = (i: number, j: number): CurvatureError =>
  new CurvatureError(
    "ERR_ARGUMENT",
    `jacobian has an entry in row ${i}, column ${j} (counted from 0) that was not in the pattern: that of jacobianPattern, or of the Jacobian at the start. Give a jacobianPattern with all entries that are ever used, or store zeros.`,
    { where: "leastSquares", path: `jacobian[${i}][${j}]`, expected: "an entry of the pattern" },
  );
