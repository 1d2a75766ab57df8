/**
 * Nonlinear conjugate gradients, Polak-Ribière+.
 *
 * Iteration  p ← −g + β p,   x ← x + α p,   α by a strong Wolfe search with c₂ = 0.1          (5.41b)
 *            β = max(0, gᵀ(g − g₋) / g₋ᵀg₋)                                                    (5.44), (5.45)
 * First α    α₋ p₋ᵀg₋ / pᵀg, as much first-order decrease as the step before, and 10 α₋ at most
 *
 * | symbol | variable            | shape          |
 * |--------|---------------------|----------------|
 * | g, g₋  | gradient            | n, before and after the step |
 * | p      | p                   | n              |
 * | β      | beta                | 1              |
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed. (2006), Algorithm 5.4, sections 3.5 and 5.2.
 * Restarts with −g when p is not downhill and every n iterations.
 */
import { between, checkOptions, integerFrom, optional } from "@curvature/linalg";
import { searchWolfe, type WolfeOptions, wolfeDefaults } from "../line-search/strong-wolfe.js";
import type { Objective } from "../problem.js";
import type { SnapshotReader } from "../snapshot.js";
import type { SnapshotValue } from "../solver.js";
import { DescentSolver, norm1 } from "./descent.js";

export interface ConjugateGradientOptions {
  /** c₁ of the search. Default 1e-4. */
  readonly sufficientDecrease?: number;
  /** c₂ of the search, below 0.5. Default 0.1. */
  readonly curvature?: number;
  /** Iterations after which p is −g again. Default the dimension. */
  readonly restartEvery?: number;
}

interface Settings {
  readonly sufficientDecrease: number;
  readonly curvature: number;
  readonly restartEvery: number | undefined;
}

export const conjugateGradientDefaults: Settings = Object.freeze({
  sufficientDecrease: 1e-4,
  curvature: 0.1,
  restartEvery: undefined,
});

export class ConjugateGradient extends DescentSolver {
  readonly name = "cg";
  readonly options: Settings;
  private readonly wolfe: WolfeOptions;
  private readonly restartEvery: number;
  /** Of the next step's p; 0 stands for p = −g. */
  private beta = 0;
  /** Steps since p was −g. */
  private steps = 0;
  /** α and α pᵀg of the last step; 0 before the first. */
  private alpha = 0;
  private decrease = 0;

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(objective: Objective, x: Float64Array, options?: ConjugateGradientOptions) {
    super("ConjugateGradient", objective, x);
    this.options = checkOptions("ConjugateGradient", options, conjugateGradientDefaults, {
      sufficientDecrease: between(0, 0.1),
      curvature: between(0.001, 0.5),
      restartEvery: optional(integerFrom(1)),
    });
    this.restartEvery = this.options.restartEvery ?? objective.dimension;
    const { sufficientDecrease, curvature } = this.options;
    this.wolfe = { ...wolfeDefaults, sufficientDecrease, curvature };
  }

  protected aim(): boolean {
    const { p, gradient } = this.line;
    if (this.beta !== 0) return false; // p is there since the last step, so that one that threw can be made again
    for (let i = 0; i < p.length; i++) p[i] = -gradient[i];
    return true;
  }

  protected firstTrial(): number {
    if (this.alpha === 0) return Math.min(1, 1 / norm1(this.line.gradient));
    return Math.min(this.decrease / this.line.slope, 10 * this.alpha);
  }

  protected search(first: number): boolean {
    return searchWolfe(this.line, first, this.wolfe);
  }

  protected learn(): void {
    const { gradient: before, trialGradient: g, p, alpha, slope } = this.line;
    let top = 0;
    let bottom = 0;
    for (let i = 0; i < g.length; i++) {
      top += g[i] * (g[i] - before[i]);
      bottom += before[i] * before[i];
    }
    this.steps = this.beta === 0 ? 1 : this.steps + 1;
    const beta = top > 0 && this.steps < this.restartEvery ? top / bottom : 0; // eq. (5.45)
    if (beta !== 0) for (let i = 0; i < p.length; i++) p[i] = -g[i] + beta * p[i]; // eq. (5.41b)
    this.beta = beta;
    this.alpha = alpha;
    this.decrease = alpha * slope;
  }

  protected forget(): void {
    this.beta = 0;
    this.alpha = 0;
  }

  protected saveMethod(): { readonly [key: string]: SnapshotValue } {
    const { beta, steps, alpha, decrease, line } = this;
    return { beta, steps, alpha, decrease, p: line.p.slice() };
  }

  protected restoreMethod(state: SnapshotReader): void {
    const beta = state.number("beta");
    const steps = state.integer("steps");
    const alpha = state.number("alpha");
    const decrease = state.number("decrease");
    this.line.p.set(state.float64("p", this.dimension));
    this.beta = beta;
    this.steps = steps;
    this.alpha = alpha;
    this.decrease = decrease;
  }
}
