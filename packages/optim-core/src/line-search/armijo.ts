/**
 * Backtracking to sufficient decrease.
 *
 * Condition  φ(α) <= φ(0) + c₁ α φ′(0) + noise        (3.6a)
 * Iteration  α ← ρ α until it holds, from a given first α
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed. (2006), Algorithm 3.1.
 * Differs from the book: a trial that is not finite counts as no decrease; values count as equal within their noise
 * (`noise.ts`), and where the decrease that α φ′(0) promises is within it, too, the search gives up; the reductions are
 * bounded. So an accepted step need not lower the value: the caller looks at how much it did.
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
  const { value, slope, noise } = line;
  let alpha = first;
  for (let reductions = 0; reductions <= MAX_REDUCTIONS && alpha >= MIN_STEP * first; reductions++) {
    const isUsable = line.evaluate(alpha);
    if (isUsable && line.trialValue <= value + c1 * alpha * slope + noise) return true; // eq. (3.6a)
    if (line.isSpent || line.unbounded || (isUsable && -alpha * slope <= noise)) return false;
    alpha *= rho;
  }
  return false;
}
