/** A table in plain words. */
import { type ReadTable, readTable, type TableOptions } from "@curvature/datasets";
import { type Column, numberAt } from "@curvature/linalg/tables";

type Cell = number | string | null;

const cellAt = ({ numbers, codes, levels }: Column, row: number): Cell => {
  if (numbers === undefined) return levels[codes?.[row] ?? -1] ?? null;
  const value = numberAt(numbers, row);
  return Number.isNaN(value) ? null : value;
};

/** Of each column its name, its type, and its cells, null where one is missing. */
export const columnsOf = ({ rows, columns }: ReadTable): (readonly [string, string, ...Cell[]])[] =>
  columns.map((column) => [
    column.name,
    column.type,
    ...Array.from({ length: rows }, (_, row) => cellAt(column, row)),
  ]);

export const read = async (
  source: string | Uint8Array,
  options?: TableOptions,
): Promise<ReturnType<typeof columnsOf>> => columnsOf(await readTable(source, options));
