/**
 * What rounding may have done to sums over rows: a certificate that is to hold in doubles adds it to P and takes it from D.
 *
 * Errors are bounded in the root mean square over the rows, ‖r‖ = (Σ cᵢ rᵢ²)^½. With sizes ρⱼ = (Σ cᵢ xᵢⱼ²)^½ of the columns
 * ‖X v‖ ≤ Σⱼ ρⱼ |vⱼ|, and |Σ aᵢ xᵢⱼ| ≤ ρⱼ (Σ aᵢ²/cᵢ)^½.
 */

/** Half a unit in the last place of 1. */
const UNIT = 2 ** -53;

/** Of a sum of so many terms, over their size: errors have both signs, and grow with the root of the count. */
export const ofSum = (count: number): number => (8 + 2 * Math.sqrt(count)) * UNIT;

/** (Σ aᵢ²/cᵢ)^½ over rows that count; a is 0 in the others. */
export function slopeNorm(a: Float64Array, c: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) if (a[i] !== 0) sum += (a[i] / c[i]) * a[i];
  return Math.sqrt(sum);
}

/** Σⱼ ρⱼ |vⱼ| over the first `count` parameters. */
export function reachOf(v: Float64Array, sizes: Float64Array, count = v.length): number {
  let sum = 0;
  for (let j = 0; j < count; j++) sum += sizes[j] * Math.abs(v[j]);
  return sum;
}
