import type { Step } from "../run/log.js";

/** What a task has besides its input: where it reports its progress, and a signal to end early. */
export interface Channel {
  readonly signal: AbortSignal;
  /** @param share - of the phase that is done, from 0 to 1, where that is known */
  phase(name: string, share?: number): void;
  step(step: Step): void;
  warning(sentence: string): void;
  note(sentence: string): void;
}
