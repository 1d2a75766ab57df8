/** Tables by hand: of each column its cells, as text, numbers, or null where there is none. */
import type { Column, ColumnType, DataTable } from "@curvature/linalg/tables";

export type Cells = readonly (string | number | null)[];

export function table(
  columns: Readonly<Record<string, Cells>>,
  types: Readonly<Record<string, ColumnType>> = {},
): DataTable {
  const all = Object.entries(columns).map(([name, cells]): Column => {
    const missing = cells.filter((cell) => cell === null).length;
    const common = { name, unit: undefined, missing, odd: [] };
    if (cells.every((cell) => cell === null || typeof cell === "number")) {
      const data = Float64Array.from(cells, (cell) => (typeof cell === "number" ? cell : Number.NaN));
      const numbers = { data, offset: 0, stride: 1 };
      return {
        ...common,
        type: Object.hasOwn(types, name) ? types[name] : "number",
        numbers,
        codes: undefined,
        levels: [],
      };
    }
    const levels = [...new Set(cells.filter((cell) => cell !== null).map(String))];
    const codes = Int32Array.from(cells, (cell) => (cell === null ? -1 : levels.indexOf(String(cell))));
    return {
      ...common,
      type: Object.hasOwn(types, name) ? types[name] : "word",
      numbers: undefined,
      codes,
      levels,
    };
  });
  return { rows: Object.values(columns)[0]?.length ?? 0, columns: all, isNamed: true };
}

/** The rows of a matrix. */
export const rowsOf = ({
  rows,
  columns,
  data,
}: {
  rows: number;
  columns: number;
  data: Float64Array;
}): number[][] => Array.from({ length: rows }, (_, i) => [...data.subarray(i * columns, (i + 1) * columns)]);
