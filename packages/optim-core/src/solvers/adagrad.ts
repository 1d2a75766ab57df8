/**
 * AdaGrad: stochastic gradient descent with a learning rate for each coordinate, by the gradients so far.
 *
 *   s ← s + g²,   x ← x − η g / √(1/t + s),   g = ∇f_q(x) in step t = 1, 2, …  (entry by entry)
 *
 * Duchi, Hazan, Singer: Adaptive subgradient methods for online learning and stochastic optimization. JMLR 12 (2011)
 * 2121-2159, the diagonal form of Fig. 1. Differs from it: 1/t under the root in the place of a constant δ beside it, as the
 * authors of SFO have it in their comparison: it keeps the first steps short whatever the gradients' scale, and is
 * forgotten later.
 */
import { checkOptions, integerFrom, positive } from "@curvature/linalg";
import type { SumOfFunctions } from "../problem.js";
import type { SnapshotReader } from "../snapshot.js";
import type { SnapshotValue } from "../solver.js";
import { IncrementalSolver } from "./incremental-state.js";

export interface AdagradOptions {
  /** η > 0, about the length that a coordinate moves in the first steps. Default 0.1. */
  readonly learningRate?: number;
  /** Default 0. */
  readonly seed?: number;
}

export const adagradDefaults: Required<AdagradOptions> = Object.freeze({ learningRate: 0.1, seed: 0 });

export class Adagrad extends IncrementalSolver {
  readonly name = "adagrad";
  readonly options: Required<AdagradOptions>;
  protected readonly advice = "Give a smaller learningRate.";
  private readonly s: Float64Array;

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE; ERR_MEMORY for more than 2²⁷ subfunctions in
   *   random order
   */
  constructor(sum: SumOfFunctions, x: Float64Array, options?: AdagradOptions) {
    const settings = checkOptions("Adagrad", options, adagradDefaults, {
      learningRate: positive,
      seed: integerFrom(0),
    });
    super("Adagrad", sum, x, "permutation", settings.seed);
    this.options = settings;
    this.s = new Float64Array(x.length);
  }

  protected move(_q: number, gradient: Float64Array, t: number, next: Float64Array): void {
    const { s, x } = this;
    const { learningRate } = this.options;
    for (let i = 0; i < x.length; i++) {
      s[i] += gradient[i] * gradient[i];
      next[i] = x[i] - (learningRate * gradient[i]) / Math.sqrt(1 / t + s[i]);
    }
  }

  protected saveMethod(): { readonly [key: string]: SnapshotValue } {
    return { s: this.s.slice() };
  }

  protected openMethod(state: SnapshotReader): () => void {
    const s = state.float64("s", this.dimension);
    return () => this.s.set(s);
  }
}
