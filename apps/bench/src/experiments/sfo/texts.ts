/** Words and numbers that the tables of sums of functions share. */

/** For the method of a report. */
export const SECONDS =
  "Seconds are processor time of solver and evaluations, one after the other in one process, without the evaluations that only look.";

export const valueText = (value: number): string =>
  Number.isFinite(value) ? Number(value.toPrecision(6)).toString() : "broken off";

export const seedsText = (repeats: number): string => `${repeats} seed${repeats === 1 ? "" : "s"}`;
