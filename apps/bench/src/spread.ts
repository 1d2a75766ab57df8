/** Repeats of one measurement: their median, and how far they lie apart. */

export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  least: Math.min(...values),
  most: Math.max(...values),
});

/** "1.19 (1.02 to 1.31)": median, least and most; where they look alike, the median alone. */
export function spreadText(spread: Spread, shown: (value: number) => string): string {
  const [middle, least, most] = [spread.median, spread.least, spread.most].map(shown);
  return least === most ? middle : `${middle} (${least} to ${most})`;
}

/** For `spreadText`. */
export const decimals =
  (digits: number) =>
  (value: number): string =>
    value.toFixed(digits);
