/** The limit of passes after a resume, which may be another than before. */
import type { Outcome } from "@curvature/optim-core";

/** A saved outcome, unless it was the end of fewer passes than are allowed now. */
export function standing(
  outcome: Outcome | undefined,
  passes: number,
  maxPasses: number,
): Outcome | undefined {
  return outcome?.status === "max-evaluations" && passes < maxPasses ? undefined : outcome;
}
