/**
 * Evaluates every subfunction once at the first point, before anything is minimised: a problem that is wrong from the
 * start is an error that names the subfunction, and F there is where all learning curves begin.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import { inFlags } from "../../run/flag-names.js";
import type { FitProblem } from "./problem.js";
import { reasonOf, thrown } from "./problem-module.js";

export interface StartEvaluation {
  /** F at the first point. */
  readonly value: number;
  /** Whether subfunction 0 gave the same value and gradient when it was asked again. */
  readonly isRepeatable: boolean;
}

/**
 * @param concurrency - evaluations under way at once, where they are promises
 * @throws CurvatureError ERR_NON_FINITE, ERR_PARSE for what throws, ERR_IO for files that it cannot read; an AbortError if `signal` is
 */
export async function evaluateStart(
  problem: FitProblem,
  concurrency: number,
  signal: AbortSignal,
): Promise<StartEvaluation> {
  const { count, dimension } = problem;
  const values = new Float64Array(count);
  let next = 0;
  const worker = async (): Promise<void> => {
    const gradient = new Float64Array(dimension);
    while (next < count) {
      signal.throwIfAborted();
      const index = next++;
      values[index] = await evaluated(problem, index, gradient);
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, concurrency) }, worker));
  return {
    value: values.reduce((sum, value) => sum + value, 0),
    isRepeatable: await isRepeatable(problem),
  };
}

async function evaluated(problem: FitProblem, index: number, gradient: Float64Array): Promise<number> {
  const { name, initial, dimension } = problem;
  let value: number;
  try {
    value = await problem.evaluate(index, initial, gradient);
  } catch (error) {
    if (error instanceof CurvatureError) throw asData(error);
    const message = `${name}: at the first point subfunction ${index} threw: ${reasonOf(error)}`;
    throw thrown(name, message, error, `subfunction ${index}`);
  }
  if (!Number.isFinite(value)) {
    throw notFinite(index, `${name}: at the first point subfunction ${index} is ${shown(value)}`);
  }
  const entry = gradient.findIndex((number) => !Number.isFinite(number));
  if (entry < 0) return value;
  const isUntouched = gradient.every(Number.isNaN);
  const place = `${name}: at the first point subfunction ${index}`;
  throw notFinite(
    index,
    isUntouched
      ? `${place} has written no gradient, or one that is NaN everywhere: write its ${dimension} numbers into the third argument`
      : `${place} has a gradient with ${shown(gradient[entry])} at ${entry} (counted from 0), or has not written there: write every entry, and do not add to what the array holds`,
  );
}

const notFinite = (index: number, what: string): CurvatureError =>
  new CurvatureError("ERR_NON_FINITE", `${what}. Start where every subfunction is finite.`, {
    path: `subfunction ${index}`,
  });

/** An answer of the wrong kind at the first point is the problem's fault, and so wrong data. */
const asData = (error: CurvatureError): CurvatureError =>
  error.code === "ERR_ARGUMENT"
    ? new CurvatureError("ERR_PARSE", inFlags(error), { path: error.path, cause: error })
    : error;

/** As minimizeSum judges it, for the solvers that do not. */
async function isRepeatable(problem: FitProblem): Promise<boolean> {
  const { initial, dimension } = problem;
  const [first, second] = [new Float64Array(dimension), new Float64Array(dimension)];
  try {
    const value = await problem.evaluate(0, initial, first);
    const again = await problem.evaluate(0, initial, second);
    return Object.is(value, again) && first.every((entry, j) => Object.is(entry, second[j]));
  } catch {
    return true; // what throws now and then is left to the run
  }
}
