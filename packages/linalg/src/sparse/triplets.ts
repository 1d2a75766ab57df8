/**
 * Sparse matrices from triplets (i, j, a_ij), in any order, duplicates summed.
 *
 * Two stable counting sorts, by column and then by row, bring the entries into place: O(entries + rows + columns),
 * and duplicates are summed in the order in which they were given.
 */
import { CurvatureError } from "../errors.js";
import { badOption, shown } from "../options.js";
import type { SparseMatrix } from "./csr.js";

/** Entry k is `values[k]` at row `rows[k]`, column `columns[k]`, counted from 0; three arrays of one length. */
export interface Triplets {
  readonly rows: ArrayLike<number>;
  readonly columns: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** The largest size and number of entries that 32-bit indices reach. */
const largest = 2 ** 31 - 2;

/**
 * The rows × columns matrix with the given entries; those at the same place are summed.
 *
 * @param name - what the caller calls it, for the message
 * @throws CurvatureError ERR_SHAPE for sizes that are not whole numbers, arrays of different lengths or an index
 *   out of range; ERR_NON_FINITE for a value that is no finite number, or a sum that overflows; ERR_OPTION for a name
 *   that is no string
 */
export function fromTriplets(
  rows: number,
  columns: number,
  triplets: Triplets,
  name = "matrix",
): SparseMatrix {
  if (typeof name !== "string") throw badOption("fromTriplets", "name", "a string", name);
  checkSize(rows, `${name}: the number of rows`);
  checkSize(columns, `${name}: the number of columns`);
  checkLists(triplets, name);
  const count = triplets.values.length;
  if (triplets.rows.length !== count || triplets.columns.length !== count || count > largest) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `triplets need as many row and column indices as values (at most ${largest}); received ` +
        `${triplets.rows.length}, ${triplets.columns.length} and ${count}.`,
      { where: name, path: name, expected: "three arrays of one length", received: count },
    );
  }
  const byColumn = sortedBy(triplets.columns, columns, identity(count), `${name}: column index`);
  const byRow = sortedBy(triplets.rows, rows, byColumn, `${name}: row index`);
  return compressed(rows, columns, triplets, byRow, name);
}

function checkLists(triplets: unknown, name: string): void {
  const given = typeof triplets === "object" && triplets !== null ? triplets : {};
  for (const list of ["rows", "columns", "values"]) {
    const entries: unknown = Reflect.get(given, list);
    if (Array.isArray(entries) || ArrayBuffer.isView(entries)) continue;
    throw new CurvatureError(
      "ERR_SHAPE",
      `triplets must be { rows, columns, values }, each an array of numbers; received ${shown(entries)} for ${list}.`,
      { where: name, path: `${name}.${list}`, expected: "an array of numbers", received: entries },
    );
  }
}

/** @throws CurvatureError ERR_SHAPE unless `size` is a whole number that 32-bit indices reach */
export function checkSize(size: unknown, what: string): asserts size is number {
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0 || size > largest) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `${what} must be a whole number from 0 to ${largest}; received ${shown(size)}.`,
      { path: what, expected: `a whole number from 0 to ${largest}`, received: size },
    );
  }
}

/** The positions `entries`, stably sorted by their key. */
function sortedBy(keys: ArrayLike<number>, bound: number, entries: Int32Array, what: string): Int32Array {
  const next = new Int32Array(bound + 1);
  for (let k = 0; k < keys.length; k++) {
    const key = keys[k];
    if (!Number.isSafeInteger(key) || key < 0 || key >= bound) {
      throw new CurvatureError(
        "ERR_SHAPE",
        `${what} of entry ${k} is ${shown(key)}; it must be a whole number from 0 to ${bound - 1}.`,
        { path: `entry ${k}`, expected: `a whole number from 0 to ${bound - 1}`, received: key },
      );
    }
    next[key + 1]++;
  }
  for (let key = 0; key < bound; key++) next[key + 1] += next[key];
  const sorted = new Int32Array(entries.length);
  for (const k of entries) sorted[next[keys[k]]++] = k;
  return sorted;
}

function identity(length: number): Int32Array {
  const positions = new Int32Array(length);
  for (let k = 0; k < length; k++) positions[k] = k;
  return positions;
}

/** Entries sorted by row and column, neighbours at the same place summed. */
function compressed(
  rows: number,
  columns: number,
  triplets: Triplets,
  sorted: Int32Array,
  name: string,
): SparseMatrix {
  const rowPointers = new Int32Array(rows + 1);
  const columnIndices = new Int32Array(sorted.length);
  const values = new Float64Array(sorted.length);
  let last = -1;
  let lastRow = -1;
  for (const k of sorted) {
    const i = triplets.rows[k];
    const j = triplets.columns[k];
    const value: unknown = triplets.values[k];
    if (typeof value !== "number") throw notFinite(name, i, j, value);
    if (i === lastRow && j === columnIndices[last]) {
      values[last] += value;
    } else {
      last++;
      lastRow = i;
      rowPointers[i + 1]++;
      columnIndices[last] = j;
      values[last] = value;
    }
    if (!Number.isFinite(values[last])) throw notFinite(name, i, j, values[last]);
  }
  for (let i = 0; i < rows; i++) rowPointers[i + 1] += rowPointers[i];
  const count = last + 1;
  return {
    rows,
    columns,
    rowPointers,
    columnIndices: count === sorted.length ? columnIndices : columnIndices.slice(0, count),
    values: count === sorted.length ? values : values.slice(0, count),
  };
}

export function notFinite(name: string, row: number, column: number, received: unknown): CurvatureError {
  return new CurvatureError(
    "ERR_NON_FINITE",
    `${name} has ${shown(received)} at row ${row}, column ${column} (counted from 0). Remove such entries before solving.`,
    { path: `row ${row}, column ${column}`, expected: "a finite number", received },
  );
}
