/** Problems for the tests of Newton's method, and its runs on them. */
import { type LinearLossName, type LinearProblem, linearLoss } from "@curvature/objectives/linear";
import { maxIterations, runSync } from "@curvature/optim-core";
import { Newton, type NewtonOptions } from "../../../src/solvers/newton/newton.js";
import { noisyHalves } from "../../helpers/rows.js";

export const forever = maxIterations(Number.POSITIVE_INFINITY);

export const methods = ["explicit", "sampled", "diagonal"] as const;

export const lossNames = [
  "squared-hinge",
  "smoothed-hinge",
  "logistic",
  "modified-huber",
  "squared-error",
  "huber",
] as const;

export function solve(problem: LinearProblem, options: NewtonOptions = {}) {
  return runSync(new Newton(problem, options), { stop: forever, history: true });
}

export function problemOf(
  name: LinearLossName,
  { n = 80, d = 6, lambda = 0.01, bias = "none", seed = 1, density = 1 }: ProblemOptions = {},
): LinearProblem {
  const { rows, targets, scores } = noisyHalves(n, d, { seed, density });
  const loss = linearLoss(name, { width: 0.7 });
  return { rows, targets: loss.task === "regression" ? scores : targets, loss, lambda, bias };
}

export type ProblemOptions = Partial<Pick<LinearProblem, "lambda" | "bias">> & {
  readonly n?: number;
  readonly d?: number;
  readonly seed?: number;
  readonly density?: number;
};

export function denseData({ rows }: LinearProblem): Float64Array | Float32Array {
  if (!("data" in rows)) throw new Error("dense rows expected");
  return rows.data;
}
