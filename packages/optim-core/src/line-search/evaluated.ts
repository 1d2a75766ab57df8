/**
 * What an objective returns, and leaves alone.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import type { Objective } from "../problem.js";

/** f(x) and, with an array, its gradient. @throws CurvatureError ERR_ARGUMENT */
export function evaluated(objective: Objective, x: Float64Array, gradient?: Float64Array): number {
  const value: unknown = objective.evaluate(x, gradient);
  if (typeof value === "number") return value;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `The objective's evaluate must return a number; received ${shown(value)}. An objective that computes asynchronously is a SumOfFunctions.`,
    { path: "evaluate", expected: "a number", received: value },
  );
}

/** Whether a trial is compared with what it was: the second evaluation and each eighth on. Each of them would be a part of a step that shows. */
export const isLookedAt = (evaluations: number): boolean => evaluations % 8 === 2;

export const pointWritten = (i: number): CurvatureError =>
  new CurvatureError(
    "ERR_ARGUMENT",
    `The objective's evaluate has written into its point (entry ${i}, counted from 0). It must leave x as it is: work on a copy.`,
    { path: "evaluate", expected: "x as it was" },
  );
