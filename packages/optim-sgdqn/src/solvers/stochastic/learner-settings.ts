/**
 * The settings of a solver's learner: what the user gave, and what follows from the rows.
 */
import type { LinearProblem } from "@curvature/objectives/linear";
import type { LearnerSettings } from "../../learner.js";
import {
  defaultSkip,
  defaultStep,
  defaultT0,
  largestSquaredNorm,
  meanSquaredNorm,
} from "../../learning-rate.js";
import type { StochasticSettings } from "./options.js";
import type { Sample } from "./sample.js";

export function learnerSettings(
  problem: LinearProblem,
  { t0, skip, step, averageStart, memory, initial, solver }: StochasticSettings,
  { rows, training }: Sample,
): LearnerSettings {
  const { loss, lambda, bias } = problem;
  const { access } = rows;
  const meanSquare = meanSquaredNorm(rows, training, bias);
  const byRows =
    t0 === "search"
      ? "explicit"
      : defaultStep(access.columns, largestSquaredNorm(rows, training), meanSquare);
  const chosen = step === "auto" ? byRows : step;
  return {
    loss,
    lambda,
    columns: access.columns,
    bias,
    t0: typeof t0 === "number" ? t0 : defaultT0(meanSquare, loss, lambda),
    skip: skip ?? defaultSkip(access.rows, access.columns, access.storedEntries),
    step: solver === "olbfgs" ? "explicit" : chosen,
    averageStart: averageStart * training,
    memory,
    initial,
  };
}
