/**
 * Columns of tables have names; a model knows those that it was trained on, and finds them by name in what it is asked
 * about. Where one of the two has no names (NPY, LIBSVM text, CSV without a header), columns are matched by position.
 */
import type { ColumnChoice } from "@curvature/datasets";
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import { count } from "../run/terminal.js";
import { shownName } from "./file.js";
import type { FeatureMatrix } from "./rows.js";

/** Names by which a model can know its columns: undefined where one is there twice. */
export function distinctNames(columns: readonly string[] | undefined): readonly string[] | undefined {
  return new Set(columns).size < (columns?.length ?? 0) ? undefined : columns;
}

export interface RowsByName {
  readonly rows: FeatureMatrix;
  /** How many columns are left out. */
  readonly extra: number;
  /** What a user should know of the columns' order, and of columns that are left out. */
  readonly warnings: readonly string[];
}

/**
 * The rows with the model's columns, in its order.
 *
 * @param names - those of the rows
 * @param ignored - what the user had left out: no news to him, and perhaps the columns that are missing
 * @throws CurvatureError ERR_SHAPE for a column of the model that the rows lack, or have twice
 */
export function rowsByName(
  rows: FeatureMatrix,
  path: string,
  names: readonly string[] | undefined,
  ofModel: readonly string[] | undefined,
  ignored: readonly ColumnChoice[],
): RowsByName {
  if (!("data" in rows)) return { rows, extra: 0, warnings: [] };
  if (names === undefined) return firstColumns(rows, path, ofModel?.length ?? rows.columns);
  if (ofModel === undefined) return { rows, extra: 0, warnings: [byPosition(path, names)] };
  if (names.length === ofModel.length && names.every((name, j) => name === ofModel[j]))
    return { rows, extra: 0, warnings: [] };
  const place = new Map(names.map((name, j) => [name, j]));
  const known = new Set(ofModel);
  const doubled = names.find((name, j) => known.has(name) && place.get(name) !== j);
  if (doubled !== undefined) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `${shownName(path)} has ${listed([doubled])} twice, and the model does not know which is meant. Remove or rename one.`,
      { path, expected: "one column of each name", received: doubled },
    );
  }
  const missing = ofModel.filter((name) => !place.has(name));
  const extra = names.filter((name) => !known.has(name) && !ignored.includes(name));
  if (missing.length > 0) {
    const mayBeIgnored = ignored.some((choice) => typeof choice === "number" || missing.includes(choice));
    const others = extra.length === 0 ? "" : `; it has ${listed(extra)} instead`;
    throw new CurvatureError(
      "ERR_SHAPE",
      `${shownName(path)} lacks${mayBeIgnored ? ", or --ignore leaves out," : ""} ${listed(missing)}, which the model was trained on${others}. Name the columns as they were named in the training, or give the rows without a header to match columns by position.`,
      { path, expected: ofModel.join(", ").slice(0, 500), received: names.join(", ").slice(0, 500) },
    );
  }
  const indices = ofModel.map((name) => place.get(name) ?? 0);
  const warnings: string[] = [];
  if (extra.length > 0)
    warnings.push(
      `${shownName(path)}: ${listed(extra)} did not occur in the training and ${extra.length === 1 ? "is" : "are"} ignored.`,
    );
  if (indices.some((at, j) => j > 0 && at < indices[j - 1]))
    warnings.push(
      `${shownName(path)} has its columns in another order than the training; they are matched by name.`,
    );
  return { rows: selectedColumns(rows, indices), extra: extra.length, warnings };
}

/** Whether rows, with the model's columns first, have all of them. @throws CurvatureError ERR_SHAPE */
export function checkColumns(rows: FeatureMatrix, path: string, features: number): void {
  if (!("data" in rows) || rows.columns >= features) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${shownName(path)} has ${count(rows.columns)} ${rows.columns === 1 ? "column" : "columns"} of numbers, and the model was trained on ${count(features)}. Give all of them, in the order of the training, or with the names that they had there.`,
    { path, expected: `${features} columns`, received: rows.columns },
  );
}

/** Of rows without names, for a model that was trained on so many columns with names. */
function firstColumns(rows: DenseMatrix, path: string, wanted: number): RowsByName {
  const extra = Math.max(0, rows.columns - wanted);
  if (extra === 0) return { rows, extra, warnings: [] };
  const indices = Array.from({ length: wanted }, (_, j) => j);
  const warning = `${shownName(path)} does not name its columns, and has ${rows.columns} where the model knows ${wanted}: the first ${wanted} are taken. Check that they are those of the training.`;
  return { rows: selectedColumns(rows, indices), extra, warnings: [warning] };
}

const byPosition = (path: string, names: readonly string[]): string =>
  `${shownName(path)} names its columns, but the model knows none of their names: ${listed(names)} ${names.length === 1 ? "is" : "are"} taken by position. Check that they are in the order of the training, or train on rows with names.`;

function selectedColumns({ rows, columns, data }: DenseMatrix, indices: readonly number[]): DenseMatrix {
  const d = indices.length;
  const selected = new Float64Array(rows * d);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < d; j++) selected[i * d + j] = data[i * columns + indices[j]];
  return { rows, columns: d, data: selected };
}

const SHOWN = 5;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN).map((name) => JSON.stringify(name.slice(0, 60)));
  const rest = names.length - shown.length;
  const what = names.length === 1 ? "the column" : "the columns";
  return `${what} ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** Of columns beyond those of the model, matched by position. */
export function unseenWarning(unseen: number): string | undefined {
  if (unseen === 0) return undefined;
  return `The data have ${count(unseen)} feature${unseen === 1 ? "" : "s"} that the training never saw; the model ignores ${unseen === 1 ? "it" : "them"}.`;
}
