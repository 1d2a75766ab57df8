/**
 * Which mark divides the columns: the first of tab, semicolon, comma and blank that stands, outside quotes, in the
 * first line that is not blank. That order is right for decimal commas in semicolon files and for texts with
 * commas or blanks in tab files.
 */
import { badOption } from "@curvature/linalg";
import { ByteBuffer } from "./bytes.js";
import { BLANKS } from "./csv-scanner.js";

const TAB = 9;
const LF = 10;
const CR = 13;
const QUOTE = 34;
const COMMA = 44;
const SEMICOLON = 59;

/** @throws CurvatureError ERR_OPTION unless the delimiter is one ASCII mark that cannot be part of a cell */
export function delimiterByte(where: string, delimiter: string): number {
  const byte = delimiter.length === 1 ? delimiter.charCodeAt(0) : -1;
  const taken = byte === QUOTE || byte === LF || byte === CR || /[0-9+.eE-]/.test(delimiter);
  if (byte < 1 || byte > 127 || taken) {
    throw badOption(
      where,
      "delimiter",
      '" " (runs of blanks) or one ASCII mark that is no quote, line end or part of a number',
      delimiter,
    );
  }
  return byte;
}

/** Looks at no more of the input than its first `limit` bytes. Gives the delimiter and all that was read for it. */
export async function detectDelimiter(
  source: AsyncGenerator<Uint8Array>,
  limit: number,
): Promise<{ readonly delimiter: number; readonly read: Uint8Array }> {
  const read = new ByteBuffer();
  const line = new FirstLine();
  while (!line.ended && line.scanned < limit) {
    const next = await source.next();
    if (next.done) break;
    read.append(next.value);
    line.scan(read.view(), Math.min(read.length, limit));
  }
  return { delimiter: line.delimiter(), read: read.view() };
}

class FirstLine {
  scanned = 0;
  ended = false;
  private readonly seen = new Set<number>();
  private quoted = false;
  private hasText = false;
  private atCellStart = true;
  private afterBlank = false;

  scan(bytes: Uint8Array, end: number): void {
    while (this.scanned < end && !this.ended) this.take(bytes[this.scanned++]);
  }

  private take(byte: number): void {
    if (this.quoted) {
      this.quoted = byte !== QUOTE;
    } else if (byte === LF || byte === CR) {
      this.ended = this.hasText;
      if (!this.ended && this.seen.size > 0) this.seen.clear();
    } else if (byte === BLANKS || byte === TAB) {
      if (byte === TAB) this.seen.add(TAB);
      this.afterBlank = true;
    } else {
      if (this.afterBlank && this.hasText) this.seen.add(BLANKS);
      this.quoted = byte === QUOTE && (this.atCellStart || this.afterBlank);
      this.atCellStart = byte === COMMA || byte === SEMICOLON;
      if (this.atCellStart) this.seen.add(byte);
      this.hasText = true;
      this.afterBlank = false;
    }
  }

  delimiter(): number {
    return [TAB, SEMICOLON, COMMA, BLANKS].find((byte) => this.seen.has(byte)) ?? COMMA;
  }
}
