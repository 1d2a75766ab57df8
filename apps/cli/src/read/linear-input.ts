/**
 * What the commands of linear models read: rows of features with their labels, dense from tables, sparse from LIBSVM
 * text, whose lines begin with their labels.
 */
import { type ColumnChoice, readRows } from "@curvature/datasets";
import { CurvatureError } from "@curvature/linalg";
import type { ColumnUse } from "./column-use.js";
import { bytesOf, shownName } from "./file.js";
import { type KnownColumns, readKnownRows } from "./known-columns.js";
import { readLabels } from "./labels.js";
import { columnOptions, ownNames, type ReadContext, readWith, warningsOn } from "./points.js";
import type { FeatureMatrix, IndexBase, RowLabels, RowsRead } from "./rows.js";

export interface LinearInput {
  readonly rows: FeatureMatrix;
  /** Undefined if the input has none. */
  readonly labels: RowLabels | undefined;
  /** Of LIBSVM text: from what it counts its features. */
  readonly indexBase: 0 | 1 | undefined;
  /** The names of the columns, of a table that has names. */
  readonly columns: readonly string[] | undefined;
  /** What the user had left out. */
  readonly ignored: readonly ColumnChoice[];
  readonly warnings: readonly string[];
}

/**
 * @param path - a file, or - for standard input
 * @param known - the columns of the model that the rows are for: what is in others is no matter. Asked for if they matter
 * @throws CurvatureError ERR_IO, ERR_PARSE, ERR_NON_FINITE, ERR_SHAPE, ERR_OPTION, ERR_MEMORY; an AbortError if
 *   `signal` is
 */
export async function readLinearInput(
  path: string,
  use: ColumnUse,
  indexBase: IndexBase,
  context: ReadContext,
  known?: () => Promise<KnownColumns>,
): Promise<LinearInput> {
  const source = use.labels;
  const options = { ...columnOptions(use), indexBase };
  const read =
    known === undefined
      ? await readWith(readRows, path, bytesOf(path, context.signal), options, context)
      : await readKnownRows(path, options, known, context);
  const isSparse = read.kind === "sparse";
  const rows = isSparse ? read.rows : read.points;
  const rawLabels =
    source.kind === "file"
      ? (await readLabels(source.path, bytesOf(source.path, context.signal), rows.rows)).labels
      : read.labels;
  return {
    rows,
    labels: rawLabels === undefined ? undefined : numbersIfAll(rawLabels),
    indexBase: isSparse ? read.indexBase : undefined,
    columns: isSparse ? undefined : ownNames(read.columns),
    ignored: use.ignore,
    warnings: isSparse
      ? read.warnings.map((sentence) => `${shownName(path)}: ${sentence}`)
      : warningsOn(path, read, use),
  };
}

const decimal = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,4})?\s*$/i;
/** Whether a label may be meant as a number. */
export const isNumber = (label: string): boolean => decimal.test(label) && Number.isFinite(Number(label));

/** Labels that are all numbers are meant as numbers, whatever the format: 1 and +1 are one class. */
export function numbersIfAll(labels: RowLabels): RowLabels {
  if (labels instanceof Float64Array || !labels.every(isNumber)) return labels;
  return Float64Array.from(labels, Number);
}

/** The labels, which must be there. @throws CurvatureError ERR_PARSE */
export function labelsOf({ labels }: LinearInput, path: string): RowLabels {
  if (labels !== undefined) {
    const empty = labels instanceof Float64Array ? -1 : labels.indexOf("");
    if (empty < 0) return labels;
    throw new CurvatureError(
      "ERR_PARSE",
      `${shownName(path)}: row ${empty + 1} of the data has an empty label. Give every row a label.`,
      { path, expected: "a label" },
    );
  }
  throw new CurvatureError(
    "ERR_PARSE",
    `${shownName(path)} has no labels. Name their column or their file with --labels.`,
    { path, expected: "labels" },
  );
}

/** The rows with how they were read. */
export const readRowsOf = (
  { rows, indexBase, columns, ignored }: LinearInput,
  path: string,
  asked: IndexBase,
): RowsRead => ({
  path,
  rows,
  indexBase,
  columns,
  ignored,
  isStated: asked !== "auto",
});

/** The labels as numbers to be predicted. @throws CurvatureError ERR_PARSE */
export function targetsOf(input: LinearInput, path: string): Float64Array {
  const labels = labelsOf(input, path);
  if (labels instanceof Float64Array) return labels;
  const row = labels.findIndex((label) => !isNumber(label));
  throw new CurvatureError(
    "ERR_PARSE",
    `${shownName(path)}: row ${row + 1} of the data has the label ${JSON.stringify(labels[row].slice(0, 60))}, but regression needs numbers. Choose a loss for classes, or another label column.`,
    { path, expected: "a number", received: labels[row] },
  );
}

/** The arrays of a matrix, for another thread to have. */
export function buffersOf(rows: FeatureMatrix): ArrayBufferLike[] {
  if ("data" in rows) return [rows.data.buffer];
  return [rows.rowPointers.buffer, rows.columnIndices.buffer, rows.values.buffer];
}
