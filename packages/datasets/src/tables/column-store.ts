/** What a column is while its table is read: cells of numbers go row by row into one array, all others as levels and codes. */
import type { DenseMatrix } from "@curvature/linalg";
import type { Column, ColumnType, NumberView, OddCell } from "@curvature/linalg/tables";
import { allocate } from "../formats/bytes.js";
import { numbered } from "../formats/table.js";
import { isBoolean, isDate, isMissing, type NumberForm, numberOf } from "./cell.js";
import type { Found } from "./table-form.js";

const idName =
  /(^|[\s_.-])(id|ids|key|codes?|zip|zipcode|plz|uuid|guid|nr|no|record|rownames|rowid|identifier)$|^(rn|idx|index|obs|unnamed: 0)$/i;
/** userId, but not Madrid */
const camelId = /[a-z](Id|ID)$/;
/** Names of whoever was measured more than once: their numbers or names are no quantity and no kind, though they come again. */
const groupName = /(^|[\s_.-])(ids?|subject|participant|patient|respondent)$/i;

/** So few different ones may be levels. */
const MAX_LEVELS = 4;

const isOfGroups = (name: string): boolean => groupName.test(name) || camelId.test(name);

const isLeadingZero = (text: string): boolean => /^0\d+$/.test(text.trim());
const isBeyondExact = (text: string): boolean =>
  /^\d{16,}$/.test(text.trim()) && Number(text) > Number.MAX_SAFE_INTEGER;

/** Whether cells are numbers to compute with, as far as the first rows show: nearly all are, and none is a code. */
export function areNumbers(cells: readonly string[], form: NumberForm): boolean {
  const there = cells.filter((cell) => !isMissing(cell));
  const bad = there.filter((cell) => Number.isNaN(numberOf(cell, form))).length;
  if (there.length === 0 || there.some((cell) => isLeadingZero(cell) || isBeyondExact(cell))) return false;
  return bad === 0 || (there.length >= 20 && bad <= 0.05 * there.length);
}

/** How a column is called. */
export interface ColumnName {
  readonly name: string;
  readonly unit: string | undefined;
  /** Whether it is the first column and has no name, among columns that have one. */
  readonly isNameless: boolean;
}

/** What no number of the file's own form is, in a column of numbers. */
export class NumberCells {
  private readonly odd: OddCell[] = [];

  constructor(private readonly form: NumberForm) {}

  /** Whether a number as the scanner reads it is the column's. */
  get isPlain(): boolean {
    return this.form.decimal === "." && this.form.thousands === "";
  }

  valueOf(row: number, text: string): number {
    if (isMissing(text)) return Number.NaN;
    const value = numberOf(text, this.form);
    if (Number.isNaN(value)) this.odd.push({ row, text });
    return value;
  }

  /** Forgets the cells of this row and those after it. */
  takeBack(row: number): void {
    while ((this.odd.at(-1)?.row ?? -1) >= row) this.odd.pop();
  }

  textOf(row: number): string {
    return this.odd.findLast((cell) => cell.row === row)?.text ?? "";
  }

  /** @param gaps - of the column, cells that are no numbers included */
  finish(column: ColumnName, numbers: NumberView, rows: number, gaps: number): Column {
    return numberColumn(column, numbers, rows, gaps - this.odd.length, this.odd);
  }
}

/** A column of numbers, or of row numbers and codes. */
export function numberColumn(
  { name, unit, isNameless }: ColumnName,
  numbers: NumberView,
  rows: number,
  missing: number,
  odd: readonly OddCell[] = [],
): Column {
  const type = odd.length === 0 && missing === 0 ? numericType(name, numbers, rows, isNameless) : "number";
  return { name, type, unit, missing, numbers, codes: undefined, levels: [], odd };
}

/** Columns of a matrix, which only compute: an array has no ids. */
export function matrixColumns({ rows, columns, data }: DenseMatrix, names: readonly string[]): Column[] {
  const missing = new Int32Array(columns);
  for (let i = 0, k = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) if (Number.isNaN(data[k++])) missing[j]++;
  return names.map((name, j) => ({
    name,
    type: "number",
    unit: undefined,
    missing: missing[j],
    numbers: { data, offset: j, stride: columns },
    codes: undefined,
    levels: [],
    odd: [],
  }));
}

/** A matrix whose columns have no names. */
export const matrixTable = (points: DenseMatrix): Found => ({
  rows: points.rows,
  columns: matrixColumns(points, numbered(points.columns)),
  isNamed: false,
});

/** Numbers above it are none that loggers write for no value. */
export const LEAST_PLAIN = -98;

/** Of an array of rows: in which columns the least number is −999 or the like and stands for no value; it becomes NaN. */
export function takeSentinels(
  data: Float64Array,
  rows: number,
  columns: number,
  gaps: Int32Array,
): readonly (readonly [column: number, value: number])[] {
  const low = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
  for (let i = 0, k = 0; i < rows; i++)
    for (let j = 0; j < columns; j++, k++) if (data[k] < low[j]) low[j] = data[k];
  return [...low.keys()].flatMap((j) => {
    if (!sentinel.test(String(low[j])) || !isFarBelow(data, rows, columns, j, low[j])) return [];
    for (let i = 0, k = j; i < rows; i++, k += columns) {
      if (data[k] !== low[j]) continue;
      data[k] = Number.NaN;
      gaps[j]++;
    }
    return [[j, low[j]] as const];
  });
}

/** −999, −9999.9 and the like: what loggers write for no value. */
const sentinel = /^-9{2,}(\.9+)?$/;

/** Whether most others of the column, and at least two, lie far above. */
function isFarBelow(
  data: Float64Array,
  rows: number,
  columns: number,
  column: number,
  least: number,
): boolean {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let others = 0;
  let all = 0;
  for (let i = 0, k = column; i < rows; i++, k += columns) {
    const value = data[k];
    if (!Number.isFinite(value)) continue;
    all++;
    if (value === least) continue;
    others++;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return others >= 2 && others >= all / 2 && low - least > 2 * (high - low) && low - least > 50;
}

function numericType(name: string, view: NumberView, rows: number, isNameless: boolean): ColumnType {
  const { data, offset, stride } = view;
  const isNamed = idName.test(name) || isOfGroups(name);
  const counts = isCounting(view, rows);
  const isNumbering = counts && data[offset] <= 1 && rows > 9 && name !== "";
  if (!isNameless && !isNamed && !isNumbering) return "number";
  if (!counts) {
    const seen = new Set<number>();
    for (let i = 0, k = offset; i < rows; i++, k += stride) {
      if (!Number.isInteger(data[k])) return "number";
      seen.add(data[k]);
    }
    if (seen.size < rows && !(isOfGroups(name) && seen.size > MAX_LEVELS)) return "number";
  }
  return isNameless ? "index" : "id";
}

/** Whether each whole number is the one before it and 1; most columns show in their second row that they are others. */
function isCounting({ data, offset, stride }: NumberView, rows: number): boolean {
  if (rows < 3 || !Number.isInteger(data[offset])) return false;
  for (let i = 1, k = offset + stride; i < rows; i++, k += stride)
    if (data[k] !== data[k - stride] + 1) return false;
  return true;
}

/** A column of texts, of which the end tells whether they are words, dates, codes, or numbers after all. */
export class WordCells {
  private codes = new Int32Array(1024);
  private readonly levels: string[] = [];
  private readonly codeOf = new Map<string, number>();
  private quoted = 0;

  /** @param areTexts - as if all stood in quotes */
  constructor(
    private readonly form: NumberForm,
    private readonly areTexts = false,
  ) {}

  text(row: number, text: string, isInQuotes: boolean): void {
    const isQuoted = isInQuotes || this.areTexts;
    if (row >= this.codes.length) {
      const { codes } = this;
      this.codes = allocate(() => new Int32Array(2 * codes.length), 8 * codes.length);
      this.codes.set(codes);
    }
    if (isQuoted) this.quoted++;
    const known = this.codeOf.get(text);
    const code = known ?? this.levels.push(text) - 1;
    if (known === undefined) this.codeOf.set(text, code);
    // Where words stand in quotes, as R writes them, one in quotes is no missing value.
    this.codes[row] = isQuoted && text !== "" ? code : isMissing(text) ? -1 - code : code;
  }

  textOf(row: number): string {
    const code = this.codes[row];
    return this.levels[code < 0 ? -1 - code : code] ?? "";
  }

  /** @param stated - what the column is, where its file says so */
  finish(column: ColumnName, rows: number, stated?: ColumnType): Column {
    const { name, unit, isNameless } = column;
    const { levels } = this;
    const codes = this.codes.slice(0, rows);
    const bare = codes.reduce((count, code) => count + (code < 0 ? 1 : 0), 0);
    const isQuoting = this.quoted > (rows - bare) / 2;
    const gaps = levels.map((level) => isMissing(level));
    let missing = 0;
    const counts = new Float64Array(levels.length);
    for (let i = 0; i < rows; i++) {
      const code = codes[i];
      if (code < 0 || (!isQuoting && gaps[code])) {
        codes[i] = -1;
        missing++;
      } else counts[code]++;
    }
    const there = levels.filter((_, k) => counts[k] > 0);
    const share = (is: (text: string) => boolean): number => {
      const count = levels.reduce((sum, level, k) => sum + (counts[k] > 0 && is(level) ? counts[k] : 0), 0);
      return rows > missing ? count / (rows - missing) : 0;
    };
    const isNumeric = (level: string): boolean => !Number.isNaN(numberOf(level, this.form));
    const isCode = there.some((level) => isLeadingZero(level) || isBeyondExact(level));
    if (stated === undefined && !isCode && share(isNumeric) === (there.length > 0 ? 1 : 0)) {
      const values = levels.map((level) => numberOf(level, this.form));
      const data = Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : values[code]));
      return numberColumn(column, { data, offset: 0, stride: 1 }, rows, missing);
    }
    const type =
      stated ??
      (isCode && share(isNumeric) === 1
        ? "id"
        : share(isBoolean) === 1
          ? "boolean"
          : share(isDate) >= 0.95
            ? "date"
            : isNameless && there.length === rows
              ? "index"
              : isOfGroups(name) && there.length > MAX_LEVELS
                ? "id"
                : "word");
    return { name, type, unit, missing, numbers: undefined, codes, levels, odd: [] };
  }
}
