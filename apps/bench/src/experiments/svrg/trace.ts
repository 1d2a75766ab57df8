/**
 * One run of a solver on answers, watched: test error and step at the end of every epoch, and what it took to reach a
 * test error. An epoch is three passes over the answers for every method: those of an SVRG epoch with m = N.
 */
import { errorShare, type OrdinalLossName, ordinalObjective } from "@curvature/objectives/ordinal";
import type { Solver } from "@curvature/optim-core";
import { createOrdinalSolver, type OrdinalSolverOptions } from "@curvature/optim-svrg";
import type { OrdinalSet } from "./sets.ts";

export interface Trace {
  /** Test error at the start and after each epoch. */
  readonly errors: readonly number[];
  /** η = B/m of each epoch; empty for methods without epochs of their own. */
  readonly steps: readonly number[];
  /** To the first epoch with the target error; undefined if it was not reached. */
  readonly reached: Effort | undefined;
  /** Of the solver alone, for the whole run. */
  readonly seconds: number;
  readonly finalError: number;
}

export interface Effort {
  readonly epochs: number;
  /** Gradients of single answers. */
  readonly evaluations: number;
  /** Processor seconds of the solver, the measuring left out. */
  readonly seconds: number;
}

export interface TraceOptions {
  readonly loss: OrdinalLossName;
  readonly epochs: number;
}

const passesPerEpoch = 3;

const processorSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

export function trace(
  { train, test, dimensions, target }: OrdinalSet,
  start: Float64Array,
  solverOptions: OrdinalSolverOptions,
  { loss, epochs }: TraceOptions,
): Trace {
  const objective = ordinalObjective(train, loss, dimensions);
  const solver: Solver = createOrdinalSolver(objective, start, { output: "last", ...solverOptions });
  const N = train.quadruplets.length / 4;
  const errors = [errorShare(test, start)];
  const steps: number[] = [];
  let reached: Effort | undefined;
  let seconds = 0;
  for (let ended = false; !ended && errors.length <= epochs; ) {
    const began = processorSeconds();
    const iteration = solver.step();
    seconds += processorSeconds() - began;
    if (iteration instanceof Promise) throw new Error("Solvers of ordinal embedding answer at once.");
    ended = iteration.outcome !== undefined;
    if (iteration.phase === "snapshot" && iteration.stepLength !== undefined)
      steps.push(iteration.stepLength / N);
    while ((iteration.passes >= passesPerEpoch * errors.length || ended) && errors.length <= epochs) {
      const error = errorShare(test, solver.last.x);
      if (error <= target && reached === undefined) {
        reached = { epochs: errors.length, evaluations: Math.round(iteration.passes * N), seconds };
      }
      errors.push(error);
    }
  }
  return { errors, steps, reached, seconds, finalError: errors[errors.length - 1] };
}
