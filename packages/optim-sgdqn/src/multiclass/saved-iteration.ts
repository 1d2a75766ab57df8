/** An iteration of a linear solver as plain data, for the snapshot of a solver that is made of others. */
import { CurvatureError } from "@curvature/linalg";
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
  const name = state.has("certificate") ? state.text("certificate") : undefined;
  const certificate = certificates.find((known) => known === name);
  if (name !== undefined && certificate === undefined)
    throw new CurvatureError(
      "ERR_SNAPSHOT",
      `${where}: the certificate is unknown. The snapshot is damaged.`,
      {
        path: "certificate",
        expected: certificates.join(", "),
        received: name,
      },
    );
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
