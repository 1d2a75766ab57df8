/** Rows of a matrix by their numbers: dense stay dense and sparse sparse, with entries of their precision. */
import { checkDenseForm, type DenseMatrix } from "./dense/matrix.js";
import type { CurvatureError, ErrorCode } from "./errors.js";
import { allocated } from "./memory.js";
import { unfit } from "./options.js";
import { checkSparseForm } from "./sparse/check-sparse.js";
import type { SparseMatrix } from "./sparse/csr.js";
import { isSparse } from "./sparse/to-sparse.js";

type Dense = DenseMatrix | DenseMatrix<Float32Array>;
type Sparse = SparseMatrix | SparseMatrix<Float32Array>;

/** What 32-bit row pointers count. */
const MAX_ENTRIES = 2 ** 31 - 1;

/**
 * A copy of the rows with these numbers, in this order; a row may come several times. What the entries are is not
 * looked at.
 *
 * @param matrix - as `toDense` and `toSparse` give it, of either precision
 * @throws CurvatureError ERR_SHAPE for what is no such matrix; ERR_ARGUMENT for what is no list, or a number of a row
 *   that is not there; ERR_MEMORY where there is no room for the copy
 */
export function selectRows<Matrix extends Dense | Sparse>(matrix: Matrix, indices: ArrayLike<number>): Matrix;
export function selectRows(matrix: Dense | Sparse, indices: ArrayLike<number>): Dense | Sparse {
  if (isSparse(matrix)) checkSparseForm(matrix, "selectRows: matrix");
  else checkDenseForm(matrix, "selectRows: matrix");
  checkIndices(matrix.rows, indices);
  if ("data" in matrix) {
    const { data } = matrix;
    return data instanceof Float32Array
      ? dense({ ...matrix, data }, indices, Float32Array)
      : dense({ ...matrix, data }, indices, Float64Array);
  }
  const { values } = matrix;
  return values instanceof Float32Array
    ? sparse({ ...matrix, values }, indices, Float32Array)
    : sparse({ ...matrix, values }, indices, Float64Array);
}

function checkIndices(rows: number, indices: ArrayLike<number>): void {
  const isList = typeof indices === "object" && indices !== null && Number.isSafeInteger(indices.length);
  if (!isList || indices.length < 0)
    throw refused("ERR_ARGUMENT", "indices", "an array of row numbers", indices);
  for (let k = 0; k < indices.length; k++) {
    const i = indices[k];
    if (!(Number.isInteger(i) && i >= 0 && i < rows))
      throw refused(
        "ERR_ARGUMENT",
        `indices[${k}]`,
        `a whole number from 0 to ${rows - 1}, a row of the matrix`,
        i,
      );
  }
}

function refused(code: ErrorCode, path: string, expected: string, received: unknown): CurvatureError {
  return unfit(code, "selectRows", path, expected, received);
}

function dense<T extends Float64Array | Float32Array>(
  { columns, data }: DenseMatrix<T>,
  indices: ArrayLike<number>,
  Numbers: Parameters<typeof allocated<T>>[2],
): DenseMatrix<T> {
  const out = allocated(indices.length * columns, "selectRows", Numbers);
  for (let k = 0; k < indices.length; k++)
    out.set(data.subarray(indices[k] * columns, (indices[k] + 1) * columns), k * columns);
  return { rows: indices.length, columns, data: out };
}

function sparse<T extends Float64Array | Float32Array>(
  { columns, rowPointers: from, columnIndices, values }: SparseMatrix<T>,
  indices: ArrayLike<number>,
  Numbers: Parameters<typeof allocated<T>>[2],
): SparseMatrix<T> {
  const rowPointers = allocated(indices.length + 1, "selectRows", Int32Array);
  let count = 0;
  for (let k = 0; k < indices.length; k++) {
    const i = indices[k];
    const entries = from[i + 1] - from[i];
    if (!(from[i] >= 0 && entries >= 0 && from[i + 1] <= values.length))
      throw refused(
        "ERR_SHAPE",
        `matrix.rowPointers[${i + 1}]`,
        "no less than the one before, and no more than there are entries",
        from[i + 1],
      );
    count += entries;
    if (count > MAX_ENTRIES)
      throw refused("ERR_MEMORY", "indices", `of rows with at most ${MAX_ENTRIES} entries in all`, indices);
    rowPointers[k + 1] = count;
  }
  const ownColumns = allocated(count, "selectRows", Int32Array);
  const entries = allocated(count, "selectRows", Numbers);
  for (let k = 0; k < indices.length; k++) {
    const [start, end] = [from[indices[k]], from[indices[k] + 1]];
    ownColumns.set(columnIndices.subarray(start, end), rowPointers[k]);
    entries.set(values.subarray(start, end), rowPointers[k]);
  }
  return { rows: indices.length, columns, rowPointers, columnIndices: ownColumns, values: entries };
}
