/** A number in few characters. */
export const shortNumber = (value: number): string =>
  value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5)
    ? value.toExponential(2)
    : String(Number(value.toPrecision(4)));

/** With so many decimals, and no sign before what rounds to 0. */
export const fixed = (value: number, digits: number): string => Number(value.toFixed(digits)).toFixed(digits);
