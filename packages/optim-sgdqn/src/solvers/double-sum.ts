/**
 * Sums and sums of products as accurate as if they were computed in twice the precision, and then rounded: the error of each
 * sum and product of two doubles is a double again, and is summed, too.
 *
 * Ogita, Rump, Oishi: Accurate sum and dot product. SIAM Journal on Scientific Computing 26 (2005) 1955-1988, algorithms
 * TwoSum (Knuth), TwoProduct (Dekker) and Dot2. Terms of 1e300 and more overflow, and make the sum NaN.
 */
import type { RowAccess } from "@curvature/objectives/linear";

/** 2²⁷ + 1: parts a double into two halves, whose products are exact. */
const SPLITTER = 134_217_729;

/** a + b less its rounded value, exactly. */
export function sumError(a: number, b: number): number {
  const sum = a + b;
  const shift = sum - a;
  return a - (sum - shift) + (b - shift);
}

/** a b less its rounded value, exactly unless it underflows. */
function productError(a: number, b: number): number {
  const ca = SPLITTER * a;
  const a1 = ca - (ca - a);
  const a2 = a - a1;
  const cb = SPLITTER * b;
  const b1 = cb - (cb - b);
  const b2 = b - b1;
  return a2 * b2 - (a * b - a1 * b1 - a2 * b1 - a1 * b2);
}

/** The sum is `high + low`; `high` alone is the sum of the rounded terms in this order. */
export class DoubleSum {
  high = 0;
  low = 0;

  get value(): number {
    return this.high + this.low;
  }

  /** What `value` is less than high + low. */
  get rest(): number {
    return sumError(this.high, this.low);
  }

  start(at: number): void {
    this.high = at;
    this.low = 0;
  }

  add(term: number): void {
    const { high } = this;
    this.low += sumError(high, term);
    this.high = high + term;
  }

  addProduct(a: number, b: number): void {
    const product = a * b;
    this.low += productError(a, b);
    this.add(product);
  }
}

/** Σ aᵢ (xᵢ, 1), of which the first `length` entries are wanted. */
export function exactSum(rows: RowAccess, a: Float64Array, length: number): Float64Array {
  const high = new Float64Array(length);
  const low = new Float64Array(length);
  let factor = 0;
  const addEntry = (j: number, entry: number): void => {
    const term = factor * entry;
    low[j] += sumError(high[j], term) + productError(factor, entry);
    high[j] += term;
  };
  for (let i = 0; i < a.length; i++) {
    if (a[i] === 0) continue;
    factor = a[i];
    rows.forEachEntry(i, addEntry);
    if (length > rows.columns) addEntry(rows.columns, 1);
  }
  return high.map((sum, j) => sum + low[j]);
}
