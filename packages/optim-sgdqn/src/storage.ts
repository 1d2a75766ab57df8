/**
 * Dense or sparse? Sparse rows cost an index for every entry, dense ones a product for every zero: above one entry in
 * four, dense rows are the faster.
 *
 * Bordes, Bottou, Gallinari: SGD-QN, JMLR 10 (2009), section 4: sparse storage of dense data +50 %, dense storage of
 * sparse text +900 %.
 */
import type { DenseMatrix, SparseMatrix } from "@curvature/linalg";
import { checkRows, isSparse, type Rows } from "@curvature/objectives/linear";

const DENSE_FROM = 0.25;
/** Entries of a dense matrix that is worth having: 1 GiB in double precision. */
const MOST_ENTRIES = 2 ** 27;

/**
 * The rows in the storage that trains faster, in their own precision: dense if more than a quarter of the entries are
 * not zero and the matrix has at most 2^27, else compressed sparse rows. Rows that are stored so already are returned as
 * they are.
 *
 * @throws CurvatureError ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE for what are no rows
 */
export function chooseStorage(rows: Rows): Rows {
  checkRows(rows, "chooseStorage");
  const size = rows.rows * rows.columns;
  const isDenseBetter = nonzeros(rows) > DENSE_FROM * size && size <= MOST_ENTRIES;
  if (isSparse(rows)) return isDenseBetter ? dense(rows) : rows;
  return isDenseBetter ? rows : sparse(rows);
}

function nonzeros(rows: Rows): number {
  const values = isSparse(rows) ? rows.values : rows.data;
  const stored = isSparse(rows) ? rows.rowPointers[rows.rows] : rows.rows * rows.columns;
  let count = 0;
  for (let k = 0; k < stored; k++) if (values[k] !== 0) count++;
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
