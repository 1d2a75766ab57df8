/**
 * Bytes → cells of a delimited text, in one pass: a state machine over bytes that may stop and go on anywhere.
 *
 * A cell that lies in one piece is handed over where it lies; only quoted cells and cells that a cut divides are
 * copied, once. A number that ends where its cell does is read in the same pass, for a sink of numbers.
 *
 * Rules: RFC 4180; lines end with LF, CRLF or CR; a quote opens a quoted cell only as the cell's first mark after
 * blanks; `""` in a quoted cell is one quote; after the closing quote only blanks may follow.
 */
import { CurvatureError } from "@curvature/linalg";
import { ByteBuffer } from "./bytes.js";
import { readNumber } from "./number.js";

export interface CellSink {
  /**
   * The cell's bytes are bytes[start … end), valid during the call.
   *
   * @param line - the physical line on which the cell begins, counted from 1
   */
  cell(bytes: Uint8Array, start: number, end: number, quoted: boolean, line: number): void;
  /**
   * In place of `cell`, where the cell is a number without quotes and with no blank after it.
   *
   * @returns false to be given the cell itself
   */
  number?(value: number): boolean;
  /** @param line - the physical line on which the record begins, counted from 1 */
  endRecord(line: number): void;
}

/** As a delimiter: runs of spaces and tabs. */
export const BLANKS = 32;

const ORDINARY = 0;
const BLANK = 1;
const QUOTE = 2;
const DELIMITER = 3;
const LF = 4;
const CR = 5;
const NUL = 6;

const AT_START = 0;
const PLAIN = 1;
const QUOTED = 2;
const QUOTE_IN_QUOTED = 3;
const AFTER_QUOTED = 4;

const carriageReturn = 13;
const nothing = new Uint8Array(0);

export class CsvScanner {
  private readonly kinds = new Uint8Array(256);
  private state = AT_START;
  /** The part of the current cell that lay in earlier pieces, or its unquoted text. */
  private readonly pending = new ByteBuffer();
  private lastByte = 0;
  private line: number;
  private recordLine: number;
  private quoteLine = 1;
  private recordBytes = 0;
  private readonly value = new Float64Array(1);
  private readonly quoteMark: Uint8Array;

  /**
   * @param maxRecordBytes - longer records are refused
   * @param quote - the byte of the mark; 0 for none
   * @param line - of the first byte, from 1
   */
  constructor(
    private readonly delimiter: number,
    private readonly sink: CellSink,
    private readonly maxRecordBytes: number,
    quote = 34,
    line = 1,
  ) {
    this.line = line;
    this.recordLine = line;
    const { kinds } = this;
    this.quoteMark = Uint8Array.of(quote);
    kinds[9] = delimiter === BLANKS ? DELIMITER : BLANK;
    kinds[32] = BLANK;
    if (quote !== 0) kinds[quote] = QUOTE;
    kinds[10] = LF;
    kinds[13] = CR;
    kinds[0] = NUL;
    kinds[delimiter] = DELIMITER;
  }

  push(piece: Uint8Array): void {
    const { kinds, pending, sink, value } = this;
    const n = piece.length;
    let cellStart = 0;
    let recordStart = -this.recordBytes;
    for (let i = 0; i < n; i++) {
      let kind = kinds[piece[i]];
      if (this.state === AT_START) {
        while (kind === BLANK && ++i < n) kind = kinds[piece[i]];
        if (kind === ORDINARY && sink.number !== undefined && pending.length === 0) {
          const end = readNumber(piece, i, n, value);
          const mark = end >= 0 && end < n ? kinds[piece[end]] : ORDINARY;
          if (mark >= DELIMITER && mark <= CR && sink.number(value[0])) {
            if (end - recordStart > this.maxRecordBytes) this.checkRecord(end - recordStart);
            i = end;
            cellStart = end + 1;
            if (mark !== DELIMITER) {
              recordStart = cellStart;
              this.endLine();
            }
            continue;
          }
        }
        if (kind === ORDINARY) this.state = PLAIN;
      }
      if (this.state === PLAIN) {
        while (kind < DELIMITER && ++i < n) kind = kinds[piece[i]];
      } else if (this.state === QUOTED) {
        while ((kind < QUOTE || kind === DELIMITER) && ++i < n) kind = kinds[piece[i]];
      }
      if (i >= n) break;
      const { state } = this;
      if (kind === DELIMITER && state <= PLAIN) {
        this.endCell(piece, cellStart, i, i - recordStart);
        cellStart = i + 1;
        continue;
      }
      if (kind === NUL) throw this.failure(i - recordStart, "has a NUL byte", "Give plain text in UTF-8.");
      if (state === QUOTED) {
        if (kind === QUOTE) {
          pending.append(piece, cellStart, i);
          this.state = QUOTE_IN_QUOTED;
        } else if (kind === CR || this.previous(piece, i) !== carriageReturn) {
          this.line++;
        }
      } else if (state === QUOTE_IN_QUOTED && kind === QUOTE) {
        pending.append(this.quoteMark);
        this.state = QUOTED;
        cellStart = i + 1;
      } else if (kind === DELIMITER) {
        this.endCell(piece, cellStart, i, i - recordStart);
        cellStart = i + 1;
      } else if (kind === LF || kind === CR) {
        const secondOfTwo = kind === LF && this.previous(piece, i) === carriageReturn;
        if (!secondOfTwo) this.endRecord(piece, cellStart, i, i - recordStart);
        cellStart = recordStart = i + 1;
      } else if (state === AT_START) {
        if (kind === QUOTE) {
          pending.length = 0;
          this.state = QUOTED;
          this.quoteLine = this.line;
          cellStart = i + 1;
        }
      } else if (kind === BLANK) {
        this.state = AFTER_QUOTED;
      } else {
        throw this.failure(
          i - recordStart,
          "has text after a closing quote",
          "Double the quotes inside quotes.",
        );
      }
    }
    this.carry(piece, cellStart, n - recordStart);
  }

  end(): void {
    if (this.state === QUOTED) {
      const what = `never closes the quote that it opens on line ${this.quoteLine}`;
      throw this.failure(this.recordBytes, what, "Close it.");
    }
    if (this.recordBytes > 0) this.endRecord(nothing, 0, 0, this.recordBytes);
  }

  private previous(piece: Uint8Array, i: number): number {
    return i > 0 ? piece[i - 1] : this.lastByte;
  }

  /** Keeps what the end of a piece cuts off. */
  private carry(piece: Uint8Array, cellStart: number, recordBytes: number): void {
    if (this.state <= QUOTED) this.pending.append(piece, cellStart, piece.length);
    if (piece.length > 0) this.lastByte = piece[piece.length - 1];
    this.recordBytes = recordBytes;
    this.checkRecord(recordBytes);
  }

  private endCell(piece: Uint8Array, start: number, end: number, recordBytes: number): void {
    const { pending, sink } = this;
    if (recordBytes > this.maxRecordBytes) this.checkRecord(recordBytes);
    if (this.state >= QUOTE_IN_QUOTED) {
      sink.cell(pending.view(), 0, pending.length, true, this.quoteLine);
    } else if (pending.length > 0) {
      pending.append(piece, start, end);
      sink.cell(pending.view(), 0, pending.length, false, this.line);
    } else if (this.delimiter !== BLANKS || start < end) {
      sink.cell(piece, start, end, false, this.line);
    }
    pending.length = 0;
    this.state = AT_START;
  }

  private endRecord(piece: Uint8Array, start: number, end: number, recordBytes: number): void {
    this.endCell(piece, start, end, recordBytes);
    this.endLine();
  }

  private endLine(): void {
    this.sink.endRecord(this.recordLine);
    this.recordLine = ++this.line;
    this.recordBytes = 0;
  }

  private checkRecord(bytes: number): void {
    if (bytes <= this.maxRecordBytes) return;
    throw new CurvatureError(
      "ERR_PARSE",
      `The record that begins on line ${this.recordLine} is longer than ${this.maxRecordBytes} bytes. Check its quotes and line ends, or raise maxRecordBytes.`,
      { path: `line ${this.recordLine}`, expected: `at most ${this.maxRecordBytes} bytes` },
    );
  }

  private failure(recordBytes: number, what: string, remedy: string): CurvatureError {
    this.checkRecord(recordBytes);
    const where =
      this.line === this.recordLine
        ? `Line ${this.line}`
        : `The record of lines ${this.recordLine} to ${this.line}`;
    return new CurvatureError("ERR_PARSE", `${where} ${what}. ${remedy}`, { path: `line ${this.line}` });
  }
}
