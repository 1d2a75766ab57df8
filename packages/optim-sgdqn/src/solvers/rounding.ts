/**
 * What rounding may have done to sums over rows: a certificate that is to hold in doubles adds it to P and takes it from D.
 *
 * Errors are bounded in the root mean square over the rows, ‖r‖ = (Σ cᵢ rᵢ²)^½. With sizes ρⱼ = (Σ cᵢ xᵢⱼ²)^½ of the columns
 * ‖X v‖ ≤ Σⱼ ρⱼ |vⱼ|, and |Σ aᵢ xᵢⱼ| ≤ ρⱼ (Σ aᵢ²/cᵢ)^½.
 */
import { isSparseRows, type Rows } from "@curvature/objectives/linear";

/** Half a unit in the last place of 1. */
const UNIT = 2 ** -53;

/**
 * Of a sum of so many terms, over the sum of their sizes, in any order: u for each addition (Higham: Accuracy and Stability of
 * Numerical Algorithms, 2nd ed. (2002), eq. (4.4)), and 8 u for a term's own products. Errors of both signs would grow with
 * the root of the count, but those of equal rows all have one sign.
 */
export const ofSum = (count: number): number => (8 + count) * UNIT;

/** (Σ aᵢ²/cᵢ)^½ over rows that count; a is 0 in the others. */
export function slopeNorm(a: Float64Array, c: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== 0) sum += (a[i] / c[i]) * a[i];
  return Math.sqrt(sum);
}

/** The most terms that are added one after the other to a score: dense rows are summed in four parts, sparse ones in two. */
export function longestScore(rows: Rows): number {
  if (!isSparseRows(rows)) return Math.ceil(rows.columns / 4) + 4;
  const { rowPointers } = rows;
  let most = 0;
  for (let i = 0; i < rows.rows; i++) most = Math.max(most, rowPointers[i + 1] - rowPointers[i]);
  return Math.ceil(most / 2) + 2;
}

/** Σⱼ ρⱼ |vⱼ| over the first `count` parameters. */
export function reachOf(v: Float64Array, sizes: Float64Array, count = v.length): number {
  let sum = 0;
  for (let j = 0; j < count; j++) sum += sizes[j] * Math.abs(v[j]);
  return sum;
}
