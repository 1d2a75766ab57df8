/**
 * Whether a subfunction gives the same value and gradient twice: dropout, sampling and data that change between calls
 * are the usual reasons for a run that makes no sense.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";

/**
 * What is to be said of subfunction 0, undefined if nothing. One that throws is left to the run, which ends if it throws
 * again.
 *
 * @throws CurvatureError ERR_ARGUMENT for one that writes into x, or leaves entries of its gradient unwritten
 */
export async function doubtsAbout(sum: SumOfFunctions, x: Float64Array): Promise<string | undefined> {
  const first = new Float64Array(sum.dimension).fill(Number.NaN);
  const second = first.slice();
  try {
    const f = await sum.evaluate(0, x.slice(), first);
    if (Number.isFinite(f)) checkWritten(first);
    const again = await sum.evaluate(0, x.slice(), second);
    const isSame = Object.is(f, again) && first.every((entry, i) => Object.is(entry, second[i]));
    return isSame ? undefined : isNoisy;
  } catch (error) {
    if (error instanceof CurvatureError && (error.path === "x" || error.path === "gradient")) throw error;
    const reason = error instanceof Error ? error.message : shown(error);
    return `Subfunction 0 failed when it was tried before the run: ${reason}`;
  }
}

/** @param gradient - held NaN before the evaluation */
function checkWritten(gradient: Float64Array): void {
  const missing = gradient.findIndex(Number.isNaN);
  if (missing >= 0)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `minimizeSum: subfunction 0 is finite at the first point, but entry ${missing} of its gradient is not written, or is NaN. Write all ${gradient.length} into evaluate's third argument, and do not add to what it holds.`,
      { path: "gradient", expected: `${gradient.length} numbers` },
    );
}

const isNoisy =
  "Subfunction 0 gives other values or gradients when it is evaluated again at the same point. Its noise will mislead " +
  "the models: draw random numbers once, before the run.";
