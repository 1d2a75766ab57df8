/**
 * Rows of features, and what is known of how they were read.
 */
import type { ColumnChoice } from "@curvature/datasets";
import { CurvatureError, type DenseMatrix, type SparseMatrix } from "@curvature/linalg";
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
  /** The names of the columns, of a table that has names. */
  readonly columns: readonly string[] | undefined;
  /** What the user had left out of it. */
  readonly ignored: readonly ColumnChoice[];
  /** Whether the user stated the index base. */
  readonly isStated: boolean;
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
