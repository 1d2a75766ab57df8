/**
 * The columns of a table while it is read: numbers as they are, everything else as levels and codes. A record counts once it is
 * whole; until then its cells can be taken back.
 */
import { allocate } from "../formats/bytes.js";
import { isBoolean, isDate, isMissing, type NumberForm, numberOf } from "./cell.js";

export type ColumnType = "number" | "word" | "boolean" | "date" | "id" | "index";

/** A cell that is not what its column is. */
export interface OddCell {
  readonly row: number;
  readonly line: number;
  readonly text: string;
}

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** As the row under the names says. */
  readonly unit: string | undefined;
  /** Cells without a value. */
  readonly missing: number;
  /** Of numbers: one for each row, NaN where there is none. */
  readonly numbers: Float64Array | undefined;
  /** Of all others: of each row the index of its level, −1 where there is none. */
  readonly codes: Int32Array | undefined;
  /** The different texts, in the order in which they came. */
  readonly levels: readonly string[];
  /** Cells of a column of numbers that are none. */
  readonly odd: readonly OddCell[];
}

const idName =
  /(^|[\s_.-])(id|ids|key|codes?|zip|zipcode|plz|uuid|guid|nr|no|record|rownames|rowid|identifier)$|^(rn|idx|index|obs|unnamed: 0)$/i;
/** userId, but not Madrid */
const camelId = /[a-z](Id|ID)$/;

const isLeadingZero = (text: string): boolean => /^0\d+$/.test(text.trim());
const isBeyondExact = (text: string): boolean => /^\d{16,}$/.test(text.trim()) && Number(text) > Number.MAX_SAFE_INTEGER;

/** Whether cells are numbers to compute with, as far as the first rows show: nearly all are, and none is a code. */
export function areNumbers(cells: readonly string[], form: NumberForm): boolean {
  const there = cells.filter((cell) => !isMissing(cell));
  const bad = there.filter((cell) => Number.isNaN(numberOf(cell, form))).length;
  if (there.length === 0 || there.some((cell) => isLeadingZero(cell) || isBeyondExact(cell))) return false;
  return bad === 0 || (there.length >= 20 && bad <= 0.05 * there.length);
}

export class ColumnStore {
  private numbers = new Float64Array(0);
  private codes = new Int32Array(0);
  private readonly levels: string[] = [];
  private readonly codeOf = new Map<string, number>();
  private readonly odd: OddCell[] = [];
  private quoted = 0;

  /** @param isNumber - as the first rows show; others may turn out to be numbers in the end */
  constructor(
    readonly isNumber: boolean,
    private readonly form: NumberForm,
    private readonly sentinel: number | undefined,
  ) {}

  /** @returns where numbers as they are go, if any number of the file's is one of the column's */
  reserve(rows: number): Float64Array | undefined {
    if (this.isNumber) this.numbers = grown(this.numbers, allocate(() => new Float64Array(rows), 8 * rows));
    else this.codes = grown(this.codes, allocate(() => new Int32Array(rows), 4 * rows));
    const isPlain = this.form.decimal === "." && this.form.thousands === "" && this.sentinel === undefined;
    return this.isNumber && isPlain ? this.numbers : undefined;
  }

  number(row: number, value: number): void {
    this.numbers[row] = value === this.sentinel ? Number.NaN : value;
  }

  text(row: number, text: string, isQuoted: boolean, line: number): void {
    if (this.isNumber) {
      const isGap = isMissing(text);
      const value = isGap ? Number.NaN : numberOf(text, this.form);
      this.number(row, value);
      if (!isGap && Number.isNaN(value)) this.odd.push({ row, line, text });
      return;
    }
    if (isQuoted) this.quoted++;
    const known = this.codeOf.get(text);
    const code = known ?? this.levels.push(text) - 1;
    if (known === undefined) this.codeOf.set(text, code);
    // Where words stand in quotes, as R writes them, one in quotes is no missing value.
    this.codes[row] = isQuoted && text !== "" ? code : isMissing(text) ? -1 - code : code;
  }

  /** Forgets the cells of this row and those after it. */
  takeBack(row: number): void {
    while ((this.odd.at(-1)?.row ?? -1) >= row) this.odd.pop();
  }

  firstOf(row: number): string {
    if (this.isNumber) return this.odd.findLast((cell) => cell.row === row)?.text ?? "";
    const code = this.codes[row];
    return this.levels[code < 0 ? -1 - code : code] ?? "";
  }

  /** @param isNameless - the first column, without a name among columns that have one */
  finish(name: string, unit: string | undefined, rows: number, isNameless: boolean): Column {
    if (this.isNumber) {
      const numbers = this.numbers.slice(0, rows);
      const missing = numbers.reduce((count, value) => count + (Number.isNaN(value) ? 1 : 0), 0) - this.odd.length;
      const type = this.odd.length === 0 ? numericType(name, numbers, isNameless) : "number";
      return { name, type, unit, missing, numbers, codes: undefined, levels: [], odd: this.odd };
    }
    const bare = this.codes.subarray(0, rows).reduce((count, code) => count + (code < 0 ? 1 : 0), 0);
    const isQuoting = this.quoted > (rows - bare) / 2;
    const gaps = this.levels.map((level) => isMissing(level));
    const codes = this.codes.slice(0, rows);
    let missing = 0;
    const counts = new Float64Array(this.levels.length);
    for (let i = 0; i < rows; i++) {
      const code = codes[i];
      if (code < 0 || (!isQuoting && gaps[code])) {
        codes[i] = -1;
        missing++;
      } else counts[code]++;
    }
    const there = this.levels.filter((_, k) => counts[k] > 0);
    const share = (is: (text: string) => boolean): number => {
      const count = this.levels.reduce((sum, level, k) => sum + (counts[k] > 0 && is(level) ? counts[k] : 0), 0);
      return rows > missing ? count / (rows - missing) : 0;
    };
    const isNumeric = (level: string): boolean => !Number.isNaN(numberOf(level, this.form));
    const isCode = there.some((level) => isLeadingZero(level) || isBeyondExact(level));
    if (!isCode && share(isNumeric) === (there.length > 0 ? 1 : 0)) {
      const values = this.levels.map((level) => numberOf(level, this.form));
      const numbers = Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : values[code]));
      const type = there.length > 0 ? numericType(name, numbers, isNameless) : "number";
      return { name, type, unit, missing, numbers, codes: undefined, levels: [], odd: [] };
    }
    const type =
      isCode && share(isNumeric) === 1
        ? "id"
        : share(isBoolean) === 1
          ? "boolean"
          : share(isDate) >= 0.95
            ? "date"
            : isNameless && there.length === rows
              ? "index"
              : "word";
    return { name, type, unit, missing, numbers: undefined, codes, levels: this.levels, odd: [] };
  }
}

function numericType(name: string, numbers: Float64Array, isNameless: boolean): ColumnType {
  let isCounting = numbers.length > 2;
  for (let i = 0; i < numbers.length; i++) {
    if (!Number.isInteger(numbers[i])) return "number";
    if (i > 0 && numbers[i] !== numbers[i - 1] + 1) isCounting = false;
  }
  const isNamed = idName.test(name) || camelId.test(name);
  if (!isNameless && !isNamed && !(isCounting && numbers[0] <= 1 && numbers.length > 9 && name !== "")) return "number";
  if (!isCounting && new Set(numbers).size < numbers.length) return "number";
  return isNameless ? "index" : "id";
}

function grown<T extends Float64Array | Int32Array>(old: T, room: T): T {
  room.set(old);
  return room;
}
