/**
 * When Burer-Monteiro goes from inner steps to the pricing, from there to the multipliers, and when it ends (see
 * `burer-monteiro.ts` for the method).
 *
 *   inner     on the places at hand, to the pricing where the measure is below half of g_t or a tenth of what it was, where
 *             half of the places are no longer free, or after so many steps
 *   pricing   the places are kept where 8 of 10 are free and few of the gradient's entries are missing; to the multipliers
 *             below g_t, or after 100 inner steps
 *   outer     g_t ← max(0.3 g_t, 1e-5); it ends when the bound stands still and the row sums are right
 */
import type { Outcome } from "@curvature/optim-core";
import { BETWEEN, type Progress } from "./burer-monteiro-progress.js";

/** g_t: factor, floor. */
const TIGHTENING = 0.3;
const LEAST_TOLERANCE = 1e-5;
/** Inner iterations in one outer step. */
const INNER = 100;
/** Share of the gradient outside the places up to which they are kept. */
const MISSING = 0.3;
/** Share of the places that must be free for them to be kept, and below which they are looked at at once. */
const KEPT = 0.8;
const SHRUNK = 0.5;
/** Inner iterations between new multipliers and the pricing, and the least before another. */
const FIRST_BETWEEN = 5;
const LEAST_BETWEEN = 4;
const OUTER_MORE = 10;
/** ‖c‖/√n that no tolerance asks to be below. */
const LEAST_ROW_SUM_ERROR = 3e-4;

/** For at most 10 outer steps more, with both tolerances at 0.3 of what they were. */
export function sharpen(now: Progress): void {
  now.sharpness *= TIGHTENING;
  now.outerLimit = now.outerCount + OUTER_MORE;
}

export const isInnerDone = (now: Progress): boolean => now.measure < now.target || now.innerCount >= INNER;

export const arePlacesKept = (now: Progress, places: number): boolean =>
  Math.sqrt(now.violation) <= MISSING * now.measure && now.free >= KEPT * places;

export function planAfterPricing(now: Progress, areKept: boolean): void {
  now.innerTarget = Math.max(0.5 * now.target, 0.1 * now.measure);
  now.sincePricing = 0;
  now.between = areKept ? Math.min(2 * now.between, INNER) : BETWEEN;
}

/** After an inner iteration. */
export function isPricingDue(now: Progress, places: number): boolean {
  const isSparser = now.free < SHRUNK * places && now.sincePricing >= LEAST_BETWEEN;
  const isOver = now.sincePricing >= now.between || now.innerCount >= INNER;
  return !(now.measure >= now.innerTarget) || isOver || isSparser;
}

/** The inner solver has ended by itself. */
export function endInner(now: Progress): void {
  if (now.sincePricing === 1) now.innerCount = INNER; // it gets no further
}

export function planAfterMultipliers(now: Progress): void {
  now.outerCount++;
  now.target = Math.max(TIGHTENING * now.target, LEAST_TOLERANCE * now.sharpness);
  now.innerCount = 0;
  now.innerTarget = 0;
  now.between = FIRST_BETWEEN;
  now.sincePricing = 0;
}

/**
 * After an outer step.
 *
 * @param change - of the lower bound, by that step
 */
export function endOf(now: Progress, bound: number, change: number, tolerance: number): Outcome | undefined {
  const allowed = now.sharpness * Math.max(5 * tolerance, LEAST_ROW_SUM_ERROR);
  const isStill = change <= 0.3 * now.sharpness * tolerance * Math.abs(bound) && now.rowSumError <= allowed;
  const [by, wrong] = [change.toPrecision(3), now.rowSumError.toPrecision(3)];
  if (isStill)
    return {
      status: "converged",
      message: `The lower bound changed by ${by} to ${bound}, and the row sums are right to ${wrong}. This certifies nothing.`,
    };
  if (now.outerCount >= now.outerLimit)
    return {
      status: "stalled",
      message: `After ${now.outerCount} updates of the multipliers the lower bound still changes by ${by}, or the row sums are wrong by ${wrong}.`,
    };
  return undefined;
}

/** @param r - columns of Y */
export const vanished = (r: number): Outcome => ({
  status: "stalled",
  message: `Y has become 0, from which no gradient leads away. Take a larger rank than ${r}, or another seed.`,
});
