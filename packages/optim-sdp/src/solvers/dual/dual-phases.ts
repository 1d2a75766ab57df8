/**
 * One step of `auto` on the dual side, phase by phase:
 *
 *   dual-guess       S from the multipliers is there         → dual-gradient
 *   dual-gradient    an accelerated step on S                → upper-estimate after ten
 *   admm             a step on W                             → upper-estimate after every tenth
 *   upper-estimate   UB by Ritz values, without rigour       → certificate where that is worth its price
 *   certificate      a part of UB by all eigenvalues
 *
 * After an estimate or a certificate there is something to decide.
 */
import type { AutoPhase } from "../auto-options.js";
import type { DualIteration } from "./dual-iteration.js";
import type { RunningBounds } from "./running-bounds.js";

const GRADIENT_STEPS = 10;
export const CHECK_EVERY = 10;

export type DualPhase = Exclude<AutoPhase, "burer-monteiro">;

/** Takes the phase's step. @returns the phase of the next one, or undefined where that is to be decided */
export function dualPhaseStep(
  phase: DualPhase,
  dual: DualIteration,
  bounds: RunningBounds,
  tolerance: number,
): DualPhase | undefined {
  switch (phase) {
    case "dual-guess":
      return "dual-gradient";
    case "dual-gradient":
      dual.gradientStep();
      return dual.steps >= GRADIENT_STEPS ? "upper-estimate" : phase;
    case "admm":
      if (!dual.isSplitting) dual.beginSplitting();
      dual.splittingStep();
      return dual.splittingSteps % CHECK_EVERY === 0 ? "upper-estimate" : phase;
    case "upper-estimate":
      return bounds.look(dual, tolerance) ? "certificate" : undefined;
    case "certificate":
      return bounds.certify(dual) ? undefined : phase;
  }
}
