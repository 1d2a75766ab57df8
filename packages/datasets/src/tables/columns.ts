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

const idName =
  /(^|[\s_.-])(id|ids|key|codes?|zip|zipcode|plz|uuid|guid|nr|no|record|rownames|rowid|identifier)$|^(rn|idx|index|obs|unnamed: 0)$/i;
/** userId, but not Madrid */
const camelId = /[a-z](Id|ID)$/;

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
    const sentinel = sentinelOf(numbers);
    if (sentinel !== undefined) {
      dropped.push(`Column ${name === "" ? j + 1 : `"${name}"`} has ${sentinel} for missing values.`);
      for (const [i, value] of numbers.entries()) if (value === sentinel) gap[i] = true;
    }
    const there = cells.filter((_, i) => !gap[i]);
    const share = (is: (text: string) => boolean): number => there.filter(is).length / Math.max(1, there.length);
    const bad = numbers.filter((value, i) => !gap[i] && Number.isNaN(value)).length;
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

/** −999, −9999.9 and the like, far below all other numbers of the column. */
function sentinelOf(numbers: readonly number[]): number | undefined {
  const there = numbers.filter((value) => Number.isFinite(value));
  const least = there.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  if (!/^-9{2,}(\.9+)?$/.test(String(least)) || least > -99) return undefined;
  const others = there.filter((value) => value !== least);
  if (others.length < 2 || others.length < there.length / 2) return undefined;
  const low = others.reduce((a, b) => Math.min(a, b));
  const high = others.reduce((a, b) => Math.max(a, b));
  return low - least > 2 * (high - low) && low - least > 50 ? least : undefined;
}

function numericType(name: string, cells: readonly string[], numbers: readonly number[], isNameless: boolean): ColumnType {
  const isWhole = numbers.every((value) => Number.isNaN(value) || Number.isInteger(value));
  const isUnique = new Set(cells).size === cells.length;
  const counts = isWhole && numbers.length > 2 && numbers.every((value, i) => i === 0 || value === numbers[i - 1] + 1);
  if (isNameless && isUnique && isWhole) return "index";
  if (isWhole && cells.some((cell) => /^0\d/.test(cell.trim()))) return "id";
  if (isWhole && numbers.some((value) => Math.abs(value) > Number.MAX_SAFE_INTEGER)) return "id";
  if (isWhole && isUnique && (idName.test(name) || camelId.test(name) || (counts && numbers[0] <= 1 && cells.length > 9 && name !== ""))) return "id";
  return "number";
}

/** What rows and columns are, where they are no points. */
export function kindOf(columns: readonly Column[], notes: string[]): "table" | "distances" | "edges" {
  const numbers = columns.filter(({ type }) => type === "number");
  const others = columns.length - numbers.length;
  const n = numbers.length;
  if (n > 2 && others <= 1 && numbers[0].values.length === n && isDistances(numbers)) {
    notes.push(`${n} rows and ${n} columns, symmetric, 0 on the diagonal: a matrix of distances.`);
    return "distances";
  }
  const [from, to] = columns.map(({ name }) => name.toLowerCase());
  const isPair = edgeNames.some(([a, b]) => a.test(from ?? "") && b.test(to ?? ""));
  if (columns.length <= 4 && isPair) {
    notes.push(`Columns "${columns[0].name}" and "${columns[1].name}": a list of edges.`);
    return "edges";
  }
  return "table";
}

const edgeNames = [
  [/^(source|src)(_?id)?$/, /^(target|dst|dest|destination)(_?id)?$/],
  [/^from(_?(id|node))?$/, /^to(_?(id|node))?$/],
  [/^(u|i|node1|head)$/, /^(v|j|node2|tail)$/],
] as const;

function isDistances(columns: readonly Column[]): boolean {
  return columns.every(({ values }, j) =>
    columns.every((other, i) => {
      const value = values[i];
      return typeof value === "number" && (i === j ? value === 0 : value >= 0 && value === other.values[j]);
    }),
  );
}
