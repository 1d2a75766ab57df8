/** Bounds in print: one that is rounded up is none. */

/**
 * The largest decimal of so many significant digits that is at most x, as a number that is printed with these digits.
 *
 * @param digits - 1 to 16
 *
 * @example
 * console.log(decimalBelow(179.99999999997, 7)); // 179.9999
 */
export function decimalBelow(x: number, digits: number): number {
  if (!Number.isFinite(x)) return x;
  const nearest = x.toExponential(digits - 1);
  if (Number(nearest) <= x) return Number(nearest);
  const [mantissa = "", exponent = ""] = nearest.split("e");
  const last = Number(exponent) - digits + 1;
  const units = Number(mantissa.replace(".", "")); // whole, in 10^last
  const isPower = units === 10 ** (digits - 1); // below which decimals of as many digits lie closer
  return Number(isPower ? `${10 * units - 1}e${last - 1}` : `${units - 1}e${last}`);
}
