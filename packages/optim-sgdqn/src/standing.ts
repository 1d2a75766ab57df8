/** Whether a solver that had ended stays so after a resume: limits and tolerance may be others than before. */
import type { Outcome } from "@curvature/optim-core";

/** How far a solver had come. */
interface Reached {
  readonly passes: number;
  /** Undefined where it knows none. */
  readonly gap?: number | undefined;
}

/** How far it may go, and how far it is to come. */
export interface Asked {
  readonly maxPasses: number;
  readonly tolerance?: number | undefined;
}

/** A saved outcome, unless it was the end of fewer passes than are allowed now, or at a gap that is too large now. */
export function standing(
  outcome: Outcome | undefined,
  { passes, gap = 0 }: Reached,
  { maxPasses, tolerance = Number.POSITIVE_INFINITY }: Asked,
): Outcome | undefined {
  if (outcome?.status === "max-iterations" && passes < maxPasses) return undefined;
  return outcome?.status === "converged" && gap > tolerance ? undefined : outcome;
}
