import type { Iteration } from "@curvature/optim-core";

/** The counters of a solver that computes the gradient with every value. */
export function jointEvaluations(
  evaluations: number,
): Pick<Iteration, "evaluations" | "gradientEvaluations" | "monitoringEvaluations" | "passes"> {
  return {
    evaluations,
    gradientEvaluations: evaluations,
    monitoringEvaluations: 0,
    passes: evaluations,
  };
}
