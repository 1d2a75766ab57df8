/**
 * AdaGrad: stochastic gradient descent with a learning rate for each coordinate, by the gradients so far.
 *
 *   s ← s + g²,   x ← x − η g / √(G/t + s),   g = ∇f_q(x) in step t = 1, 2, …  (entry by entry)
 *   G = Σ sᵢ / (M t), the mean square of the M entries of the gradients so far
 *
 * Duchi, Hazan, Singer: Adaptive subgradient methods for online learning and stochastic optimization. JMLR 12 (2011)
 * 2121-2159, the diagonal form of Fig. 1. Differs from it: G/t under the root in the place of a constant δ beside it. It keeps
 * the first steps of coordinates short whose gradients are far below the others', and is forgotten later. The authors of SFO
 * have 1/t in their comparison, which is in units of the gradient: with it F × 1e-12 stands still.
 */
import { integerFrom, type OptionsOf, optionTable, positive, type SettingsOf } from "@curvature/linalg";
import type { SumOfFunctions } from "../problem.js";
import { float64, stateOf } from "../state.js";
import { IncrementalSolver } from "./incremental.js";

export const adagradOptions = optionTable({
  /** η, about the length that a coordinate moves in the first steps. */
  learningRate: positive.default(0.1),
  /** Of the random order. */
  seed: integerFrom(0).default(0),
});
export type AdagradOptions = OptionsOf<typeof adagradOptions>;

export class Adagrad extends IncrementalSolver {
  readonly name = "adagrad";
  readonly options: SettingsOf<typeof adagradOptions>;
  protected readonly advice = "Give a smaller learningRate.";
  readonly state = stateOf({ ...this.commonState(), s: float64(new Float64Array(this.dimension)) });

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE; ERR_MEMORY for more than 2²⁷ subfunctions in
   *   random order
   */
  constructor(sum: SumOfFunctions, x: Float64Array, options?: AdagradOptions) {
    const settings = adagradOptions.resolve("Adagrad", options);
    super("Adagrad", sum, x, "permutation", settings.seed);
    this.options = settings;
  }

  protected move(_q: number, gradient: Float64Array, t: number, next: Float64Array): void {
    const { s, x } = this.state;
    const { learningRate } = this.options;
    let total = 0;
    for (let i = 0; i < x.length; i++) {
      s[i] += gradient[i] * gradient[i];
      total += s[i];
    }
    const rest = total / x.length / t / t; // G/t
    for (let i = 0; i < x.length; i++) {
      const size = Math.sqrt(rest + s[i]);
      next[i] = size === 0 ? x[i] : x[i] - (learningRate * gradient[i]) / size; // no gradient so far
    }
  }
}
