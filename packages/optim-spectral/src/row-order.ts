/**
 * An order of the rows that follows from what they hold and not from where they stand: what a map's start draws at random, and
 * whatever else needs some order, takes this one, so that the same rows in another order get the same map but for rounding. (Where many
 * rows are copies, or equally far from many others, rounding decides between maps of nearly the same divergence.)
 *
 * Points: by their first column, then the second, and so on. What is given in place of points: by the largest entry of a row, then
 * the least, then a sum of hashes of all, which no order of addition changes. Rows that agree in all of that stay as they stand.
 */
import { type DenseMatrix, isSparse, type SparseMatrix } from "@curvature/linalg";
import type { Source } from "./source.js";

/** Which row comes first, second, …: N. */
export function rowOrder(source: Source): Int32Array {
  switch (source.kind) {
    case "points":
      return orderBy(source.rows, isSparse(source.data) ? bySparse(source.data) : byColumns(source.data));
    case "distances":
      return orderBy(source.rows, byEntries(source.rows, entriesOf(source.distances)));
    case "neighbors":
      return orderBy(
        source.rows,
        byEntries(source.rows, storedOf(source.graph.rowPointers, source.graph.distances)),
      );
    case "affinities": {
      const { rows, affinities } = source;
      const entries =
        "data" in affinities ? entriesOf(affinities) : storedOf(affinities.rowPointers, affinities.values);
      return orderBy(rows, byEntries(rows, entries));
    }
  }
}

type Compare = (a: number, b: number) => number;
type Entries = (row: number) => Float64Array;

/** Ties by the number of the row. */
export function orderBy(rows: number, compare: Compare): Int32Array {
  const order = Int32Array.from({ length: rows }, (_, n) => n);
  return order.sort((a, b) => compare(a, b) || a - b);
}

function byColumns({ columns, data }: DenseMatrix): Compare {
  return (a, b) => {
    for (let j = 0; j < columns; j++) {
      const difference = data[a * columns + j] - data[b * columns + j];
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

/** The row that stores more in the first columns comes first. */
function bySparse({ rowPointers, columnIndices, values }: SparseMatrix): Compare {
  return (a, b) => {
    const shift = rowPointers[b] - rowPointers[a];
    const end = Math.min(rowPointers[a + 1], rowPointers[b + 1] - shift);
    for (let p = rowPointers[a]; p < end; p++) {
      const difference = columnIndices[p] - columnIndices[p + shift] || values[p] - values[p + shift];
      if (difference !== 0) return difference;
    }
    return rowPointers[b + 1] - shift - rowPointers[a + 1];
  };
}

const entriesOf =
  ({ columns, data }: DenseMatrix): Entries =>
  (row) =>
    data.subarray(row * columns, (row + 1) * columns);

const storedOf =
  (rowPointers: Int32Array, values: Float64Array): Entries =>
  (row) =>
    values.subarray(rowPointers[row], rowPointers[row + 1]);

function byEntries(rows: number, entries: Entries): Compare {
  const largest = new Float64Array(rows);
  const least = new Float64Array(rows);
  const hash = new Uint32Array(rows);
  for (let n = 0; n < rows; n++) {
    const row = entries(n);
    let [high, low, sum] = [0, Number.POSITIVE_INFINITY, 0];
    for (const value of row) {
      if (value > high) high = value;
      // The diagonal's zero says nothing of a row.
      if (value > 0 && value < low) low = value;
      sum = (sum + hashOf(value)) >>> 0;
    }
    largest[n] = high;
    least[n] = low;
    hash[n] = sum;
  }
  return (a, b) => largest[a] - largest[b] || compared(least[a], least[b]) || hash[a] - hash[b];
}

/** Infinities are equal. */
const compared = (a: number, b: number): number => (a < b ? -1 : Number(a > b));

const bits = new DataView(new ArrayBuffer(8));

/** Of a number's bits: the finaliser of MurmurHash3. */
function hashOf(value: number): number {
  bits.setFloat64(0, value);
  let h = bits.getUint32(0) ^ Math.imul(bits.getUint32(4), 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
