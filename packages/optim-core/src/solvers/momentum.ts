/**
 * Stochastic gradient descent with momentum, one subfunction at a time.
 *
 *   v ← μ v + ∇f_q(x),   x ← x − η v                       heavy ball
 *                        x ← x − η (μ v + ∇f_q(x))         Nesterov's form, with v as it is after the first
 *
 * | symbol | option         | unit                                                                   |
 * |--------|----------------|------------------------------------------------------------------------|
 * | η      | learningRate   | that of a gradient step on F: without momentum a pass moves by −η ∇F(x) |
 * | μ      | momentum       |                                                                        |
 *
 * Where no η is given, it is (1 − μ)/L with the estimate of L in `lipschitz-estimate.ts`: a gradient moves x by η/(1 − μ) in
 * all. L is that of the whole step, x − η v, which ∇f_q(x) is but a part of, and is the η of all of v: where L grows, what is left
 * of earlier gradients shrinks with it. Each step then takes two evaluations, now and then more.
 *
 * Polyak: Some methods of speeding up the convergence of iteration methods. USSR Comp. Math. 4 (1964) 1-17.
 * Sutskever et al.: On the importance of initialization and momentum in deep learning. ICML 2013, eq. (1)-(4); Nesterov's form
 * here is theirs in the point where the gradient is taken, as deep learning libraries have it. With a given η both are what they
 * write with v in units of x.
 */
import {
  flag,
  integerFrom,
  norm2,
  type OptionsOf,
  optionTable,
  positive,
  type SettingsOf,
} from "@curvature/linalg";
import type { SumOfFunctions } from "../problem.js";
import { float64, part, stateOf } from "../state.js";
import { belowOne, IncrementalSolver } from "./incremental.js";
import { LipschitzEstimate } from "./lipschitz-estimate.js";

export const momentumOptions = optionTable({
  /** η; left out, (1 − μ)/L with an estimated L. */
  learningRate: positive,
  /** μ */
  momentum: belowOne.default(0.9),
  /** Nesterov's form in the place of the heavy ball. */
  nesterov: flag.default(false),
  /** Of the random order. */
  seed: integerFrom(0).default(0),
});
export type MomentumOptions = OptionsOf<typeof momentumOptions>;

export class Momentum extends IncrementalSolver {
  readonly name = "momentum";
  readonly options: SettingsOf<typeof momentumOptions>;
  protected readonly advice = "Give a smaller learningRate or momentum.";
  readonly state = stateOf({
    ...this.commonState(),
    v: float64(new Float64Array(this.dimension)),
    lipschitz: part(new LipschitzEstimate(this.N)),
  });

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE; ERR_MEMORY for more than 2²⁷ subfunctions in
   *   random order
   */
  constructor(sum: SumOfFunctions, x: Float64Array, options?: MomentumOptions) {
    const settings = momentumOptions.resolve("Momentum", options);
    super("Momentum", sum, x, "permutation", settings.seed);
    this.options = settings;
  }

  protected override get estimate(): LipschitzEstimate | undefined {
    return this.options.learningRate === undefined ? this.state.lipschitz : undefined;
  }

  /** d = (1 − μ) times what a step adds up. */
  protected override aim(gradient: Float64Array, along: Float64Array): number {
    const { v } = this.state;
    const { momentum, nesterov } = this.options;
    const length = norm2(gradient);
    let gain = 0;
    for (let i = 0; i < v.length; i++) {
      const heavy = momentum * v[i] + gradient[i];
      along[i] = (1 - momentum) * (nesterov ? momentum * heavy + gradient[i] : heavy);
      gain += (along[i] / length) * ((2 * gradient[i] - along[i]) / length);
    }
    return gain;
  }

  protected move(_q: number, gradient: Float64Array, _t: number, next: Float64Array): void {
    const { v, x } = this.state;
    const { momentum, nesterov } = this.options;
    const learningRate = this.options.learningRate ?? (1 - momentum) * this.state.lipschitz.step;
    for (let i = 0; i < x.length; i++) {
      v[i] = momentum * v[i] + gradient[i];
      next[i] = x[i] - learningRate * (nesterov ? momentum * v[i] + gradient[i] : v[i]);
    }
  }
}
