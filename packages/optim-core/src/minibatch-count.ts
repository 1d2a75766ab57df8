import { badOption } from "@curvature/linalg";

/**
 * Into how many minibatches the rows of data are split: N = √D / 10, from 25 to 100, and at most D.
 *
 * Sohl-Dickstein, Poole, Ganguli: Fast large-scale optimization by unifying stochastic gradient and quasi-Newton methods.
 * ICML 2014, section B.1.1: a step's work beside its evaluation grows with N, and so should be in step with the size of a
 * minibatch, N ∝ √D; the factor and the limits are the advice of its authors' program.
 *
 * @param rows - D, a whole number of at least 1
 * @throws CurvatureError ERR_OPTION
 */
export function defaultMinibatchCount(rows: number): number {
  const isCount = Number.isSafeInteger(rows) && rows >= 1;
  if (!isCount) throw badOption("defaultMinibatchCount", "rows", "a whole number of at least 1", rows);
  return Math.min(rows, 100, Math.max(25, Math.round(Math.sqrt(rows) / 10)));
}
