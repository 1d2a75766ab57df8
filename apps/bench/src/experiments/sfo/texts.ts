/** Words and numbers that the tables of sums of functions share. */
import { mediansOf } from "../../words.ts";

/** For the method of a report. */
export const SECONDS =
  "All runs are made in one process, one after the other and not by turns. Seconds are those of a solver with its evaluations, without the evaluations that only look.";

/** For the method of a report that looks at F after passes. */
export const PASSES =
  "A pass is as many evaluations as there are subfunctions; a product with the curvature counts as a pass over those it covers. " +
  "A method whose step spans the end of a pass is looked at where it stood before that step; it ends its last step, which its seconds include.";

export const valueText = (value: number): string =>
  Number.isFinite(value) ? Number(value.toPrecision(6)).toString() : "broken off";

/** For the repeats of a report. */
export const ordersText = (repeats: number): string =>
  mediansOf(repeats, "order of the evaluations", "orders of the evaluations");
