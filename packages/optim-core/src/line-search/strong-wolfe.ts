/**
 * A step that satisfies the Wolfe conditions, by bracketing and cubic interpolation.
 *
 * Conditions  φ(α) <= φ(0) + c₁ α φ′(0) + noise  (3.7a)   sufficient decrease
 *             |φ′(α)| <= c₂ |φ′(0)|           (3.7b)   strong curvature
 *             φ′(α) >= c₂ φ′(0)               (3.6b)   weak curvature
 *
 * Bracket     lo   the best α so far with (3.7a), 0 at first
 *             hi   an α such that the interval between them has a good point; ∞ at first
 *             invariants: φ(lo) lowest among the accepted-for-decrease, φ′(lo)(hi − lo) < 0
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed. (2006), Algorithms 3.5 and 3.6, eq. (3.59).
 * Differs from the book: both phases are one loop; a trial that is not finite is a hi that is bisected towards;
 * the interpolant is kept off the bracket's ends, and a bracket that does not shrink is bisected; trials are
 * bounded, and where they run out a point with sufficient decrease is good enough. Values count as equal within their noise
 * (`noise.ts`), where the slopes decide, and a bracket in which no trial could be told from lo is the end. So an accepted
 * step need not lower the value: the caller looks at how much it did.
 */
import {
  integerFrom,
  norm2,
  type OptionsOf,
  oneOf,
  optionTable,
  type SettingsOf,
  strictlyBetween,
} from "@curvature/linalg";
import type { SearchLine } from "./search-line.js";
import { endless } from "./unbounded.js";

export const wolfeOptions = optionTable(
  {
    /** c₁ */
    sufficientDecrease: strictlyBetween(0, 1).default(1e-4),
    /** c₂ */
    curvature: strictlyBetween(0, 1).default(0.9),
    /** Which curvature condition. */
    condition: oneOf("strong", "weak").default("strong"),
    maxTrials: integerFrom(1).default(40),
  },
  [["sufficientDecrease", "<", "curvature"]],
);
export type WolfeOptions = OptionsOf<typeof wolfeOptions>;
export type WolfeSettings = SettingsOf<typeof wolfeOptions>;

/** How near to an end of the bracket a trial may come, as a part of its width. */
const MARGIN = 0.1;

/**
 * Searches from `first`; the line must be aimed downhill.
 *
 * @param settings - as `wolfeOptions.resolve` gives them; a solver resolves its options once, not in every step
 * @returns whether a trial was accepted; if so it is the line's last one. Where the conditions cannot be met
 *   within the trials (a kink, rounding), the best trial with sufficient decrease is accepted. The line's `unbounded` says
 *   what lets φ seem to have no lower bound
 */
export function searchWolfe(
  line: SearchLine,
  first: number,
  settings: WolfeSettings = wolfeOptions.defaults,
): boolean {
  const { sufficientDecrease: c1, curvature: c2, condition, maxTrials } = settings;
  const { value: value0, slope: slope0, noise } = line;
  let lo = 0;
  let valueLo = value0;
  let slopeLo = slope0;
  let hi = Number.POSITIVE_INFINITY;
  let valueHi = Number.NaN;
  let slopeHi = Number.NaN;
  let alpha = first;
  let widthBefore = Number.POSITIVE_INFINITY;

  for (let trial = 0; trial < maxTrials; trial++) {
    const isUsable = line.evaluate(alpha);
    if (line.isSpent || line.unbounded) return lo > 0 && line.recall();
    const { trialValue: value, trialSlope: slope } = line;
    if (!isUsable || value > value0 + c1 * alpha * slope0 + noise || value > valueLo + noise) {
      hi = alpha; // eq. (3.7a) fails, or lo is better
      valueHi = isUsable ? value : Number.NaN;
      slopeHi = slope;
    } else {
      const isFlat = condition === "strong" ? Math.abs(slope) <= -c2 * slope0 : slope >= c2 * slope0;
      if (isFlat) return true; // eq. (3.7b) or (3.6b)
      if (slope * (hi - lo) >= 0) {
        hi = lo;
        valueHi = valueLo;
        slopeHi = slopeLo;
      }
      const reached = lo;
      const valueReached = valueLo;
      const slopeReached = slopeLo;
      lo = alpha;
      valueLo = value;
      slopeLo = slope;
      line.keep();
      if (hi === Number.POSITIVE_INFINITY) {
        const guess = cubicMinimum(reached, valueReached, slopeReached, lo, value, slope);
        alpha = guess >= 2 * lo ? Math.min(guess, 10 * lo) : 2 * lo; // NaN gives 2 lo
        continue;
      }
    }
    const width = Math.abs(hi - lo);
    if (!(width > 1e-16 * Math.max(lo, hi)) || Math.abs(slopeLo) * width <= noise) break;
    const guess = cubicMinimum(lo, valueLo, slopeLo, hi, valueHi, slopeHi);
    const inside = Math.min(
      Math.max(guess, Math.min(lo, hi) + MARGIN * width),
      Math.max(lo, hi) - MARGIN * width,
    );
    alpha = width <= 0.66 * widthBefore && !Number.isNaN(guess) ? inside : 0.5 * (lo + hi);
    widthBefore = width;
  }
  if (hi === Number.POSITIVE_INFINITY && slopeLo <= 0.5 * slope0)
    line.unbounded = endless(lo, first, norm2(line.p), norm2(line.x));
  return lo > 0 && line.recall();
}

/** The minimiser of the cubic with these values and slopes at a and b; NaN if it has none. Eq. (3.59). */
function cubicMinimum(a: number, fa: number, ga: number, b: number, fb: number, gb: number): number {
  const d1 = ga + gb - (3 * (fa - fb)) / (a - b);
  const d2 = (b > a ? 1 : -1) * Math.sqrt(d1 * d1 - ga * gb);
  return b - (b - a) * ((gb + d2 - d1) / (gb - ga + 2 * d2));
}
