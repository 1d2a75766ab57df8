import type { Step } from "../progress.js";

/** What a task has besides its input: someone who listens, and a signal to end early. */
export interface Channel {
  readonly signal: AbortSignal;
  phase(name: string): void;
  step(step: Step): void;
  warning(sentence: string): void;
}
