/** Runs of L-BFGS-B for its tests. */
import {
  gradientNormBelow,
  Lbfgsb,
  type LbfgsbOptions,
  maxIterations,
  type Objective,
  runSync,
} from "@curvature/optim-core";

export const { NEGATIVE_INFINITY, POSITIVE_INFINITY } = Number;

export const solve = (
  objective: Objective,
  start: readonly number[],
  options: LbfgsbOptions,
  tolerance = 1e-9,
) =>
  runSync(new Lbfgsb(objective, Float64Array.from(start), options), {
    stop: [gradientNormBelow(tolerance), maxIterations(5000)],
  });
