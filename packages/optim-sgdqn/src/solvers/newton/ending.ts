/**
 * When Newton's method is at its end.
 *
 * Converged  max(−½ g·s, P(w) − P(w + t s)) ≤ tolerance · P(w):  half the squared Newton decrement is P − P* of the
 *            quadratic model (within some 15 % of the true one once below 1 %), and what the step gained is a lower bound
 *            of P − P*, which guards against a model that was too optimistic. The step just made lands far below. It
 *            counts where the system was solved and Σ |hᵢ − hᵢ′| ≤ 0.3 Σ hᵢ, h′ being the curvatures before the step
 *            (of fewer than 2000 rows less in proportion): rows that crossed kinks change the model
 * Also       where no step lowers P, and what it could gain is lost in the rounding of P
 * Stalled    where no step lowers P although it should
 */
import type { Outcome } from "@curvature/optim-core";
import { type Backtracked, ROUNDING } from "./line-search.js";
import { changeOf } from "./preconditioner.js";

/** The part of the curvature that may change in the last step, of many rows: there crossings of kinks average out. */
const MAX_CHANGE = 0.3;
/** Of fewer rows it is less in proportion: of a few dozen none may cross. */
const MANY_ROWS = 2000;

export interface LastStep extends Backtracked {
  /** P(w) before it. */
  readonly before: number;
  /** g·s */
  readonly slope: number;
  /** Whether its system was solved as well as it should be. */
  readonly isSolved: boolean;
  /** h before it, and after it. */
  readonly hBefore: Float64Array;
  readonly h: Float64Array;
}

/** max(−½ g·s, P(w) − P(w + t s)) / P(w) */
export function relativeGap({ before, slope, value, isLower }: LastStep): number {
  const gain = isLower ? before - value : 0;
  return Math.max(-0.5 * slope, gain) / before;
}

/** @param gap - of the last step, and `iterations` the count of all. @returns how it ended, if it did */
export function endAfter(
  step: LastStep,
  gap: number,
  tolerance: number,
  iterations: number,
): Outcome | undefined {
  const { isLower, t, slope, before } = step;
  const words = decrementInWords(gap, iterations);
  if (gap <= tolerance && isCertain(step))
    return { status: "converged", message: `${words}, at most ${tolerance}.` };
  if (isLower) return undefined;
  if (-slope * t <= ROUNDING * before)
    return { status: "converged", message: `${words}, and no lower P is left within rounding.` };
  return { status: "stalled", message: `${words}, yet no step along Newton's direction lowers P.` };
}

/** Whether the model that the gap comes from is still that of the point. */
function isCertain({ isSolved, isLower, hBefore, h }: LastStep): boolean {
  const maxChange = MAX_CHANGE * Math.min(1, h.length / MANY_ROWS);
  return isSolved && (!isLower || changeOf(hBefore, h) <= maxChange);
}

export const passesUsedUp = (maxPasses: number, gap: number, iterations: number): Outcome => ({
  status: "max-iterations",
  message: `The limit of ${maxPasses} passes is reached: ${decrementInWords(gap, iterations)}.`,
});

/** @param P - at w, and `gradientNorm` ‖g‖₂ there. @returns how it ends, if there is nothing to do or to be done */
export function endAt(P: number | undefined, gradientNorm: number): Outcome | undefined {
  if (gradientNorm === 0 || P === 0) return { status: "converged", message: "P or its gradient is zero." };
  return Number.isFinite(gradientNorm) ? undefined : tooLarge(`the gradient norm is ${gradientNorm}`);
}

/** @param slope - g·s. @returns how it ends, if s does not lead down */
export function endAlong(slope: number): Outcome | undefined {
  if (slope < 0 && Number.isFinite(slope)) return undefined;
  if (Math.abs(slope) < Number.MIN_VALUE / Number.EPSILON)
    return { status: "converged", message: "The decrease still expected is below the least number." };
  return tooLarge(`Newton's direction has the slope ${slope}`);
}

export const tooLarge = (what: string): Outcome => ({
  status: "diverged",
  message: `${what}: the rows or the first point are too large for double precision. Scale the features.`,
});

const decrementInWords = (gap: number, iterations: number): string =>
  `half the squared Newton decrement was ${gap.toPrecision(3)} of P before the last of ${iterations} iterations`;
