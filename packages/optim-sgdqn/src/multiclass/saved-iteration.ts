/** An iteration of a linear solver as plain data, for the snapshot of a solver that is made of others. */
import { type Iteration, SnapshotReader, type SnapshotValue } from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";

const certificates = ["duality-gap", "newton-decrement", "gradient-norm"] as const;

export function savedIteration(made: Iteration<LinearDetails>): SnapshotValue {
  const { details, outcome } = made;
  return {
    index: made.index,
    value: made.value ?? null,
    gradientNorm: made.gradientNorm ?? null,
    stepLength: made.stepLength ?? null,
    evaluations: made.evaluations,
    gradientEvaluations: made.gradientEvaluations,
    monitoringEvaluations: made.monitoringEvaluations,
    passes: made.passes,
    phase: made.phase,
    gap: details.gap ?? null,
    certificate: details.certificate ?? null,
    t0: details.t0 ?? null,
    outcome: outcome === undefined ? null : { ...outcome },
  };
}

/** @throws CurvatureError ERR_SNAPSHOT */
export function readIteration(where: string, saved: unknown): Iteration<LinearDetails> {
  const state = new SnapshotReader(where, saved);
  const certificate = state.has("certificate") ? state.oneOf("certificate", certificates) : undefined;
  return {
    index: state.integer("index"),
    value: state.optionalNumber("value"),
    gradientNorm: state.optionalNumber("gradientNorm"),
    stepLength: state.optionalNumber("stepLength"),
    evaluations: state.integer("evaluations"),
    gradientEvaluations: state.integer("gradientEvaluations"),
    monitoringEvaluations: state.integer("monitoringEvaluations"),
    passes: state.number("passes"),
    phase: state.text("phase"),
    details: { gap: state.optionalNumber("gap"), certificate, t0: state.optionalNumber("t0") },
    outcome: state.outcome("outcome"),
  };
}
