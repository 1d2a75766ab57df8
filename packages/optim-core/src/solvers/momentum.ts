/**
 * Stochastic gradient descent with momentum, one subfunction at a time.
 *
 *   v ← μ v − η ∇f_q(x),   x ← x + v                       heavy ball
 *                          x ← x + μ v − η ∇f_q(x)         Nesterov's form, with v as it is after the first
 *
 * | symbol | option         | unit                                                                   |
 * |--------|----------------|------------------------------------------------------------------------|
 * | η      | learningRate   | that of a gradient step on F: without momentum a pass moves by −η ∇F(x) |
 * | μ      | momentum       |                                                                        |
 *
 * Where no η is given, it is (1 − μ)/L with the estimate of L in `lipschitz-estimate.ts`: a gradient moves x by η/(1 − μ) in
 * all. Each step then takes two evaluations, now and then more.
 *
 * Polyak: Some methods of speeding up the convergence of iteration methods. USSR Comp. Math. 4 (1964) 1-17.
 * Sutskever et al.: On the importance of initialization and momentum in deep learning. ICML 2013, eq. (1)-(4); Nesterov's form
 * here is theirs in the point where the gradient is taken, as deep learning libraries have it.
 */
import { flag, integerFrom, type OptionsOf, optionTable, positive, type SettingsOf } from "@curvature/linalg";
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

  protected move(_q: number, gradient: Float64Array, _t: number, next: Float64Array): void {
    const { v, x } = this.state;
    const { momentum, nesterov } = this.options;
    const learningRate = this.options.learningRate ?? (1 - momentum) * this.state.lipschitz.step;
    for (let i = 0; i < x.length; i++) {
      const pull = learningRate * gradient[i];
      v[i] = momentum * v[i] - pull;
      next[i] = x[i] + (nesterov ? momentum * v[i] - pull : v[i]);
    }
  }
}
