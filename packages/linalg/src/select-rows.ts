/** Rows of a matrix by their numbers: dense stay dense and sparse sparse, with entries of their precision. */
import type { DenseMatrix } from "./dense/matrix.js";
import { CurvatureError } from "./errors.js";
import { shown } from "./options.js";
import type { SparseMatrix } from "./sparse/csr.js";

type Dense = DenseMatrix | DenseMatrix<Float32Array>;
type Sparse = SparseMatrix | SparseMatrix<Float32Array>;

/**
 * A copy of the rows with these numbers, in this order; a row may come several times.
 *
 * @param matrix - as `toDense` and `toSparse` give it, of either precision
 * @throws CurvatureError ERR_ARGUMENT for what is no list, or a number of a row that is not there
 */
export function selectRows<Matrix extends Dense | Sparse>(matrix: Matrix, indices: ArrayLike<number>): Matrix;
export function selectRows(matrix: Dense | Sparse, indices: ArrayLike<number>): Dense | Sparse {
  checkIndices(matrix.rows, indices);
  if ("data" in matrix) {
    const { data } = matrix;
    const size = indices.length * matrix.columns;
    return data instanceof Float32Array
      ? dense({ ...matrix, data }, indices, new Float32Array(size))
      : dense({ ...matrix, data }, indices, new Float64Array(size));
  }
  const { values } = matrix;
  return values instanceof Float32Array
    ? sparse({ ...matrix, values }, indices, (count) => new Float32Array(count))
    : sparse({ ...matrix, values }, indices, (count) => new Float64Array(count));
}

function checkIndices(rows: number, indices: ArrayLike<number>): void {
  const isList = typeof indices === "object" && indices !== null && Number.isSafeInteger(indices.length);
  if (!isList || indices.length < 0)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `selectRows: indices must be an array of row numbers; received ${shown(indices)}.`,
      { path: "indices", expected: "an array of row numbers", received: indices },
    );
  for (let k = 0; k < indices.length; k++) {
    const i = indices[k];
    if (!(Number.isInteger(i) && i >= 0 && i < rows))
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `selectRows: indices must be whole numbers from 0 to ${rows - 1}, the rows of the matrix; received ${shown(i)} at ${k}.`,
        { path: `indices[${k}]`, expected: `0 to ${rows - 1}`, received: i },
      );
  }
}

function dense<T extends Float64Array | Float32Array>(
  { columns, data }: DenseMatrix<T>,
  indices: ArrayLike<number>,
  out: T,
): DenseMatrix<T> {
  for (let k = 0; k < indices.length; k++)
    out.set(data.subarray(indices[k] * columns, (indices[k] + 1) * columns), k * columns);
  return { rows: indices.length, columns, data: out };
}

function sparse<T extends Float64Array | Float32Array>(
  { columns, rowPointers: from, columnIndices, values }: SparseMatrix<T>,
  indices: ArrayLike<number>,
  make: (count: number) => T,
): SparseMatrix<T> {
  const rowPointers = new Int32Array(indices.length + 1);
  for (let k = 0; k < indices.length; k++)
    rowPointers[k + 1] = rowPointers[k] + from[indices[k] + 1] - from[indices[k]];
  const places = new Int32Array(rowPointers[indices.length]);
  const entries = make(rowPointers[indices.length]);
  for (let k = 0; k < indices.length; k++) {
    const [start, end] = [from[indices[k]], from[indices[k] + 1]];
    places.set(columnIndices.subarray(start, end), rowPointers[k]);
    entries.set(values.subarray(start, end), rowPointers[k]);
  }
  return { rows: indices.length, columns, rowPointers, columnIndices: places, values: entries };
}
