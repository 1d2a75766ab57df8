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
import { between, norm2, type OptionsOf, optionTable, positive, type SettingsOf } from "@curvature/linalg";
import { backtrack, backtrackingOptions } from "../line-search/armijo.js";
import { valueNoise } from "../line-search/noise.js";
import { endless } from "../line-search/unbounded.js";
import type { Objective } from "../problem.js";
import { number, stateOf } from "../state.js";
import { DescentSolver } from "./descent.js";
import { LbfgsMemory, WITNESSES } from "./lbfgs-memory.js";
import { norm1 } from "./line-standpoint.js";

export const gradientDescentOptions = optionTable({
  /** The first trial of the first step. Left out: min(1, 1/‖∇f(x₀)‖₁), a step of length 1 at most. */
  initialStep: positive,
  /** What the last step is multiplied by for the next first trial; 1 never grows. */
  growth: between(1, 10).default(2),
  ...backtrackingOptions.entries,
  valueNoise,
});
export type GradientDescentOptions = OptionsOf<typeof gradientDescentOptions>;

export class GradientDescent extends DescentSolver {
  readonly name = "gd";
  readonly options: SettingsOf<typeof gradientDescentOptions>;
  protected readonly memory = new LbfgsMemory(this.dimension, WITNESSES);
  readonly state = stateOf({
    ...this.commonState(this.memory),
    /** The last accepted α; 0 before the first. */
    alpha: number(0),
    /** Where α began to grow without a trial that failed: α, the gradient's norm and the point's norm. */
    growsFrom: number(0),
    slopeThere: number(0),
    sizeThere: number(0),
  });

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(objective: Objective, x: ArrayLike<number>, options?: GradientDescentOptions) {
    const settings = gradientDescentOptions.resolve("GradientDescent", options);
    super("GradientDescent", objective, x, settings.valueNoise);
    this.options = settings;
  }

  protected aim(): boolean {
    const { p, gradient } = this.line;
    for (let i = 0; i < p.length; i++) p[i] = -gradient[i];
    return true;
  }

  protected firstTrial(): number {
    if (this.state.alpha > 0) return this.options.growth * this.state.alpha;
    return this.options.initialStep ?? Math.min(1, 1 / norm1(this.line.gradient));
  }

  protected search(first: number): boolean {
    return backtrack(this.line, first, this.options);
  }

  protected learn(): void {
    const { state, line } = this;
    const { gradientNorm } = state;
    const isGrowing = line.alpha > state.alpha && gradientNorm >= 0.5 * state.slopeThere;
    state.alpha = line.alpha;
    if (!isGrowing || state.growsFrom === 0) {
      state.growsFrom = line.alpha;
      state.slopeThere = gradientNorm;
      state.sizeThere = norm2(line.x);
    }
    // What a single search would see as endless: steps that grow and grow, along a slope that stays.
    line.unbounded = endless(line.alpha, state.growsFrom, gradientNorm, state.sizeThere);
  }

  protected forget(): void {
    this.state.alpha = 0;
    this.state.growsFrom = 0;
  }
}
