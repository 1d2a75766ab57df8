/**
 * Bytes → rows of a LIBSVM text, in one pass: a state machine over bytes that may stop and go on anywhere.
 *
 *   line    [label {blank (index : value | qid : number)}] [# comment] (LF | CRLF | CR)
 *
 * What lies between two marks (blank, line end, #) is a word. Words that lie in one piece are read where they lie;
 * only one that a cut divides is copied, once. Decimals of up to 15 digits are read here, as `parseNumber` reads
 * them; all others by it.
 */
import { ByteBuffer } from "./bytes.js";
import {
  badIndex,
  badLabel,
  badValue,
  largestIndex,
  longWord,
  repeatedFeature,
  zeroIndex,
} from "./libsvm-errors.js";
import { parseNumber } from "./number.js";
import { RowBuffer, type ScannedRows } from "./row-buffer.js";
import { strictText } from "./text.js";

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const HASH = 35;
const PLUS = 43;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const COLON = 58;

const AT_START = 0;
const IN_ROW = 1;
const IN_COMMENT = 2;

const longestWord = 2 ** 20;
const exactMantissa = 2 ** 53;
/** No magnitude from here on is a finite float32. */
export const overflowOfSingle = 2 ** 128 - 2 ** 103;
const powersOfTen = Float64Array.from({ length: 23 }, (_, e) => Number(`1e${e}`));

const isMark = (byte: number): boolean =>
  byte === SPACE || byte === LF || byte === TAB || byte === CR || byte === HASH;

export interface ScanSettings {
  /** The least index allowed; "auto": 0, and from the end of the first batch on 1 if there was no 0 in it. */
  readonly indexBase: "auto" | 0 | 1;
  /** The least magnitude that is too large for a value. */
  readonly overflow: number;
  /** A batch ends with so many rows, or with the row with which it has so many entries. */
  readonly batchRows: number;
  readonly batchEntries: number;
}

export interface ScannedBatch extends ScannedRows {
  /** The largest index since the beginning; -1 if there was none. */
  readonly largest: number;
  /** Whether there was an index 0 since the beginning. */
  readonly hasZero: boolean;
  readonly emptyLines: number;
  readonly warnings: readonly string[];
}

export class LibsvmScanner {
  /** Full batches. */
  readonly ready: ScannedBatch[] = [];
  private readonly buffer = new RowBuffer();
  private readonly pending = new ByteBuffer();
  private leastIndex: 0 | 1;
  private hasZero = false;
  private largest = -1;
  private emptyLines = 0;
  private emptyLinesTold = false;
  private queriesTold = false;
  private warnings: string[] = [];
  private state = AT_START;
  /** Whether the comment follows a row; else it has its line for itself. */
  private inRow = false;
  private afterCr = false;
  private line = 1;
  private last = -1;
  private sorted = true;

  constructor(private readonly settings: ScanSettings) {
    this.leastIndex = settings.indexBase === 1 ? 1 : 0;
  }

  push(piece: Uint8Array): void {
    const { pending } = this;
    let start = 0;
    if (pending.length > 0) {
      while (start < piece.length && !isMark(piece[start])) start++;
      if (start < piece.length) start++;
      this.keep(piece, 0, start);
      if (!isMark(piece[start - 1])) return;
      this.scan(pending.view(), 0, pending.length);
      pending.length = 0;
    }
    let end = piece.length;
    while (end > start && !isMark(piece[end - 1])) end--;
    this.scan(piece, start, end);
    if (this.state !== IN_COMMENT) this.keep(piece, end, piece.length);
  }

  end(): void {
    const { pending } = this;
    const lineEnd = Uint8Array.of(LF);
    if (pending.length > 0) {
      pending.append(lineEnd);
      this.scan(pending.view(), 0, pending.length);
    } else if (this.state === IN_ROW || this.inRow) this.scan(lineEnd, 0, 1);
    if (this.buffer.rows > 0) this.endBatch();
  }

  private keep(piece: Uint8Array, start: number, end: number): void {
    this.pending.append(piece, start, end);
    if (this.pending.length > longestWord) throw longWord(this.line, longestWord);
  }

  /** Reads bytes[start … end), which end in a mark or are none: so no loop over a word looks for the end. */
  private scan(bytes: Uint8Array, start: number, end: number): void {
    const { buffer } = this;
    const { overflow } = this.settings;
    let i = start;
    while (i < end) {
      const byte = bytes[i];
      if (byte === SPACE || byte === TAB) {
        i++;
        this.afterCr = false;
      } else if (byte === LF || byte === CR) {
        i++;
        if (!(byte === LF && this.afterCr)) this.endLine();
        this.afterCr = byte === CR;
      } else if (byte === HASH || this.state === IN_COMMENT) {
        if (this.state !== IN_COMMENT) this.inRow = this.state === IN_ROW;
        this.state = IN_COMMENT;
        this.afterCr = false;
        while (i < end && bytes[i] !== LF && bytes[i] !== CR) i++;
      } else if (this.state === AT_START) {
        this.afterCr = false;
        i = this.label(bytes, i);
        this.state = IN_ROW;
      } else {
        let index = 0;
        let p = i;
        for (let digit = byte - ZERO; digit >= 0 && digit <= 9; digit = bytes[++p] - ZERO) {
          index = index * 10 + digit;
        }
        if (p === i || bytes[p] !== COLON || index > largestIndex) {
          i = this.noEntry(bytes, i);
          continue;
        }
        i = ++p;
        const negative = bytes[p] === MINUS;
        if (negative || bytes[p] === PLUS) p++;
        const digits = p;
        let m = 0;
        for (let digit = bytes[p] - ZERO; digit >= 0 && digit <= 9; digit = bytes[++p] - ZERO) {
          m = m * 10 + digit;
        }
        let decimals = 0;
        if (bytes[p] === POINT) {
          const point = p;
          for (let digit = bytes[++p] - ZERO; digit >= 0 && digit <= 9; digit = bytes[++p] - ZERO) {
            m = m * 10 + digit;
          }
          decimals = p - point - 1;
        }
        let value = negative ? -m : m;
        if (decimals > 0) value = decimals <= 22 ? value / powersOfTen[decimals] : Number.NaN;
        if (p - digits < 1 || m >= exactMantissa || !isMark(bytes[p]) || !(Math.abs(value) < overflow)) {
          while (!isMark(bytes[p])) p++;
          value = parseNumber(bytes, i, p);
          if (!(Math.abs(value) < overflow)) throw badValue(this.line, index, bytes.subarray(i, p), value);
        } else if (p - digits === 1 && bytes[digits] === POINT) {
          throw badValue(this.line, index, bytes.subarray(i, p), Number.NaN);
        }
        i = p;
        if (index <= this.last) this.unsorted(index);
        this.last = index;
        buffer.append(index, value);
      }
    }
  }

  private unsorted(index: number): void {
    if (index === this.last) throw repeatedFeature(this.line, index);
    this.sorted = false;
  }

  /** Reads the label that begins at `start`. @returns its end */
  private label(bytes: Uint8Array, start: number): number {
    let end = start;
    let hasColon = false;
    let hasComma = false;
    for (; !isMark(bytes[end]); end++) {
      hasColon ||= bytes[end] === COLON;
      hasComma ||= bytes[end] === COMMA;
    }
    const { buffer, line } = this;
    const word = (): Uint8Array => bytes.subarray(start, end);
    if (hasColon) throw badLabel(line, word(), "feature");
    if (hasComma) throw badLabel(line, word(), "several");
    const value = parseNumber(bytes, start, end);
    buffer.labelKind ??= Number.isNaN(value) ? "words" : "numbers";
    if (buffer.labelKind === "words") buffer.appendWord(checkedWord(word(), line));
    else if (value - value !== 0) throw badLabel(line, word(), "number");
    else buffer.appendLabel(value);
    return end;
  }

  /** Passes over a query's number, and refuses what else is no entry. @returns the word's end */
  private noEntry(bytes: Uint8Array, start: number): number {
    let end = start;
    while (!isMark(bytes[end])) end++;
    const isQuery =
      bytes[start] === 113 &&
      bytes[start + 1] === 105 &&
      bytes[start + 2] === 100 &&
      bytes[start + 3] === COLON;
    if (!isQuery) throw badIndex(this.line, bytes.subarray(start, end));
    if (!this.queriesTold)
      this.warnings.push(`Line ${this.line} has a qid; the numbers of queries are ignored.`);
    this.queriesTold = true;
    return end;
  }

  private endLine(): void {
    if (this.state === IN_ROW || this.inRow) this.endRow();
    else if (this.state === AT_START) {
      this.emptyLines++;
      if (!this.emptyLinesTold) this.warnings.push(`Line ${this.line} is empty; empty lines are skipped.`);
      this.emptyLinesTold = true;
    }
    this.state = AT_START;
    this.inRow = false;
    this.line++;
  }

  private endRow(): void {
    const { buffer, line } = this;
    if (!this.sorted) {
      const repeated = buffer.sortRow();
      if (repeated !== undefined) throw repeatedFeature(line, repeated);
    }
    const { least, most } = buffer.endRow();
    if (least === 0) {
      if (this.leastIndex > 0) throw zeroIndex(line);
      this.hasZero = true;
    }
    if (most > this.largest) this.largest = most;
    this.sorted = true;
    this.last = -1;
    const { batchRows, batchEntries } = this.settings;
    if (buffer.rows >= batchRows || buffer.entries >= batchEntries) this.endBatch();
  }

  private endBatch(): void {
    const { largest, hasZero, emptyLines, warnings } = this;
    this.ready.push({ ...this.buffer.take(), largest, hasZero, emptyLines, warnings });
    this.emptyLines = 0;
    this.warnings = [];
    if (!hasZero && this.settings.indexBase === "auto") this.leastIndex = 1;
  }
}

function checkedWord(bytes: Uint8Array, line: number): string {
  const word = strictText(bytes, `The label on line ${line}`);
  if (/^[+-]?(nan|inf|infinity)$/i.test(word)) throw badLabel(line, bytes, "number");
  return word;
}
