/** Reader of JSON Lines (.jsonl, .ndjson): one array of numbers, or one flat object of named numbers, per line. */
import { CurvatureError, type OptionsOf, optionTable } from "@curvature/linalg";
import { ByteBuffer, type ByteSource } from "./bytes.js";
import { reading } from "./gzip.js";
import { JsonRows } from "./json-rows.js";
import { columnEntries, recordSizes } from "./shared-options.js";
import type { Table } from "./table.js";
import { parsedJson, strictText, withoutBom } from "./text.js";

export const jsonLinesOptions = optionTable({ ...columnEntries, ...recordSizes });
export type JsonLinesOptions = OptionsOf<typeof jsonLinesOptions>;

/**
 * A table from JSON Lines in UTF-8, plain or gzip; the first row's keys name the columns, and every row must have
 * them all. Blank lines are skipped.
 *
 * @throws CurvatureError ERR_PARSE (line and key or column named, counted from 1), ERR_NON_FINITE for null or a
 *   number beyond float64, ERR_OPTION for options, chosen columns that are not there included, ERR_MEMORY
 */
export async function readJsonLines(source: ByteSource, options?: JsonLinesOptions): Promise<Table> {
  const settings = jsonLinesOptions.resolve("readJsonLines", options);
  return reading(source, settings.maxBytes, async (input) => {
    const rows = new JsonRows(settings);
    for await (const { number, bytes } of linesOf(await withoutBom(input), settings.maxRecordBytes)) {
      const where = `Line ${number}`;
      rows.add(parsedJson(strictText(bytes, where), where), where);
    }
    return rows.finish();
  });
}

const LF = 10;

interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** Valid until the next line. */
  readonly bytes: Uint8Array;
}

/** Blank lines are left out here, since one step of a generator costs as much as a hundred bytes. */
const isBlank = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);

/** The lines that are not blank. */
async function* linesOf(source: AsyncGenerator<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  const pending = new ByteBuffer();
  let number = 1;
  for await (const piece of source) {
    for (let start = 0; start < piece.length; ) {
      const found = piece.indexOf(LF, start);
      const end = found < 0 ? piece.length : found;
      if (pending.length + end - start > maxBytes) throw tooLong(number, maxBytes);
      pending.append(piece, start, end);
      start = end + 1;
      if (found < 0) break;
      if (pending.length > 0 && !isBlank(pending.view())) yield { number, bytes: pending.view() };
      pending.length = 0;
      number++;
    }
  }
  if (!isBlank(pending.view())) yield { number, bytes: pending.view() };
}

function tooLong(line: number, maxBytes: number): CurvatureError {
  return new CurvatureError(
    "ERR_PARSE",
    `Line ${line} is longer than ${maxBytes} bytes. Check its end, or raise maxRecordBytes.`,
    { path: `line ${line}`, expected: `at most ${maxBytes} bytes` },
  );
}
