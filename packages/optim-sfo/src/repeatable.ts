/**
 * Whether a subfunction gives the same value and gradient twice: dropout, sampling and data that change between calls
 * are the usual reasons for a run that makes no sense.
 */
import type { SumOfFunctions } from "@curvature/optim-core";

/** A subfunction that throws is left to the run. */
export async function isRepeatable(sum: SumOfFunctions, x: Float64Array): Promise<boolean> {
  const first = new Float64Array(sum.dimension);
  const second = new Float64Array(sum.dimension);
  try {
    const f = await sum.evaluate(0, x.slice(), first);
    const again = await sum.evaluate(0, x.slice(), second);
    return Object.is(f, again) && first.every((entry, i) => Object.is(entry, second[i]));
  } catch {
    return true;
  }
}
