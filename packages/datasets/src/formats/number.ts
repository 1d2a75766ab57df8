/**
 * Decimal numbers from bytes, rounded as `Number(text)` rounds them.
 *
 * Grammar    blanks [+ | −] (digits [. digits] | . digits) [(e | E) [+ | −] digits] blanks
 * Value      m · 10^e, m the digits without their point. If m < 2^53 and |e| ≤ 22, m and 10^|e| are exact in
 *            float64, so one multiplication or division rounds once, which is correct rounding; all other
 *            numbers go through the engine's own conversion.
 *
 * Clinger: How to read floating point numbers accurately. PLDI 1990. doi:10.1145/93542.93557.
 */
const powersOfTen = Float64Array.from({ length: 23 }, (_, e) => Number(`1e${e}`));
const largestExactMantissa = 2 ** 53;

const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const E_UPPER = 69;
const E_LOWER = 101;

const isBlank = (byte: number): boolean => byte === 32 || byte === 9;

/** The number in bytes[start … end), ±Infinity if it overflows, NaN if the text is not a number. */
export function parseNumber(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  let last = end;
  while (i < last && isBlank(bytes[i])) i++;
  while (last > i && isBlank(bytes[last - 1])) last--;
  const first = i;
  const negative = bytes[i] === MINUS;
  if (i < last && (negative || bytes[i] === PLUS)) i++;

  let m = 0;
  let digits = 0;
  let e = 0;
  for (let digit = bytes[i] - ZERO; i < last && digit >= 0 && digit <= 9; digit = bytes[++i] - ZERO) {
    m = m * 10 + digit;
    digits++;
  }
  if (i < last && bytes[i] === POINT) {
    i++;
    for (let digit = bytes[i] - ZERO; i < last && digit >= 0 && digit <= 9; digit = bytes[++i] - ZERO) {
      m = m * 10 + digit;
      digits++;
      e--;
    }
  }
  if (digits === 0) return Number.NaN;
  if (i < last && (bytes[i] === E_LOWER || bytes[i] === E_UPPER)) {
    i++;
    const down = bytes[i] === MINUS;
    if (i < last && (down || bytes[i] === PLUS)) i++;
    if (i >= last) return Number.NaN;
    let exponent = 0;
    for (let digit = bytes[i] - ZERO; i < last && digit >= 0 && digit <= 9; digit = bytes[++i] - ZERO) {
      exponent = Math.min(exponent * 10 + digit, 1e9);
    }
    e += down ? -exponent : exponent;
  }
  if (i < last) return Number.NaN;

  if (m < largestExactMantissa && e >= -22 && e <= 22) {
    const size = e < 0 ? m / powersOfTen[-e] : m * powersOfTen[e];
    return negative ? -size : size;
  }
  return Number(asciiText(bytes, first, last));
}

const decoder = new TextDecoder();
const shortText = 40;

function asciiText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > shortText) return decoder.decode(bytes.subarray(start, end));
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]);
  return text;
}
