/** What a fit in stages remembers, in its snapshot and back. */
import type { Iteration, SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { OrdinalEmbeddingDetails } from "../embedding-options.js";

/** The best end of a stage so far. */
export interface Kept {
  readonly x: Float64Array;
  /** F, or with a path the loss on the answers held out. */
  readonly score: number;
  readonly ridge: number;
}

export const counters = ["index", "evaluations", "gradientEvaluations", "monitoringEvaluations"] as const;

export function readKept(state: SnapshotReader, dimension: number): Kept {
  return {
    x: state.float64("x", dimension).slice(),
    score: state.number("score"),
    ridge: state.number("ridge"),
  };
}

/** A further step after the end, also after a restore, says the last iteration again. */
export function savedIteration(iteration: Iteration<OrdinalEmbeddingDetails> | undefined): SnapshotValue {
  if (iteration === undefined) return null;
  const { details, outcome } = iteration;
  return {
    index: iteration.index,
    value: iteration.value ?? null,
    gradientNorm: iteration.gradientNorm ?? null,
    stepLength: iteration.stepLength ?? null,
    evaluations: iteration.evaluations,
    gradientEvaluations: iteration.gradientEvaluations,
    monitoringEvaluations: iteration.monitoringEvaluations,
    passes: iteration.passes,
    phase: iteration.phase,
    start: details.start,
    stage: details.stage,
    ridge: details.ridge,
    objective: details.objective ?? null,
    testError: details.testError ?? null,
    outcome: outcome === undefined ? null : { ...outcome },
  };
}

/** @throws CurvatureError ERR_SNAPSHOT */
export function readIteration(state: SnapshotReader): Iteration<OrdinalEmbeddingDetails> | undefined {
  if (!state.has("latest")) return undefined;
  const latest = state.object("latest");
  return {
    index: latest.integer("index"),
    value: latest.optionalNumber("value"),
    gradientNorm: latest.optionalNumber("gradientNorm"),
    stepLength: latest.optionalNumber("stepLength"),
    evaluations: latest.integer("evaluations"),
    gradientEvaluations: latest.integer("gradientEvaluations"),
    monitoringEvaluations: latest.integer("monitoringEvaluations"),
    passes: latest.number("passes"),
    phase: latest.text("phase"),
    details: {
      start: latest.integer("start"),
      stage: latest.text("stage") === "path" ? "path" : "fit",
      ridge: latest.number("ridge"),
      objective: latest.optionalNumber("objective"),
      testError: latest.optionalNumber("testError"),
    },
    outcome: latest.outcome("outcome"),
  };
}
