/**
 * The frame of every command: where it logs and computes, what the signals do, and how an error becomes one sentence and
 * an exit code. A process has a session of its own (`inSession`); a sweep gives its runs one.
 */
import type { MessagePort } from "node:worker_threads";
import type { ReadContext } from "../read/data.js";
import type { TaskInput, TaskName, TaskOutput } from "../tasks/index.js";
import { compute } from "./compute.js";
import { exitCode } from "./exit-codes.js";
import { failureOf, showStack } from "./failure.js";
import { type Log, type LogOptions, logTo } from "./log.js";
import { listenForSignals } from "./signals.js";

export interface Session extends ReadContext {
  readonly log: Log;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** @param transfer - arrays and ports that the task may have for its own */
  compute<Name extends TaskName>(
    task: Name,
    input: TaskInput<Name>,
    transfer?: readonly (ArrayBufferLike | MessagePort)[],
  ): Promise<TaskOutput<Name>>;
  /** Registers what to clean up if a second signal ends the process at once. */
  onForcedExit(tidy: () => void): void;
}

/** Runs the body of a command and keeps its exit code. */
export type RunCommand = (options: LogOptions, body: (session: Session) => Promise<number>) => Promise<void>;

/** @returns the process's exit code */
export async function inSession(
  options: LogOptions,
  body: (session: Session) => Promise<number>,
): Promise<number> {
  const log = logTo(process.stderr, options);
  const controller = new AbortController();
  const { signal } = controller;
  const tidiers: (() => void)[] = [];
  const stopListening = listenForSignals({
    finish: () => {
      controller.abort();
      log.note("Stopping after this step, to write what there is; once more to stop at once.");
    },
    abandon: () => {
      for (const tidy of tidiers) tidy();
    },
  });
  try {
    return await body({
      log,
      signal,
      onForcedExit: (tidy) => tidiers.push(tidy),
      compute: (task, input, transfer = []) => compute(task, input, { log, signal, transfer }),
    });
  } catch (error) {
    if (signal.aborted && isAbort(error)) {
      log.failure({
        code: "ERR_ABORTED",
        message: "Stopped before there was anything to write.",
        exitCode: exitCode.aborted,
        stack: undefined,
      });
      return exitCode.aborted;
    }
    const failure = failureOf(error);
    log.failure(failure);
    showStack(failure.stack);
    return failure.exitCode;
  } finally {
    stopListening();
  }
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";
