/**
 * A search direction: the step P that solves B(X) vec P = −vec G for one choice of B, the part of the Hessian that
 * it keeps. The choices are the paper's; the solver around them is the same.
 *
 * | direction | B                                            | file                  |
 * |-----------|----------------------------------------------|-----------------------|
 * | GD        | I                                            | gradient.ts           |
 * | FP        | 4 D⁺                                         | fixed-point.ts        |
 * | DiagH     | diag ∇²E, where positive enough              | diagonal-hessian.ts   |
 * | SD        | 4 L⁺ + μ I                                   | spectral.ts           |
 * | SD⁻       | 4 L⁺ + 8 λ Lap(c (Δx_i)²) + μ I, dimension i | spectral-minus.ts     |
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012.
 */
import type { Warning } from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import { type Declared, stateOf } from "@curvature/optim-core/state";

export interface Direction {
  /** The name in options and reports: "sd", "fp" … */
  readonly name: string;
  /** A disconnected graph, a factor that did not fit. */
  readonly warnings: readonly Warning[];
  /**
   * Writes P, of negative slope wherever G ≠ 0.
   *
   * @param objective - the model at the λ of this iteration
   * @param X - the current point, N × d
   * @param G - ∇E(X), column means zero
   * @param P - the step, N × d
   */
  compute(objective: EmbeddingObjective, X: Float64Array, G: Float64Array, P: Float64Array): void;
  /** What it remembers from one iteration to the next. */
  readonly state: Declared;
}

/** For directions that remember nothing. */
export const stateless = (): Pick<Direction, "state"> => ({ state: stateOf({}) });
