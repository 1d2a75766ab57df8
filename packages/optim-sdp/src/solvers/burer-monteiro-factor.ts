/**
 * A nonnegative factor Y, n × r, of which few entries are not zero: a set of places, column by column, and the numbers
 * there.
 *
 * Column j has the places starts[j] … starts[j + 1] − 1; place k lies in row rows[k], increasing within a column. The
 * numbers are an array of their own, so that one set of places serves a point, its trials and its gradients.
 */
import { type DenseMatrix, zeros } from "@curvature/linalg";

/** Sweeps stop where the row sums are as near to 1 as this. */
const ROW_SUM_TOLERANCE = 1e-13;

export interface Places {
  readonly n: number;
  readonly r: number;
  readonly starts: Int32Array;
  readonly rows: Int32Array;
}

/** The places where `isPlace`, n × r by rows, is not 0. */
export function placesOf(n: number, r: number, isPlace: Uint8Array): Places {
  const starts = new Int32Array(r + 1);
  for (let i = 0, at = 0; i < n; i++)
    for (let j = 0; j < r; j++, at++) if (isPlace[at] !== 0) starts[j + 1]++;
  for (let j = 0; j < r; j++) starts[j + 1] += starts[j];
  const rows = new Int32Array(starts[r]);
  const ends = starts.slice(0, r);
  for (let i = 0, at = 0; i < n; i++)
    for (let j = 0; j < r; j++, at++) if (isPlace[at] !== 0) rows[ends[j]++] = i;
  return { n, r, starts, rows };
}

/** The numbers of a dense matrix at the places. */
export function valuesAt({ r, starts, rows }: Places, data: Float64Array): Float64Array {
  const values = new Float64Array(rows.length);
  for (let j = 0; j < r; j++)
    for (let k = starts[j]; k < starts[j + 1]; k++) values[k] = data[rows[k] * r + j];
  return values;
}

/** The numbers at other places, of the same n and r; 0 where there were none. */
export function moved(from: Places, values: Float64Array, to: Places): Float64Array {
  const result = new Float64Array(to.rows.length);
  for (let j = 0; j < to.r; j++) {
    let k = from.starts[j];
    const end = from.starts[j + 1];
    for (let l = to.starts[j]; l < to.starts[j + 1]; l++) {
      while (k < end && from.rows[k] < to.rows[l]) k++;
      if (k < end && from.rows[k] === to.rows[l]) result[l] = values[k];
    }
  }
  return result;
}

/** Y, n × r, times `factor`. */
export function densified({ n, r, starts, rows }: Places, values: Float64Array, factor = 1): DenseMatrix {
  const Y = zeros(n, r);
  for (let j = 0; j < r; j++)
    for (let k = starts[j]; k < starts[j + 1]; k++) Y.data[rows[k] * r + j] = factor * values[k];
  return Y;
}

/** Yᵀ s into `out`, of length r. */
export function transposeTimes(
  { r, starts, rows }: Places,
  values: Float64Array,
  s: Float64Array,
  out: Float64Array,
): void {
  for (let j = 0; j < r; j++) {
    let sum = 0;
    for (let k = starts[j]; k < starts[j + 1]; k++) sum += values[k] * s[rows[k]];
    out[j] = sum;
  }
}

/** Y t into `out`, of length n. */
export function times(
  { r, starts, rows }: Places,
  values: Float64Array,
  t: Float64Array,
  out: Float64Array,
): void {
  out.fill(0);
  for (let j = 0; j < r; j++) {
    const tj = t[j];
    for (let k = starts[j]; k < starts[j + 1]; k++) out[rows[k]] += values[k] * tj;
  }
}

/**
 * Row sums of Y Yᵀ towards 1, by symmetric Sinkhorn sweeps s ← √(s / (Q s)); Y ← diag(s) Y. Rows of zeros stay.
 *
 * @returns whether there is a row of zeros
 */
export function balance(places: Places, values: Float64Array, sweeps: number): boolean {
  const { n, r, starts, rows } = places;
  const s = new Float64Array(n).fill(1);
  const inner = new Float64Array(r);
  const Qs = new Float64Array(n);
  let error = 1;
  for (let sweep = 0; sweep < sweeps && error > ROW_SUM_TOLERANCE; sweep++) {
    transposeTimes(places, values, s, inner);
    times(places, values, inner, Qs);
    error = 0;
    for (let i = 0; i < n; i++) {
      if (Qs[i] === 0) continue;
      error = Math.max(error, Math.abs(s[i] * Qs[i] - 1));
      s[i] = Math.sqrt(s[i] / Qs[i]);
    }
  }
  for (let j = 0; j < r; j++) for (let k = starts[j]; k < starts[j + 1]; k++) values[k] *= s[rows[k]];
  return Qs.includes(0);
}
