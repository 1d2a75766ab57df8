/**
 * The text of a table with a 0 in each cell of some of its columns, and all other cells on the lines and in the columns
 * where they were.
 */
import { gunzipSync } from "node:zlib";
import { readCells, writeCells } from "@curvature/datasets";
import { CurvatureError } from "@curvature/linalg";

export type TextFormat = "csv" | "jsonl" | "json";

/** The columns to be cleared, counted from 0, of a table with so many; undefined for one without names. */
export type ColumnsOf = (names: readonly string[] | undefined, width: number) => ReadonlySet<number>;

/** Bytes of text; their cells as words take up some five times as many. */
const maxBytes = 2 ** 28;

/** Undefined for what cannot be taken apart: the reader has said why. */
export async function clearedText(
  format: TextFormat,
  delimiter: string,
  source: AsyncIterable<Uint8Array>,
  columnsOf: ColumnsOf,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  try {
    if (format === "csv") {
      const { cells, lines } = await readCells(source, { delimiter, maxBytes: maxBytes });
      const { columns, hasHeader } = arrangement(cells, columnsOf);
      if (!hasHeader && isNumbering(cells, columns)) return undefined;
      return encoded(writeCells(clearedRecords(cells, lines, columns, hasHeader), { raw: true }));
    }
    const text = await textOf(source);
    if (text === undefined || !/^\s*[[{]/.test(text)) return undefined;
    return encoded(format === "jsonl" ? clearedLines(text, columnsOf) : [clearedDocument(text, columnsOf)]);
  } catch (error) {
    if (error instanceof CurvatureError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What no column is called. */
const number = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

interface Arrangement {
  readonly columns: ReadonlySet<number>;
  readonly hasHeader: boolean;
}

function arrangement([first = []]: readonly (readonly string[])[], columnsOf: ColumnsOf): Arrangement {
  const hasHeader = !first.some((cell) => number.test(cell));
  return { columns: columnsOf(hasHeader ? first : undefined, first.length), hasHeader };
}

/**
 * Whether the first line may number the columns from 0 or 1, as data frames without names are written, and name the others
 * by words that never come again. Cleared, it would be taken for a row.
 */
function isNumbering(
  [first = [], ...rest]: readonly (readonly string[])[],
  columns: ReadonlySet<number>,
): boolean {
  const kept = first.filter((_, j) => !columns.has(j)).map(Number);
  const isCounted = kept.every((cell, k) => cell === kept[0] + k) && (kept[0] === 0 || kept[0] === 1);
  const others = [...columns].filter((j) => j < first.length && !number.test(first[j]));
  return isCounted && others.length > 0 && others.every((j) => rest.every((cells) => cells[j] !== first[j]));
}

/** Records with as many empty ones before each as keep it on its line. */
function* clearedRecords(
  records: readonly (readonly string[])[],
  lines: readonly number[],
  columns: ReadonlySet<number>,
  hasHeader: boolean,
): Generator<readonly string[]> {
  let line = 1;
  for (const [k, record] of records.entries()) {
    for (; line < lines[k]; line++) yield [];
    const kept = k === 0 && hasHeader ? record : record.map((cell, j) => (columns.has(j) ? "0" : cell));
    yield kept;
    line += kept.reduce((count, cell) => count + cell.split(/\r\n|\r|\n/).length - 1, 1);
  }
}

/** Lines that are no JSON stay as they are: the reader says what is wrong with them. */
function* clearedLines(text: string, columnsOf: ColumnsOf): Generator<string> {
  let clear: ((row: unknown) => unknown) | undefined;
  for (const line of text.split("\n")) {
    const row = parsed(line);
    clear ??= row === undefined ? undefined : clearing(row, undefined, columnsOf);
    yield row === undefined || clear === undefined ? `${line}\n` : `${JSON.stringify(clear(row))}\n`;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** @throws SyntaxError */
function clearedDocument(text: string, columnsOf: ColumnsOf): string {
  const document: unknown = JSON.parse(text);
  if (Array.isArray(document))
    return JSON.stringify(document.map(clearing(document[0], undefined, columnsOf)));
  const parts = new Map<string, unknown>(Object.entries(Object(document)));
  const [data, names] = [parts.get("data"), parts.get("columns")];
  if (!Array.isArray(data)) return text;
  const isNamed = Array.isArray(names) && names.every((name) => typeof name === "string");
  parts.set("data", data.map(clearing(data[0], isNamed ? names : undefined, columnsOf)));
  return JSON.stringify(Object.fromEntries(parts));
}

/**
 * What clears the rows of a table whose first row this is. A key that the first row has and another has not is added there,
 * and one that the first row has not is left for the reader to refuse.
 */
function clearing(
  first: unknown,
  columns: readonly string[] | undefined,
  columnsOf: ColumnsOf,
): (row: unknown) => unknown {
  const isArray = Array.isArray(first);
  const names = isArray ? columns : Object.keys(Object(first));
  const cleared = columnsOf(names, isArray ? first.length : (names?.length ?? 0));
  const zeros = Object.fromEntries((names ?? []).filter((_, j) => cleared.has(j)).map((name) => [name, 0]));
  return (row) => {
    if (Array.isArray(row)) return row.map((cell: unknown, j) => (cleared.has(j) ? 0 : cell));
    return typeof row === "object" && row !== null ? { ...row, ...zeros } : row;
  };
}

async function textOf(source: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of source) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) return undefined;
  }
  const bytes = expanded(Buffer.concat(pieces));
  return bytes && new TextDecoder().decode(bytes);
}

function expanded(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

async function* encoded(parts: Iterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const part of parts) yield encoder.encode(part);
}
