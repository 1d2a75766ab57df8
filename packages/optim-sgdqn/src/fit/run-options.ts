/** What of the options of a fit goes to `run`. */
import { type Iteration, type RunOptions, reopened, timeLimit } from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import type { LinearFitOptions } from "./result.js";
import type { Settings } from "./task.js";

/** The last iteration is always kept: it knows gap and t₀. `trimmed` leaves it out where nobody asked. */
export function runOptions(
  options: LinearFitOptions,
  { maxSeconds }: Pick<Settings, "maxSeconds">,
): RunOptions<LinearDetails> {
  const { signal, onIteration, yieldEvery, checkpoint, resume, history = false } = options;
  return {
    stop: timeLimit(maxSeconds ?? Number.POSITIVE_INFINITY), // the solvers end by themselves
    history: history === false || history === 0 ? 1 : history,
    ...(signal === undefined ? {} : { signal }),
    ...(onIteration === undefined ? {} : { onIteration }),
    ...(yieldEvery === undefined ? {} : { yieldEvery }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
    ...(resume === undefined ? {} : { resume: reopened(resume) }),
  };
}

export function trimmed(
  history: readonly Iteration<LinearDetails>[],
  asked: LinearFitOptions["history"],
): readonly Iteration<LinearDetails>[] {
  return asked === undefined || asked === false || asked === 0 ? [] : history;
}
