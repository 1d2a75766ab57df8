/** Values over repeats, and where their seconds come from. */
import { median } from "../../machine.ts";

/** For the method of a report. */
export const SECONDS =
  "Seconds are processor time of solver and evaluations, one after the other in one process, without the evaluations that only look.";

/** Values of one kind over repeats. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  least: Math.min(...values),
  most: Math.max(...values),
});

export function spreadText({ median: middle, least, most }: Spread): string {
  const shown = valueText(middle);
  return least === most ? shown : `${shown} (${valueText(least)} to ${valueText(most)})`;
}

export const valueText = (value: number): string =>
  Number.isFinite(value) ? Number(value.toPrecision(6)).toString() : "broken off";

export const seedsText = (repeats: number): string => `${repeats} seed${repeats === 1 ? "" : "s"}`;
