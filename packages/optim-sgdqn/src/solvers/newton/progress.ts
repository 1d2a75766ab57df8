/** What Newton's method has counted and measured so far: it goes into every iteration that is told, and into snapshots. */
import type { Iteration, Outcome, SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { LinearDetails } from "../../details.js";
import { type Asked, standing } from "../../standing.js";

export class Progress {
  /** Steps, of which an iteration takes some. */
  index = 0;
  iterations = 0;
  evaluations = 0;
  gradients = 0;
  /** P(w), once it was measured. */
  value: number | undefined;
  gradientNorm: number | undefined;
  gap: number | undefined;
  outcome: Outcome | undefined;

  /** @param stepLength - where the step completed an iteration */
  told(phase: string, stepLength: number | undefined, passes: number): Iteration<LinearDetails> {
    const { gap } = this;
    return {
      index: this.index,
      value: this.value,
      gradientNorm: this.gradientNorm,
      stepLength,
      evaluations: this.evaluations,
      gradientEvaluations: this.gradients,
      monitoringEvaluations: 0,
      passes,
      phase,
      details: { gap, certificate: gap === undefined ? undefined : "newton-decrement", t0: undefined },
      outcome: this.outcome,
    };
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { index, iterations, evaluations, gradients, value, gradientNorm, gap, outcome } = this;
    return {
      ...{ index, iterations, evaluations, gradients },
      value: value ?? null,
      gradientNorm: gradientNorm ?? null,
      gap: gap ?? null,
      outcome: outcome === undefined ? null : { ...outcome },
    };
  }

  /**
   * Checks a saved state; what it returns takes it over.
   *
   * @param passes - those that were made
   * @param asked - passes that are allowed and the tolerance, now
   * @throws CurvatureError ERR_SNAPSHOT
   */
  restoring(state: SnapshotReader, passes: number, asked: Asked): () => void {
    const index = state.integer("index");
    const iterations = state.integer("iterations");
    const evaluations = state.integer("evaluations");
    const gradients = state.integer("gradients");
    const value = state.optionalNumber("value");
    const gradientNorm = state.optionalNumber("gradientNorm");
    const gap = state.optionalNumber("gap");
    const outcome = standing(state.outcome("outcome"), { passes, gap }, asked);
    return () => {
      Object.assign(this, { index, iterations, evaluations, gradients, value, gradientNorm, gap, outcome });
    };
  }
}
