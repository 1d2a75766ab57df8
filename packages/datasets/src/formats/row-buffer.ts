/** Sparse rows appended entry by entry, taken in batches. Growing doubles. */
import { allocate } from "./bytes.js";

export interface ScannedRows {
  /** Numbers, or words. */
  readonly labels: Float64Array | readonly string[];
  /** Row i occupies positions up to, not including, `rowEnds[i]`. */
  readonly rowEnds: Int32Array;
  /** As written, increasing within a row. */
  readonly indices: Int32Array;
  readonly values: Float64Array;
}

const firstRows = 1 << 8;
const firstEntries = 1 << 12;

export class RowBuffer {
  rows = 0;
  entries = 0;
  /** Decided by the first label. */
  labelKind: "numbers" | "words" | undefined;
  private labels = new Float64Array(firstRows);
  private words: string[] = [];
  /** The same words as one string each: a million rows have few classes. */
  private readonly known = new Map<string, string>();
  private rowEnds = new Int32Array(firstRows);
  private indices = new Int32Array(firstEntries);
  private values = new Float64Array(firstEntries);

  append(index: number, value: number): void {
    if (this.entries === this.indices.length) this.grow();
    this.indices[this.entries] = index;
    this.values[this.entries++] = value;
  }

  appendLabel(value: number): void {
    if (this.rows === this.labels.length) this.labels = enlarged(this.labels, float64);
    this.labels[this.rows] = value;
  }

  appendWord(word: string): void {
    const known = this.known.get(word);
    if (known === undefined && this.known.size < mostKnown) this.known.set(word, word);
    this.words.push(known ?? word);
  }

  private get rowStart(): number {
    return this.rows === 0 ? 0 : this.rowEnds[this.rows - 1];
  }

  /** Sorts the row that is being read by index. @returns an index that it has twice, if there is one */
  sortRow(): number | undefined {
    const indices = this.indices.slice(this.rowStart, this.entries);
    const values = this.values.slice(this.rowStart, this.entries);
    const order = Int32Array.from(indices.keys()).sort((a, b) => indices[a] - indices[b]);
    for (let k = 0; k < order.length; k++) {
      if (k > 0 && indices[order[k]] === indices[order[k - 1]]) return indices[order[k]];
      this.indices[this.rowStart + k] = indices[order[k]];
      this.values[this.rowStart + k] = values[order[k]];
    }
    return undefined;
  }

  /** @returns the row's least and greatest index, -1 for an empty row */
  endRow(): { readonly least: number; readonly most: number } {
    const { rowStart, entries } = this;
    if (this.rows === this.rowEnds.length) this.rowEnds = enlarged(this.rowEnds, int32);
    this.rowEnds[this.rows++] = entries;
    const isEmpty = rowStart === entries;
    return { least: isEmpty ? -1 : this.indices[rowStart], most: isEmpty ? -1 : this.indices[entries - 1] };
  }

  /** The whole rows so far, which the buffer then forgets. Only between rows. */
  take(): ScannedRows {
    const { rows, entries } = this;
    const labels = this.labelKind === "words" ? this.words : this.labels.slice(0, rows);
    this.words = [];
    this.rows = 0;
    this.entries = 0;
    return {
      labels,
      rowEnds: this.rowEnds.slice(0, rows),
      indices: this.indices.slice(0, entries),
      values: this.values.slice(0, entries),
    };
  }

  private grow(): void {
    this.indices = enlarged(this.indices, int32);
    this.values = enlarged(this.values, float64);
  }
}

const mostKnown = 1 << 16;

function enlarged<T extends Int32Array | Float64Array>(array: T, make: (length: number) => T): T {
  const grown = allocate(() => make(array.length * 2), array.byteLength * 2);
  grown.set(array);
  return grown;
}

const float64 = (length: number): Float64Array<ArrayBuffer> => new Float64Array(length);
const int32 = (length: number): Int32Array<ArrayBuffer> => new Int32Array(length);
