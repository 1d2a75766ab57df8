/**
 * Sufficient decrease, from the minimum along the line on:
 *
 *   t ← t/2  until  P(w + t s) ≤ P(w) + c₁ t g·s,   c₁ = 1e-4
 *
 * The first t nearly always does: P is convex along the line, and t its minimum. Not so where P is rounded, or
 * overflowed; it ends without a decrease after 40 halvings, or where t g·s is lost in the rounding of P.
 */
const SUFFICIENT_DECREASE = 1e-4;
const MOST_HALVINGS = 40;
/** Below this part of P, a change of P is lost in its rounding. */
export const ROUNDING = 1e-13;

export interface Backtracked {
  readonly t: number;
  /** P(w + t s) */
  readonly value: number;
  /** Whether that is a sufficient decrease. */
  readonly isLower: boolean;
}

/**
 * @param measure - gives P(w + t s)
 * @param first - the first t
 * @param before - P(w), and `slope` g·s
 */
export function backtrack(
  measure: (t: number) => number,
  first: number,
  before: number,
  slope: number,
): Backtracked {
  let t = first;
  let value = measure(t);
  for (let k = 0; !isDecrease(before, value, t * slope) && k < MOST_HALVINGS; k++) {
    if (Math.abs(t * slope) <= ROUNDING * before) break;
    t /= 2;
    value = measure(t);
  }
  return { t, value, isLower: isDecrease(before, value, t * slope) };
}

const isDecrease = (before: number, value: number, predicted: number): boolean =>
  value <= before + SUFFICIENT_DECREASE * predicted;
