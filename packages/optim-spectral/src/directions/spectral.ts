/**
 * SD, the spectral direction: B = 4 L⁺ + μ I, the attraction's whole Hessian at X = 0, the same in every dimension and
 * in every iteration. One factor, made before the first iteration, gives every step by two triangular solves:
 *
 *   Rᵀ R P = −G,   Rᵀ R = B
 *
 * With κ neighbours kept (spectral-matrix.ts) it lies between the fixed-point iteration (κ = 0) and itself (κ = N).
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 3.
 */
import { type Direction, stateless } from "./direction.js";
import { type AttractiveGraph, componentWarnings } from "./spectral-matrix.js";
import { type Kappa, spectralSolve } from "./spectral-solve.js";

/** @throws CurvatureError ERR_NOT_POSITIVE_DEFINITE if B cannot be factored with any regularisation, and as `spectralSolve` */
export function spectralDirection(graph: AttractiveGraph, kappa: Kappa = "auto"): Direction {
  const { solve, warnings } = spectralSolve(graph, kappa);
  return {
    name: "sd",
    warnings: [...componentWarnings(graph), ...warnings],
    compute: (objective, _X, G, P) => {
      for (let k = 0; k < G.length; k++) P[k] = -G[k];
      solve(P, objective.dimensions);
    },
    ...stateless(),
  };
}
