/** Reader of JSON Lines (.jsonl, .ndjson): one array of numbers, or one flat object of named numbers, per line. */
import { CurvatureError, checkOptions, integerFrom, type Rules } from "@curvature/linalg";
import { ByteBuffer, type ByteSource } from "./bytes.js";
import { ignoreRule, labelsRule, type OtherColumns } from "./column-roles.js";
import { defaultMaxBytes, maxBytesRule, reading } from "./gzip.js";
import { JsonRows } from "./json-rows.js";
import type { Table } from "./table.js";
import { parsedJson, strictText, withoutBom } from "./text.js";

export interface JsonLinesOptions extends OtherColumns {
  /** A longer line is refused. Default 64 MiB. */
  readonly maxRecordBytes: number;
  /** Longer input (after expansion) is refused. Default 16 GiB. */
  readonly maxBytes: number;
}

export const jsonLinesDefaults: JsonLinesOptions = Object.freeze({
  labels: undefined,
  ignore: Object.freeze([]),
  maxRecordBytes: 2 ** 26,
  maxBytes: defaultMaxBytes,
});

const rules: Rules<JsonLinesOptions> = {
  labels: labelsRule,
  ignore: ignoreRule,
  maxRecordBytes: integerFrom(1),
  maxBytes: maxBytesRule,
};

/**
 * A table from JSON Lines in UTF-8, plain or gzip; the first row's keys name the columns, and every row must have
 * them all. Blank lines are skipped.
 *
 * @throws CurvatureError ERR_PARSE (line and key or column named, counted from 1), ERR_NON_FINITE for null or a
 *   number beyond float64, ERR_OPTION for options, chosen columns that are not there included, ERR_MEMORY
 */
export async function readJsonLines(source: ByteSource, options?: Partial<JsonLinesOptions>): Promise<Table> {
  const settings = checkOptions("readJsonLines", options, jsonLinesDefaults, rules);
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
