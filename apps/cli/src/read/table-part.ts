/** Some rows of a table set apart, which have no part in how columns become numbers. */
import type { ReadTable } from "@curvature/datasets";
import type { DenseMatrix } from "@curvature/linalg";
import {
  applyPreparation,
  type Column,
  type ColumnChoice,
  numberAt,
  type Preparation,
  type PreparationOptions,
  type PreparedRows,
  prepare,
} from "@curvature/linalg/tables";

interface Parts extends Omit<PreparedRows, "kept"> {
  readonly preparation: Preparation;
  /** Which of the prepared rows are `points`, and which were set apart. */
  readonly others: Int32Array;
  readonly apart: Int32Array;
  readonly apartPoints: DenseMatrix;
}

/**
 * @param options - that have prepared all rows
 * @param ignored - columns that are no data
 * @param marks - of those rows: 1 for one that is set apart
 * @param kept - which rows of the table they are; undefined for all of them
 * @throws CurvatureError as `prepare` does
 */
export function parted(
  table: ReadTable,
  options: PreparationOptions,
  ignored: readonly ColumnChoice[],
  marks: Uint8Array,
  kept: Int32Array | undefined,
): Parts {
  const [others, apart] = [0, 1].map((mark) =>
    Int32Array.from(marks.keys()).filter((row) => marks[row] === mark),
  );
  const tableOf = (rows: Int32Array): ReadTable =>
    partOfTable(table, kept === undefined ? rows : rows.map((row) => kept[row]));
  const { points, columns, preparation } = prepare(tableOf(others), options);
  const later = applyPreparation(preparation, tableOf(apart), { ignored });
  // What else there is to be said was said of all rows.
  const notes = later.notes.filter((note) => note.includes("has not seen"));
  return { points, columns, preparation, others, apart, apartPoints: later.points, notes };
}

/** @param rows - their indices, rising */
function partOfTable(table: ReadTable, rows: Int32Array): ReadTable {
  const { lines } = table;
  return {
    ...table,
    rows: rows.length,
    columns: table.columns.map((column) => partOfColumn(column, rows)),
    lines: lines && Int32Array.from(rows, (row) => lines[row]),
  };
}

function partOfColumn(column: Column, rows: Int32Array): Column {
  const { numbers, codes } = column;
  const placeOf = new Map(Array.from(rows, (row, i) => [row, i]));
  const odd = column.odd.flatMap(({ row, text }) => {
    const place = placeOf.get(row);
    return place === undefined ? [] : [{ row: place, text }];
  });
  if (numbers === undefined) {
    const taken = codes && Int32Array.from(rows, (row) => codes[row]);
    const missing = taken?.reduce((count, code) => count + Number(code < 0), 0) ?? 0;
    return { ...column, codes: taken, odd, missing };
  }
  const data = Float64Array.from(rows, (row) => numberAt(numbers, row));
  const missing = data.reduce((count, value) => count + Number(Number.isNaN(value)), 0) - odd.length;
  return { ...column, numbers: { data, offset: 0, stride: 1 }, odd, missing };
}
