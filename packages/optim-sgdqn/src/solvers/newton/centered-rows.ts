/**
 * Rows whose columns lie around zero, for problems with a free bias: with x̃ᵢ = xᵢ − x̄ and b̃ = b + w·x̄ the problem is
 * the same, and b̃ is of the size of a score whatever the columns' offsets.
 *
 * Only columns whose mean is more than 10 times their spread are moved, the others lose no more than a digit by it. Of
 * sparse rows a column with zeros cannot lose more than √n; one without is moved by its stored entries, so that the
 * pattern stays as it is. Rows of importance 0 count for nothing.
 */
import { isSparseRows, type Rows } from "@curvature/objectives/linear";
import { sumError } from "../double-sum.js";

export interface CenteredRows {
  readonly rows: Rows;
  /** x̄; undefined where no column was moved, and `rows` are those given. */
  readonly shift: Shift | undefined;
}

/** x̄ = high + low exactly, of length d each. */
interface Shift {
  readonly high: Float64Array;
  readonly low: Float64Array;
}

/** Spreads that a mean may be away from zero. */
const MAX_OFFSET = 10;

/** The columns that have an entry in every row. */
interface Block {
  readonly columns: Int32Array;
  /** n x columns */
  readonly data: Float32Array | Float64Array;
  /** Where the entries are among those stored; undefined where they are all of them. */
  readonly places: Int32Array | undefined;
}

export function centeredRows(rows: Rows, importances: Float64Array | undefined): CenteredRows {
  const block = fullColumns(rows);
  const { columns, data, places } = block;
  const f = columns.length;
  const n = rows.rows;
  const total = importances?.reduce((sum, weight) => sum + weight, 0) ?? n;
  const shares = importances?.map((weight) => weight / total) ?? new Float64Array(n).fill(1 / n);
  const first = shares.findIndex((share) => share > 0);
  if (f === 0 || first < 0) return { rows, shift: undefined };
  // A mean as reference + rest: the sum has fewer digits than the two.
  const reference = Float64Array.from(data.subarray(first * f, (first + 1) * f));
  const { rest, squares } = deviations(data, reference, shares);
  const spread = (k: number): number => Math.sqrt(Math.max(0, squares[k] - rest[k] * rest[k]));
  const moved = [...columns.keys()].filter((k) => Math.abs(reference[k] + rest[k]) > MAX_OFFSET * spread(k));
  if (moved.length === 0) return { rows, shift: undefined };
  const values = new Float64Array(isSparseRows(rows) ? rows.values : rows.data);
  const shift: Shift = { high: new Float64Array(rows.columns), low: new Float64Array(rows.columns) };
  for (const k of moved) {
    const place = (i: number): number => places?.[i * f + k] ?? i * f + k;
    // high + low is subtracted as it is, though it has more digits than a double: an entry that is left is off by its own
    // rounding alone, also where it is small beside the first row's.
    let high = reference[k] + rest[k];
    let low = sumError(reference[k], rest[k]);
    const difference = (i: number): number => data[i * f + k] - high - low;
    // The mean of what is left is rounding of the first one.
    let left = 0;
    for (let i = 0; i < n; i++) left += shares[i] * difference(i);
    low += left;
    [high, low] = [high + low, sumError(high, low)];
    for (let i = 0; i < n; i++) values[place(i)] = difference(i);
    shift.high[columns[k]] = high;
    shift.low[columns[k]] = low;
  }
  return { rows: isSparseRows(rows) ? { ...rows, values } : { ...rows, data: values }, shift };
}

interface Deviations {
  /** Σ pᵢ (xᵢ − r) by columns, and Σ pᵢ (xᵢ − r)². */
  readonly rest: Float64Array;
  readonly squares: Float64Array;
}

/** @param reference - r, and `shares` pᵢ */
function deviations(
  data: Float32Array | Float64Array,
  reference: Float64Array,
  shares: Float64Array,
): Deviations {
  const f = reference.length;
  const rest = new Float64Array(f);
  const squares = new Float64Array(f);
  for (let i = 0; i < shares.length; i++) {
    const share = shares[i];
    if (share === 0) continue;
    const row = i * f;
    for (let k = 0; k < f; k++) {
      const difference = data[row + k] - reference[k];
      rest[k] += share * difference;
      squares[k] += share * difference * difference;
    }
  }
  return { rest, squares };
}

function fullColumns(rows: Rows): Block {
  const { rows: n, columns: d } = rows;
  if (!isSparseRows(rows))
    return { columns: Int32Array.from({ length: d }, (_, j) => j), data: rows.data, places: undefined };
  const { rowPointers, columnIndices, values } = rows;
  const counts = new Int32Array(d);
  for (let p = 0; p < rowPointers[n]; p++) counts[columnIndices[p]]++;
  const columns = Int32Array.from(counts.keys()).filter((j) => counts[j] === n);
  const f = columns.length;
  const numbers = new Int32Array(d).fill(-1);
  for (let k = 0; k < f; k++) numbers[columns[k]] = k;
  const data = new Float64Array(n * f);
  const places = new Int32Array(n * f);
  if (f === 0) return { columns, data, places };
  for (let i = 0; i < n; i++)
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++) {
      const k = numbers[columnIndices[p]];
      if (k < 0) continue;
      data[i * f + k] = values[p];
      places[i * f + k] = p;
    }
  return { columns, data, places };
}
