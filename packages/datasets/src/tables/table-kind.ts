/** Rows and columns that are no points: distances, edges. */
import { type Column, type NumberView, numberAt } from "@curvature/linalg/tables";

import { noData } from "../formats/table.js";
import type { Found, ReadTable, TableKind } from "./table-form.js";

/** What rows and columns are, where they are no points. */
export function kindOf(columns: readonly Column[], rows: number, notes: string[]): TableKind {
  const numbers = columns.flatMap(({ type, numbers: own }) =>
    type === "number" && own !== undefined ? [own] : [],
  );
  if (
    numbers.length > 2 &&
    columns.length - numbers.length <= 1 &&
    rows === numbers.length &&
    areDistances(numbers)
  ) {
    notes.push(`${rows} rows and as many columns, symmetric, 0 on the diagonal: a matrix of distances.`);
    return "distances";
  }
  const [from = "", to = "", third] = columns.map(({ name }) => name.toLowerCase());
  const areTriples = from === "i" && to === "j" && third === "k"; // comparisons of three
  if (
    !areTriples &&
    columns.length <= 4 &&
    edgeNames.some(([a, b]) => a.test(from) && b.test(to)) &&
    columns.slice(0, 2).every((column) => isEnd(column, rows)) // wind has components u and v, too
  ) {
    notes.push(`Columns "${columns[0].name}" and "${columns[1].name}": a list of edges.`);
    return "edges";
  }
  return "table";
}

/** Names, or whole numbers. */
const isEnd = ({ numbers }: Column, rows: number): boolean =>
  numbers === undefined ||
  Array.from({ length: rows }, (_, i) => numberAt(numbers, i)).every(Number.isInteger);

const edgeNames = [
  [/^(source|src)(_?id)?$/, /^(target|dst|dest|destination)(_?id)?$/],
  [/^from(_?(id|node))?$/, /^to(_?(id|node))?$/],
  [/^(u|i|node1|head)$/, /^(v|j|node2|tail)$/],
] as const;

const areDistances = (columns: readonly NumberView[]): boolean =>
  columns.every((column, j) =>
    columns.every((other, i) => {
      const value = numberAt(column, i);
      return i === j ? value === 0 : value >= 0 && value === numberAt(other, j);
    }),
  );

/** What a reader of another format than text found. */
export function found(
  { rows, columns, isNamed, labels }: Found,
  format: ReadTable["form"]["format"],
): ReadTable {
  if (rows === 0) throw noData("The input has no rows of data.");
  const notes: string[] = [];
  const kind = kindOf(columns, rows, notes);
  const form = { format, encoding: undefined, delimiter: undefined };
  return { rows, columns, isNamed, kind, labels, notes, form };
}
