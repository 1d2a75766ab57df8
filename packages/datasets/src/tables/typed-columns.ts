/** Columns of formats that say what their cells are: NumPy's records, Parquet, Arrow. */
import { CurvatureError, shown } from "@curvature/linalg";
import type { Column } from "@curvature/linalg/tables";
import { allocate } from "../formats/bytes.js";
import { checkWidth, distinct } from "../formats/table.js";
import { PLAIN } from "./cell.js";
import { numberColumn, WordCells } from "./column-store.js";
import type { Found } from "./table-form.js";

export interface TypedColumn {
  readonly name: string;
  /** Row after row: numbers, whole numbers of any size, truths, texts, arrays of numbers; null and undefined where nothing is. */
  readonly chunks: readonly ArrayLike<unknown>[];
}

/** A kind of cells, or how many numbers each holds. */
type Content = "number" | "big" | "boolean" | "text" | number;

/** Columns of numbers share one array, row by row. @throws CurvatureError ERR_PARSE for cells of other kinds, naming the column */
export function typedTable(typed: readonly TypedColumn[], rows: number): Found {
  const contents = typed.map(contentOf);
  const widths = contents.map((content) =>
    typeof content === "number" ? content : content === "number" ? 1 : 0,
  );
  const stride = widths.reduce((sum, width) => sum + width, 0);
  checkWidth("The input", stride + typed.length);
  const { data, missing } = numbersOf(typed, widths, rows, stride);
  let offset = 0;
  const columns = typed.flatMap(({ name, chunks }, j): Column[] => {
    const named = { name, unit: undefined, isNameless: /^__index_level_\d+__$/.test(name) }; // as pandas writes it
    if (widths[j] === 0) return [textColumn(named, chunks, contents[j], rows)];
    return Array.from({ length: widths[j] }, (_, k) => {
      const part = contents[j] === "number" ? named : { ...named, name: `${name}.${k}` };
      return numberColumn(part, { data, offset, stride }, rows, missing[offset++]);
    });
  });
  const names = distinct(columns.map(({ name }) => name));
  return { rows, columns: columns.map((column, j) => ({ ...column, name: names[j] })), isNamed: true };
}

/** So many rows are filled at a time that they stay in the cache. */
const BLOCK = 256;

/** The numbers of all columns row by row, and how many of each are NaN. */
function numbersOf(
  typed: readonly TypedColumn[],
  widths: readonly number[],
  rows: number,
  stride: number,
): { readonly data: Float64Array; readonly missing: Int32Array } {
  const data = allocate(() => new Float64Array(rows * stride), 8 * rows * stride);
  const missing = new Int32Array(stride);
  const put = (row: number, place: number, value: number): void => {
    data[row * stride + place] = value;
    if (Number.isNaN(value)) missing[place]++;
  };
  const at = typed.map(() => ({ chunk: 0, row: 0 }));
  for (let first = 0; first < rows; first += BLOCK)
    for (let j = 0, place = 0; j < typed.length; place += widths[j++]) {
      const end = Math.min(rows, first + BLOCK);
      for (let row = first; widths[j] > 0 && row < end; ) {
        const chunk = typed[j].chunks[at[j].chunk];
        const count = Math.min(end - row, chunk.length - at[j].row);
        for (let i = at[j].row, last = i + count; i < last; i++, row++) {
          const cell = chunk[i];
          if (!isVector(cell)) for (let k = 0; k < widths[j]; k++) put(row, place + k, numberOf(cell));
          else for (let k = 0; k < widths[j]; k++) put(row, place + k, numberOf(cell[k]));
        }
        at[j].row += count;
        if (at[j].row === chunk.length) at[j] = { chunk: at[j].chunk + 1, row: 0 };
      }
    }
  return { data, missing };
}

const numberOf = (cell: unknown): number =>
  typeof cell === "number" ? cell : typeof cell === "bigint" ? Number(cell) : Number.NaN;

const isVector = (cell: unknown): cell is ArrayLike<unknown> =>
  typeof cell === "object" && (Array.isArray(cell) || isNumbers(cell));
const isNumbers = (cell: unknown): cell is ArrayLike<number | bigint> =>
  ArrayBuffer.isView(cell) && "length" in cell;
const isBig = (chunk: unknown): boolean => chunk instanceof BigInt64Array || chunk instanceof BigUint64Array;

export const badColumn = (name: string, what: string): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    `Column ${shown(name)} holds ${what}. Leave it out, or make columns of numbers or texts of it, before the file is written.`,
    { path: name, expected: "numbers, texts, truths, times, or lists of numbers of one length" },
  );

/**
 * A file that its reader does not take. Its reason is said if it is in words for people: of an error of the language's own only that
 * there was one.
 */
export function unreadableFile(
  format: string,
  reader: string,
  cause: unknown,
  remedy: string,
): CurvatureError {
  const reason =
    cause instanceof Error && cause.name === "Error" && !/\bundefined\b/.test(cause.message)
      ? cause.message.replace(/\p{C}/gu, " ").slice(0, 200)
      : "a part of it is not what stands there by the format";
  return new CurvatureError(
    "ERR_PARSE",
    `The ${format} file is damaged, or written as ${reader} cannot read it: ${reason}. ${remedy}`,
    { path: format.toLowerCase(), cause },
  );
}

/**
 * Values may repeat and zeros may be left out, but of so many a file holds some: 2000 for a byte, and beyond half a GiB 200.
 *
 * @throws CurvatureError ERR_PARSE
 */
export function checkCount(count: number, bytes: number): void {
  if (count <= Math.max(2 ** 18, Math.min(2000 * bytes, Math.max(2 ** 26, 200 * bytes)))) return;
  throw new CurvatureError(
    "ERR_PARSE",
    `The input promises ${count} values in ${bytes} bytes. Check the sizes that it states.`,
    { path: "input" },
  );
}

function contentOf({ name, chunks }: TypedColumn): Content {
  let content: Content | undefined;
  const fail = (what: string): CurvatureError => badColumn(name, what);
  for (const chunk of chunks) {
    if (isNumbers(chunk) && !isBig(chunk)) {
      content ??= "number";
      continue;
    }
    for (let i = 0; i < chunk.length; i++) {
      const cell = chunk[i];
      if (cell === null || cell === undefined) continue;
      const own = kindOfCell(cell);
      if (own === undefined) throw fail("neither numbers nor texts nor lists of numbers");
      if (own === content) continue;
      const isWhole = (own === "big" || own === "number") && (content === "big" || content === "number");
      if (typeof own === "number" && typeof content === "number")
        throw fail(`lists of different lengths, as ${content} and ${own}`);
      if (content !== undefined && !isWhole) throw fail("cells of different kinds");
      content = isWhole ? "big" : own;
    }
  }
  return content ?? "number";
}

function kindOfCell(cell: unknown): Content | undefined {
  if (typeof cell === "number") return "number";
  if (typeof cell === "bigint") return Number.isSafeInteger(Number(cell)) ? "number" : "big";
  if (typeof cell === "boolean") return "boolean";
  if (typeof cell === "string") return "text";
  if (!isVector(cell) || cell.length === 0) return undefined;
  for (let k = 0; k < cell.length; k++) {
    const part = cell[k];
    if (typeof part !== "number" && typeof part !== "bigint" && part !== null && part !== undefined)
      return undefined;
  }
  return cell.length;
}

function textColumn(
  named: { readonly name: string; readonly unit: undefined; readonly isNameless: boolean },
  chunks: readonly ArrayLike<unknown>[],
  content: Content,
  rows: number,
): Column {
  const cells = new WordCells(PLAIN);
  let row = 0;
  for (const chunk of chunks)
    for (let i = 0; i < chunk.length; i++, row++) {
      const cell = chunk[i];
      const isThere = cell !== null && cell !== undefined;
      cells.text(row, isThere ? String(cell) : "", isThere);
    }
  // whole numbers beyond what float64 holds exactly are names, as a rule
  return cells.finish(named, rows, content === "big" ? "id" : content === "boolean" ? "boolean" : undefined);
}

const DAY = 86_400n;
const ERA = 146_097n; // days of 400 years

/**
 * A moment, counted from 1970 in parts of a second, as ISO 8601 writes it, with as many digits as it has. The calendar is
 * Gregorian throughout; years are counted from March, so that the leap day ends them.
 */
export function isoText(count: bigint, perSecond: bigint): string {
  const part = ((count % perSecond) + perSecond) % perSecond;
  const seconds = (count - part) / perSecond;
  const ofDay = Number(((seconds % DAY) + DAY) % DAY);
  const days = (seconds - BigInt(ofDay)) / DAY + 719_468n; // from 0000-03-01
  const era = (days >= 0n ? days : days - ERA + 1n) / ERA;
  const ofEra = Number(days - era * ERA);
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * ofYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = Number(era) * 400 + yearOfEra + (month <= 2 ? 1 : 0);
  const day = ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const two = (value: number): string => String(value).padStart(2, "0");
  const time = [Math.floor(ofDay / 3600), Math.floor(ofDay / 60) % 60, ofDay % 60].map(two).join(":");
  const digits =
    part === 0n
      ? ""
      : `.${String(part + perSecond)
          .slice(1)
          .replace(/0+$/, "")}`;
  const sign = year < 0 ? "-" : year > 9999 ? "+" : "";
  const years = String(Math.abs(year)).padStart(sign === "" ? 4 : 6, "0");
  return `${sign}${years}-${two(month)}-${two(day)}T${time}${digits}`;
}
