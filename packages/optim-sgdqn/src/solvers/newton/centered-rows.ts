/**
 * Rows whose columns lie around zero, for problems with a free bias: with x̃ᵢ = xᵢ − x̄ and b̃ = b + w·x̄ the problem is
 * the same, and b̃ is of the size of a score whatever the columns' offsets.
 *
 * Only columns whose mean is more than 10 times their spread are moved, the others lose no more than a digit by it. Of
 * sparse rows a column with zeros cannot lose more than √n; one without is moved by its stored entries, so that the
 * pattern stays as it is. Rows of importance 0 count for nothing.
 */
import { isSparseRows, type Rows } from "@curvature/objectives/linear";

export interface CenteredRows {
  readonly rows: Rows;
  /** Length d; undefined where no column was moved, and `rows` are those given. */
  readonly shift: Float64Array | undefined;
}

/** Spreads that a mean may be away from zero. */
const MAX_OFFSET = 10;

/** A column's mean as reference + rest: the sum has fewer digits than the two. */
interface Centers {
  readonly reference: Float64Array;
  readonly rest: Float64Array;
  /** By column whether it is to be moved. */
  readonly isMoved: Uint8Array;
}

export function centeredRows(rows: Rows, importances: Float64Array | undefined): CenteredRows {
  const { rows: n, columns: d } = rows;
  const weightOf = (i: number): number => (importances === undefined ? 1 : importances[i]);
  let total = 0;
  let first = -1;
  for (let i = 0; i < n; i++) {
    const weight = weightOf(i);
    if (weight > 0 && first < 0) first = i;
    total += weight;
  }
  if (first < 0) return { rows, shift: undefined };
  const entries = isSparseRows(rows) ? fullColumns(rows) : undefined;
  const at = (i: number, j: number): number => {
    if (!isSparseRows(rows)) return rows.data[i * d + j];
    const p = entries?.[j]?.[i];
    return p === undefined ? 0 : rows.values[p];
  };
  const columns = Int32Array.from({ length: d }, (_, j) => j).filter(
    (j) => entries === undefined || entries[j] !== undefined,
  );
  const centers: Centers = {
    reference: new Float64Array(d),
    rest: new Float64Array(d),
    isMoved: new Uint8Array(d),
  };
  const { reference, rest, isMoved } = centers;
  const squares = new Float64Array(d);
  for (const j of columns) reference[j] = at(first, j);
  for (let i = 0; i < n; i++) {
    const weight = weightOf(i) / total;
    if (weight === 0) continue;
    for (const j of columns) {
      const difference = at(i, j) - reference[j];
      rest[j] += weight * difference;
      squares[j] += weight * difference * difference;
    }
  }
  for (const j of columns) {
    const spread = Math.sqrt(Math.max(0, squares[j] - rest[j] * rest[j]));
    isMoved[j] = Number(Math.abs(reference[j] + rest[j]) > MAX_OFFSET * spread);
  }
  const moved = columns.filter((j) => isMoved[j] === 1);
  if (moved.length === 0) return { rows, shift: undefined };
  return movedRows(rows, moved, centers, { at, weightOf, total, entries });
}

interface Reading {
  readonly at: (i: number, j: number) => number;
  readonly weightOf: (i: number) => number;
  readonly total: number;
  readonly entries: readonly (Int32Array | undefined)[] | undefined;
}

function movedRows(
  rows: Rows,
  moved: Int32Array,
  { reference, rest }: Centers,
  { at, weightOf, total, entries }: Reading,
): CenteredRows {
  const { rows: n, columns: d } = rows;
  const source = isSparseRows(rows) ? rows.values : rows.data;
  const values = Float64Array.from(source);
  const shift = new Float64Array(d);
  for (const j of moved) {
    const place = (i: number): number => entries?.[j]?.[i] ?? i * d + j;
    for (let i = 0; i < n; i++) values[place(i)] = at(i, j) - reference[j] - rest[j];
    // The mean of what is left is rounding of the first one.
    let left = 0;
    for (let i = 0; i < n; i++) left += (weightOf(i) / total) * values[place(i)];
    for (let i = 0; i < n; i++) values[place(i)] -= left;
    shift[j] = reference[j] + (rest[j] + left);
  }
  return { rows: isSparseRows(rows) ? { ...rows, values } : { rows: n, columns: d, data: values }, shift };
}

/** By column the places of its entries, row by row; undefined for a column that has no entry in some row. */
function fullColumns(rows: Extract<Rows, { readonly rowPointers: Int32Array }>): (Int32Array | undefined)[] {
  const { rows: n, columns: d, rowPointers, columnIndices } = rows;
  const counts = new Int32Array(d);
  for (let p = 0; p < rowPointers[n]; p++) counts[columnIndices[p]]++;
  const places = Array.from(counts, (count) => (count === n ? new Int32Array(n) : undefined));
  for (let i = 0; i < n; i++)
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) {
      const column = places[columnIndices[p]];
      if (column !== undefined) column[i] = p;
    }
  return places;
}
