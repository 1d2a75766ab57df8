/**
 * Fits of ours, from rows in memory (single precision, compressed sparse) to the weights: the check of the data, the choice
 * of the storage and all warm starts are in their seconds.
 */
import { type LinearProblem, linearLoss } from "@curvature/objectives/linear";
import { chooseStorage, createLinearSolver, type LinearSolverOptions } from "@curvature/optim-sgdqn";
import { type OwnProcess, ownProcess } from "../../contestants/own-process.ts";
import { cpuSeconds } from "../../processor.ts";
import type { LinearSet } from "./sets.ts";
import type { NamedProblem } from "./traces.ts";

export interface FitTurn {
  readonly options: LinearSolverOptions;
  /** Fits are repeated until they have taken so long; what counts is the last. */
  readonly leastSeconds: number;
}

export interface FitFound {
  /** Processor time of the last fit. */
  readonly seconds: number;
  readonly weights: Float64Array;
  /** That the solver certifies, where it does. */
  readonly gap: number | undefined;
}

export function problemInMemory({ train, lambda }: LinearSet, loss: NamedProblem["loss"]): LinearProblem {
  return { ...train, loss: linearLoss(loss), lambda, bias: "none" };
}

export function fit(problem: LinearProblem, options: LinearSolverOptions): FitFound {
  const before = cpuSeconds();
  const solver = createLinearSolver({ ...problem, rows: chooseStorage(problem.rows) }, options);
  let last = solver.step();
  for (; !("then" in last) && last.outcome === undefined; last = solver.step());
  const seconds = cpuSeconds() - before;
  const gap = "then" in last ? undefined : last.details.gap;
  return { seconds, weights: solver.best.x.slice(), gap };
}

/** A process that has the problem in memory and has fitted nothing yet. */
export const fitsOf = (name: string, problem: NamedProblem): Promise<OwnProcess<FitTurn, FitFound>> =>
  ownProcess(name, new URL("./fit-process.ts", import.meta.url), problem);
