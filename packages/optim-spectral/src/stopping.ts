/** When `embed` stops a run. */
import {
  allOf,
  anyOf,
  maxEvaluations,
  maxIterations,
  pointChangeBelow,
  rule,
  type StoppingRule,
  timeLimit,
  valueDecreaseBelow,
} from "@curvature/optim-core";
import type { EmbedSettings } from "./embed-options.js";

/**
 * The limits, and the tolerance: E and X must both change by no more, relatively, in one iteration, since E alone
 * hardly changes where the descent begins, and X alone where steps are short. On the way to the target λ it does not
 * count. The schedule of "auto" is the solver's own.
 */
export function stoppingRules(settings: EmbedSettings): StoppingRule {
  const { tolerance, solver, lambda } = settings;
  const change = [valueDecreaseBelow(tolerance), pointChangeBelow(tolerance)];
  const settled = solver === "auto" ? allOf(lambdaReached(lambda), ...change) : allOf(...change);
  return anyOf(
    maxIterations(settings.maxIterations),
    timeLimit(settings.maxSeconds),
    ...(solver === "auto" ? [] : [maxEvaluations(settings.maxEvaluations)]),
    ...(tolerance > 0 ? [settled] : []),
  );
}

function lambdaReached(target: number): StoppingRule {
  return rule(`lambda = ${target}`, ({ details }) =>
    typeof details === "object" && details !== null && "lambda" in details && details.lambda === target
      ? { status: "converged", message: `lambda has reached ${target}.` }
      : undefined,
  );
}
