/**
 * Adam: steps by running means of the gradient and of its square.
 *
 *   m ← β₁ m + (1 − β₁) g,   v ← β₂ v + (1 − β₂) g²,   g = ∇f_q(x) in step t = 1, 2, …  (entry by entry)
 *   x ← x − η m̂ / (√v̂ + ε),   m̂ = m/(1 − β₁ᵗ),   v̂ = v/(1 − β₂ᵗ)
 *
 * Kingma, Ba: Adam: a method for stochastic optimization. ICLR 2015, Algorithm 1.
 */
import { checkOptions, integerFrom, nonNegative, positive } from "@curvature/linalg";
import type { SumOfFunctions } from "../problem.js";
import type { SnapshotReader } from "../snapshot.js";
import type { SnapshotValue } from "../solver.js";
import { belowOne, IncrementalSolver } from "./incremental-state.js";

export interface AdamOptions {
  /** η > 0, about the length that a coordinate moves in a step. Default 0.001. */
  readonly learningRate?: number;
  /** β₁, at least 0 and below 1. Default 0.9. */
  readonly gradientDecay?: number;
  /** β₂, at least 0 and below 1. Default 0.999. */
  readonly squareDecay?: number;
  /** ε ≥ 0. Default 1e-8. */
  readonly epsilon?: number;
  /** Default 0. */
  readonly seed?: number;
}

export const adamDefaults: Required<AdamOptions> = Object.freeze({
  learningRate: 0.001,
  gradientDecay: 0.9,
  squareDecay: 0.999,
  epsilon: 1e-8,
  seed: 0,
});

export class Adam extends IncrementalSolver {
  readonly name = "adam";
  readonly options: Required<AdamOptions>;
  protected readonly advice = "Give a smaller learningRate.";
  private readonly m: Float64Array;
  private readonly v: Float64Array;
  /** β₁ᵗ, β₂ᵗ */
  private readonly powers = Float64Array.of(1, 1);

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE; ERR_MEMORY for more than 2²⁷ subfunctions in
   *   random order
   */
  constructor(sum: SumOfFunctions, x: Float64Array, options?: AdamOptions) {
    const settings = checkOptions("Adam", options, adamDefaults, {
      learningRate: positive,
      gradientDecay: belowOne,
      squareDecay: belowOne,
      epsilon: nonNegative,
      seed: integerFrom(0),
    });
    super("Adam", sum, x, "permutation", settings.seed);
    this.options = settings;
    this.m = new Float64Array(x.length);
    this.v = new Float64Array(x.length);
  }

  protected move(_q: number, gradient: Float64Array, _t: number, next: Float64Array): void {
    const { m, v, x, powers } = this;
    const { learningRate, gradientDecay, squareDecay, epsilon } = this.options;
    powers[0] *= gradientDecay;
    powers[1] *= squareDecay;
    const mScale = 1 / (1 - powers[0]);
    const vScale = 1 / (1 - powers[1]);
    for (let i = 0; i < x.length; i++) {
      const g = gradient[i];
      m[i] = gradientDecay * m[i] + (1 - gradientDecay) * g;
      v[i] = squareDecay * v[i] + (1 - squareDecay) * g * g;
      const size = Math.sqrt(vScale * v[i]) + epsilon;
      next[i] = size === 0 ? x[i] : x[i] - (learningRate * mScale * m[i]) / size; // a gradient that was always zero
    }
  }

  protected saveMethod(): { readonly [key: string]: SnapshotValue } {
    return { m: this.m.slice(), v: this.v.slice(), powers: this.powers.slice() };
  }

  protected openMethod(state: SnapshotReader): () => void {
    const m = state.float64("m", this.dimension);
    const v = state.float64("v", this.dimension);
    const powers = state.float64("powers", 2);
    return () => {
      this.m.set(m);
      this.v.set(v);
      this.powers.set(powers);
    };
  }
}
