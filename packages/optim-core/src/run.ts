/**
 * Driving a solver: stopping rules, listeners, cancellation, checkpoints, and the event loop's turn, in one place
 * for all solvers.
 *
 * Every iteration goes through the same order:
 *   1. `step()`; what it throws ends the run as `failed`, with the best point kept
 *   2. counters, gradient norm and history take the iteration
 *   3. the solver's own outcome ends the run; else the stopping rules (target, tolerance, then limits)
 *   4. the listener hears of it, then the loop's body; both may end the run
 *   5. a checkpoint is written if one is due; one more is written at the end
 *   6. the event loop gets its turn if that is due
 *   7. the signal may end the run
 */
import { CurvatureError } from "@curvature/linalg";
import { isPromise, nextTask } from "./event-loop.js";
import type { RunResult } from "./result.js";
import type { RunOptions } from "./run-options.js";
import { RunState } from "./run-state.js";
import type { Iteration, Point, Solver } from "./solver.js";

/**
 * Runs a solver to its end and gives the event loop its turn on the way.
 *
 * @throws CurvatureError (the promise rejects) ERR_OPTION for options, ERR_CHECKPOINT or ERR_SNAPSHOT for a
 *   checkpoint of another solver, problem or version; whatever the listener or `checkpoint.write` throws
 */
export async function run<Details>(
  solver: Solver<Details>,
  options?: RunOptions<Details>,
): Promise<RunResult<Details>> {
  const iterations = advance(solver, new RunState("run", solver, options), () => undefined);
  for (;;) {
    const next = await iterations.next();
    if (next.done === true) return next.value;
  }
}

/**
 * The run as a loop: `for await (const iteration of iterate(solver, options))`. The generator's return value is
 * the result. Leaving the loop ends the run after its current iteration; a last checkpoint is written, and the
 * solver's `best` and `last` are there.
 *
 * @throws CurvatureError as `run` does, for options and checkpoints at once and not at the first iteration
 */
export function iterate<Details>(
  solver: Solver<Details>,
  options?: RunOptions<Details>,
): AsyncGenerator<Iteration<Details>, RunResult<Details>, void> {
  return advance(solver, new RunState("iterate", solver, options), (iteration) => iteration);
}

/** Where a run stands after an iteration. The points are the solver's own, not copies. */
export interface RunPoint<Details = unknown> {
  readonly iteration: Iteration<Details>;
  readonly best: Point;
  readonly last: Point;
}

/** The run as a loop over the points that it comes through, for façades. */
export function states<Details>(
  solver: Solver<Details>,
  options: RunOptions<Details>,
): AsyncGenerator<RunPoint<Details>, RunResult<Details>, void> {
  const at = (iteration: Iteration<Details>) => ({ iteration, best: solver.best, last: solver.last });
  return advance(solver, new RunState("run", solver, options), at);
}

async function* advance<Details, Shown>(
  solver: Solver<Details>,
  state: RunState<Details>,
  shown: (iteration: Iteration<Details>) => Shown,
): AsyncGenerator<Shown, RunResult<Details>, void> {
  const { onIteration, checkpoint } = state.settings;
  let isWriting = false; // stays set if `write` throws: it is not tried again then
  try {
    while (state.ending === undefined) {
      let iteration: Iteration<Details>;
      try {
        const stepped = solver.step();
        iteration = isPromise(stepped) ? await stepped : stepped;
      } catch (error) {
        state.fail(error);
        break;
      }
      state.record(iteration);
      const answer = onIteration?.(iteration, state);
      state.honour(isPromise(answer) ? await answer : answer);
      yield shown(iteration);
      if (state.isCheckpointDue(false)) {
        isWriting = true;
        await checkpoint?.write(state.checkpoint());
        isWriting = false;
      }
      if (state.isTurnDue()) await nextTask();
      state.honour(undefined); // the loop's body or another task may have aborted the signal
    }
  } finally {
    if (!isWriting && state.isCheckpointDue(true)) await checkpoint?.write(state.checkpoint());
  }
  return state.result();
}

/**
 * Runs a solver to its end without giving the event loop its turn: for scripts, workers and tests.
 *
 * @throws CurvatureError as `run` does, and ERR_ARGUMENT if a step, the listener or `checkpoint.write` returns a
 *   promise: use `run` then
 */
export function runSync<Details>(solver: Solver<Details>, options?: RunOptions<Details>): RunResult<Details> {
  const state = new RunState("runSync", solver, options);
  const { onIteration, checkpoint } = state.settings;
  let isWriting = false;
  try {
    while (state.ending === undefined) {
      let stepped: Iteration<Details> | Promise<Iteration<Details>>;
      try {
        stepped = solver.step();
      } catch (error) {
        state.fail(error);
        break;
      }
      const iteration = settled(stepped, "an evaluation");
      state.record(iteration);
      state.honour(settled(onIteration?.(iteration, state), "onIteration"));
      if (state.isCheckpointDue(false)) {
        isWriting = true;
        settled(checkpoint?.write(state.checkpoint()), "checkpoint.write");
        isWriting = false;
      }
    }
  } finally {
    if (!isWriting && state.isCheckpointDue(true))
      settled(checkpoint?.write(state.checkpoint()), "checkpoint.write");
  }
  return state.result();
}

function settled<T>(value: T | Promise<T>, what: string): T {
  if (!isPromise(value)) return value;
  value.then(undefined, () => undefined); // its rejection, if any, has no other listener
  throw new CurvatureError("ERR_ARGUMENT", `${what} returned a promise. Use run, which waits for it.`, {
    where: "runSync",
    path: what,
    expected: "a value",
    received: value,
  });
}
