/** Sparse rows as a table, zeros written out. */
import { CurvatureError } from "@curvature/linalg";
import { allocate } from "./bytes.js";
import type { LibsvmBatch } from "./libsvm.js";
import { noData, numbered, type Table } from "./table.js";

/** 2 GiB of float64. */
const mostNumbers = 2 ** 28;

/** @throws CurvatureError ERR_MEMORY for a table of more than 2 GiB, ERR_PARSE for rows without any entry */
export function denseTable({ rows: A, labels }: LibsvmBatch<Float64Array>): Table {
  const { rows, columns, rowPointers, columnIndices, values } = A;
  if (columns === 0) throw noData("The input has labels only.");
  const data = denseZeros(rows, columns);
  for (let i = 0; i < rows; i++) {
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++)
      data[i * columns + columnIndices[p]] = values[p];
  }
  return { columns: numbered(columns), points: { rows, columns, data }, labels: Array.from(labels, String) };
}

/** Room for a sparse matrix with its zeros, row by row. @throws CurvatureError ERR_MEMORY for more than 2 GiB */
export function denseZeros(rows: number, columns: number): Float64Array {
  if (rows * columns > mostNumbers) {
    throw new CurvatureError(
      "ERR_MEMORY",
      `The sparse input has ${rows} rows and ${columns} columns; with their zeros these are more than ${mostNumbers} numbers. Take fewer rows or columns.`,
      { expected: `at most ${mostNumbers} numbers`, received: rows * columns },
    );
  }
  return allocate(() => new Float64Array(rows * columns), rows * columns * 8);
}
