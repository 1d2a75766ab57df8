/**
 * What comes before and after an optimisation in a façade, each phase driven by `run` as if it were a solver of one step: so the
 * clock, the abort signal and the event loop's turn between phases are the run's, and stand in one place.
 */
import { CurvatureError } from "@curvature/linalg";
import { run } from "./run.js";
import type { Iteration, Point, Snapshot, Solver } from "./solver.js";
import { maxIterations } from "./stopping.js";

/** Work and the seconds that it took. */
export interface Timed<T> {
  readonly value: T;
  readonly seconds: number;
}

/**
 * Does the work of one phase and lets the event loop have its turn before it.
 *
 * @param work - is not interrupted; it may return a promise
 * @throws whatever the work throws; the signal's reason if it is aborted before
 */
export async function timed<T>(
  work: () => T | Promise<T>,
  signal: AbortSignal | undefined,
): Promise<Timed<T>> {
  const phase = new Phase(work);
  const { status, cause, message, elapsedSeconds } = await run(phase, {
    stop: maxIterations(1),
    yieldEvery: 0,
    ...(signal === undefined ? {} : { signal }),
  });
  if (status === "failed") throw cause;
  if (phase.result === undefined) {
    throwIfAborted(signal);
    throw new CurvatureError("ERR_ARGUMENT", message, { path: "signal" });
  }
  return { value: phase.result.value, seconds: elapsedSeconds };
}

/** As the method of that name, which old engines' signals do not have. @throws the signal's reason if it is aborted */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw signal.reason ?? new DOMException("This operation was aborted.", "AbortError");
}

const nowhere: Point = { x: new Float64Array(0), value: undefined };

class Phase<T> implements Solver {
  readonly name = "phase";
  readonly dimension = 0;
  readonly fingerprint = "phase";
  readonly best = nowhere;
  readonly last = nowhere;
  result: { readonly value: T } | undefined;

  constructor(private readonly work: () => T | Promise<T>) {}

  async step(): Promise<Iteration> {
    this.result = { value: await this.work() };
    return {
      index: 1,
      value: undefined,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations: 0,
      gradientEvaluations: 0,
      monitoringEvaluations: 0,
      passes: 0,
      phase: "phase",
      details: undefined,
      outcome: undefined,
    };
  }

  save(): Snapshot {
    return { solver: this.name, version: 1, state: null };
  }

  restore(): void {
    this.result = undefined;
  }
}
