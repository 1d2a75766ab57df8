/** A valid call, and what is done with what it gives. */
import type * as embedding from "@curvature/objectives/embedding";
import * as core from "@curvature/optim-core";
import { noise, terms } from "../problems.ts";

export interface Call {
  make(): readonly unknown[];
  /** Makes the call with these arguments, and uses what it gives. */
  readonly apply: (...given: never[]) => unknown;
  /** The options that there are, by their defaults; they are the last argument. */
  readonly options?: object | undefined;
  /** It is documented to pass on a NaN that a function of the caller's gives. */
  readonly passesOn?: true;
}

export function call<A extends unknown[] | []>(
  make: () => A,
  apply: (...given: A) => unknown,
  options?: object,
): Call {
  return { make, apply, options };
}

export const passingOn = (made: Call): Call => ({ ...made, passesOn: true });

/** Three steps of a solver. */
export const stepped = (solver: core.Solver): unknown =>
  core.runSync(solver, { stop: core.maxIterations(3), history: true });
export const driven = (solver: core.AskTellSolver): unknown => stepped(core.driveSum(solver, terms));
/** Ends what the limits given do not end. */
export const soon = () => ({ signal: AbortSignal.timeout(400) });
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const drained = (pieces: Iterable<unknown>): unknown => Array.from(pieces);
export async function drainedStream(pieces: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of pieces) count++;
  return count;
}

export const used = (objective: embedding.EmbeddingObjective): number => {
  const X = noise(objective.dimension, 1);
  return objective.evaluate(X, new Float64Array(X.length));
};
export const usedSum = (sum: core.SumOfFunctions): unknown => {
  const x = new Float64Array(sum.dimension);
  return sum.evaluate(0, x, new Float64Array(sum.dimension));
};
export function valueAndGradient(objective: core.Objective): number {
  return objective.evaluate(new Float64Array(objective.dimension), new Float64Array(objective.dimension));
}
