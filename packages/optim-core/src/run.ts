/**
 * Driving a solver: stopping rules, listeners, cancellation, checkpoints, and the event loop's turn, in one place
 * for all solvers.
 *
 * Every iteration goes through the same order:
 *   1. `step()`; what it throws ends the run as `failed`, with the best point kept
 *   2. counters, gradient norm and history take the iteration
 *   3. the solver's own outcome ends the run; else the stopping rules (target, tolerance, then limits)
 *   4. the listener is called with it, then the loop's body; both may end the run
 *   5. a checkpoint is written if one is due; one more is written at the end
 *   6. the event loop gets its turn if that is due
 *   7. the signal may end the run
 */
import { badOption, CurvatureError, type SettingsOf, shown } from "@curvature/linalg";
import {
  type Checkpoint,
  checkOrigin,
  decodeCheckpoint,
  type Ending,
  encodeCheckpoint,
  isIteration,
} from "./checkpoint.js";
import { isPromise, nextTask } from "./event-loop.js";
import type { RunResult } from "./result.js";
import { type CheckpointOptions, checkpointOptions, type RunOptions, runTable } from "./run-options.js";
import type { Iteration, Point, SnapshotValue, Solver } from "./solver.js";
import {
  alternativesOf,
  anyOf,
  checkRule,
  maxIterations,
  type RunContext,
  type Stop,
  type StoppingRule,
  type StoppingTest,
  started,
} from "./stopping.js";

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
      state.honour(isPromise(answer) ? await unlessAborted(answer, state.settings.signal) : answer);
      yield shown(iteration);
      if (state.isCheckpointDue(false)) {
        isWriting = true;
        await solver.sync?.();
        await checkpoint?.write(state.checkpoint());
        isWriting = false;
      }
      if (state.isTurnDue()) await nextTask();
      state.honour(undefined); // the loop's body or another task may have aborted the signal
    }
  } finally {
    if (!isWriting && state.isCheckpointDue(true)) {
      await solver.sync?.();
      await checkpoint?.write(state.checkpoint());
    }
  }
  return state.result();
}

/**
 * What the listener's promise gives; undefined where the signal is aborted and the promise has not settled by the next task: what it
 * may still do has no say any more.
 */
function unlessAborted(answer: PromiseLike<unknown>, signal: AbortSignal | undefined): PromiseLike<unknown> {
  if (signal === undefined || !("addEventListener" in signal)) return answer;
  return new Promise((resolve, reject) => {
    const leave = (): void => void nextTask().then(() => resolve(undefined));
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    answer.then(resolve, reject);
    const forget = (): void => signal.removeEventListener("abort", leave);
    answer.then(forget, forget);
  });
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

/** What a run knows: counters, tests, history, clock and ending. The loops above decide only when to wait. */
class RunState<Details> implements RunContext {
  readonly settings: RunSettings<Details>;
  ending: Ending | undefined;
  elapsedSeconds = 0;
  private readonly solver: Solver<Details>;
  private readonly test: StoppingTest;
  private readonly history: History<Iteration<Details>>;
  private latest: Iteration<Details> | undefined;
  private gradientNorm: number | undefined;
  private cause: unknown;
  private secondsBefore = 0;
  private readonly startedAt = performance.now();
  private turnAt = this.startedAt;
  private writtenAt = this.startedAt;
  private iterationsSinceWritten = 0;

  /** @throws CurvatureError ERR_OPTION, ERR_CHECKPOINT or ERR_SNAPSHOT; the solver is then as it was */
  constructor(where: string, solver: Solver<Details>, options: RunOptions<Details> | undefined) {
    checkSolver(where, solver);
    this.settings = resolveRunOptions(where, options);
    this.solver = solver;
    const { history, resume, stop, signal } = this.settings;
    this.history = new History(history === true ? Number.POSITIVE_INFINITY : Number(history));
    const checkpoint = resume === undefined ? undefined : decodeCheckpoint(resume);
    if (checkpoint !== undefined) {
      checkOrigin(checkpoint, solver);
      solver.restore(checkpoint.solver);
    }
    this.test = started(stop, this);
    solver.limitWork?.(stop.evaluations ?? Number.POSITIVE_INFINITY, stop.passes ?? Number.POSITIVE_INFINITY);
    if (checkpoint !== undefined) this.resume(checkpoint);
    if (this.ending === undefined && signal?.aborted === true) this.abort(signal);
  }

  get best(): Point {
    return this.solver.best;
  }

  get last(): Point {
    return this.solver.last;
  }

  private resume({ run }: Checkpoint): void {
    this.secondsBefore = run.elapsedSeconds;
    this.elapsedSeconds = run.elapsedSeconds;
    this.gradientNorm = run.gradientNorm;
    if (isIteration<Details>(run.latest)) this.latest = run.latest;
    for (const iteration of run.history) if (isIteration<Details>(iteration)) this.history.add(iteration);
    this.test.restore?.(new Map(Object.entries(run.tests)));
    // A run that had come to its end stays there, unless the rule that ended it is gone. A solver that its own limit had
    // ended is asked again, since it may be allowed more now.
    const { ending } = run;
    const rules = alternativesOf(this.settings.stop);
    const isLimit = ending?.status === "max-evaluations" || ending?.status === "max-iterations";
    const isOfSolver = ending?.by === "solver" && !isLimit;
    if (isOfSolver || (ending?.by === "rule" && rules.includes(ending.rule))) this.ending = ending;
  }

  /** Takes an iteration into the books and lets the solver's outcome and the rules judge it, in that order. */
  record(iteration: Iteration<Details>): void {
    this.tick();
    const { gradientNorm, outcome } = iteration;
    // A solver that had ended before it was restored makes no step.
    if (outcome !== undefined && iteration.index === this.latest?.index) {
      this.end(outcome, "solver");
      return;
    }
    this.latest = iteration;
    if (gradientNorm !== undefined && !Number.isNaN(gradientNorm)) this.gradientNorm = gradientNorm;
    this.iterationsSinceWritten++;
    this.history.add(iteration);
    const stop = this.test.check(iteration, this); // also with an outcome: a test counts every iteration
    if (outcome !== undefined) this.end(outcome, "solver");
    else if (stop !== undefined) this.end(stop, "rule", stop.rule ?? this.settings.stop.description);
  }

  /** Honours the listener's answer and the signal, unless the run has ended already. */
  honour(answer: unknown): void {
    const { signal } = this.settings;
    if (this.ending !== undefined) return;
    if (answer === false) this.end({ status: "aborted", message: "The listener asked to stop." }, "user");
    else if (signal?.aborted === true) this.abort(signal);
  }

  /** An evaluation threw or rejected: for the signal, if it was given that, too. */
  fail(cause: unknown): void {
    this.tick();
    const { signal } = this.settings;
    if (signal?.aborted === true && cause === signal.reason) {
      this.abort(signal);
      return;
    }
    this.cause = cause;
    const reason = cause instanceof Error ? cause.message : shown(cause);
    const message = `Iteration ${(this.latest?.index ?? 0) + 1} failed: ${reason}`;
    this.end({ status: "failed", message }, "failure");
  }

  /** Whether the event loop has waited long enough; then its turn counts from now. */
  isTurnDue(): boolean {
    const now = performance.now();
    if (now - this.turnAt < this.settings.yieldEvery) return false;
    this.turnAt = now;
    return true;
  }

  /** Whether a checkpoint is due; `isLast` asks for the one at the end. */
  isCheckpointDue(isLast: boolean): boolean {
    const { checkpoint } = this.settings;
    if (checkpoint === undefined) return false;
    if (isLast) return this.iterationsSinceWritten > 0 || this.ending !== undefined;
    return (
      this.ending === undefined &&
      (this.iterationsSinceWritten >= checkpoint.everyIterations ||
        performance.now() - this.writtenAt >= 1000 * checkpoint.everySeconds)
    );
  }

  checkpoint(): Uint8Array {
    this.tick();
    const states = new Map<string, SnapshotValue>();
    this.test.save?.(states);
    const bytes = encodeCheckpoint({
      solver: this.solver.save(),
      dimension: this.solver.dimension,
      fingerprint: this.solver.fingerprint,
      run: {
        elapsedSeconds: this.elapsedSeconds,
        gradientNorm: this.gradientNorm,
        latest: this.latest,
        history: this.history.list(),
        tests: Object.fromEntries(states),
        ending: this.ending,
      },
    });
    this.writtenAt = performance.now();
    this.iterationsSinceWritten = 0;
    return bytes;
  }

  result(): RunResult<Details> {
    const { best, last, latest, ending, settings } = this;
    const { status, message, test } = ending ?? {
      status: "aborted" as const,
      message: "The run was left.",
      test: undefined,
    };
    return {
      x: best.x.slice(),
      last: last.x.slice(),
      value: best.value,
      gradientNorm: this.gradientNorm,
      iterations: latest?.index ?? 0,
      evaluations: latest?.evaluations ?? 0,
      gradientEvaluations: latest?.gradientEvaluations ?? 0,
      monitoringEvaluations: latest?.monitoringEvaluations ?? 0,
      passes: latest?.passes ?? 0,
      elapsedSeconds: this.elapsedSeconds,
      status,
      usable: isUsable(best, status),
      message,
      test,
      cause: this.cause,
      history: this.history.list(),
      options: {
        ...withoutFunctions(this.solver.options ?? {}),
        solver: this.solver.name,
        stop: settings.stop.description,
        yieldEvery: settings.yieldEvery,
        history: settings.history,
      },
    };
  }

  private tick(): void {
    this.elapsedSeconds = this.secondsBefore + (performance.now() - this.startedAt) / 1000;
  }

  private abort(signal: AbortSignal): void {
    const { reason } = signal;
    const why = reason instanceof Error ? `: ${reason.message}` : "";
    this.end({ status: "aborted", message: `The signal was aborted${why}.` }, "user");
  }

  private end({ status, message, test }: Omit<Stop, "rule">, by: Ending["by"], rule = ""): void {
    this.ending = { status, message, test, by, rule };
  }
}

/** So that a result can be cloned, and posted from a worker. */
function withoutFunctions(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => typeof value !== "function"));
}

function isUsable({ x, value }: Point, status: Ending["status"]): boolean {
  if (!x.every(Number.isFinite)) return false;
  return value === undefined ? status !== "failed" && status !== "diverged" : Number.isFinite(value);
}

/** @throws CurvatureError ERR_ARGUMENT */
export function checkSolver(where: string, solver: unknown): void {
  const isSolver =
    typeof solver === "object" &&
    solver !== null &&
    "step" in solver &&
    typeof solver.step === "function" &&
    "save" in solver &&
    typeof solver.save === "function" &&
    "restore" in solver &&
    typeof solver.restore === "function" &&
    "best" in solver &&
    "last" in solver;
  if (!isSolver)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `the first argument must be a solver (an object with step, best, last, save and restore).`,
      { where, path: "solver", received: solver },
    );
}

/** The options as a run uses them. */
type RunSettings<Details> = Omit<SettingsOf<ReturnType<typeof runTable<Details>>>, "stop" | "checkpoint"> & {
  readonly stop: StoppingRule;
  readonly checkpoint: CheckpointSettings | undefined;
};

type CheckpointSettings = Required<CheckpointOptions> & {
  readonly everySeconds: number;
  readonly everyIterations: number;
};

/** @throws CurvatureError ERR_OPTION */
function resolveRunOptions<Details>(
  where: string,
  options: RunOptions<Details> | undefined,
): RunSettings<Details> {
  const settings = runTable<Details>().resolve(where, options);
  const { stop, checkpoint } = settings;
  return { ...settings, stop: asRule(where, stop), checkpoint: checkpointSettings(where, checkpoint) };
}

function asRule(where: string, stop: RunOptions["stop"]): StoppingRule {
  if (stop === undefined || (isList(stop) && stop.length === 0)) return maxIterations(10_000);
  if (isList(stop)) return anyOf(...stop);
  checkRule(stop, where);
  return stop;
}

const isList = (stop: StoppingRule | readonly StoppingRule[]): stop is readonly StoppingRule[] =>
  Array.isArray(stop);

function checkpointSettings(
  where: string,
  given: CheckpointOptions | undefined,
): CheckpointSettings | undefined {
  if (given === undefined) return undefined;
  const { write, everySeconds, everyIterations } = checkpointOptions.resolve(`${where}, checkpoint`, given);
  if (write === undefined) throw badOption(`${where}, checkpoint`, "write", "a function", write);
  const isByIterations = everyIterations < Number.POSITIVE_INFINITY;
  return {
    write,
    everySeconds: everySeconds ?? (isByIterations ? Number.POSITIVE_INFINITY : 30),
    everyIterations,
  };
}

/** The iterations that a run keeps: none, all, or the last `capacity` of them in a ring. */
class History<T> {
  private readonly items: T[] = [];
  private readonly capacity: number;
  private oldest = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  add(item: T): void {
    if (this.items.length < this.capacity) {
      this.items.push(item);
    } else if (this.capacity > 0) {
      this.items[this.oldest] = item;
      this.oldest = (this.oldest + 1) % this.capacity;
    }
  }

  /** In the order in which they came. */
  list(): readonly T[] {
    return [...this.items.slice(this.oldest), ...this.items.slice(0, this.oldest)];
  }
}
