/** One call of a façade: what `facade.ts` promises, carried out. */
import { type Warning, warning } from "@curvature/linalg";
import { decodeCheckpoint } from "./checkpoint.js";
import { nextTask, throwIfAborted } from "./event-loop.js";
import type { FacadeSteps } from "./facade.js";
import type { RunResult } from "./result.js";
import { states } from "./run.js";
import type { RunOptions } from "./run-options.js";
import type { Solver } from "./solver.js";
import { anyOf, type StoppingRule, timeLimit } from "./stopping.js";

/** What `FacadeRun` needs of a façade's settings. */
interface FacadeSettings<Details, Phase extends string>
  extends Pick<
    RunOptions<Details>,
    "signal" | "onIteration" | "yieldEvery" | "checkpoint" | "resume" | "history"
  > {
  readonly maxSeconds: number;
  readonly onPhase: ((phase: Phase | "optimization", share: number | undefined) => unknown) | undefined;
}

/** One call of a façade: its phases with their seconds, its warnings, its optimisation. */
export class FacadeRun<Details, Phase extends string = string> {
  readonly warnings: Warning[] = [];
  private readonly seconds = new Map<string, number>();
  private reported: Promise<unknown> = Promise.resolve();
  private latest: Phase | "optimization" | undefined;
  /** Until the optimisation begins; from then on an aborted signal is the result's status. */
  private signal: AbortSignal | undefined;

  /** @throws CurvatureError ERR_CHECKPOINT for `resume`; the signal's reason if it is aborted already */
  constructor(private readonly settings: FacadeSettings<Details, Phase>) {
    if (settings.resume !== undefined) decodeCheckpoint(settings.resume);
    throwIfAborted(settings.signal);
    this.signal = settings.signal;
  }

  /** Seconds of each of these phases; 0 for one that there was not. */
  phases<P extends string>(...names: readonly P[]): Readonly<Record<P, number>>;
  phases(...names: readonly string[]): Readonly<Record<string, number>> {
    return Object.fromEntries(names.map((name) => [name, this.seconds.get(name) ?? 0]));
  }

  /** @param sentences - options in them by `optionName`; undefined is none */
  warn(code: string, ...sentences: readonly (string | undefined)[]): void {
    for (const sentence of sentences) if (sentence !== undefined) this.warnings.push(warning(code, sentence));
  }

  /**
   * One phase, or a part of one: work, after which the event loop has its turn.
   *
   * @throws whatever the work or `onPhase` throws; the signal's reason if it is aborted before the optimisation
   */
  phase<T>(name: Phase | "optimization", work: () => T | Promise<T>): Promise<T> {
    return this.steps(name, { next: () => ({ done: true, value: work() }) });
  }

  /**
   * A phase that goes in steps, each of which yields the share of the work that is done: between two of them the event loop has
   * its turn, and an aborted signal ends it.
   */
  async steps<T>(name: Phase | "optimization", work: Iterator<number, T | Promise<T>, void>): Promise<T> {
    await this.announce(name);
    try {
      for (;;) {
        throwIfAborted(this.signal);
        const startedAt = performance.now();
        const step = work.next();
        const value = step.done === true ? { of: await step.value } : undefined;
        this.count(name, (performance.now() - startedAt) / 1000);
        await nextTask();
        if (value !== undefined) {
          await this.reported;
          return value.of;
        }
        if (step.done !== true) this.report(name, step.value);
      }
    } finally {
      work.return?.(); // threads that have a part in the steps learn that they are over
    }
  }

  /**
   * The optimisation, as the phase "optimization".
   *
   * @param stop - beside `maxSeconds`
   * @param options - what the façade decides otherwise than the user's options say
   */
  async *optimize(
    solver: Solver<Details>,
    stop: readonly StoppingRule[],
    options: Pick<RunOptions<Details>, "resume" | "history"> = {},
  ): FacadeSteps<Details, RunResult<Details>> {
    const { signal, onIteration, yieldEvery, checkpoint, resume, history, maxSeconds } = this.settings;
    await this.announce("optimization");
    this.signal = undefined;
    const limit = maxSeconds < Number.POSITIVE_INFINITY ? [timeLimit(maxSeconds)] : [];
    const result = yield* states(solver, {
      ...{ signal, onIteration, yieldEvery, checkpoint, resume, history },
      ...options,
      stop: anyOf(...stop, ...limit),
    });
    this.count("optimization", result.elapsedSeconds);
    return result;
  }

  private count(name: string, seconds: number): void {
    this.seconds.set(name, (this.seconds.get(name) ?? 0) + seconds);
  }

  private async announce(name: Phase | "optimization"): Promise<void> {
    await this.reported;
    if (this.latest === name) return;
    this.latest = name;
    this.report(name, undefined);
  }

  private report(name: Phase | "optimization", share: number | undefined): void {
    this.reported = Promise.all([this.reported, this.settings.onPhase?.(name, share)]);
    this.reported.catch(() => undefined); // it rejects where it is awaited
  }
}
