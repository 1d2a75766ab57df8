/**
 * Ctrl-C and its like. The first signal asks the computation to finish its step, so that what there is gets
 * written; the second ends the process at once.
 */
import { exitCodeOfSignal } from "./exit-codes.js";

type StopSignal = keyof typeof exitCodeOfSignal;

export interface SignalHandlers {
  /** The first signal: finish. */
  finish(signal: StopSignal): void;
  /** The second one, of either kind: leave no litter; the process ends when this returns. */
  abandon(): void;
}

/** Returns what stops listening. */
export function listenForSignals(handlers: SignalHandlers): () => void {
  let asked = false;
  const listener = (signal: NodeJS.Signals): void => {
    if (signal !== "SIGINT" && signal !== "SIGTERM") return;
    if (asked) {
      handlers.abandon();
      process.exit(exitCodeOfSignal[signal]);
    }
    asked = true;
    handlers.finish(signal);
  };
  process.on("SIGINT", listener);
  process.on("SIGTERM", listener);
  return () => {
    process.off("SIGINT", listener);
    process.off("SIGTERM", listener);
  };
}
