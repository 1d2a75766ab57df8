/** Tables in text: its beginning decides how it is written, and the rest is read by that. */
import { CurvatureError, optionName } from "@curvature/linalg";
import { collected, peeked } from "../formats/bytes.js";
import { BLANKS, CsvScanner } from "../formats/csv-scanner.js";
import { delimiterByte } from "../formats/delimiter.js";
import { noData } from "../formats/table.js";
import { cutText, strictText } from "../formats/text.js";
import { type Dialect, delimiterName, dialectOf } from "./dialect.js";
import { decoded, otherEncoding } from "./encoding.js";
import type { ReadTable, TableSettings } from "./table-form.js";
import { found } from "./table-kind.js";
import { TableSink } from "./table-sink.js";

/** From so much of the beginning is decided how a text is written. */
const SAMPLE = 1 << 16;
const LONGEST_SAMPLE = 1 << 24;

/** @param sparse - takes LIBSVM text */
export async function textTable<T>(
  where: string,
  bytes: AsyncGenerator<Uint8Array>,
  settings: TableSettings,
  sparse: (bytes: AsyncGenerator<Uint8Array>) => Promise<T>,
): Promise<T | ReadTable> {
  const { format } = settings;
  const name = (settings.name ?? "").toLowerCase();
  const { encoding, text } = await decoded(where, bytes, settings.encoding);
  const notes = encoding === "utf-8" ? [] : [`The text is read as ${encoding}.`];
  const sample = await sampleOf(text);
  const first = new TextDecoder().decode(sample.head);
  const is = (wanted: TableSettings["format"], holds: () => boolean): boolean =>
    format === "auto" ? holds() : format === wanted;
  if (is("matrix-market", () => /^%%matrixmarket/i.test(first)))
    return found(
      (await import("./matrix-market.js")).marketTable(await allText(sample.all)),
      "matrix-market",
    );
  if (is("arff", () => isArff(first))) {
    const { arffRecords } = await import("./arff.js");
    return whole(arffRecords(await allText(sample.all)), "arff", encoding, notes);
  }
  const isJson = (): boolean => /^\s*[[{]/.test(first) && !/^\s*\[[A-Za-z]/.test(first);
  if (format === "json" || is("jsonl", isJson)) {
    const isOfLines = format === "jsonl" || /\.(jsonl|ndjson)(\.(gz|zst))?$/.test(name);
    const stated = format === "json" ? "json" : isOfLines ? "jsonl" : "auto";
    const { jsonDialect } = await import("./json-text.js");
    const json = await jsonDialect(sample.all, stated, first, settings.maxRecordBytes);
    return whole(json.dialect, json.format, encoding, notes);
  }
  if (format === "auto" && isLibsvm(first)) return sparse(sample.all);
  return delimited(where, sample, settings, encoding, notes);
}

const isArff = (text: string): boolean => /^\s*(%[^\n]*\n\s*)*@relation\b/i.test(text);

/** The beginning of a text, with a few lines at least, however long they are. */
async function sampleOf(
  input: AsyncGenerator<Uint8Array>,
): Promise<Awaited<ReturnType<typeof peeked>> & { readonly isWhole: boolean }> {
  for (let all = input, size = SAMPLE; ; size *= 4) {
    const sample = await peeked(all, size);
    all = sample.all;
    const nul = sample.head.indexOf(0);
    if (nul >= 0) throw noText(linesIn(sample.head.subarray(0, nul)) + 1);
    const isWhole = sample.head.length < size;
    if (isWhole || linesIn(sample.head) > 3 || size > LONGEST_SAMPLE) return { ...sample, isWhole };
  }
}

const linesIn = (bytes: Uint8Array): number =>
  bytes.reduce(
    (count, byte, i) => (byte === 10 || (byte === 13 && bytes[i + 1] !== 10) ? count + 1 : count),
    0,
  );

const noText = (line: number): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    `Line ${line} has a NUL byte. Give plain text, or say what it is as ${optionName("format")} or ${optionName("encoding")}.`,
    { path: `line ${line}` },
  );

/** A label and an entry, blanks between, in the first line that is no comment. */
const isLibsvm = (text: string): boolean =>
  /^(\s*#[^\n]*\n)*\s*[^\s:,;"]+[ \t]+(qid:\d+[ \t]+)?\d+:[-+.\d][^\s:,;]*(\s|$)/.test(text);

const allText = async (input: AsyncGenerator<Uint8Array>): Promise<string> =>
  strictText(await collected(input), "The input", otherEncoding);

/** A table whose records are all there. */
function whole(
  dialect: Dialect,
  format: ReadTable["form"]["format"],
  encoding: string,
  notes: readonly string[],
): ReadTable {
  const sink = new TableSink(dialect);
  for (const { cells, quoted, line } of dialect.rows) sink.record(cells, quoted, line);
  return sink.finish({ format, encoding, delimiter: undefined }, notes);
}

async function delimited(
  where: string,
  { head, all, isWhole }: Awaited<ReturnType<typeof sampleOf>>,
  { delimiter, format, header, skip, decimal, thousands, maxRecordBytes }: TableSettings,
  encoding: string,
  notes: readonly string[],
): Promise<ReadTable> {
  const end = isWhole ? head.length : Math.max(head.lastIndexOf(10), head.lastIndexOf(13)) + 1;
  const sample = cutText(head.subarray(0, end === 0 ? head.length : end), "The input", otherEncoding);
  const mark = delimiter !== "auto" ? delimiter : format === "tsv" ? "\t" : undefined;
  if (mark !== undefined) delimiterByte(where, mark);
  const dialect = dialectOf(sample, { delimiter: mark, header, skip, decimal, thousands, isWhole });
  if (dialect.doubts.length > 0) {
    const more = dialect.doubts.length > 3 ? ` (and ${dialect.doubts.length - 3} more)` : "";
    throw new CurvatureError("ERR_PARSE", dialect.doubts.slice(0, 3).join(" ") + more, { path: "input" });
  }
  if (dialect.rows.length === 0 && !isWhole)
    throw new CurvatureError(
      "ERR_PARSE",
      `The first ${head.length} bytes hold no whole row. Check quotes and line ends.`,
      { path: "input" },
    );
  if (dialect.rows.length === 0)
    throw noData(
      `The input has ${dialect.names === undefined ? "no rows of data" : "a header and no rows"}.`,
    );
  const sink = new TableSink(dialect);
  const scanner = new CsvScanner(
    dialect.delimiter === " " ? BLANKS : dialect.delimiter.charCodeAt(0),
    sink,
    maxRecordBytes,
    dialect.quote === "" ? 0 : dialect.quote.charCodeAt(0),
    dialect.rows[0]?.line ?? 1,
  );
  let left = new TextEncoder().encode(sample.slice(0, dialect.rows[0]?.at ?? 0)).length;
  for await (const piece of all) {
    if (left < piece.length) scanner.push(left > 0 ? piece.subarray(left) : piece);
    left = Math.max(0, left - piece.length);
  }
  scanner.end();
  return sink.finish({ format: "delimited", encoding, delimiter: delimiterName(dialect.delimiter) }, notes);
}
