/**
 * The frame of every command: who talks, where it computes, what the signals do, and how an error becomes one sentence and
 * an exit code. A process has a session of its own (`inSession`); a sweep gives its runs one.
 */
import type { MessagePort } from "node:worker_threads";
import type { ReadContext } from "../read/points.js";
import type { TaskInput, TaskName, TaskOutput } from "../tasks/index.js";
import { compute } from "./compute.js";
import { exitCode } from "./exit-codes.js";
import { failureOf, showStack } from "./failure.js";
import { type Talk, type TalkOptions, talkOn } from "./progress.js";
import { listenForSignals } from "./signals.js";

export interface Session extends ReadContext {
  readonly talk: Talk;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** @param transfer - arrays and ports that the task may have for its own */
  compute<Name extends TaskName>(
    task: Name,
    input: TaskInput<Name>,
    transfer?: readonly (ArrayBufferLike | MessagePort)[],
  ): Promise<TaskOutput<Name>>;
  /** What to tidy up if the second signal ends the process at once. */
  onAbandon(tidy: () => void): void;
}

/** Runs the body of a command, and hears its exit code. */
export type RunCommand = (options: TalkOptions, body: (session: Session) => Promise<number>) => Promise<void>;

/** @returns the process's exit code */
export async function inSession(
  options: TalkOptions,
  body: (session: Session) => Promise<number>,
): Promise<number> {
  const talk = talkOn(process.stderr, options);
  const controller = new AbortController();
  const { signal } = controller;
  const tidiers: (() => void)[] = [];
  const stopListening = listenForSignals({
    finish: () => {
      controller.abort();
      talk.note("Stopping after this step, to write what there is; once more to stop at once.");
    },
    abandon: () => {
      for (const tidy of tidiers) tidy();
    },
  });
  try {
    return await body({
      talk,
      signal,
      onAbandon: (tidy) => tidiers.push(tidy),
      compute: (task, input, transfer = []) => compute(task, input, { talk, signal, transfer }),
    });
  } catch (error) {
    if (signal.aborted && isAbort(error)) {
      talk.failure({
        code: "ERR_ABORTED",
        message: "Stopped before there was anything to write.",
        exitCode: exitCode.aborted,
        stack: undefined,
      });
      return exitCode.aborted;
    }
    const failure = failureOf(error);
    talk.failure(failure);
    showStack(failure.stack);
    return failure.exitCode;
  } finally {
    stopListening();
  }
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";
