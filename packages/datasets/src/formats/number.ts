/**
 * Decimal numbers from bytes, rounded as `Number(text)` rounds them.
 *
 * Grammar    blanks [+ | −] (digits [. digits] | . digits) [(e | E) [+ | −] digits] blanks
 * Value      m · 10^e, m the digits without their point: m = h · 10^k + l, h the first fifteen of them that count
 *
 * 1. m < 2^53, |e| ≤ 22: m and 10^|e| are exact in float64, so one multiplication or division rounds once, which
 *    is correct rounding (Clinger).
 * 2. m < 10^30, −22 ≤ e ≤ 0: m = a + b exactly by Dekker's product, and with q = fl(a / 10^−e) so is the remainder
 *    a − q · 10^−e, so q + (remainder + b) / 10^−e is known to some 100 bits; unless it lies so near to the
 *    middle between two float64 that these do not decide, its rounding is the number's.
 * 3. All others go through the engine's own conversion.
 *
 * Clinger: How to read floating point numbers accurately. PLDI 1990. doi:10.1145/93542.93557.
 * Dekker: A floating-point technique for extending the available precision. Numer. Math. 18 (1971).
 * doi:10.1007/BF01397083.
 */
const powersOfTen = Float64Array.from({ length: 23 }, (_, e) => Number(`1e${e}`));
const largestExactMantissa = 2 ** 53;
/** What the first nine digits are below before they are nine: they are summed in integers, which takes half the time of doubles. */
const eightDigits = 1e8;
/** Of h beyond the first nine. */
const mostMiddleDigits = 6;
/** Of l, at most. */
const mostLowDigits = 15;

const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const E_UPPER = 69;
const E_LOWER = 101;

const isBlank = (byte: number): boolean => byte === 32 || byte === 9;

const parsed = new Float64Array(1);

/** The number in bytes[start … end), ±Infinity if it overflows, NaN if the text is not a number. */
export function parseNumber(bytes: Uint8Array, start: number, end: number): number {
  let first = start;
  let last = end;
  while (first < last && isBlank(bytes[first])) first++;
  while (last > first && isBlank(bytes[last - 1])) last--;
  return readNumber(bytes, first, last, parsed) === last ? parsed[0] : Number.NaN;
}

/**
 * The number, without blanks, with which bytes[start … end) begin, into value[0].
 *
 * @returns where it ends, or −1 if no number begins there
 */
export function readNumber(bytes: Uint8Array, start: number, end: number, value: Float64Array): number {
  if (start >= end) return -1;
  const negative = bytes[start] === MINUS;
  let i = negative || bytes[start] === PLUS ? start + 1 : start;
  let first = 0;
  let middle = 0;
  let middleDigits = 0;
  let low = 0;
  let lowDigits = 0;
  let e = 0;
  let digits = i;
  // one loop that looked for the point, too, would be a tenth slower
  for (; i < end; i++) {
    const digit = bytes[i] ^ ZERO; // above 9 for all bytes that are none
    if (digit > 9) break;
    if (first < eightDigits) {
      first = Math.imul(first, 10) + digit;
    } else if (middleDigits < mostMiddleDigits) {
      middle = middle * 10 + digit;
      middleDigits++;
    } else {
      low = low * 10 + digit;
      lowDigits++;
    }
  }
  if (i < end && bytes[i] === POINT) {
    const fraction = ++i;
    digits++;
    for (; i < end; i++) {
      const digit = bytes[i] ^ ZERO; // above 9 for all bytes that are none
      if (digit > 9) break;
      if (first < eightDigits) {
        first = Math.imul(first, 10) + digit;
      } else if (middleDigits < mostMiddleDigits) {
        middle = middle * 10 + digit;
        middleDigits++;
      } else {
        low = low * 10 + digit;
        lowDigits++;
      }
    }
    e = fraction - i;
  }
  if (i === digits) return -1;
  if (i < end && (bytes[i] === E_LOWER || bytes[i] === E_UPPER)) {
    i++;
    const down = i < end && bytes[i] === MINUS;
    if (down || (i < end && bytes[i] === PLUS)) i++;
    digits = i;
    let exponent = 0;
    for (; i < end; i++) {
      const digit = bytes[i] ^ ZERO;
      if (digit > 9) break;
      exponent = Math.min(exponent * 10 + digit, 1e9);
    }
    if (i === digits) return -1;
    e += down ? -exponent : exponent;
  }

  let size = Number.NaN;
  if (e >= -22 && e <= 22 && lowDigits <= mostLowDigits) {
    const high = first * powersOfTen[middleDigits] + middle;
    const m = high * powersOfTen[lowDigits] + low;
    if (m < largestExactMantissa) size = e < 0 ? m / powersOfTen[-e] : m * powersOfTen[e];
    else if (e <= 0) size = longDecimal(high, powersOfTen[lowDigits], low, powersOfTen[-e]);
  }
  if (Number.isNaN(size)) value[0] = Number(asciiText(bytes, start, i));
  else value[0] = negative ? -size : size;
  return i;
}

/** Case 2: (high · shift + low) / p, or NaN where it cannot tell. */
function longDecimal(high: number, shift: number, low: number, p: number): number {
  const product = high * shift;
  const tail = productError(high, shift, product) + low;
  const h = product + tail;
  const l = tail - (h - product);

  const q = h / p;
  const back = q * p;
  const remainder = h - back - productError(q, p, back);
  const correction = (remainder + l) / p;
  const sum = q + correction;
  const rest = correction - (sum - q);
  return sum + rest * undecided === sum ? sum : Number.NaN;
}

/** Beyond 1 by far more than the relative error of `correction`. */
const undecided = 1 + 2 ** -20;
const splitter = 2 ** 27 + 1;

/** a · b − fl(a · b), exactly (Dekker; no overflow at these sizes). */
function productError(a: number, b: number, product: number): number {
  const aBig = splitter * a - (splitter * a - a);
  const bBig = splitter * b - (splitter * b - b);
  const aSmall = a - aBig;
  const bSmall = b - bBig;
  return aSmall * bSmall - (product - aBig * bBig - aSmall * bBig - aBig * bSmall);
}

const decoder = new TextDecoder();
const shortText = 40;

function asciiText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > shortText) return decoder.decode(bytes.subarray(start, end));
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]);
  return text;
}
