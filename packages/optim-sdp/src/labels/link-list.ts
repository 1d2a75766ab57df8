/** Pairs of rows, as an option. By itself, since what respects them is loaded when it is needed. */

/** Two different rows, counted from 0. */
export type Link = readonly [number, number];

export const isLinkList = (value: unknown): value is readonly Link[] =>
  Array.isArray(value) &&
  value.every(
    (pair: unknown) =>
      Array.isArray(pair) &&
      pair.length === 2 &&
      pair[0] !== pair[1] &&
      pair.every((row: unknown) => typeof row === "number" && Number.isSafeInteger(row) && row >= 0),
  );
