/**
 * The order of a Taylor remainder, r(h) = O(h^q), read off as the slope q of log r over log h.
 *
 * The steps h = 2^0, 2^-1 … 2^-44 are all tried. The smallest of them measure the rounding of r; the slope is that
 * of the smallest steps whose remainder stands clear of it, where the terms of higher order are least. So an error
 * in a derivative, which adds a term of lower order that small steps bring out, is not overlooked. Steps that
 * reach over a kink of a piecewise linear function (|x|, hinges) say nothing of the derivative at x.
 *
 * Boumal, Absil et al.: Manopt's checkgradient looks for the straightest piece of the same curve.
 */
import { log } from "@curvature/linalg";

const HALVINGS = 44;
/** The steps whose remainder is taken for rounding, 2^-36 … 2^-44. */
const NOISY = 36;
/** How far a remainder must stand above the rounding. */
const CLEAR = 50;
/** Steps in the slope. */
const WINDOW = 6;
/** A remainder that falls by more into the rounding has left a kink behind: the piece on which x lies is straight. */
const CLIFF = 32;

export interface RemainderOrder {
  /** q; undefined if no remainder stands clear of rounding: the expansion is exact. */
  readonly slope: number | undefined;
  /** The level below which the remainder is rounding. */
  readonly rounding: number;
  /** h and r(h), largest step first. */
  readonly steps: Float64Array;
  readonly remainders: Float64Array;
}

/** r(h), and the size of the terms that it is the difference of. */
export interface Remainder {
  readonly value: number;
  readonly terms: number;
}

/**
 * @param epsilon - the relative error of the terms
 * @param remainder - for h from 1 down to 2^-44
 */
export function remainderOrder(epsilon: number, remainder: (h: number) => Remainder): RemainderOrder {
  const steps = Float64Array.from({ length: HALVINGS + 1 }, (_, k) => 2 ** -k);
  const remainders = new Float64Array(steps.length);
  const least = new Float64Array(steps.length);
  for (let k = 0; k < steps.length; k++) {
    const { value, terms } = remainder(steps[k]);
    remainders[k] = Math.abs(value);
    least[k] = 4 * epsilon * terms;
  }
  const rounding = remainders.subarray(NOISY).reduce((most, r) => Math.max(most, r), least[HALVINGS]);
  const clear: number[] = [];
  for (let k = 0; k < NOISY; k++) {
    const r = remainders[k];
    if (r > CLEAR * Math.max(rounding, least[k]) && r < Number.MAX_VALUE) clear.push(k);
  }
  const last = clear.at(-1) ?? 0;
  const used = remainders[last + 1] * CLIFF < remainders[last] ? [] : clear.slice(-WINDOW);
  return { slope: used.length < 3 ? undefined : fittedSlope(used, remainders), rounding, steps, remainders };
}

/** The least-squares slope of log₂ r over log₂ h = −k. */
function fittedSlope(used: readonly number[], remainders: Float64Array): number {
  const meanK = used.reduce((sum, k) => sum + k, 0) / used.length;
  let top = 0;
  let bottom = 0;
  for (const k of used) {
    top += (meanK - k) * log(remainders[k]);
    bottom += (meanK - k) * (meanK - k);
  }
  return top / (bottom * log(2));
}
