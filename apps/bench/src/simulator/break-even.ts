/** From what evaluation time on remote subfunctions pay. */
import { badOption } from "@curvature/linalg";
import type { PoolFigures, SumWork } from "./figures.ts";
import { simulateRemoteSum } from "./simulate.ts";

/** Evaluation times between which it is looked for. */
const LEAST = 1e-7;
const MOST = 1e4;

/**
 * The evaluation time in seconds from which on a remote sum is faster than one core at home, by `factor`; undefined if
 * there is none below ten thousand seconds. At home a run takes its evaluations and the solver's steps, one after the
 * other.
 *
 * @param work - its `evaluationSeconds` is what is sought
 * @param factor - 1 for any gain at all
 * @throws CurvatureError ERR_OPTION
 */
export function breakEvenSeconds(
  pool: PoolFigures,
  work: Omit<SumWork, "evaluationSeconds">,
  factor = 1,
): number | undefined {
  if (!(Number.isFinite(factor) && factor > 0))
    throw badOption("breakEvenSeconds", "factor", "a finite number above 0", factor);
  const pays = (evaluationSeconds: number): boolean => {
    const { seconds } = simulateRemoteSum(pool, { ...work, evaluationSeconds });
    const steps = Math.ceil(work.evaluations / work.batch);
    return factor * seconds < work.evaluations * evaluationSeconds + steps * work.solverSeconds;
  };
  if (!pays(MOST)) return undefined;
  let [low, high] = [LEAST, MOST];
  while (high > 1.01 * low) {
    const middle = Math.sqrt(low * high);
    if (pays(middle)) high = middle;
    else low = middle;
  }
  return high;
}
