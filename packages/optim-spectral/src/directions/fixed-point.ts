/**
 * FP, the diagonal fixed-point iteration: B = 4 D⁺, so p_n = −g_n / (4 d⁺_n).
 *
 * Carreira-Perpiñán: The elastic embedding algorithm for dimensionality reduction, ICML 2010, where the same step is
 * written X (D⁺ − L)(D⁺)⁻¹ − X. A point without attraction moves by the least positive degree.
 */
import { type Direction, stateless } from "./direction.js";
import { leastPositive } from "./graph.js";
import type { AttractiveGraph } from "./spectral-matrix.js";

export function fixedPointDirection(graph: AttractiveGraph): Direction {
  return {
    name: "fp",
    warnings: [],
    compute: (objective, _X, G, P) => fixedPointStep(graph.degrees, objective.dimensions, G, P),
    ...stateless(),
  };
}

/** P = −(4 D⁺)⁻¹ G */
export function fixedPointStep(degrees: Float64Array, d: number, G: Float64Array, P: Float64Array): void {
  const least = leastPositive(degrees);
  for (let n = 0; n < degrees.length; n++) {
    const scale = -0.25 / (degrees[n] > 0 ? degrees[n] : least);
    for (let k = n * d; k < (n + 1) * d; k++) P[k] = scale * G[k];
  }
}
