/**
 * The iteration with which a solver ended by itself, in its snapshot: a further step, also one after a restore, says
 * it again.
 */
import type { Iteration, SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { EmbeddingDetails } from "./embedding-details.js";

const counters = ["index", "evaluations", "gradientEvaluations", "monitoringEvaluations", "passes"] as const;

export function savedEnd(iteration: Iteration<EmbeddingDetails> | undefined): SnapshotValue {
  if (iteration?.outcome === undefined) return null;
  const { details, outcome } = iteration;
  return {
    ...Object.fromEntries(counters.map((name) => [name, iteration[name]])),
    value: iteration.value ?? null,
    gradientNorm: iteration.gradientNorm ?? null,
    stepLength: iteration.stepLength ?? null,
    phase: iteration.phase,
    lambda: details.lambda,
    energy: details.energy,
    klDivergence: details.klDivergence ?? null,
    outcome: { ...outcome },
  };
}

/** @throws CurvatureError ERR_SNAPSHOT */
export function readEnd(state: SnapshotReader, key: string): Iteration<EmbeddingDetails> | undefined {
  if (!state.has(key)) return undefined;
  const end = state.object(key);
  return {
    index: end.integer("index"),
    value: end.optionalNumber("value"),
    gradientNorm: end.optionalNumber("gradientNorm"),
    stepLength: end.optionalNumber("stepLength"),
    evaluations: end.integer("evaluations"),
    gradientEvaluations: end.integer("gradientEvaluations"),
    monitoringEvaluations: end.integer("monitoringEvaluations"),
    passes: end.number("passes"),
    phase: end.text("phase"),
    details: {
      lambda: end.number("lambda"),
      energy: end.number("energy"),
      klDivergence: end.optionalNumber("klDivergence"),
    },
    outcome: end.outcome("outcome"),
  };
}
