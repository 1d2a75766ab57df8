/** Who takes part in `time-to-error.ts`, and what goes between it and their processes. */
import { type OwnProcess, ownProcess } from "../../contestants/own-process.ts";
import type { Case, Loss } from "./time-to-error-cases.ts";

/** For those who do not end by themselves: 20 epochs of three. */
export const TUNED_PASSES = 60;

export type Facade = "auto" | "svrg-sbb" | "lbfgs";

export interface Contestant {
  readonly name: string;
  readonly solver: Facade | "svrg" | "sgd";
  /** η of a single answer; the façade chooses its own. */
  readonly eta: number;
}

export interface FitTask {
  readonly one: Case;
  readonly loss: Loss;
  readonly contestant: Contestant;
}

export interface FitTurn {
  readonly seed: number;
  /** For those whose start is not their own. */
  readonly start: Float64Array;
}

export interface Fitted {
  readonly map: Float64Array;
  readonly seconds: number;
  readonly passes: number;
  /** Until the test error was at most cblearn's; undefined if it never was, or if nobody looked. */
  readonly secondsToError?: number | undefined;
}

export function contestantsFor({ tuned }: Case, loss: Loss): Contestant[] {
  const steps = tuned[loss];
  return [
    { name: "auto", solver: "auto", eta: 0 },
    { name: "SVRG-SBB", solver: "svrg-sbb", eta: 0 },
    { name: "L-BFGS", solver: "lbfgs", eta: 0 },
    ...(steps === undefined
      ? []
      : ([
          { name: "SVRG, tuned", solver: "svrg", eta: steps.svrg },
          { name: "SGD, tuned", solver: "sgd", eta: steps.sgd },
        ] as const)),
  ];
}

export const processOf = (task: FitTask): Promise<OwnProcess<FitTurn, Fitted>> =>
  ownProcess(task.contestant.name, new URL("./time-to-error-process.ts", import.meta.url), task);
