/** What passes cost: stochastic solvers each in a process of its own (`pass-process.ts`). */
import type { StochasticSolverName } from "@curvature/optim-sgdqn";
import { type OwnProcess, ownProcess } from "../../contestants/own-process.ts";
import type { NamedProblem } from "./traces.ts";

export interface PassesTask extends NamedProblem {
  readonly solver: StochasticSolverName;
  readonly shuffle: boolean;
}

export interface PassesFound {
  /** Processor time of one pass. */
  readonly seconds: number;
  readonly weights: Float64Array;
  /** Of solvers of sparse rows that make explicit steps. */
  readonly explicit: { readonly t0: number; readonly skip: number } | undefined;
}

export const passesOf = (name: string, task: PassesTask) => (): Promise<OwnProcess<number, PassesFound>> =>
  ownProcess(name, new URL("./pass-process.ts", import.meta.url), task);
