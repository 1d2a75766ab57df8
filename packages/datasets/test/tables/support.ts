import { type ReadTable, readTable, type TableOptions } from "@curvature/datasets";
import { numberAt } from "@curvature/linalg/tables";

/** What stands in the cells: numbers, texts, null where nothing does. */
export const cellsOf = ({ rows, columns }: ReadTable): (number | string | null)[][] =>
  Array.from({ length: rows }, (_, i) =>
    columns.map(({ numbers, codes, levels }) => {
      if (numbers === undefined) return levels[codes?.[i] ?? -1] ?? null;
      const value = numberAt(numbers, i);
      return Number.isNaN(value) ? null : value;
    }),
  );

export const lines = (...all: readonly string[]): string => `${all.join("\n")}\n`;

/** Names, types and cells. */
export async function read(text: string | Uint8Array, options?: TableOptions) {
  const table = await readTable(text, options);
  return {
    names: table.isNamed ? table.columns.map(({ name }) => name) : undefined,
    types: table.columns.map(({ type }) => type),
    cells: cellsOf(table),
    table,
  };
}

type Cell = number | string | null;

/** Of each column its name, its type, and its cells. */
export function columnsOf(table: ReadTable): (readonly [string, string, ...Cell[]])[] {
  const cells = cellsOf(table);
  return table.columns.map(({ name, type }, j) => [name, type, ...cells.map((row) => row[j])]);
}

export const readColumns = async (
  source: string | Uint8Array,
  options?: TableOptions,
): Promise<ReturnType<typeof columnsOf>> => columnsOf(await readTable(source, options));
