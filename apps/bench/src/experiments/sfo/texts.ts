/** Words and numbers that the tables of sums of functions share. */
import { mediansOf } from "../../words.ts";

/** For the method of a report. */
export const SECONDS =
  "All runs are made in one process, one after the other and not by turns. Seconds are those of a solver with its evaluations, without the evaluations that only look.";

export const valueText = (value: number): string =>
  Number.isFinite(value) ? Number(value.toPrecision(6)).toString() : "broken off";

/** For the repeats of a report. */
export const ordersText = (repeats: number): string =>
  mediansOf(repeats, "order of the evaluations", "orders of the evaluations");
