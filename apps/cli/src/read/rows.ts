/**
 * Rows of features, and what is known of how they were read.
 */
import { CurvatureError, type DenseMatrix, type SparseMatrix } from "@curvature/linalg";
import { count } from "../run/terminal.js";
import { shownName } from "./file.js";

export type FeatureMatrix = DenseMatrix | SparseMatrix<Float32Array>;
/** All numbers, or all words. */
export type RowLabels = Float64Array | readonly string[];
/** What LIBSVM text counts its features from; only an index 0 tells which. */
export type IndexBase = "auto" | 0 | 1;

/** How rows were read. */
export interface RowsRead {
  readonly path: string;
  readonly rows: FeatureMatrix;
  /** Of LIBSVM text: from what it was taken to count. */
  readonly indexBase: 0 | 1 | undefined;
  /** Whether the user stated the index base. */
  readonly isStated: boolean;
  /** What columns are called, where they have names, and the file's row of each, from 0, where some of it were left out. */
  readonly columns?: readonly string[] | undefined;
  readonly fileRows?: ArrayLike<number> | undefined;
}

/**
 * The rows with their features where the model has them: it knows from what the text that it was trained on counted, and
 * so decides for text that does not tell.
 *
 * @throws CurvatureError ERR_PARSE for an index 0 where the model's text counted from 1
 */
export function alignedRows(
  { path, rows, indexBase, isStated }: RowsRead,
  ofModel: 0 | 1 | undefined,
): FeatureMatrix {
  if (isStated || ofModel === undefined || indexBase === undefined || indexBase === ofModel) return rows;
  if (indexBase === 0) {
    throw new CurvatureError(
      "ERR_PARSE",
      `${shownName(path)} has index 0, but the model was trained on features counted from 1. If the file is right, say so with --index-base 0.`,
      { path, expected: "an index of at least 1", received: 0 },
    );
  }
  if ("data" in rows) return rows;
  return { ...rows, columns: rows.columns + 1, columnIndices: rows.columnIndices.map((index) => index + 1) };
}

/** Whether rows have all columns of a model that knows them by position. @throws CurvatureError ERR_SHAPE */
export function checkColumns(rows: FeatureMatrix, path: string, features: number): void {
  if (!("data" in rows) || rows.columns >= features) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${shownName(path)} has ${count(rows.columns)} ${rows.columns === 1 ? "column" : "columns"} of numbers, and the model was trained on ${count(features)}. Give all of them, in the order of the training, or with the names that they had there.`,
    { path, expected: `${features} columns`, received: rows.columns },
  );
}

/** Of columns beyond those of the model, matched by position. */
export function unseenWarning(unseen: number): string | undefined {
  if (unseen === 0) return undefined;
  return `The data have ${count(unseen)} feature${unseen === 1 ? "" : "s"} that the training never saw; the model ignores ${unseen === 1 ? "it" : "them"}.`;
}

/** The arrays of a matrix, for another thread to have. */
export function buffersOf(rows: FeatureMatrix): ArrayBufferLike[] {
  if ("data" in rows) return [rows.data.buffer];
  return [rows.rowPointers.buffer, rows.columnIndices.buffer, rows.values.buffer];
}

/** As many numbers as a gigabyte holds. */
const maxDense = 2 ** 27;

/** With its zeros written out, if they fit into memory; else as it is. */
export function writtenOut(matrix: FeatureMatrix): FeatureMatrix {
  if ("data" in matrix || matrix.rows * matrix.columns > maxDense) return matrix;
  const { rows, columns, rowPointers, columnIndices, values } = matrix;
  const data = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++)
      data[i * columns + columnIndices[p]] = values[p];
  }
  return { rows, columns, data };
}

/** With its zeros written out. @throws CurvatureError ERR_MEMORY */
export function denseRows(matrix: FeatureMatrix): DenseMatrix {
  const written = writtenOut(matrix);
  if ("data" in written) return written;
  throw new CurvatureError(
    "ERR_MEMORY",
    `${matrix.rows} rows of ${matrix.columns} features are too many to be written out, as curvature fit and its models need them. Give fewer rows at a time.`,
    { received: [matrix.rows, matrix.columns] },
  );
}

/** Columns beyond those of the model are not looked at, and missing ones of sparse rows are 0. */
export function withColumns({ rows, columns, data }: DenseMatrix, count: number): DenseMatrix {
  if (columns === count) return { rows, columns, data };
  const kept = new Float64Array(rows * count);
  const width = Math.min(count, columns);
  for (let i = 0; i < rows; i++) kept.set(data.subarray(i * columns, i * columns + width), i * count);
  return { rows, columns: count, data: kept };
}
