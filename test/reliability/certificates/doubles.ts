/**
 * Numbers of 106 bits, each the unevaluated sum of two doubles, high and low (Dekker 1971), in arrays. There is one loop:
 * a sum of products, as accurate as if it were computed in twice the precision (Ogita, Rump, Oishi: Accurate sum and dot
 * product. SIAM Journal on Scientific Computing 26 (2005) 1955-1988).
 */
export interface Doubles {
  readonly high: Float64Array;
  readonly low: Float64Array;
}

export const doubles = (count: number): Doubles => ({
  high: new Float64Array(count),
  low: new Float64Array(count),
});

/** 2²⁷ + 1: parts a double into two halves, whose products are exact. */
const SPLITTER = 134_217_729;

/** out[at] ← out[at] + sign · Σₖ a[aFrom + k] b[bFrom + k], k below `count` */
export function addProducts(
  out: Doubles,
  at: number,
  sign: 1 | -1,
  a: Doubles,
  aFrom: number,
  b: Doubles,
  bFrom: number,
  count: number,
): void {
  const { high: ah, low: al } = a;
  const { high: bh, low: bl } = b;
  let sum = out.high[at];
  let rest = out.low[at];
  for (let k = 0; k < count; k++) {
    const x = sign * ah[aFrom + k];
    const y = bh[bFrom + k];
    const product = x * y;
    const cx = SPLITTER * x;
    const x1 = cx - (cx - x);
    const x2 = x - x1;
    const cy = SPLITTER * y;
    const y1 = cy - (cy - y);
    const y2 = y - y1;
    const error = x2 * y2 - (product - x1 * y1 - x2 * y1 - x1 * y2);
    const next = sum + product;
    const shift = next - sum;
    rest += sum - (next - shift) + (product - shift) + (error + x * bl[bFrom + k] + sign * al[aFrom + k] * y);
    sum = next;
  }
  put(out, at, sum, rest);
}

/** out[at] ← high + low, |high| ≥ |low| */
export function put(out: Doubles, at: number, high: number, low: number): void {
  const sum = high + low;
  out.high[at] = sum;
  out.low[at] = low - (sum - high);
}

/** out[at] ← a + b of two doubles */
export function putSum(out: Doubles, at: number, a: number, b: number): void {
  const sum = a + b;
  const shift = sum - a;
  out.high[at] = sum;
  out.low[at] = a - (sum - shift) + (b - shift);
}

/** What is lost in the product of two doubles. */
export function productError(a: number, b: number): number {
  const ca = SPLITTER * a;
  const a1 = ca - (ca - a);
  const a2 = a - a1;
  const cb = SPLITTER * b;
  const b1 = cb - (cb - b);
  const b2 = b - b1;
  return a2 * b2 - (a * b - a1 * b1 - a2 * b1 - a1 * b2);
}

/** out[at] ← factor · (high + low) */
export function putProduct(out: Doubles, at: number, factor: number, high: number, low: number): void {
  put(out, at, factor * high, productError(factor, high) + factor * low);
}

/** out[at] ← out[at] / b[bAt] */
export function divide(out: Doubles, at: number, b: Doubles, bAt: number): void {
  const [high, low] = [out.high[at], out.low[at]];
  const quotient = high / b.high[bAt];
  const product = quotient * b.high[bAt];
  const left = high - product - productError(quotient, b.high[bAt]) + low - quotient * b.low[bAt];
  put(out, at, quotient, left / b.high[bAt]);
}

/** out[at] ← √out[at] */
export function takeRoot(out: Doubles, at: number): void {
  const [high, low] = [out.high[at], out.low[at]];
  const root = Math.sqrt(high);
  const left = high - root * root - productError(root, root) + low;
  put(out, at, root, root === 0 ? 0 : left / (2 * root));
}
