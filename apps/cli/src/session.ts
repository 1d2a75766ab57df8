/**
 * The frame of every command: who talks, what the signals do, and how an error becomes one sentence and an exit code.
 */
import { exitCode } from "./exit-codes.js";
import { failureOf, showStack } from "./failure.js";
import { hostOfCommands } from "./host.js";
import { type Talk, type TalkOptions, talkOn } from "./progress.js";
import { listenForSignals } from "./signals.js";

export interface Session {
  readonly talk: Talk;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly signal: AbortSignal;
  /** What to tidy up if the second signal ends the process at once. */
  onAbandon(tidy: () => void): void;
}

/**
 * @returns the process's exit code
 * @throws what the body throws, if the command runs within a host, who has words of its own for it
 */
export async function inSession(
  options: TalkOptions,
  body: (session: Session) => Promise<number>,
): Promise<number> {
  const host = hostOfCommands();
  if (host !== undefined) return body({ talk: host.talk, signal: host.signal, onAbandon: () => undefined });
  const talk = talkOn(process.stderr, options);
  const controller = new AbortController();
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
    return await body({ talk, signal: controller.signal, onAbandon: (tidy) => tidiers.push(tidy) });
  } catch (error) {
    if (controller.signal.aborted && isAbort(error)) {
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
