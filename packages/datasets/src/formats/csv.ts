/**
 * Reader of comma-, tab-, semicolon- and blank-separated tables of numbers; besides the result it needs memory for
 * one record.
 */
import {
  CurvatureError,
  either,
  flag,
  type OptionsOf,
  oneOf,
  optionTable,
  type SettingsOf,
} from "@curvature/linalg";
import type { ByteSource } from "./bytes.js";
import { IGNORED, LABEL, NUMBERS, rolesOf } from "./column-roles.js";
import { type CellSink, CsvScanner } from "./csv-scanner.js";
import { delimiterByte, detectDelimiter } from "./delimiter.js";
import { reading } from "./gzip.js";
import { parseNumber } from "./number.js";
import { columnEntries, delimiterEntry, recordSizes } from "./shared-options.js";
import {
  badCell,
  checkWidth,
  finishedTable,
  NumberStore,
  namesMissing,
  namesNonFinite,
  noData,
  numbered,
  type Table,
} from "./table.js";
import { strictText, withoutBom } from "./text.js";

export const csvOptions = optionTable({
  ...delimiterEntry,
  /** Whether the first line names the columns; `"auto"`: if none of its cells is or looks like a number. */
  header: either(flag, oneOf("auto")).default("auto"),
  ...columnEntries,
  ...recordSizes,
});
export type CsvOptions = OptionsOf<typeof csvOptions>;

/**
 * A table of numbers from delimited text in UTF-8, plain or gzip. Blank lines are skipped; cells may be quoted.
 *
 * @throws CurvatureError ERR_PARSE (line and column named, counted from 1) for text that is not such a table,
 *   ERR_NON_FINITE for an empty cell, NaN, an infinity or a number beyond float64, ERR_OPTION for options, chosen
 *   columns that are not there included, ERR_MEMORY
 */
export async function readCsv(source: ByteSource, options?: CsvOptions): Promise<Table> {
  const settings = csvOptions.resolve("readCsv", options);
  const stated = settings.delimiter === "auto" ? undefined : delimiterByte("readCsv", settings.delimiter);
  return reading(source, settings.maxBytes, async (bytes) => {
    const input = await withoutBom(bytes);
    const { delimiter, read } =
      stated === undefined
        ? await detectDelimiter(input, settings.maxRecordBytes)
        : { delimiter: stated, read: new Uint8Array(0) };
    const sink = new TableSink(settings);
    const scanner = new CsvScanner(delimiter, sink, settings.maxRecordBytes);
    scanner.push(read);
    for await (const piece of input) scanner.push(piece);
    scanner.end();
    return sink.finish();
  });
}

interface FirstCell {
  readonly text: string;
  readonly value: number;
  readonly line: number;
}

/** Gathers the first record, decides what it is, and takes every further one straight into the matrix. */
class TableSink implements CellSink {
  private first: FirstCell[] | undefined = [];
  private names: readonly string[] = [];
  private width = 0;
  private roles = new Uint8Array(0);
  private column = 0;
  /** The line of a blank first cell, of which only the next cell tells that it is not a blank line. */
  private heldLine = 0;
  private rows = 0;
  private readonly values = new NumberStore();
  private readonly labels: string[] = [];

  constructor(private readonly settings: SettingsOf<typeof csvOptions>) {}

  cell(bytes: Uint8Array, start: number, end: number, quoted: boolean, line: number): void {
    if (this.column === 0 && !quoted && this.heldLine === 0 && isBlank(bytes, start, end)) {
      this.heldLine = line;
      return;
    }
    if (this.heldLine > 0) this.takeHeld();
    if (this.first !== undefined) {
      this.takeFirst(cellText(bytes, start, end, quoted, line), parseNumber(bytes, start, end), line);
      return;
    }
    const column = this.column++;
    const role = this.roles[column];
    if (role === LABEL) {
      this.labels.push(cellText(bytes, start, end, quoted, line));
    } else if (role === NUMBERS) {
      const value = parseNumber(bytes, start, end);
      if (value - value !== 0) throw badCell(this.where(line, column), lenientText(bytes, start, end), value);
      this.values.append(value);
    }
  }

  number(value: number): boolean {
    if (this.heldLine > 0 || this.first !== undefined || value - value !== 0) return false;
    if (this.roles[this.column] !== NUMBERS) return false;
    this.column++;
    this.values.append(value);
    return true;
  }

  endRecord(line: number): void {
    this.heldLine = 0;
    if (this.column === 0) return;
    if (this.first !== undefined) {
      const cells = this.first;
      this.first = undefined;
      this.start(cells);
    } else {
      if (this.column !== this.width) throw ragged(line, this.width, this.column);
      this.rows++;
    }
    this.column = 0;
  }

  finish(): Table {
    if (this.first !== undefined) throw noData("The input is empty.");
    if (this.rows === 0) throw noData("The input has a header and no rows.");
    return finishedTable(this.names, this.roles, this.values, this.labels, this.rows);
  }

  private takeHeld(): void {
    const line = this.heldLine;
    this.heldLine = 0;
    if (this.first !== undefined) this.takeFirst("", Number.NaN, line);
    else if (this.roles[0] === LABEL) this.labels.push("");
    else if (this.roles[0] === NUMBERS) throw badCell(this.where(line, 0), "", Number.NaN);
    this.column = 1;
  }

  private takeFirst(content: string, value: number, line: number): void {
    if (this.first === undefined) return;
    this.column = this.first.push({ text: content, value, line });
    checkWidth(`Line ${line}`, this.column);
  }

  private start(cells: readonly FirstCell[]): void {
    const { header } = this.settings;
    const named = header === "auto" ? namesColumns(cells) : header;
    const names = cells.map((cell) => cell.text);
    this.width = cells.length;
    this.names = named ? names : numbered(this.width);
    this.roles = rolesOf(this.settings, named ? names : undefined, this.width);
    if (named) return;
    for (const [column, { text: content, value, line }] of cells.entries()) {
      const role = this.roles[column];
      if (role === LABEL) this.labels.push(content);
      else if (role === IGNORED) continue;
      else if (!Number.isFinite(value)) throw badCell(this.where(line, column), content, value);
      else this.values.append(value);
    }
    this.rows = 1;
  }

  private where(line: number, column: number): string {
    const name = this.names[column];
    const own =
      name === undefined || name === "" || name === `column ${column + 1}` ? "" : ` (${shortened(name)})`;
    return `line ${line}, column ${column + 1}${own}`;
  }
}

/**
 * Whether the first line is a header: none of its cells is a number, nor what people write for one (`NaN`, `1,5`,
 * `1_000`), and one at least is not a missing value. In doubt it is data, whose errors say what is wrong.
 */
function namesColumns(cells: readonly FirstCell[]): boolean {
  const isNumber = ({ text: content, value }: FirstCell): boolean =>
    !Number.isNaN(value) || namesNonFinite(content) || /^[+-]?\d[\d.,_' ]*$/.test(content);
  return !cells.some(isNumber) && !cells.every((cell) => namesMissing(cell.text));
}

const shortened = (name: string): string =>
  JSON.stringify(name.length > 40 ? `${name.slice(0, 37)}...` : name);

export function ragged(line: number, expected: number, found: number): CurvatureError {
  return new CurvatureError(
    "ERR_PARSE",
    `Line ${line} has ${found} ${found === 1 ? "column" : "columns"}, the first line has ${expected}. Give every line the same number of cells, with the same delimiter.`,
    { path: `line ${line}`, expected: `${expected} columns`, received: found },
  );
}

const isBlankByte = (byte: number): boolean => byte === 32 || byte === 9;

export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (!isBlankByte(bytes[i])) return false;
  return true;
}

const lenient = new TextDecoder();
const shownBytes = 240;

/** An unquoted cell loses the blanks around it. */
export function cellText(
  bytes: Uint8Array,
  start: number,
  end: number,
  quoted: boolean,
  line: number,
): string {
  let first = start;
  let last = end;
  while (!quoted && first < last && isBlankByte(bytes[first])) first++;
  while (!quoted && first < last && isBlankByte(bytes[last - 1])) last--;
  return strictText(bytes.subarray(first, last), `Line ${line}`);
}

function lenientText(bytes: Uint8Array, start: number, end: number): string {
  return lenient.decode(bytes.subarray(start, Math.min(end, start + shownBytes)));
}
