/**
 * Gradient descent with a backtracking search whose first trial grows.
 *
 * Iteration  p = −∇f(x),   x ← x + α p
 *            α = the first of 2 α₋, α₋, α₋/2 … that decreases f enough (α₋: the α before)
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed. (2006), section 3.1.
 * Differs from the book: the first trial is twice the last step, so that the step length finds its scale by
 * itself; that costs about two evaluations per iteration.
 */
import { between, checkOptions, optional, positive } from "@curvature/linalg";
import { backtrack } from "../line-search/armijo.js";
import type { Objective } from "../problem.js";
import type { SnapshotReader } from "../snapshot.js";
import type { SnapshotValue } from "../solver.js";
import { DescentSolver, norm1 } from "./descent.js";

export interface GradientDescentOptions {
  /** The first trial of the first step. Default min(1, 1/‖∇f(x₀)‖₁), a step of length 1 at most. */
  readonly initialStep?: number;
  /** What the last step is multiplied by for the next first trial. Default 2; 1 never grows. */
  readonly growth?: number;
  /** c₁ of the search. Default 1e-4. */
  readonly sufficientDecrease?: number;
  /** The factor of a reduction. Default 0.5. */
  readonly shrink?: number;
}

interface Settings {
  readonly initialStep: number | undefined;
  readonly growth: number;
  readonly sufficientDecrease: number;
  readonly shrink: number;
}

export const gradientDescentDefaults: Settings = Object.freeze({
  initialStep: undefined,
  growth: 2,
  sufficientDecrease: 1e-4,
  shrink: 0.5,
});

export class GradientDescent extends DescentSolver {
  readonly name = "gd";
  readonly options: Settings;
  /** The last accepted α; 0 before the first. */
  private alpha = 0;

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(objective: Objective, x: Float64Array, options?: GradientDescentOptions) {
    super("GradientDescent", objective, x);
    this.options = checkOptions("GradientDescent", options, gradientDescentDefaults, {
      initialStep: optional(positive),
      growth: between(1, 10),
      sufficientDecrease: between(0, 0.5),
      shrink: between(0.01, 0.99),
    });
  }

  protected aim(): boolean {
    const { p, gradient } = this.line;
    for (let i = 0; i < p.length; i++) p[i] = -gradient[i];
    return true;
  }

  protected firstTrial(): number {
    if (this.alpha > 0) return this.options.growth * this.alpha;
    return this.options.initialStep ?? Math.min(1, 1 / norm1(this.line.gradient));
  }

  protected search(first: number): boolean {
    return backtrack(this.line, first, this.options);
  }

  protected learn(): void {
    this.alpha = this.line.alpha;
  }

  protected forget(): void {
    this.alpha = 0;
  }

  protected saveMethod(): { readonly [key: string]: SnapshotValue } {
    return { alpha: this.alpha };
  }

  protected restoreMethod(state: SnapshotReader): void {
    this.alpha = state.number("alpha");
  }
}
