/** Sparse rows that came in parts, joined to one matrix; each part is given up as soon as it is copied. */
import { CurvatureError, type SparseMatrix } from "@curvature/linalg";
import { allocate } from "./bytes.js";
import type { ScannedBatch } from "./libsvm-scanner.js";

export interface LibsvmBatch<T extends Float64Array | Float32Array> {
  /** A row per line. In a stream, columns become more as larger indices occur. */
  readonly rows: SparseMatrix<T>;
  /** Numbers, if the first label of the input is one (all must be then), else words. */
  readonly labels: Float64Array | readonly string[];
  readonly indexBase: 0 | 1;
  /** How many empty lines were skipped. In a stream, since the batch before. */
  readonly emptyLines: number;
  /** What a user should know of: the first empty line, the first number of a query. In a stream, what is new. */
  readonly warnings: readonly string[];
}

export interface ValuesConstructor<T> {
  new (length: number): T;
  new (values: ArrayLike<number>): T;
  readonly BYTES_PER_ELEMENT: number;
}

export class RowParts<T extends Float64Array | Float32Array> {
  hasZero = false;
  private readonly indices: Int32Array[] = [];
  private readonly values: T[] = [];
  private readonly rowEnds: Int32Array[] = [];
  private readonly labels: Float64Array[] = [];
  private readonly words: string[] = [];
  private largest = -1;
  private rows = 0;
  private entries = 0;
  private emptyLines = 0;
  private readonly warnings: string[] = [];

  constructor(private readonly Values: ValuesConstructor<T>) {}

  append(batch: ScannedBatch): void {
    this.indices.push(batch.indices);
    this.values.push(
      allocate(() => new this.Values(batch.values), batch.values.length * this.Values.BYTES_PER_ELEMENT),
    );
    this.rowEnds.push(batch.rowEnds);
    if (batch.labels instanceof Float64Array) this.labels.push(batch.labels);
    else for (const word of batch.labels) this.words.push(word);
    this.rows += batch.rowEnds.length;
    this.entries += batch.indices.length;
    this.largest = batch.largest;
    this.hasZero = batch.hasZero;
    this.emptyLines += batch.emptyLines;
    this.warnings.push(...batch.warnings);
  }

  /** @param indexBase - the index of column 0 */
  finish(indexBase: 0 | 1): LibsvmBatch<T> {
    const { rows, entries, Values, emptyLines, warnings } = this;
    if (entries > mostEntries) throw tooMany(entries);
    const rowPointers = allocate(() => new Int32Array(rows + 1), 4 * (rows + 1));
    let row = 0;
    for (const part of taken(this.rowEnds)) {
      const before = rowPointers[row];
      for (let k = 0; k < part.length; k++) rowPointers[++row] = before + part[k];
    }
    const columnIndices = allocate(() => new Int32Array(entries), 4 * entries);
    let place = 0;
    for (const part of taken(this.indices)) {
      for (let k = 0; k < part.length; k++) columnIndices[place++] = part[k] - indexBase;
    }
    const values = allocate(() => new Values(entries), Values.BYTES_PER_ELEMENT * entries);
    joinInto(values, this.values);
    return {
      rows: {
        rows,
        columns: Math.max(0, this.largest + 1 - indexBase),
        rowPointers,
        columnIndices,
        values,
      },
      labels: this.words.length > 0 ? this.words : joinInto(new Float64Array(rows), this.labels),
      indexBase,
      emptyLines,
      warnings,
    };
  }
}

const mostEntries = 2 ** 31 - 1;

/** The parts, each taken out of the list first. */
function* taken<T>(parts: T[]): Generator<T> {
  parts.reverse();
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) yield part;
}

function joinInto<T extends Float64Array | Float32Array>(all: T, parts: T[]): T {
  let place = 0;
  for (const part of taken(parts)) {
    all.set(part, place);
    place += part.length;
  }
  return all;
}

function tooMany(entries: number): CurvatureError {
  return new CurvatureError(
    "ERR_MEMORY",
    `The input has ${entries} entries; one matrix holds at most ${mostEntries}. Read it in batches.`,
    { expected: `at most ${mostEntries} entries`, received: entries },
  );
}
