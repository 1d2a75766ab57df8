/**
 * Columns that a model does not know may hold anything: labels that are still in the file, names, dates, gaps.
 *
 * A table is read as numbers. Where that fails, it is read once more with a 0 in all cells of the columns that the model does
 * not know; lines and columns stay where they were, so that an error in a column that it needs is where the reader
 * says it is. Only then the model is asked for its columns.
 */
import { type ColumnChoice, type OtherColumns, type Rows, readRows } from "@curvature/datasets";
import { CurvatureError } from "@curvature/linalg";
import { type ColumnsOf, clearedText, type TextFormat } from "./cleared-text.js";
import { bytesOf, isPipe } from "./file.js";
import { type ReadContext, readWith } from "./points.js";
import type { IndexBase } from "./rows.js";

/** The columns of a model. */
export interface KnownColumns {
  /** Undefined if it knows them by their positions only. */
  readonly names: readonly string[] | undefined;
  readonly count: number;
}

/** Which columns are none of the features, and from what LIBSVM text counts. */
export interface RowReading extends OtherColumns {
  readonly indexBase: IndexBase;
}

/** @throws CurvatureError as `readRows`, but only for the columns that the model knows */
export async function readKnownRows(
  path: string,
  options: RowReading,
  known: () => Promise<KnownColumns>,
  context: ReadContext,
): Promise<Rows> {
  const { signal } = context;
  const held = isPipe(path) ? await collected(bytesOf(path, signal)) : undefined;
  const source = (): AsyncIterable<Uint8Array> => (held === undefined ? bytesOf(path, signal) : again(held));
  try {
    return await readWith(readRows, path, source(), options, context);
  } catch (error) {
    const format = formatOf(error);
    if (format === undefined) throw error;
    const columns = await known();
    const isTabbed = /\.(tsv|tab)(\.gz)?$/i.test(path);
    const others: ColumnsOf = (names, width) => otherColumns(names, width, options, columns);
    const text = await clearedText(format, isTabbed ? "\t" : "auto", source(), others);
    if (text === undefined) throw error;
    const read: typeof readRows = (bytes, { labels, ignore = [] } = {}) =>
      readRows(bytes, { labels, ignore, format });
    return readWith(read, path, text, options, context);
  }
}

/** Of the table that a reader found a mistake in, by how it names the place; undefined for what is no table of text. */
function formatOf(error: unknown): TextFormat | undefined {
  const cause = error instanceof CurvatureError ? error.cause : undefined;
  const place = cause instanceof CurvatureError ? (cause.path ?? "") : "";
  if (/^line \d+, column /.test(place)) return "csv";
  if (/^Line \d+/.test(place)) return "jsonl";
  return /^Row \d+/.test(place) ? "json" : undefined;
}

/** The indices of the columns that are neither labels nor ignored nor the model's. */
function otherColumns(
  names: readonly string[] | undefined,
  width: number,
  { labels, ignore }: RowReading,
  { names: wanted, count }: KnownColumns,
): ReadonlySet<number> {
  const indexOf = (choice: ColumnChoice): number | undefined =>
    typeof choice === "string" ? names?.indexOf(choice) : choice;
  const taken = new Set([...ignore, ...(labels === undefined ? [] : [labels])].map(indexOf));
  const indices = Array.from({ length: width }, (_, j) => j).filter((j) => !taken.has(j));
  if (names === undefined || wanted === undefined) return new Set(indices.slice(count));
  const known = new Set(wanted);
  return new Set(indices.filter((j) => !known.has(names[j])));
}

/** In pieces, as they came: joined they would be there twice for a while. */
async function collected(source: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return pieces;
}

async function* again(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
