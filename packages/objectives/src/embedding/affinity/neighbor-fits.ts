/**
 * Affinities among listed neighbours, by stretches of the walk: the row of a point holds its neighbours and their squared
 * distances, nearest first, and after its fit their affinities, in the order of the neighbours' numbers.
 *
 * No stretch touches rows of another, and none asks what became of another: threads may share them, each with fits of
 * its own over common rows. What comes out does not depend on who does which.
 */
import { type Memory, owned } from "../threads/memory.js";
import type { NeighborLists } from "./neighbor-lists.js";
import { type EntropicAffinities, emptyFits, type FitArrays, RowFits, summaryOf } from "./row-fits.js";
import { goThrough, stretchCount, walk } from "./walk.js";

/** What threads that fit the same rows have in common. */
export interface NeighborRows {
  /** Neighbours per row, K. */
  readonly count: number;
  readonly perplexity: number;
  /** N × K */
  readonly indices: Int32Array;
  /** N × K: squared distances, then affinities. */
  readonly values: Float64Array;
  /** Of the walk. */
  readonly order: Int32Array;
  readonly fits: FitArrays;
}

/** Room for the rows of such lists. */
export function emptyRows(
  { count, indices: { length } }: NeighborLists,
  perplexity: number,
  memory: Memory,
): NeighborRows {
  const N = length / count;
  return {
    count,
    perplexity,
    indices: memory.integers(length),
    values: memory.numbers(length),
    order: memory.integers(N),
    fits: emptyFits(N, memory),
  };
}

/** The lists' rows, and the walk through them: before the first stretch, by whoever has the lists. */
export function fillRows({ indices, values, order, count: K }: NeighborRows, lists: NeighborLists): void {
  indices.set(lists.indices);
  values.set(lists.distances);
  walk(order, (n, visited) => firstUnvisited(lists.indices, n * K, n * K + K, visited));
}

function firstUnvisited(indices: Int32Array, from: number, to: number, visited: Uint8Array): number {
  for (let p = from; p < to; p++) if (visited[indices[p]] === 0) return indices[p];
  return -1;
}

export class NeighborFits {
  /** Stretches. */
  readonly count: number;
  private readonly fits: RowFits;
  private readonly sorter: RowSorter;

  constructor(private readonly rows: NeighborRows) {
    const N = rows.order.length;
    this.count = stretchCount(N);
    this.fits = new RowFits(rows.fits, rows.count, rows.perplexity);
    this.sorter = new RowSorter(N);
  }

  /** Fits the rows of a stretch. */
  fit(stretch: number): void {
    const { fits, sorter } = this;
    const { order, indices, values, count: K } = this.rows;
    goThrough(order, stretch, (n, logBeta) => {
      const place = values.subarray(n * K, n * K + K);
      fits.row.distances.set(place);
      const next = fits.fit(n, logBeta);
      place.set(fits.row.p);
      sorter.sort(indices.subarray(n * K, n * K + K), place);
      return next;
    });
  }
}

/** When all stretches are done. */
export function affinitiesOfRows({
  order: { length: N },
  indices,
  values,
  count: K,
  fits,
  perplexity,
}: NeighborRows): EntropicAffinities {
  const conditional = {
    rows: N,
    columns: N,
    rowPointers: evenRowPointers(N, K),
    columnIndices: owned(indices),
    values: owned(values),
  };
  return { conditional, ...summaryOf(fits, perplexity) };
}

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
