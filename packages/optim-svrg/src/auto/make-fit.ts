/** From answers that are in order to the fit that `run` drives: first map → plan → stages. */
import { type Comparisons, errorShare } from "@curvature/objectives/ordinal";
import { fingerprintOf } from "@curvature/optim-core";
import type { PreparedAnswers } from "../answers/prepared.js";
import type { Answers } from "../answers/read-answers.js";
import type { OrdinalEmbeddingSettings } from "../embedding-options.js";
import { placedMap, withGaps } from "../gaps.js";
import type { OrdinalWarning } from "../ordinal-warning.js";
import { type FirstMap, SPECTRAL_BELOW } from "./first-maps.js";
import { makePlan } from "./make-plan.js";
import { StagedFit } from "./staged-fit.js";

export interface OrdinalProblem {
  readonly answers: Answers;
  readonly prepared: PreparedAnswers;
  /** By which `testError` is measured. */
  readonly test: Comparisons | undefined;
}

/** @throws CurvatureError ERR_SHAPE or ERR_NON_FINITE for a first map that was given */
export function makeFit(
  { answers, prepared, test }: OrdinalProblem,
  settings: OrdinalEmbeddingSettings,
): { readonly fit: StagedFit; readonly warnings: readonly OrdinalWarning[] } {
  const { comparisons, placed } = prepared;
  const { dimensions, solver, tolerance, seed } = settings;
  const { objects } = answers.comparisons;
  const first = firstMap(settings, objects, prepared);
  const { plan, warnings } = makePlan(prepared, settings, first);
  const testError =
    test === undefined
      ? undefined
      : (x: Float64Array) => errorShare(test, withGaps(x, dimensions, placed, objects));
  const fit = new StagedFit(plan, {
    name: solver,
    dimension: comparisons.objects * dimensions,
    fingerprint: fingerprintOf(
      "ordinal embedding",
      comparisons.quadruplets,
      comparisons.weights ?? "even",
      plan.first(0),
      test?.quadruplets ?? "no test",
      settings.loss,
      settings.mu,
      settings.alpha ?? "usual alpha",
      String(settings.ridge),
      settings.validation,
      settings.restarts,
      dimensions,
      seed,
    ),
    options: reported(settings),
    tolerance,
    testError,
  });
  return { fit, warnings };
}

function firstMap(settings: OrdinalEmbeddingSettings, objects: number, prepared: PreparedAnswers): FirstMap {
  const { initialization, dimensions } = settings;
  if (initialization === "auto")
    return { kind: prepared.comparisons.objects < SPECTRAL_BELOW ? "spectral" : "random" };
  if (initialization === "spectral" || initialization === "random") return { kind: initialization };
  return {
    kind: "given",
    map: placedMap(initialization, "initialization", objects, dimensions, prepared.placed),
  };
}

/** The settings as plain data. */
function reported(settings: OrdinalEmbeddingSettings): Readonly<Record<string, unknown>> {
  const { initialization, weights, test, ...plain } = settings;
  return {
    ...plain,
    initialization: typeof initialization === "string" ? initialization : "given",
    weights: weights === undefined ? undefined : "given",
    test: test === undefined ? undefined : "given",
  };
}
