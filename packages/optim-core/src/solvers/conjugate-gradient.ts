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
import {
  between,
  integerFrom,
  type OptionsOf,
  optionTable,
  type SettingsOf,
  strictlyBetween,
} from "@curvature/linalg";
import { valueNoise } from "../line-search/noise.js";
import { searchWolfe, type WolfeSettings, wolfeOptions } from "../line-search/strong-wolfe.js";
import type { Objective } from "../problem.js";
import { float64, number, stateOf, whole } from "../state.js";
import { DescentSolver } from "./descent.js";
import { LbfgsMemory, WITNESSES } from "./lbfgs-memory.js";
import { norm1 } from "./line-standpoint.js";

export const conjugateGradientOptions = optionTable(
  {
    /** c₁ of the search. */
    sufficientDecrease: strictlyBetween(0, 1).default(1e-4),
    /** c₂ of the search. */
    curvature: between(0.001, 0.5).default(0.1),
    /** Iterations after which p is −g again. Left out: the dimension. */
    restartEvery: integerFrom(1),
    valueNoise,
  },
  [["sufficientDecrease", "<", "curvature"]],
);
export type ConjugateGradientOptions = OptionsOf<typeof conjugateGradientOptions>;

export class ConjugateGradient extends DescentSolver {
  readonly name = "cg";
  readonly options: SettingsOf<typeof conjugateGradientOptions>;
  private readonly wolfe: WolfeSettings;
  private readonly restartEvery: number;
  protected readonly memory = new LbfgsMemory(this.dimension, WITNESSES);
  readonly state = stateOf({
    ...this.commonState(this.memory),
    p: float64(this.line.p),
    /** Of the next step's p; 0 stands for p = −g. */
    beta: number(0),
    /** Steps since p was −g. */
    steps: whole(),
    /** α and α pᵀg of the last step; 0 before the first. */
    alpha: number(0),
    decrease: number(0),
  });

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(objective: Objective, x: ArrayLike<number>, options?: ConjugateGradientOptions) {
    const settings = conjugateGradientOptions.resolve("ConjugateGradient", options);
    super("ConjugateGradient", objective, x, settings.valueNoise);
    this.options = settings;
    this.restartEvery = this.options.restartEvery ?? objective.dimension;
    const { sufficientDecrease, curvature } = this.options;
    this.wolfe = { ...wolfeOptions.defaults, sufficientDecrease, curvature };
  }

  protected aim(): boolean {
    const { p, gradient } = this.line;
    if (this.state.beta !== 0) return false; // p is there since the last step, so that one that threw can be made again
    for (let i = 0; i < p.length; i++) p[i] = -gradient[i];
    return true;
  }

  protected firstTrial(): number {
    if (this.state.alpha === 0) return Math.min(1, 1 / norm1(this.line.gradient));
    return Math.min(this.state.decrease / this.line.slope, 10 * this.state.alpha);
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
    this.state.steps = this.state.beta === 0 ? 1 : this.state.steps + 1;
    const beta = top > 0 && this.state.steps < this.restartEvery ? top / bottom : 0; // eq. (5.45)
    if (beta !== 0) for (let i = 0; i < p.length; i++) p[i] = -g[i] + beta * p[i]; // eq. (5.41b)
    this.state.beta = beta;
    this.state.alpha = alpha;
    this.state.decrease = alpha * slope;
  }

  protected forget(): void {
    this.state.beta = 0;
    this.state.alpha = 0;
  }
}
