/**
 * What a run knows: counters, tests, history, clock and ending. The loops of `run.ts` decide only when to wait.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import {
  type Checkpoint,
  checkOrigin,
  decodeCheckpoint,
  type Ending,
  encodeCheckpoint,
  isIteration,
} from "./checkpoint.js";
import { History } from "./history.js";
import type { RunResult } from "./result.js";
import { type RunOptions, type RunSettings, resolveRunOptions } from "./run-options.js";
import type { Iteration, Point, SnapshotValue, Solver } from "./solver.js";
import { alternativesOf, type RunContext, type StoppingTest, started } from "./stopping.js";

export class RunState<Details> implements RunContext {
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
      this.end(outcome.status, outcome.message, "solver");
      return;
    }
    this.latest = iteration;
    if (gradientNorm !== undefined && !Number.isNaN(gradientNorm)) this.gradientNorm = gradientNorm;
    this.iterationsSinceWritten++;
    this.history.add(iteration);
    const stop = this.test.check(iteration, this); // also with an outcome: a test counts every iteration
    if (outcome !== undefined) this.end(outcome.status, outcome.message, "solver");
    else if (stop !== undefined)
      this.end(stop.status, stop.message, "rule", stop.rule ?? this.settings.stop.description);
  }

  /** Honours the listener's answer and the signal, unless the run has ended already. */
  honour(answer: unknown): void {
    const { signal } = this.settings;
    if (this.ending !== undefined) return;
    if (answer === false) this.end("aborted", "The listener asked to stop.", "user");
    else if (signal?.aborted === true) this.abort(signal);
  }

  /** An evaluation threw or rejected. */
  fail(cause: unknown): void {
    this.tick();
    this.cause = cause;
    const reason = cause instanceof Error ? cause.message : shown(cause);
    this.end("failed", `Iteration ${(this.latest?.index ?? 0) + 1} failed: ${reason}`, "failure");
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
    const { status, message } = ending ?? { status: "aborted" as const, message: "The run was left." };
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
    this.end("aborted", `The signal was aborted${why}.`, "user");
  }

  private end(status: Ending["status"], message: string, by: Ending["by"], rule = ""): void {
    this.ending = { status, message, by, rule };
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

function checkSolver(where: string, solver: unknown): void {
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
