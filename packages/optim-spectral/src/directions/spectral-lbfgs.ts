/**
 * SD-LBFGS: L-BFGS with m = 10 pairs whose initial matrix is the spectral direction's,
 *
 *   H₀ = γ (4 L⁺ + μ I)⁻¹,   γ = s'y / y'B⁻¹y of the newest pair,
 *
 * and a weak Wolfe search (c₁ = 1e-4, c₂ = 0.9) that tries the full step first. It costs per iteration what SD does,
 * starts as SD does, and goes on converging where SD slows down. Ours, not the paper's.
 */
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import { Lbfgs } from "@curvature/optim-core";
import { ClassicSolver } from "../classic-solver.js";
import type { ImmediateSolver } from "../immediate-solver.js";
import type { Solve } from "./spectral-solve.js";

/** @param solve - V ← B⁻¹ V; one factor serves any λ */
export function spectralLbfgs(
  objective: EmbeddingObjective,
  start: Float64Array,
  solve: Solve,
): ImmediateSolver {
  const inverseHessian = (v: Float64Array, out: Float64Array): void => {
    out.set(v);
    solve(out, objective.dimensions);
  };
  const lbfgs = new Lbfgs(objective, start, {
    memory: 10,
    lineSearch: "weak-wolfe",
    sufficientDecrease: 1e-4,
    curvature: 0.9,
    inverseHessian,
  });
  return new ClassicSolver("sd-lbfgs", objective, lbfgs);
}
