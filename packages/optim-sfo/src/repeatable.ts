/**
 * Whether a subfunction gives the same value and gradient twice: dropout, sampling and data that change between calls
 * are the usual reasons for a run that makes no sense.
 */
import { CurvatureError } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";

/**
 * A subfunction that throws is left to the run.
 *
 * @throws CurvatureError ERR_ARGUMENT for one that writes into x
 */
export async function isRepeatable(sum: SumOfFunctions, x: Float64Array): Promise<boolean> {
  const first = new Float64Array(sum.dimension);
  const second = new Float64Array(sum.dimension);
  try {
    const f = await sum.evaluate(0, x.slice(), first);
    const again = await sum.evaluate(0, x.slice(), second);
    return Object.is(f, again) && first.every((entry, i) => Object.is(entry, second[i]));
  } catch (error) {
    if (error instanceof CurvatureError && error.path === "x") throw error;
    return true;
  }
}
