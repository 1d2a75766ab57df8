/** Columns: their names, types and missing cells. */
import { isBoolean, isDate, isMissing, numberOf } from "./cell.js";
import type { Dialect } from "./dialect.js";

export type ColumnType = "number" | "word" | "boolean" | "date" | "id" | "index";

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly missing: number;
  readonly values: readonly (number | string | boolean | null)[];
}

const idName = /(^|[\s_.-])(id|ids|key|code|codes|zip|zipcode|plz|uuid|guid|nr|no|record|rownames|rowid|identifier)$|[a-z]Id$|^(rn|idx|index|obs|unnamed: 0)$/i;

export function columnsOf({ names, width, rows, form }: Dialect, dropped: string[]): Column[] {
  const columns: Column[] = [];
  for (let j = 0; j < width; j++) {
    const name = names?.[j] ?? "";
    const cells = rows.map(({ cells: all }) => all[j] ?? "");
    const quoted = rows.map(({ quoted: all }) => all[j] ?? false);
    if (name === "" && names !== undefined && cells.every((cell) => cell === "")) {
      dropped.push(`Column ${j + 1} is empty and has no name; it is left out.`);
      continue;
    }
    const gap = cells.map(isMissing);
    const numbers = cells.map((cell, i) => (gap[i] ? Number.NaN : numberOf(cell, form)));
    const there = cells.filter((_, i) => !gap[i]);
    const share = (is: (text: string) => boolean): number => there.filter(is).length / Math.max(1, there.length);
    const bad = there.length - numbers.filter((value) => !Number.isNaN(value)).length;
    const count = gap.filter(Boolean).length;
    const known = { name: name === "" && names === undefined ? String(j) : name, missing: count };
    if (bad === 0 && there.length > 0) {
      const type = numericType(known.name, there, numbers, name === "" && names !== undefined && j === 0);
      const values = cells.map((cell, i) => (gap[i] ? null : type === "number" ? numbers[i] : cell));
      columns.push({ ...known, type, values });
    } else if (there.length === 0) {
      columns.push({ ...known, type: "number", values: cells.map(() => null) });
    } else if (share(isBoolean) === 1) {
      columns.push({ ...known, type: "boolean", values: cells.map((cell, i) => (gap[i] ? null : /^(t|y|j|o)/i.test(cell.trim()))) });
    } else if (share(isDate) > 0.95) {
      columns.push({ ...known, type: "date", values: cells.map((cell, i) => (gap[i] ? null : cell)) });
    } else {
      // R writes words in quotes and NA without: one in quotes is a word there
      const isQuoting = quoted.filter(Boolean).length > cells.length / 2;
      const isGap = (i: number): boolean => gap[i] && (cells[i] === "" || !isQuoting || !quoted[i]);
      const values = cells.map((cell, i) => (isGap(i) ? null : cell));
      const isIndex = name === "" && names !== undefined && j === 0 && new Set(cells).size === cells.length;
      columns.push({ ...known, type: isIndex ? "index" : "word", missing: values.filter((value) => value === null).length, values });
    }
  }
  return columns;
}

function numericType(name: string, cells: readonly string[], numbers: readonly number[], isNameless: boolean): ColumnType {
  const isWhole = numbers.every((value) => Number.isNaN(value) || Number.isInteger(value));
  const isUnique = new Set(cells).size === cells.length;
  const counts = isWhole && numbers.length > 2 && numbers.every((value, i) => i === 0 || value === numbers[i - 1] + 1);
  if (isNameless && isUnique && isWhole) return "index";
  if (isWhole && cells.some((cell) => /^0\d/.test(cell.trim()))) return "id";
  if (isWhole && numbers.some((value) => Math.abs(value) > Number.MAX_SAFE_INTEGER)) return "id";
  if (isWhole && isUnique && (idName.test(name) || (counts && numbers[0] <= 1 && cells.length > 9 && name !== ""))) return "id";
  return "number";
}
