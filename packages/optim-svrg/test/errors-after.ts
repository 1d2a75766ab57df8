/** Following a run epoch by epoch. */
import { errorShare } from "@curvature/objectives/ordinal";
import type { Svrg } from "@curvature/optim-svrg";
import type { OrdinalData } from "./fixtures.js";

/** Test errors of the best point after each of `epochs` inner loops. */
export function errorsAfter(solver: Svrg, data: OrdinalData, epochs: readonly number[]): readonly number[] {
  const errors: number[] = [];
  for (;;) {
    const { phase, details, outcome } = solver.step();
    if (outcome !== undefined) throw new Error(outcome.message);
    if (phase === "snapshot" && epochs.includes(details.epoch)) {
      errors.push(errorShare(data.test, solver.best.x));
      if (errors.length === epochs.length) return errors;
    }
  }
}
