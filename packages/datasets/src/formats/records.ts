/**
 * Delimited text as records of words: for tables whose cells are names as well as numbers.
 */
import type { SettingsOf } from "@curvature/linalg";
import type { ByteSource } from "./bytes.js";
import { type CellSink, CsvScanner } from "./csv-scanner.js";
import { delimiterByte, detectDelimiter } from "./delimiter.js";
import { unguarded } from "./formula-guard.js";
import { reading } from "./gzip.js";
import { delimiterEntry, recordSizes } from "./shared-options.js";
import { strictText, withoutBom } from "./text.js";

export const recordEntries = { ...delimiterEntry, ...recordSizes };

type RecordSettings = SettingsOf<{ readonly entries: typeof recordEntries }>;

/** Takes a record; the array is the reader's own. Its `false` ends the reading. */
export type RecordTaker = (cells: readonly string[], line: number) => boolean | undefined;

/**
 * Gives each record that is not a blank line to `take`, with the line on which it begins, counted from 1.
 *
 * @param where - whose options these are, for the message
 * @throws CurvatureError as `scanCells`
 */
export function readRecords(
  where: string,
  source: ByteSource,
  settings: RecordSettings,
  take: RecordTaker,
): Promise<void> {
  const sink = new RecordSink(take);
  return scanCells(where, source, settings, sink, () => sink.ended);
}

/**
 * Gives the cells to `sink`, until it is done.
 *
 * @throws CurvatureError ERR_PARSE for text that cannot be divided into cells
 */
export function scanCells(
  where: string,
  source: ByteSource,
  { delimiter: mark, maxRecordBytes, maxBytes }: RecordSettings,
  sink: CellSink,
  isDone: () => boolean = () => false,
): Promise<void> {
  const stated = mark === "auto" ? undefined : delimiterByte(where, mark);
  return reading(source, maxBytes, async (bytes) => {
    const input = await withoutBom(bytes);
    const { delimiter, read } =
      stated === undefined
        ? await detectDelimiter(input, maxRecordBytes)
        : { delimiter: stated, read: new Uint8Array(0) };
    const scanner = new CsvScanner(delimiter, sink, maxRecordBytes);
    scanner.push(read);
    for await (const piece of input) {
      if (isDone()) return;
      scanner.push(piece);
    }
    if (!isDone()) scanner.end();
  });
}

class RecordSink implements CellSink {
  ended = false;
  private readonly cells: string[] = [];
  /** Whether the record so far is what a blank line is. */
  private blank = true;

  constructor(private readonly take: RecordTaker) {}

  cell(bytes: Uint8Array, start: number, end: number, quoted: boolean, line: number): void {
    if (this.ended) return;
    this.blank = this.cells.length === 0 && !quoted && isBlank(bytes, start, end);
    this.cells.push(shortWord(bytes, start, end) ?? cellText(bytes, start, end, quoted, line));
  }

  endRecord(line: number): void {
    if (!this.blank && !this.ended) this.ended = this.take(this.cells, line) === false;
    this.cells.length = 0;
    this.blank = true;
  }
}

const mostLetters = 24;

/** The fast way for what most cells are: a few ASCII letters or digits, with no blank in them. */
function shortWord(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (end - start > mostLetters) return undefined;
  let word = "";
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    if (byte <= 32 || byte >= 127) return undefined;
    word += String.fromCharCode(byte);
  }
  return unguarded(word);
}

const isBlankByte = (byte: number): boolean => byte === 32 || byte === 9;

export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (!isBlankByte(bytes[i])) return false;
  return true;
}

/** An unquoted cell loses the blanks around it, and text the quote that guards it from being a formula. */
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
  return unguarded(strictText(bytes.subarray(first, last), `Line ${line}`));
}
