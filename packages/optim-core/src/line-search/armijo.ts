/**
 * Backtracking to sufficient decrease.
 *
 * Condition  φ(α) <= φ(0) + c₁ α φ′(0)        (3.6a)
 * Iteration  α ← ρ α until it holds, from a given first α
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed. (2006), Algorithm 3.1.
 * Differs from the book: a trial that is not finite counts as no decrease; φ(α) < φ(0) is asked for as well, so
 * that a step below the rounding of φ is a failure and not a success for ever; the reductions are bounded.
 */
import type { SearchLine } from "./search-line.js";

export interface BacktrackingOptions {
  /** c₁. Default 1e-4. */
  readonly sufficientDecrease: number;
  /** ρ. Default 0.5. */
  readonly shrink: number;
}

export const backtrackingDefaults: BacktrackingOptions = Object.freeze({
  sufficientDecrease: 1e-4,
  shrink: 0.5,
});

const MAX_REDUCTIONS = 60;
/** As a part of the first trial. */
const LEAST_STEP = 1e-20;

/**
 * Searches from `first` downwards; the line must be aimed downhill. A solver that gives the last accepted α (or
 * a multiple of it) as `first` spends about one trial per step.
 *
 * @returns whether a trial was accepted; if so it is the line's last one
 */
export function backtrack(line: SearchLine, first: number, options = backtrackingDefaults): boolean {
  const { sufficientDecrease: c1, shrink: rho } = options;
  let alpha = first;
  for (let reductions = 0; reductions <= MAX_REDUCTIONS && alpha >= LEAST_STEP * first; reductions++) {
    const isUsable = line.evaluate(alpha);
    const enough = line.value + c1 * alpha * line.slope; // eq. (3.6a)
    if (isUsable && line.trialValue <= enough && line.trialValue < line.value) return true;
    alpha *= rho;
  }
  return false;
}
