/**
 * Rows copied into the order in which they are visited, since passes over rows that lie scattered in memory are 2 to 4
 * times slower (measured on sets of 0.5 to 60 MB). One copy serves all solvers that hold it at a time, as those of one
 * class against the rest do: it is looked up by the original rows and compared with them entry by entry, so that rows that
 * were changed in between are copied anew. They are copied to where native loops reach them, if there is such memory.
 */
import {
  type DenseMatrix,
  type RowMemory,
  type SparseMatrix,
  STEP_ROWS,
  takeRowMemory,
} from "@curvature/linalg";
import { isSparseRows, type Rows } from "@curvature/objectives/linear";

/** Stored entries of which a copy is worth its memory: 1.6 GB at most. */
const MAX_ENTRIES = 2 ** 27;

/** Stored entries in as many rows as are visited at a time, per column, from which on moving the weights there pays. */
const MIN_ENTRIES = 4;

const held = /* @__PURE__ */ new WeakMap<Rows, WeakRef<Rows>>();
const memories = /* @__PURE__ */ new WeakMap<Rows, RowMemory>();

/** Where a copy of `arrangedRows` lies, if native loops reach it. */
export const memoryOf = (copy: Rows): RowMemory | undefined => memories.get(copy);

/** Row k is row order[k] of the original ones; undefined if they are too many to be copied. */
export function arrangedRows(rows: Rows, order: Int32Array): Rows | undefined {
  const stored = isSparseRows(rows) ? rows.rowPointers[rows.rows] : rows.rows * rows.columns;
  if (stored > MAX_ENTRIES) return undefined;
  const known = held.get(rows)?.deref();
  if (known !== undefined && isArranged(known, rows, order)) return known;
  const copy = isSparseRows(rows) ? arrangedSparse(rows, order) : arrangedDense(rows, order);
  held.set(rows, new WeakRef(copy));
  return copy;
}

function arrangedSparse(
  rows: SparseMatrix<Float64Array> | SparseMatrix<Float32Array>,
  order: Int32Array,
): Rows {
  const copy = emptyRows(rows);
  const { rowPointers, columnIndices, values } = copy;
  let at = 0;
  for (let k = 0; k < order.length; k++) {
    const end = rows.rowPointers[order[k] + 1];
    for (let from = rows.rowPointers[order[k]]; from < end; from++, at++) {
      columnIndices[at] = rows.columnIndices[from];
      values[at] = rows.values[from];
    }
    rowPointers[k + 1] = at;
  }
  return copy;
}

/** Room for rows of this size and precision. */
function emptyRows({
  rows,
  columns,
  rowPointers,
  values,
}: SparseMatrix<Float64Array> | SparseMatrix<Float32Array>):
  | SparseMatrix<Float64Array>
  | SparseMatrix<Float32Array> {
  const stored = rowPointers[rows];
  const isDouble = values instanceof Float64Array;
  const pays = (stored / rows) * STEP_ROWS >= MIN_ENTRIES * columns;
  const native = pays ? nativeRows(rows, columns, stored, isDouble) : undefined;
  if (native !== undefined && isSparseRows(native)) return native;
  const pattern = {
    rows,
    columns,
    rowPointers: new Int32Array(rows + 1),
    columnIndices: new Int32Array(stored),
  };
  return isDouble
    ? { ...pattern, values: new Float64Array(stored) }
    : { ...pattern, values: new Float32Array(stored) };
}

function arrangedDense(
  { rows, columns, data }: DenseMatrix<Float64Array> | DenseMatrix<Float32Array>,
  order: Int32Array,
): Rows {
  const copy = emptyDenseRows(rows, columns, data instanceof Float64Array);
  for (let k = 0; k < order.length; k++)
    for (let j = 0; j < columns; j++) copy.data[k * columns + j] = data[order[k] * columns + j];
  return copy;
}

function emptyDenseRows(
  rows: number,
  columns: number,
  isDouble: boolean,
): DenseMatrix<Float64Array> | DenseMatrix<Float32Array> {
  const native = nativeRows(rows, columns, undefined, isDouble);
  if (native !== undefined && !isSparseRows(native)) return native;
  const size = rows * columns;
  return isDouble
    ? { rows, columns, data: new Float64Array(size) }
    : { rows, columns, data: new Float32Array(size) };
}

/** Rows of this size in memory that native loops reach; undefined where there is none. */
function nativeRows(
  rows: number,
  columns: number,
  stored: number | undefined,
  isDouble: boolean,
): Rows | undefined {
  const memory = takeRowMemory(rows, columns, stored, isDouble);
  if (memory !== undefined) memories.set(memory.rows, memory);
  return memory?.rows;
}

function isArranged(copy: Rows, rows: Rows, order: Int32Array): boolean {
  if (isSparseRows(copy) !== isSparseRows(rows) || copy.rows !== rows.rows || copy.columns !== rows.columns)
    return false;
  for (let k = 0; k < order.length; k++) if (!isSameRow(copy, k, rows, order[k])) return false;
  return true;
}

function isSameRow(A: Rows, k: number, B: Rows, i: number): boolean {
  if (isSparseRows(A) && isSparseRows(B)) {
    const [start, from] = [A.rowPointers[k], B.rowPointers[i]];
    const count = A.rowPointers[k + 1] - start;
    if (B.rowPointers[i + 1] - from !== count) return false;
    for (let e = 0; e < count; e++)
      if (
        A.columnIndices[start + e] !== B.columnIndices[from + e] ||
        A.values[start + e] !== B.values[from + e]
      )
        return false;
    return true;
  }
  if (isSparseRows(A) || isSparseRows(B)) return false;
  const d = A.columns;
  for (let j = 0; j < d; j++) if (A.data[k * d + j] !== B.data[i * d + j]) return false;
  return true;
}
