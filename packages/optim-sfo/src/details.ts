/**
 * What an iteration of the solver says of itself.
 */
import type { Iteration } from "@curvature/optim-core";
import type { Course } from "./course.js";
import type { Ended } from "./ended.js";

export interface SfoDetails {
  /** The subfunctions evaluated in this step. */
  readonly subfunctions: readonly number[];
  readonly activeSubfunctions: number;
  /** K */
  readonly subspaceDimension: number;
  /** η */
  readonly stepScale: number;
  /** The decrease of G that the step is to bring. */
  readonly predictedDecrease: number;
  /** Whether the step before was taken back. */
  readonly hasFailed: boolean;
  /** The sum of all subfunctions' latest values, once all were evaluated: an estimate of F. */
  readonly estimate: number | undefined;
  readonly restarts: number;
}

/** The iteration that ended, in the words of the run. */
export function iterationOf(
  course: Course,
  index: number,
  { subfunctions, hasFailed, phase, value }: Ended,
): Iteration<SfoDetails> {
  const { workings } = course;
  const { evaluations, models, control } = workings;
  return {
    index,
    value,
    gradientNorm: undefined,
    stepLength: control.scale,
    evaluations,
    gradientEvaluations: evaluations,
    monitoringEvaluations: 0,
    passes: evaluations / models.length,
    phase,
    details: {
      subfunctions,
      activeSubfunctions: workings.active.length,
      subspaceDimension: workings.K,
      stepScale: control.scale,
      predictedDecrease: workings.gain,
      hasFailed,
      estimate: workings.sumOf(({ f }) => f),
      restarts: course.restarts.count,
    },
    outcome: course.outcome,
  };
}
