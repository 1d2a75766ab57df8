/**
 * Tables of words in and out: for files that hold names beside numbers.
 */
import { CurvatureError, flag, type OptionsOf, optionTable, shown, text } from "@curvature/linalg";
import type { ByteSource } from "./bytes.js";
import { cellWriter, chunked, numberText } from "./csv-writer.js";
import { delimiterByte } from "./delimiter.js";
import { readRecords, recordEntries } from "./records.js";

export interface CellTable {
  /** The cells of each line that is not blank; lines need not have the same number. */
  readonly cells: readonly (readonly string[])[];
  /** The line on which each begins, counted from 1. */
  readonly lines: readonly number[];
}

export const cellsOptions = optionTable(recordEntries);
export type CellsOptions = OptionsOf<typeof cellsOptions>;

/**
 * Delimited text in UTF-8, plain or gzip, as words; unquoted cells lose the blanks around them.
 *
 * @throws CurvatureError ERR_PARSE for text that cannot be divided into cells, ERR_OPTION
 */
export async function readCells(source: ByteSource, options?: CellsOptions): Promise<CellTable> {
  const settings = cellsOptions.resolve("readCells", options);
  const cells: string[][] = [];
  const lines: number[] = [];
  await readRecords("readCells", source, settings, (record, line) => {
    cells.push([...record]);
    lines.push(line);
    return undefined;
  });
  return { cells, lines };
}

export const cellsWriteOptions = optionTable({
  delimiter: text.default(","),
  /** As `writeCsv`'s: whether text that a spreadsheet would run as a formula is written unchanged. */
  raw: flag.default(false),
});
export type CellsWriteOptions = OptionsOf<typeof cellsWriteOptions>;

/**
 * Rows of words and numbers as text in pieces of about 64 KiB; lines end with LF. Numbers are written in their shortest
 * form that reads back as the same float64, and as an empty cell where they are not finite.
 *
 * @throws CurvatureError ERR_OPTION
 */
export function writeCells(
  rows: Iterable<readonly (string | number)[]>,
  options?: CellsWriteOptions,
): Generator<string> {
  const { delimiter, raw } = cellsWriteOptions.resolve("writeCells", options);
  delimiterByte("writeCells", delimiter);
  return chunked(linesOf(rows, delimiter, cellWriter(delimiter, raw)));
}

function* linesOf(
  rows: Iterable<readonly (string | number)[]>,
  delimiter: string,
  textCell: (value: string | number) => string,
): Generator<string> {
  if (!isIterable(rows)) throw noCells("the rows", "an iterable of arrays", rows);
  let line = 0;
  for (const row of rows) {
    if (!Array.isArray(row)) throw noCells(`row ${line}`, "an array of cells", row);
    line++;
    yield `${row.map((cell) => cellText(cell, textCell)).join(delimiter)}\n`;
  }
}

const isIterable = (rows: unknown): boolean =>
  typeof rows === "object" && rows !== null && Symbol.iterator in rows;

const noCells = (what: string, expected: string, received: unknown): CurvatureError =>
  new CurvatureError("ERR_ARGUMENT", `${what} must be ${expected}; received ${shown(received)}.`, {
    where: "writeCells",
    path: what,
    expected,
    received,
  });

function cellText(cell: string | number, textCell: (value: string | number) => string): string {
  if (typeof cell === "string") return textCell(cell);
  return Number.isFinite(cell) ? numberText(cell) : "";
}
