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
import type { EmbedSettings } from "./embed-settings.js";

/**
 * The limits, and the tolerance: E and X must both change by no more, relatively, in one iteration, since E alone
 * hardly changes where the descent begins, and X alone where steps are short. On the way to the target λ it does not
 * count. The evaluations of "auto" are its schedule, at whose end it stops by itself.
 */
export function stoppingRules(settings: EmbedSettings): StoppingRule {
  const { tolerance, solver, lambda } = settings;
  const change = [valueDecreaseBelow(tolerance), pointChangeBelow(tolerance)];
  const settled = solver === "auto" ? allOf(lambdaReached(lambda), ...change) : allOf(...change);
  return anyOf(
    ...limit(maxIterations, settings.maxIterations),
    ...limit(maxEvaluations, settings.maxEvaluations),
    ...limit(timeLimit, settings.maxSeconds),
    ...(tolerance > 0 ? [settled] : []),
  );
}

/** No rule for a limit that is not set. */
function limit(make: (most: number) => StoppingRule, most: number): readonly StoppingRule[] {
  return most === Number.POSITIVE_INFINITY ? [] : [make(most)];
}

function lambdaReached(target: number): StoppingRule {
  return rule(`lambda = ${target}`, ({ details }) =>
    typeof details === "object" && details !== null && "lambda" in details && details.lambda === target
      ? { status: "converged", message: `lambda has reached ${target}.` }
      : undefined,
  );
}
