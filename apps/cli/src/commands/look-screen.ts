/** What `curvature look` says of a file: a screen for people, an object for programs. */

import type { ReadTable } from "@curvature/datasets";
import { printable } from "@curvature/linalg";
import { type ColumnAccount, numberAt, placeOf, type TableAccount } from "@curvature/linalg/tables";
import { commandLine } from "../run/command-line.js";
import { count, wrapped } from "../run/terminal.js";
import type { Advice } from "./look-commands.js";

export interface Look {
  readonly name: string;
  readonly table: ReadTable;
  readonly account: TableAccount;
  readonly advice: Advice;
  /** Whether the column of labels was named. */
  readonly isChosen: boolean;
}

/** Lines of each part that a screen has room for. */
const SHOWN = { columns: 20, sentences: 6 };

/** What looks odd, in sentences. */
function warningsOf({ table, account, advice }: Look): string[] {
  const called = (j: number): string => JSON.stringify(nameOf(table, j));
  const odd = table.columns.flatMap(({ odd: cells }, j) =>
    cells.length === 0
      ? []
      : [
          `${called(j)} is a column of numbers, but has ${cells.length === 1 ? "a cell that is none" : `${cells.length} cells that are none`}: ${placeOf(table, cells[0].row)} has ${JSON.stringify(cells[0].text.slice(0, 30))}.`,
        ],
  );
  const leaks = account.leaks.map(
    (j) =>
      `${called(j)} tells the label: a model that sees it learns nothing else. The commands leave it out.`,
  );
  return [
    ...odd,
    ...leaks,
    ...(advice.isRepeating ? [`${repeated(account)} Check that they are meant.`] : []),
  ];
}

const repeated = ({ duplicates }: TableAccount): string =>
  `${count(duplicates)} ${duplicates === 1 ? "row is" : "rows are"} equal to an earlier one.`;

/** Columns without names are called by their index, as options do; LIBSVM text counts its features in its own way. */
const nameOf = ({ columns, isNamed, form }: ReadTable, j: number): string =>
  isNamed || form.format === "libsvm" ? columns[j].name : String(j);

const formats: Readonly<Record<ReadTable["form"]["format"], string>> = {
  delimited: "delimited text",
  json: "JSON",
  jsonl: "JSON lines",
  arff: "ARFF",
  npy: "an array of NumPy",
  idx: "IDX",
  libsvm: "LIBSVM text",
  npz: "arrays of NumPy",
  parquet: "Parquet",
  arrow: "Arrow",
  "matrix-market": "Matrix Market",
};

/** @param width - of the screen; `all`: whatever its height */
export function screenOf(look: Look, width: number, all: boolean): string {
  const { name, table, account, advice } = look;
  const { form, isNamed, rows, columns } = table;
  const details = [
    ...(form.delimiter === undefined ? [] : [`divided by ${form.delimiter}`]),
    ...(form.encoding === undefined ? [] : [form.encoding]),
    ...(form.format === "libsvm"
      ? ["shown with its zeros"]
      : [isNamed ? "with names of columns" : "without names of columns: they are called by index, from 0"]),
  ];
  const shown = all ? columns.length : SHOWN.columns;
  const few = (sentences: readonly string[]): string[] => {
    const most = all ? sentences.length : SHOWN.sentences;
    const rest = sentences.length - most;
    return [...sentences.slice(0, most), ...(rest > 0 ? [`… and ${rest} more (--all)`] : [])];
  };
  const lines = [
    `${name}: ${formats[form.format]}, ${details.join(", ")}`,
    `${count(rows)} ${rows === 1 ? "row" : "rows"}, ${count(columns.length)} ${columns.length === 1 ? "column" : "columns"}`,
    ...few(table.notes).map((note) => `  ${note}`),
    "",
    ...aligned([
      ["column", "type", "gaps", "differ", "values", ""],
      ...account.columns.slice(0, shown).map((each, j) => columnCells(look, each, j)),
    ]),
    ...(shown < columns.length ? [restOf(account.columns.slice(shown))] : []),
    "",
    ...(table.kind === "table" ? [labelsLine(look)] : []),
    ...(account.duplicates > 0 && !advice.isRepeating ? [repeated(account)] : []),
    ...(advice.span === undefined ? [] : [advice.span]),
    ...few(warningsOf(look)),
    "",
    ...(advice.reason === undefined
      ? ["What fits:", ...advice.commands.map(({ words }) => `  ${commandLine(words)}`)]
      : [advice.reason]),
  ];
  const isCommand = (line: string): boolean => line.startsWith("  npx ");
  return `${lines
    .filter((line, k) => line !== "" || lines[k - 1] !== "")
    .map((line) =>
      isCommand(line) ? printable(line) : wrapped(printable(line).trimEnd(), width, indentOf(line) + 2),
    )
    .join("\n")}\n`;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

const clipped = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text;

function columnCells({ table, account }: Look, each: ColumnAccount, j: number): string[] {
  const { type, unit, missing, odd, distinct, low, high, mean, common } = each;
  const range = low === high ? shown(low) : `${shown(low)} to ${shown(high)}`;
  const average = mean === undefined || low === high ? "" : `, mean ${shown(mean)}`;
  const values =
    distinct === 0
      ? ""
      : low !== undefined
        ? `${range}${type === "number" ? average : ""}${unit === undefined ? "" : ` (${clipped(unit, 10)})`}`
        : common.map(({ text, count: n }) => `${clipped(text, 14)}${n > 1 ? ` ${n}` : ""}`).join(", ");
  const remarks = [
    ...(j === account.labels ? ["label"] : []),
    ...(type === "id" || type === "index"
      ? [distinct < table.rows - missing ? "codes, no feature" : "names the rows"]
      : []),
    ...(odd > 0 ? [`${odd} ${odd === 1 ? "is" : "are"} no number`] : []),
    ...each.remarks,
  ];
  return [
    clipped(nameOf(table, j) || '""', 22),
    type,
    missing === 0 ? "" : count(missing),
    count(distinct),
    clipped(values, 40),
    remarks.join("; "),
  ].map(printable);
}

const shown = (value: number | undefined): string =>
  value === undefined ? "" : String(Number(value.toPrecision(Number.isInteger(value) ? 7 : 4)));

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, k) => Math.max(...rows.map((row) => row[k].length)));
  const isRight = (k: number): boolean => k === 2 || k === 3;
  return rows.map(
    (row) =>
      `  ${row.map((cell, k) => (isRight(k) ? cell.padStart(widths[k]) : cell.padEnd(widths[k]))).join("  ")}`,
  );
}

function restOf(columns: readonly ColumnAccount[]): string {
  const counts = new Map<string, number>();
  for (const { type } of columns) counts.set(type, (counts.get(type) ?? 0) + 1);
  const types = [...counts].map(([type, n]) => `${count(n)} of type ${type}`).join(", ");
  const gaps = columns.filter(({ missing }) => missing > 0).length;
  return `  … and ${count(columns.length)} more: ${types}${gaps > 0 ? `; ${count(gaps)} have gaps` : ""} (--all)`;
}

function labelsLine({ table, account, isChosen }: Look): string {
  const { labels, isRegression } = account;
  if (labels === undefined) return "No column is likely to be the label: name one with --labels.";
  const what = isRegression ? "numbers to predict" : `${count(account.columns[labels].distinct)} classes`;
  return `Label: ${JSON.stringify(nameOf(table, labels))}, ${what}${isChosen ? "" : " (a guess; --labels names another)"}.`;
}

/** @param values - whether all cells are listed */
export function objectOf(look: Look, values: boolean): Readonly<Record<string, unknown>> {
  const { table, account, advice } = look;
  const { labels, isRegression, leaks, duplicates, rows } = account;
  return {
    rows,
    kind: table.kind,
    form: table.form,
    isNamed: table.isNamed,
    columns: account.columns.map((each, j) => ({ ...each, name: nameOf(table, j) })),
    labels,
    isRegression,
    leaks,
    duplicates,
    notes: [...table.notes, ...(advice.span === undefined ? [] : [advice.span])],
    warnings: warningsOf(look),
    commands: advice.commands.map(({ words }) => words),
    reason: advice.reason,
    values: values
      ? Array.from({ length: rows }, (_, i) => table.columns.map((_, j) => valueAt(table, i, j)))
      : undefined,
  };
}

/** JSON has no infinite numbers. */
function valueAt({ columns }: ReadTable, row: number, j: number): number | string | null {
  const { numbers, codes, levels } = columns[j];
  if (numbers === undefined) return levels[codes?.[row] ?? -1] ?? null;
  const value = numberAt(numbers, row);
  if (Number.isNaN(value)) return null;
  return Number.isFinite(value) ? value : value > 0 ? "inf" : "-inf";
}
