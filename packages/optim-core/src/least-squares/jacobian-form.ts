/**
 * The two ways in which the numbers of a Jacobian are kept, dense (here) and sparse (`sparse-form.ts`): what Levenberg-Marquardt
 * asks of either. The numbers are one array, so that a snapshot holds it; where they belong is the form's.
 */
import {
  CurvatureError,
  type DenseMatrix,
  isSparse,
  type MatrixLike,
  norm2,
  type SparseMatrix,
  type SparseMatrixLike,
  shown,
  toDense,
  toSparse,
} from "@curvature/linalg";
import { LinearModel, type StepModel } from "./linear-model.js";

export interface JacobianForm {
  /** How many numbers it keeps. */
  readonly count: number;
  /** What it adds to a fingerprint. */
  readonly names: readonly Int32Array[];
  /** A Jacobian of the user's, as numbers of our own. @throws CurvatureError ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE */
  entriesOf(answer: MatrixLike | SparseMatrixLike): Float64Array;
  /** Jᵀ r */
  gradient(J: Float64Array, r: Float64Array): Float64Array;
  /** J p */
  along(J: Float64Array, p: Float64Array): Float64Array;
  /** The lengths of the columns. */
  lengths(J: Float64Array): Float64Array;
  /** Multiplies row i by `factors[i]`, in place. */
  scaleRows(J: Float64Array, factors: Float64Array): void;
  model(J: Float64Array, r: Float64Array, columns: Int32Array, D: Float64Array, error: number): StepModel;
  /** A copy, as a matrix. */
  matrix(J: Float64Array): DenseMatrix | SparseMatrix;
}

const where = "leastSquares";

export class DenseForm implements JacobianForm {
  readonly count: number;
  readonly names = [];

  constructor(
    private readonly m: number,
    private readonly n: number,
  ) {
    this.count = m * n;
  }

  entriesOf(answer: MatrixLike | SparseMatrixLike): Float64Array {
    const { m, n } = this;
    checkMatrix(answer, m, n);
    const name = `${where}: the Jacobian`;
    const matrix = isSparse(answer) ? denseOf(toSparse(answer, name)) : toDense(answer, name);
    checkJacobianShape(matrix, m, n);
    return matrix.data.slice();
  }

  gradient(J: Float64Array, r: Float64Array): Float64Array {
    const { n } = this;
    const gradient = new Float64Array(n);
    for (const [i, ri] of r.entries()) for (let j = 0; j < n; j++) gradient[j] += ri * J[i * n + j];
    return gradient;
  }

  along(J: Float64Array, p: Float64Array): Float64Array {
    const { m, n } = this;
    const along = new Float64Array(m);
    for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) along[i] += J[i * n + j] * p[j];
    return along;
  }

  lengths(J: Float64Array): Float64Array {
    const { m, n } = this;
    const column = new Float64Array(m);
    return new Float64Array(n).map((_, j) => {
      for (let i = 0; i < m; i++) column[i] = J[i * n + j];
      return norm2(column);
    });
  }

  scaleRows(J: Float64Array, factors: Float64Array): void {
    const { n } = this;
    for (const [i, factor] of factors.entries()) for (let j = 0; j < n; j++) J[i * n + j] *= factor;
  }

  model(
    jacobian: Float64Array,
    residuals: Float64Array,
    columns: Int32Array,
    D: Float64Array,
    error: number,
  ): StepModel {
    return new LinearModel({ jacobian, residuals }, columns, D, error);
  }

  matrix(J: Float64Array): DenseMatrix {
    return { rows: this.m, columns: this.n, data: J.slice() };
  }
}

export function checkMatrix(answer: unknown, m: number, n: number): asserts answer is object {
  if (typeof answer === "object" && answer !== null) return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `jacobian must return a matrix, such as an array of ${m} rows of ${n} numbers; received ${shown(answer)}.`,
    { where, path: "jacobian", expected: "a matrix", received: answer },
  );
}

export function checkJacobianShape(
  { rows, columns }: { readonly rows: number; readonly columns: number },
  m: number,
  n: number,
  name = "jacobian",
): void {
  if (rows === m && (columns === n || m === 0)) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${name} gave ${rows} x ${columns} numbers; it must give ${m} x ${n}, a row for each residual and a column for each parameter.`,
    { where, path: "jacobian", expected: `${m} x ${n}`, received: `${rows} x ${columns}` },
  );
}

export function denseOf({ rows, columns, rowPointers, columnIndices, values }: SparseMatrix): DenseMatrix {
  const data = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++)
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++)
      data[i * columns + columnIndices[p]] = values[p];
  return { rows, columns, data };
}
