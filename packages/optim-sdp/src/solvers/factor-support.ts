/**
 * The support of a nonnegative factor Y, n × r, of which few entries may be positive, and what changes it.
 *
 * Column j has the entries starts[j] … starts[j + 1] − 1; entry k lies in row rows[k], increasing within a column. The numbers are
 * an array of their own, so that one support serves a point, its trials and its gradients.
 */
import { type DenseMatrix, zeros } from "@curvature/linalg";

/** Sweeps stop where the row sums are as near to 1 as this. */
const ROW_SUM_TOLERANCE = 1e-13;

export interface Support {
  readonly n: number;
  readonly r: number;
  readonly starts: Int32Array;
  readonly rows: Int32Array;
}

/** The entries where `isInSupport`, n × r by rows, is not 0. */
export function supportOf(n: number, r: number, isInSupport: Uint8Array): Support {
  const starts = new Int32Array(r + 1);
  for (let i = 0, at = 0; i < n; i++)
    for (let j = 0; j < r; j++, at++) if (isInSupport[at] !== 0) starts[j + 1]++;
  for (let j = 0; j < r; j++) starts[j + 1] += starts[j];
  const rows = new Int32Array(starts[r]);
  const ends = starts.slice(0, r);
  for (let i = 0, at = 0; i < n; i++)
    for (let j = 0; j < r; j++, at++) if (isInSupport[at] !== 0) rows[ends[j]++] = i;
  return { n, r, starts, rows };
}

/** The numbers of a dense matrix on the support. */
export function valuesOn({ r, starts, rows }: Support, data: Float64Array): Float64Array {
  const values = new Float64Array(rows.length);
  for (let j = 0; j < r; j++)
    for (let k = starts[j]; k < starts[j + 1]; k++) values[k] = data[rows[k] * r + j];
  return values;
}

/** The numbers on another support, of the same n and r; 0 where there were none. */
export function moved(from: Support, values: Float64Array, to: Support): Float64Array {
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
export function densified({ n, r, starts, rows }: Support, values: Float64Array, factor = 1): DenseMatrix {
  const Y = zeros(n, r);
  for (let j = 0; j < r; j++)
    for (let k = starts[j]; k < starts[j + 1]; k++) Y.data[rows[k] * r + j] = factor * values[k];
  return Y;
}

/** Yᵀ s into `out`, of length r. */
export function transposeTimes(
  { r, starts, rows }: Support,
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
  { r, starts, rows }: Support,
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
export function balance(support: Support, values: Float64Array, sweeps: number): boolean {
  const { n, r, starts, rows } = support;
  const s = new Float64Array(n).fill(1);
  const inner = new Float64Array(r);
  const Qs = new Float64Array(n);
  let error = 1;
  for (let sweep = 0; sweep < sweeps && error > ROW_SUM_TOLERANCE; sweep++) {
    transposeTimes(support, values, s, inner);
    times(support, values, inner, Qs);
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

/** Support that one pricing may add to a row. */
const ADDED = 8;

/** Which entries of Y may be positive: the support, and what a pricing adds to it, the steepest of each row. */
export class Candidates {
  /** 1 on the support, 2 at what pricing adds, n × r. */
  readonly marks: Uint8Array;
  private readonly steepest = new Int32Array(ADDED);

  constructor(
    private readonly n: number,
    private readonly r: number,
  ) {
    this.marks = new Uint8Array(n * r);
  }

  /** The support of Y's positive entries. */
  begin(Y: Float64Array): Support {
    for (let k = 0; k < Y.length; k++) this.marks[k] = Y[k] > 0 ? 1 : 0;
    return supportOf(this.n, this.r, this.marks);
  }

  /**
   * Marks the entries of row i that are to be added: those where L falls fastest, `ADDED` at most.
   *
   * @param gradient - ∂L of the row, from `from` on
   * @param before - of the rows before it
   * @returns the sum of (∂L)² over all that could be
   */
  price(gradient: Float64Array, from: number, i: number, before: number): number {
    const { r, marks, steepest } = this;
    const at = i * r;
    let violation = before;
    let count = 0;
    for (let j = 0; j < r; j++) {
      const g = gradient[from + j];
      if (!(g < 0) || marks[at + j] !== 0) continue;
      violation += g * g;
      if (count === ADDED && g >= gradient[from + steepest[ADDED - 1]]) continue;
      let k = count < ADDED ? count++ : ADDED - 1;
      for (; k > 0 && gradient[from + steepest[k - 1]] > g; k--) steepest[k] = steepest[k - 1];
      steepest[k] = j;
    }
    for (let k = 0; k < count; k++) marks[at + steepest[k]] = 2;
    return violation;
  }

  /** What was marked is not added. */
  forget(): void {
    const { marks } = this;
    for (let at = 0; at < marks.length; at++) if (marks[at] === 2) marks[at] = 0;
  }

  /** The support without the entries where Y = 0 and ∂L ≥ 0, and with those that were marked. */
  exchange({ starts, rows }: Support, values: Float64Array, gradient: Float64Array): Support {
    const { n, r, marks } = this;
    for (let j = 0; j < r; j++)
      for (let k = starts[j]; k < starts[j + 1]; k++)
        if (values[k] === 0 && gradient[k] >= 0) marks[rows[k] * r + j] = 0;
    for (let at = 0; at < marks.length; at++) if (marks[at] === 2) marks[at] = 1;
    return supportOf(n, r, marks);
  }
}
