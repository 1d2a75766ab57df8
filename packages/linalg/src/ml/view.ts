/** Our dense matrices as ml-matrix matrices, without a copy, and back. */
import { AbstractMatrix } from "ml-matrix";
import { checkDenseForm, type DenseMatrix, toDense } from "../dense/matrix.js";

/**
 * A dense matrix in the clothes of ml-matrix: all its methods work, and writes go through to the flat array. Results
 * of operations, `clone()` included, are matrices of ml-matrix's own kind.
 */
export class MatrixView extends AbstractMatrix {
  override readonly rows: number;
  override readonly columns: number;
  /** Row-major, the very array of the matrix viewed. */
  readonly data: Float64Array;

  /** @throws CurvatureError ERR_SHAPE; the numbers are not looked at */
  constructor(matrix: DenseMatrix) {
    super();
    checkDenseForm(matrix, "MatrixView: matrix");
    this.rows = matrix.rows;
    this.columns = matrix.columns;
    this.data = matrix.data;
  }

  override get(row: number, column: number): number {
    return this.data[row * this.columns + column];
  }

  override set(row: number, column: number, value: number): this {
    this.data[row * this.columns + column] = value;
    return this;
  }
}

/** A view of the matrix for ml-matrix; nothing is copied, and the numbers are not looked at. @throws CurvatureError ERR_SHAPE */
export function toMl(matrix: DenseMatrix): MatrixView {
  return new MatrixView(matrix);
}

/**
 * An ml-matrix matrix as ours: the array itself where it is a view of one, otherwise a copy.
 *
 * @throws CurvatureError ERR_NON_FINITE
 */
export function fromMl(matrix: AbstractMatrix, name = "matrix"): DenseMatrix {
  if (matrix instanceof MatrixView)
    return toDense({ rows: matrix.rows, columns: matrix.columns, data: matrix.data }, name);
  return toDense(matrix, name);
}
