/**
 * DiagH: B = diag ∇²E(X), h_ni = 4 Σ_m w_nm + 8 Σ_m f″_nm (x_ni − x_mi)² (− 16 λ v_ni² for normalised models), and
 * 4 d⁺_n in its place wherever h_ni ≤ 1e-3 · 4 d⁺_n.
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012.
 */
import { type Direction, stateless } from "./direction.js";
import { leastPositive } from "./graph.js";
import type { AttractiveGraph } from "./spectral-matrix.js";

export function diagonalHessianDirection(graph: AttractiveGraph): Direction {
  const { degrees } = graph;
  const least = leastPositive(degrees);
  return {
    name: "diagh",
    warnings: [],
    compute: (objective, X, G, P) => {
      const d = objective.dimensions;
      objective.diagonalHessian(X, P);
      for (let n = 0; n < degrees.length; n++) {
        const safe = 4 * (degrees[n] > 0 ? degrees[n] : least);
        for (let k = n * d; k < (n + 1) * d; k++) P[k] = -G[k] / (P[k] > 1e-3 * safe ? P[k] : safe);
      }
    },
    ...stateless(),
  };
}
