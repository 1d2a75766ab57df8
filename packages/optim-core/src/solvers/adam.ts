/**
 * Adam: steps by running means of the gradient and of its square.
 *
 *   m ← β₁ m + (1 − β₁) g,   v ← β₂ v + (1 − β₂) g²,   g = ∇f_q(x) in step t = 1, 2, …  (entry by entry)
 *   x ← x − η m̂ / (√v̂ + ε),   m̂ = m/(1 − β₁ᵗ),   v̂ = v/(1 − β₂ᵗ)
 *
 * Kingma, Ba: Adam: a method for stochastic optimization. ICLR 2015, Algorithm 1. Differs from it: where no ε is given it is not
 * 1e-8 in units of the gradient, but 1e-8 of the largest √v̂, so that F may be in any unit: with the paper's, F × 1e-12 stands still.
 */
import {
  integerFrom,
  maxAbs,
  nonNegative,
  type OptionsOf,
  optionTable,
  positive,
  type SettingsOf,
} from "@curvature/linalg";
import type { SumOfFunctions } from "../problem.js";
import { float64, stateOf } from "../state.js";
import { belowOne, IncrementalSolver } from "./incremental.js";

export const adamOptions = optionTable({
  /** η, about the length that a coordinate moves in a step. */
  learningRate: positive.default(0.001),
  /** β₁ */
  gradientDecay: belowOne.default(0.9),
  /** β₂ */
  squareDecay: belowOne.default(0.999),
  /** ε, in units of the gradient; left out, 1e-8 of the largest √v̂ of a coordinate. */
  epsilon: nonNegative,
  /** Of the random order. */
  seed: integerFrom(0).default(0),
});
export type AdamOptions = OptionsOf<typeof adamOptions>;

/** ε in units of the largest √v̂. */
const RELATIVE_EPSILON = 1e-8;

export class Adam extends IncrementalSolver {
  readonly name = "adam";
  readonly options: SettingsOf<typeof adamOptions>;
  protected readonly advice = "Give a smaller learningRate.";
  readonly state = stateOf({
    ...this.commonState(),
    m: float64(new Float64Array(this.dimension)),
    v: float64(new Float64Array(this.dimension)),
    /** β₁ᵗ, β₂ᵗ */
    powers: float64(Float64Array.of(1, 1)),
  });

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE; ERR_MEMORY for more than 2²⁷ subfunctions in
   *   random order
   */
  constructor(sum: SumOfFunctions, x: Float64Array, options?: AdamOptions) {
    const settings = adamOptions.resolve("Adam", options);
    super("Adam", sum, x, "permutation", settings.seed);
    this.options = settings;
  }

  protected move(_q: number, gradient: Float64Array, _t: number, next: Float64Array): void {
    const { m, v, x, powers } = this.state;
    const { learningRate, gradientDecay, squareDecay } = this.options;
    powers[0] *= gradientDecay;
    powers[1] *= squareDecay;
    const mScale = 1 / (1 - powers[0]);
    const vScale = 1 / (1 - powers[1]);
    for (let i = 0; i < x.length; i++) {
      const g = gradient[i];
      m[i] = gradientDecay * m[i] + (1 - gradientDecay) * g;
      v[i] = squareDecay * v[i] + (1 - squareDecay) * g * g;
    }
    const epsilon = this.options.epsilon ?? RELATIVE_EPSILON * Math.sqrt(vScale * maxAbs(v));
    for (let i = 0; i < x.length; i++) {
      const size = Math.sqrt(vScale * v[i]) + epsilon;
      next[i] = size === 0 ? x[i] : x[i] - (learningRate * mScale * m[i]) / size; // a gradient that was always zero
    }
  }
}
