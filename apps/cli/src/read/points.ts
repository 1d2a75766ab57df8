/**
 * What a command reads: points from a file or standard input in any format of `@curvature/datasets`, and labels
 * from one of its columns or from a file of their own.
 */
import { type OtherColumns, type ReadOptions, readPoints, type Table } from "@curvature/datasets";
import { CurvatureError } from "@curvature/linalg";
import { inFlags } from "../run/flag-names.js";
import type { ColumnUse } from "./column-use.js";
import { bytesOf, inFile, shownName } from "./file.js";
import { firstLineWarning } from "./first-line.js";
import type { InputCache } from "./input-cache.js";
import { readLabels } from "./labels.js";

/** What reading needs of a session. */
export interface ReadContext {
  readonly signal: AbortSignal;
  /** In a thread that does one run of a sweep after another: what was read for the run before. */
  readonly cache?: InputCache;
}

export interface Input {
  readonly table: Table;
  /** What the labels are called; "" without labels. */
  readonly labelName: string;
  readonly warnings: readonly string[];
}

/**
 * @param path - a file, or - for standard input
 * @throws CurvatureError ERR_IO, ERR_PARSE, ERR_NON_FINITE, ERR_SHAPE, ERR_OPTION; an AbortError if the signal is
 */
export async function readInput(path: string, use: ColumnUse, context: ReadContext): Promise<Input> {
  const { labels } = use;
  const table = await readTable(path, use, context);
  if (labels.kind === "column") {
    const { column } = labels;
    const labelName = typeof column === "string" ? column : `column ${column + 1}`;
    return { table, labelName, warnings: warningsOn(path, table, use) };
  }
  const warnings = warningsOn(path, table, use);
  if (labels.kind === "none") {
    return { table, labelName: table.labels === undefined ? "" : "label", warnings };
  }
  const read = await readLabels(labels.path, bytesOf(labels.path, context.signal), table.points.rows);
  return { table: { ...table, labels: read.labels }, labelName: read.name, warnings };
}

/** The names of a table's columns, or undefined if it has none of its own. */
export function ownNames(columns: readonly string[]): readonly string[] | undefined {
  return columns.every((name) => /^column \d+$/.test(name)) ? undefined : columns;
}

/** What a user should know of how a table was read. */
export function warningsOn(
  path: string,
  { points, columns }: Pick<Table, "points" | "columns">,
  { labels }: ColumnUse,
): readonly string[] {
  if (ownNames(columns) !== undefined) return [];
  const indices = columns.map((name) => Number(name.replace("column ", "")) - 1);
  const warning = firstLineWarning(shownName(path), points, indices, labels.kind === "column");
  return warning === undefined ? [] : [warning];
}

/** A map to start from. */
export async function readMatrix(path: string, context: ReadContext): Promise<Table["points"]> {
  return (await readWith(readPoints, path, bytesOf(path, context.signal), {}, context)).points;
}

const readTable = (path: string, use: ColumnUse, context: ReadContext): Promise<Table> =>
  readWith(readPoints, path, bytesOf(path, context.signal), columnOptions(use), context);

/** As the readers take it. */
export const columnOptions = ({ labels, ignore }: ColumnUse): OtherColumns => ({
  labels: labels.kind === "column" ? labels.column : undefined,
  ignore,
});

/** What a reader of tables makes of a file, its errors in the command's words. */
export async function readWith<T>(
  read: (source: AsyncIterable<Uint8Array>, options: ReadOptions) => Promise<T>,
  path: string,
  source: AsyncIterable<Uint8Array>,
  options: Pick<ReadOptions, "labels" | "ignore" | "indexBase">,
  { cache }: ReadContext,
): Promise<T> {
  const all = { ...options, name: path === "-" ? undefined : path };
  const readIt = (): Promise<T> => read(source, all);
  try {
    return await (cache === undefined ? readIt() : cache.get(path, read, all, readIt));
  } catch (error) {
    if (error instanceof CurvatureError && error.code === "ERR_OPTION") throw inColumnsOf(path, error);
    throw inFile(path, withHeaderHint(error));
  }
}

/** Adds to what is wrong with columns that were chosen on the command line in which file that is. */
function inColumnsOf(path: string, error: CurvatureError): CurvatureError {
  const { code, message, path: option } = error;
  if (option !== "labels" && option !== "ignore") return error;
  const hint = /does not name its columns/.test(message) ? ` ${headerHint}` : "";
  const isName = /^labels: there is no column "/.test(message);
  const where = isName
    ? `Looked for in ${shownName(path)}; there is no file of this name either`
    : `In ${shownName(path)}`;
  return new CurvatureError(code, `${inFlags(error)}${hint} (${where}.)`, { path: option });
}

const headerHint = "If the first line names the columns, none of them may be called by a number: x1 for 1.";

/** Adds what a header may not have to what is wrong with a cell of the first line. */
function withHeaderHint(error: unknown): unknown {
  if (!(error instanceof CurvatureError) || error.code !== "ERR_PARSE") return error;
  const { code, path, expected, received } = error;
  if (!path?.startsWith("line 1, column ")) return error;
  return new CurvatureError(code, `${inFlags(error)} ${headerHint}`, { path, expected, received });
}
