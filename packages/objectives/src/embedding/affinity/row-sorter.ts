/** Rows of a sparse matrix as lists of neighbours have them, nearest first, are brought into the order of their columns. */

export class RowSorter {
  /** Of the row at hand, column by column. */
  private readonly values: Float64Array;

  constructor(columns: number) {
    this.values = new Float64Array(columns);
  }

  /** Sorts a row in place. */
  sort(columns: Int32Array, values: Float64Array): void {
    for (let p = 0; p < columns.length; p++) this.values[columns[p]] = values[p];
    columns.sort();
    for (let p = 0; p < columns.length; p++) values[p] = this.values[columns[p]];
  }
}

/** Where rows of `count` entries start. */
export const evenRowPointers = (rows: number, count: number): Int32Array =>
  Int32Array.from({ length: rows + 1 }, (_, n) => n * count);
