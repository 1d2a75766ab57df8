/** What the growth of cost is measured on, and how a unit of work is timed: an uncounted part first (compiling), then a counted one. */
import type { Iteration, Solver } from "@curvature/optim-core";
import { cpuSeconds } from "../../../processor.ts";

export interface Workload {
  readonly key: string;
  readonly solver: string;
  /** What is timed. */
  readonly unit: string;
  /** What grows, and what stands still. */
  readonly variable: string;
  readonly sizes: readonly number[];
  /**
   * Of time and of memory, with the operation counts in words; undefined where nothing is promised, "counted" where the
   * operations depend on the run, which counts them.
   */
  readonly theory: {
    readonly time: number | "counted" | undefined;
    readonly memory: number | undefined;
    readonly words: string;
  };
  /** Processor seconds of a unit, with its operations where these are counted. */
  work(size: number): Promise<number | Cost> | number | Cost;
}

export interface Cost {
  readonly seconds: number;
  readonly operations: number;
}

/** Seconds of a call of `one`, after a call that does not count, of at least so many seconds in all. */
export function secondsOf(one: () => unknown, least = 0.3): number {
  one();
  const began = cpuSeconds();
  let calls = 0;
  do {
    one();
    calls++;
  } while (cpuSeconds() - began < least);
  return (cpuSeconds() - began) / calls;
}

export function stepOf<D>(solver: Solver<D>): Iteration<D> {
  const iteration = solver.step();
  if ("then" in iteration) throw new Error("evaluates at once");
  return iteration;
}

/** Seconds of a pass, after `warm` passes, over `counted` of them or to the solver's end. */
export function secondsOfPass<D>(solver: Solver<D>, warm: number, counted: number): number {
  let [done, isEnded] = [0, false];
  const advance = (until: number): void => {
    while (done < until && !isEnded) {
      const { passes, outcome } = stepOf(solver);
      done = passes;
      isEnded = outcome !== undefined;
    }
  };
  advance(warm);
  const [before, began] = [done, cpuSeconds()];
  advance(before + counted);
  return (cpuSeconds() - began) / (done - before);
}

/** Seconds of an iteration, after `warm` of them, over `counted` or to the solver's end. */
export function secondsOfIteration<D>(solver: Solver<D>, warm: number, counted: number): number {
  for (let k = 0; k < warm; k++) stepOf(solver);
  const began = cpuSeconds();
  let done = 0;
  while (done < counted && stepOf(solver).outcome === undefined) done++;
  return (cpuSeconds() - began) / Math.max(1, done);
}

/**
 * Of a step that counts, over so many of them, after `warm` steps of any kind; those that do not count run between them,
 * untimed.
 *
 * @param operationsOf - a step's, undefined where it does not count
 */
export function costOfSteps<D>(
  solver: Solver<D>,
  warm: number,
  counted: number,
  operationsOf: (step: Iteration<D>) => number | undefined,
): Cost {
  for (let k = 0; k < warm; k++) stepOf(solver);
  let [done, seconds, operations] = [0, 0, 0];
  while (done < counted) {
    const began = cpuSeconds();
    const step = stepOf(solver);
    const taken = cpuSeconds() - began;
    const own = operationsOf(step);
    if (own !== undefined) {
      seconds += taken;
      operations += own;
      done++;
    }
    if (step.outcome !== undefined && done < counted)
      throw new Error(`ended after ${done} of ${counted} steps`);
  }
  return { seconds: seconds / done, operations: operations / done };
}
