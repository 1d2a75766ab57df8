import type { SweepPhase } from "./sweep.js";

/** What ended with an answer: a step, or a sweep, which measures F. */
export interface Ended {
  readonly subfunctions: readonly number[];
  readonly hasFailed: boolean;
  readonly phase: "step" | SweepPhase;
  readonly value: number | undefined;
}

export const ended = (subfunctions: readonly number[], isMended: boolean): Ended => ({
  subfunctions,
  hasFailed: isMended,
  phase: "step",
  value: undefined,
});
