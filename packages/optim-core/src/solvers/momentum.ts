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
 * Polyak: Some methods of speeding up the convergence of iteration methods. USSR Comp. Math. 4 (1964) 1-17.
 * Sutskever et al.: On the importance of initialization and momentum in deep learning. ICML 2013, eq. (1)-(4); Nesterov's form
 * here is theirs in the point where the gradient is taken, as deep learning libraries have it.
 */
import { checkOptions, flag, integerFrom, positive } from "@curvature/linalg";
import type { SumOfFunctions } from "../problem.js";
import type { SnapshotReader } from "../snapshot.js";
import type { SnapshotValue } from "../solver.js";
import { belowOne, IncrementalSolver } from "./incremental-state.js";

export interface MomentumOptions {
  /** η > 0. Default 0.01. */
  readonly learningRate?: number;
  /** μ, at least 0 and below 1. Default 0.9. */
  readonly momentum?: number;
  /** Default false. */
  readonly nesterov?: boolean;
  /** Default 0. */
  readonly seed?: number;
}

export const momentumDefaults: Required<MomentumOptions> = Object.freeze({
  learningRate: 0.01,
  momentum: 0.9,
  nesterov: false,
  seed: 0,
});

export class Momentum extends IncrementalSolver {
  readonly name = "momentum";
  readonly options: Required<MomentumOptions>;
  protected readonly advice = "Give a smaller learningRate or momentum.";
  private readonly v: Float64Array;

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE; ERR_MEMORY for more than 2²⁷ subfunctions in
   *   random order
   */
  constructor(sum: SumOfFunctions, x: Float64Array, options?: MomentumOptions) {
    const settings = checkOptions("Momentum", options, momentumDefaults, {
      learningRate: positive,
      momentum: belowOne,
      nesterov: flag,
      seed: integerFrom(0),
    });
    super("Momentum", sum, x, "permutation", settings.seed);
    this.options = settings;
    this.v = new Float64Array(x.length);
  }

  protected move(_q: number, gradient: Float64Array, _t: number, next: Float64Array): void {
    const { v, x } = this;
    const { learningRate, momentum, nesterov } = this.options;
    for (let i = 0; i < x.length; i++) {
      const pull = learningRate * gradient[i];
      v[i] = momentum * v[i] - pull;
      next[i] = x[i] + (nesterov ? momentum * v[i] - pull : v[i]);
    }
  }

  protected saveMethod(): { readonly [key: string]: SnapshotValue } {
    return { v: this.v.slice() };
  }

  protected openMethod(state: SnapshotReader): () => void {
    const v = state.float64("v", this.dimension);
    return () => this.v.set(v);
  }
}
