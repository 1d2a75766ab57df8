/** JSON text → rows: of one document, or one in each line. */
import { CurvatureError } from "@curvature/linalg";
import { ByteBuffer, collected } from "../formats/bytes.js";
import { strictText } from "../formats/text.js";
import type { Dialect } from "./dialect.js";
import { type Json, jsonRecords } from "./json-table.js";

/**
 * @param stated - "auto", or what the text is
 * @param first - its beginning
 * @param maxRecordBytes - longer lines of JSON Lines are refused
 * @throws CurvatureError ERR_PARSE
 */
export async function jsonDialect(
  input: AsyncGenerator<Uint8Array>,
  stated: "auto" | "json" | "jsonl",
  first: string,
  maxRecordBytes: number,
): Promise<{ readonly dialect: Dialect; readonly format: "json" | "jsonl" }> {
  if (stated === "json" || (stated === "auto" && !areLines(first)))
    return { dialect: jsonRecords(parsed(await collected(input), "The input")), format: "json" };
  const rows: Json[] = [];
  const lines: number[] = [];
  for await (const { number, bytes } of linesOf(input, maxRecordBytes)) {
    rows.push(parsed(bytes, `Line ${number}`));
    lines.push(number);
  }
  return { dialect: jsonRecords(rows, lines), format: "jsonl" };
}

/** Whether the first line is JSON by itself, and more follows. */
function areLines(text: string): boolean {
  const [, line, rest] = /^\s*([^\r\n]*)([\s\S]*)$/.exec(text) ?? [];
  if (line === undefined || rest.trim() === "") return false;
  try {
    parse(line);
    return true;
  } catch {
    return false;
  }
}

/** NaN and infinities, as Python writes them, count as missing cells and as beyond all numbers. */
function parse(text: string): Json {
  const exact = long.test(text) ? withLongAsTexts(text) : text;
  try {
    return JSON.parse(exact);
  } catch (cause) {
    const tamed = withoutNaN(exact);
    if (tamed === exact) throw cause;
    return JSON.parse(tamed);
  }
}

const withoutNaN = (text: string): string =>
  text.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|(-?)\b(NaN|Infinity)\b/g, (all, quoted, sign, word) =>
    quoted !== undefined ? all : word === "NaN" ? "null" : `${sign}1e999`,
  );

/** A whole number of so many digits that it may lose some as float64. */
const long = /(?<![\d.])\d{16,}(?![\d.eE])/;

/** Different ids would become one number. */
const withLongAsTexts = (text: string): string =>
  text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g, (all) =>
    /^-?\d{16,}$/.test(all) && !Number.isSafeInteger(Number(all)) ? `"${all}"` : all,
  );

/** @param place - as the beginning of a sentence */
function parsed(bytes: Uint8Array, place: string): Json {
  const text = strictText(bytes, place);
  try {
    return parse(text);
  } catch (cause) {
    throw new CurvatureError(
      "ERR_PARSE",
      `${place} is not valid JSON: ${reasonOf(cause)}. Correct it there.`,
      { path: place.toLowerCase(), cause },
    );
  }
}

/** The engine's words, as far as they can be shown; of a text of one line its line says nothing. */
const reasonOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : "")
    .replace(/ \(line 1 column \d+\)/, "")
    .replace(/\p{C}/gu, " ")
    .slice(0, 200);

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

const tooLong = (line: number, maxBytes: number): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    `Line ${line} is longer than ${maxBytes} bytes. Check its end, or raise maxRecordBytes.`,
    { path: `line ${line}`, expected: `at most ${maxBytes} bytes` },
  );
