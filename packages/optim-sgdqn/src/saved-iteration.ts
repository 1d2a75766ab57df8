/** An iteration of a linear solver in the state of a solver that is made of others. */
import type { Iteration } from "@curvature/optim-core";
import { type Kind, maybe, number, outcome, record, string, whole, word } from "@curvature/optim-core/state";
import type { LinearDetails } from "./details.js";

const certificates = ["duality-gap", "newton-decrement", "gradient-norm"] as const;

export const iteration = (): Kind<Iteration<LinearDetails>> =>
  record({
    index: whole(),
    value: maybe(number()),
    gradientNorm: maybe(number()),
    stepLength: maybe(number()),
    evaluations: whole(),
    gradientEvaluations: whole(),
    monitoringEvaluations: whole(),
    passes: number(),
    phase: string(),
    details: record({
      gap: maybe(number()),
      certificate: maybe(word("duality-gap", certificates)),
      t0: maybe(number()),
    }),
    outcome: outcome(),
  });
