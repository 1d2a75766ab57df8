/** Problems for the tests of dual coordinate descent, and its runs on them. */
import { type LinearLossName, type LinearProblem, linearLoss } from "@curvature/objectives/linear";
import { maxIterations, runSync } from "@curvature/optim-core";
import {
  DualCoordinateDescent,
  type DualCoordinateDescentOptions,
} from "../../src/solvers/dual/dual-coordinate-descent.js";
import { noisyHalves } from "../helpers/rows.js";

export const forever = maxIterations(Number.POSITIVE_INFINITY);

export function solve(problem: LinearProblem, options: DualCoordinateDescentOptions = {}) {
  return runSync(new DualCoordinateDescent(problem, options), { stop: forever, history: true });
}

export function problemOf(
  lossName: LinearLossName,
  {
    n = 60,
    d = 5,
    lambda = 0.01,
    bias = "none",
    seed = 1,
  }: Partial<LinearProblem> & {
    n?: number;
    d?: number;
    seed?: number;
  } = {},
): LinearProblem {
  const { rows, targets, scores } = noisyHalves(n, d, { seed });
  const loss = linearLoss(lossName, { width: 0.7 });
  return { rows, targets: loss.task === "regression" ? scores : targets, loss, lambda, bias };
}
