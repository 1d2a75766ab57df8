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
import { between, type OptionsOf, optionTable, type SettingsOf } from "@curvature/linalg";
import type { SearchLine } from "./search-line.js";

export const backtrackingOptions = optionTable({
  /** c₁ of the search. */
  sufficientDecrease: between(0, 0.5).default(1e-4),
  /** ρ, the factor of a reduction. */
  shrink: between(0.01, 0.99).default(0.5),
});
export type BacktrackingOptions = OptionsOf<typeof backtrackingOptions>;
export type BacktrackingSettings = SettingsOf<typeof backtrackingOptions>;

const MAX_REDUCTIONS = 60;
/** As a part of the first trial. */
const MIN_STEP = 1e-20;

/**
 * Searches from `first` downwards; the line must be aimed downhill. A solver that gives the last accepted α (or
 * a multiple of it) as `first` spends about one trial per step.
 *
 * @param settings - as `backtrackingOptions.resolve` gives them; a solver resolves its options once, not in every step
 * @returns whether a trial was accepted; if so it is the line's last one
 */
export function backtrack(
  line: SearchLine,
  first: number,
  settings: BacktrackingSettings = backtrackingOptions.defaults,
): boolean {
  const { sufficientDecrease: c1, shrink: rho } = settings;
  let alpha = first;
  for (let reductions = 0; reductions <= MAX_REDUCTIONS && alpha >= MIN_STEP * first; reductions++) {
    const isUsable = line.evaluate(alpha);
    const enough = line.value + c1 * alpha * line.slope; // eq. (3.6a)
    if (isUsable && line.trialValue <= enough && line.trialValue < line.value) return true;
    alpha *= rho;
  }
  return false;
}
