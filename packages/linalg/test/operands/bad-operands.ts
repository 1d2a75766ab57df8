/** Sizes and matrices that are none. */
import type { DenseMatrix, SparseMatrix } from "../../src/index.js";

/** What programs without types may give. */
export const nothing = JSON.parse("null");

/** Neither counts nor indices. */
export const sizes: Readonly<Record<string, number>> = {
  negative: -1,
  fractional: 1.5,
  NaN: Number.NaN,
  infinite: Number.POSITIVE_INFINITY,
};

const dense = (rows: number, columns: number, length: number): DenseMatrix => ({
  rows,
  columns,
  data: new Float64Array(length).fill(1),
});

export const badOperands: Readonly<Record<string, DenseMatrix>> = {
  "no matrix": nothing,
  "data too short": dense(2, 2, 3),
  "half a row": dense(1.5, 2, 3),
  "a negative size": dense(-1, -2, 2),
  "a size of NaN": dense(Number.NaN, 2, 4),
};

/** Products alone read from longer arrays. */
export const badMatrices: Readonly<Record<string, DenseMatrix>> = {
  ...badOperands,
  "data too long": dense(2, 2, 5),
};

export const badSquares = { ...badMatrices, "not square": dense(2, 3, 6) };

function sparse(
  rowPointers: readonly number[],
  columnIndices: readonly number[],
  { values = columnIndices.length, rows = 2, columns = 2 } = {},
): SparseMatrix {
  return {
    rows,
    columns,
    rowPointers: Int32Array.from(rowPointers),
    columnIndices: Int32Array.from(columnIndices),
    values: new Float64Array(values).fill(1),
  };
}

/** None of them 2 × 2, and all of them nearly: their pointers or indices lead astray. */
export const badIndices: Readonly<Record<string, SparseMatrix>> = {
  "no sparse matrix": nothing,
  "pointers that fall": sparse([0, 4, 2], [0, 1]),
  "pointers too few": sparse([0, 2], [0, 1]),
  "pointers that begin later": sparse([1, 1, 2], [0, 1]),
  "a column beyond the last": sparse([0, 1, 2], [0, 2]),
  "a column far beyond the last": sparse([0, 1, 2], [0, 1_000_000]),
  "a negative column": sparse([0, 1, 2], [0, -1]),
  "values too few": sparse([0, 1, 2], [0, 1], { values: 1 }),
  "half a row": sparse([0, 1, 2], [0, 1], { rows: 1.5 }),
  "columns of NaN": sparse([0, 1, 2], [0, 1], { columns: Number.NaN }),
};

/** Those, and such whose rows are not sorted. */
export const badSparse: Readonly<Record<string, SparseMatrix>> = {
  ...badIndices,
  "columns that fall": sparse([0, 2, 2], [1, 0]),
  "a column twice": sparse([0, 2, 2], [1, 1]),
};
