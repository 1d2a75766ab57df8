/** A table as people have it: named columns of one type each, with cells that are missing. Who reads one stands elsewhere. */
import { CurvatureError, optionName } from "../errors.js";
import { badArgument, nearestName, shown } from "../options.js";

/**
 * number  to compute with
 * word    a category, or free text
 * id      names a row: a code, a key, a number with leading zeros
 * index   as `id`, but without a name of its own: what pandas and R write as the first column
 */
export type ColumnType = "number" | "word" | "boolean" | "date" | "id" | "index";

/** A column's numbers within a larger array: row i is `data[offset + i * stride]`, NaN where it has none. */
export interface NumberView {
  readonly data: Float64Array;
  readonly offset: number;
  readonly stride: number;
}

/** A cell that is not what its column is. */
export interface OddCell {
  /** From 0. */
  readonly row: number;
  readonly text: string;
}

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** As a row under the names says. */
  readonly unit: string | undefined;
  /** How many cells have no value. */
  readonly missing: number;
  /** Where all cells are numbers, those of an `id` or `index` too. */
  readonly numbers: NumberView | undefined;
  /** Else, of each row the index of its level, −1 where there is none. */
  readonly codes: Int32Array | undefined;
  /** The different texts, in the order in which they came. */
  readonly levels: readonly string[];
  /** Cells of a column of numbers that are none; NaN among its numbers. */
  readonly odd: readonly OddCell[];
}

export interface DataTable {
  readonly rows: number;
  readonly columns: readonly Column[];
  /** Whether the columns have names of their own, and not `column 1`, `column 2`, …. */
  readonly isNamed: boolean;
  /** Of each row the line on which it begins in its text, from 1; left out where there is none. */
  readonly lines?: Int32Array | undefined;
}

/** Where a row stands, for people. Rows count from 1, as lines do. */
export const placeOf = ({ lines }: DataTable, row: number): string =>
  lines === undefined ? `row ${row + 1}` : `line ${lines[row]}`;

/** Whether a column names the rows, and is no feature. */
export const isId = ({ type }: Pick<Column, "type">): boolean => type === "id" || type === "index";

/** A column by its name, or by its index from 0; a text of digits is an index where no column has that name. */
export type ColumnChoice = string | number;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function isView(value: unknown, rows: number): value is NumberView {
  if (!isObject(value) || !("data" in value && "offset" in value && "stride" in value)) return false;
  const { data, offset, stride } = value;
  return (
    data instanceof Float64Array &&
    Number.isSafeInteger(offset) &&
    Number.isSafeInteger(stride) &&
    Number(offset) >= 0 &&
    Number(stride) >= 1 &&
    (rows === 0 || Number(offset) + (rows - 1) * Number(stride) < data.length)
  );
}

function isColumn(value: unknown, rows: number): value is Column {
  if (!isObject(value) || !("numbers" in value && "codes" in value && "levels" in value && "odd" in value))
    return false;
  const { numbers, codes, levels, odd } = value;
  const hasCells =
    numbers === undefined
      ? codes instanceof Int32Array && codes.length >= rows
      : codes === undefined && isView(numbers, rows);
  return (
    hasCells &&
    Array.isArray(levels) &&
    Array.isArray(odd) &&
    "name" in value &&
    typeof value.name === "string"
  );
}

const columnTypes: readonly unknown[] = [
  "number",
  "word",
  "boolean",
  "date",
  "id",
  "index",
] satisfies ColumnType[];

/** What is in the column's lists. */
const isWhole = ({ type, missing, levels, odd }: Column): boolean =>
  columnTypes.includes(type) &&
  Number.isSafeInteger(missing) &&
  missing >= 0 &&
  levels.every((level) => typeof level === "string") &&
  odd.every((cell) => Number.isSafeInteger(cell?.row) && typeof cell.text === "string");

/** @throws CurvatureError ERR_ARGUMENT for what is no table */
export function checkTable(where: string, value: unknown): asserts value is DataTable {
  const fields = isObject(value) ? value : {};
  const rows = "rows" in fields ? fields.rows : undefined;
  const columns = "columns" in fields ? fields.columns : undefined;
  const isTable =
    typeof rows === "number" &&
    Number.isSafeInteger(rows) &&
    rows >= 0 &&
    Array.isArray(columns) &&
    columns.every((column) => isColumn(column, rows) && isWhole(column)) &&
    "isNamed" in fields &&
    typeof fields.isNamed === "boolean" &&
    (!("lines" in fields) ||
      fields.lines === undefined ||
      (fields.lines instanceof Int32Array && fields.lines.length >= rows));
  if (!isTable)
    throw badArgument(where, "table", "a table of columns, as readTable of @curvature/datasets gives", value);
}

/** The number of a row, NaN where it has none. */
export function numberAt(view: NumberView, row: number): number {
  const { data, offset, stride } = view ?? {};
  if (!(data instanceof Float64Array) || typeof offset !== "number" || typeof stride !== "number")
    throw badArgument("numberAt", "view", "the numbers of a column", view);
  if (typeof row !== "number") throw badArgument("numberAt", "row", "a whole number", row);
  return data[offset + row * stride];
}

/** What stands in a cell, as text; "" where nothing does. */
export function textAt(column: Column, row: number): string {
  if (!isColumn(column, 0)) throw badArgument("textAt", "column", "a column of a table", column);
  const { numbers, codes, levels } = column;
  if (numbers !== undefined) {
    const value = numberAt(numbers, row);
    return Number.isNaN(value) ? "" : String(value);
  }
  return levels[codes?.[row] ?? -1] ?? "";
}

/**
 * Where the chosen column stands.
 *
 * @param option - that chose it, for the message
 * @throws CurvatureError ERR_OPTION if it is not there, or has its name with another
 */
export function columnIndex(table: DataTable, choice: ColumnChoice, option: string): number {
  checkTable("columnIndex", table);
  const { columns, isNamed } = table;
  const names = columns.map(({ name }) => name);
  const fail = (reason: string): never => {
    throw new CurvatureError("ERR_OPTION", `${optionName(option)}: ${reason}`, {
      path: option,
      expected: "a column of the table",
      received: choice,
    });
  };
  const named = isNamed && typeof choice === "string" ? names.indexOf(choice) : -1;
  if (named >= 0) {
    if (names.indexOf(names[named], named + 1) >= 0)
      fail(`more than one column is named ${shown(choice)}. Give its index, counted from 0.`);
    return named;
  }
  if (typeof choice !== "number" && typeof choice !== "string")
    throw badArgument("columnIndex", "choice", "a column's name or index", choice);
  const index = typeof choice === "number" ? choice : /^\d+$/.test(choice) ? Number(choice) : undefined;
  if (index !== undefined) {
    if (Number.isSafeInteger(index) && index >= 0 && index < names.length) return index;
    const own = isNamed ? names.indexOf(String(choice)) : -1;
    const hint = own < 0 ? "" : ` The one that is named ${shown(String(choice))} is column ${own}.`;
    return fail(`there is no column ${choice}; the columns are 0 to ${names.length - 1}.${hint}`);
  }
  if (!isNamed)
    return fail(
      `there is no column ${shown(choice)}, since the table does not name its columns. Give an index from 0 to ${names.length - 1}.`,
    );
  const nearest = nearestName(String(choice), names.slice(0, 1000));
  const known = names.slice(0, 10).map(shown).join(", ");
  return fail(
    `there is no column ${shown(choice)}. ${nearest === undefined ? `Known columns: ${known}${names.length > 10 ? ", …" : ""}.` : `Did you mean ${shown(nearest)}?`}`,
  );
}
