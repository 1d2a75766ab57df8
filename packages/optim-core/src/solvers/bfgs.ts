/**
 * BFGS with the whole matrix: a quasi-Newton direction from all steps, for problems of up to some hundred variables.
 *
 * Iteration  p = −H ∇f(x),   x ← x + α p,   α by a strong Wolfe search, 1 first                              (6.18)
 *            H ← (I − ρ s yᵀ) H (I − ρ y sᵀ) + ρ s sᵀ,   ρ = 1 / yᵀs                                         (6.17)
 *            H ← (sᵀy / yᵀy) I before the first pair, unless a first H is given                              (6.20)
 *
 * | symbol | variable | shape                                          |
 * |--------|----------|------------------------------------------------|
 * | H      | H        | n x n, its lower triangle; for ∇²f(x)⁻¹        |
 * | s, y   | s, y     | n each, the changes of x and of ∇f             |
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed. (2006), Algorithm 6.1. Time 3 n² for a step, memory n².
 * Differs from the book: a pair with sᵀy ≤ 1e-12 ‖s‖‖y‖, which only rounding leaves behind a Wolfe search, is skipped; while
 * H is the identity min(1, 1/‖∇f‖₁) is tried first, as in L-BFGS; where H has led nowhere it is made anew of the last ten
 * pairs, those of a look for an end (`ending.ts`) among them.
 */
import {
  callable,
  type DenseMatrix,
  dot,
  norm2,
  type OptionsOf,
  optionTable,
  type SettingsOf,
  strictlyBetween,
  symmetricTimesVector,
  zeros,
} from "@curvature/linalg";
import { valueNoise } from "../line-search/noise.js";
import { searchWolfe, type WolfeSettings, wolfeOptions } from "../line-search/strong-wolfe.js";
import type { Objective } from "../problem.js";
import { boolean, float64, stateOf } from "../state.js";
import { DescentSolver } from "./descent.js";
import { type InverseHessian, LbfgsMemory, WITNESSES } from "./lbfgs-memory.js";
import { norm1 } from "./line-standpoint.js";

export const bfgsOptions = optionTable(
  {
    /** c₁ of the search. */
    sufficientDecrease: strictlyBetween(0, 1).default(1e-4),
    /** c₂ of the search. */
    curvature: strictlyBetween(0, 1).default(0.9),
    /** B⁻¹, the first H. Left out: (sᵀy / yᵀy) I of the first pair. */
    inverseHessian: callable<InverseHessian>(),
    valueNoise,
  },
  [["sufficientDecrease", "<", "curvature"]],
);
export type BfgsOptions = OptionsOf<typeof bfgsOptions>;

/** The least cosine between s and y of a pair that is taken. */
const MIN_COSINE = 1e-12;

export class Bfgs extends DescentSolver {
  readonly name = "bfgs";
  readonly options: SettingsOf<typeof bfgsOptions>;
  readonly state;
  protected readonly memory: LbfgsMemory;
  private readonly wolfe: WolfeSettings;
  private readonly H: DenseMatrix;
  private readonly s: Float64Array;
  private readonly y: Float64Array;
  private readonly Hy: Float64Array;

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE, ERR_MEMORY
   */
  constructor(objective: Objective, x: ArrayLike<number>, options?: BfgsOptions) {
    const settings = bfgsOptions.resolve("Bfgs", options);
    super("Bfgs", objective, x, settings.valueNoise);
    this.options = settings;
    const n = this.dimension;
    this.memory = new LbfgsMemory(n, WITNESSES, settings.inverseHessian);
    this.H = zeros(n, n);
    this.s = new Float64Array(n);
    this.y = new Float64Array(n);
    this.Hy = new Float64Array(n);
    this.state = stateOf({
      ...this.commonState(this.memory),
      H: float64(this.H.data),
      /** Whether H is the identity still. */
      isRaw: boolean(true),
    });
    const { sufficientDecrease, curvature } = settings;
    this.wolfe = { ...wolfeOptions.defaults, sufficientDecrease, curvature };
  }

  protected aim(): boolean {
    const { p, gradient } = this.line;
    const { inverseHessian } = this.options;
    if (this.state.isRaw && inverseHessian !== undefined) this.begin(inverseHessian);
    if (this.state.isRaw) p.set(gradient);
    else symmetricTimesVector(this.H, gradient, p);
    for (let i = 0; i < p.length; i++) p[i] = -p[i]; // eq. (6.18)
    return this.state.isRaw;
  }

  protected firstTrial(isGradient: boolean): number {
    return isGradient ? Math.min(1, 1 / norm1(this.line.gradient)) : 1;
  }

  protected search(first: number): boolean {
    return searchWolfe(this.line, first, this.wolfe);
  }

  protected override isSettled(): boolean {
    return -0.5 * this.line.slope <= this.line.noise;
  }

  protected learn(): void {
    const { s, y, Hy, H } = this;
    const { x, trialX, gradient, trialGradient } = this.line;
    const n = s.length;
    for (let i = 0; i < n; i++) {
      s[i] = trialX[i] - x[i];
      y[i] = trialGradient[i] - gradient[i];
    }
    const sy = dot(s, y);
    const yy = dot(y, y);
    if (!(sy > MIN_COSINE * norm2(s) * norm2(y)) || !(yy > 0)) return;
    if (this.state.isRaw)
      this.begin((v, out) => {
        for (let i = 0; i < n; i++) out[i] = (v[i] * sy) / yy; // eq. (6.20)
      });
    symmetricTimesVector(H, y, Hy);
    const scale = (1 + dot(y, Hy) / sy) / sy;
    for (let i = 0; i < n; i++) {
      const si = scale * s[i] - Hy[i] / sy; // eq. (6.17): H + (1 + ρ yᵀHy) ρ s sᵀ − ρ (Hy sᵀ + s yᵀH)
      const hi = s[i] / sy;
      const row = i * n;
      for (let j = 0; j <= i; j++) H.data[row + j] += si * s[j] - hi * Hy[j];
    }
  }

  /** H of the last pairs, if there are any. */
  protected forget(): void {
    const { memory, state } = this;
    if (memory.size === 0) state.isRaw = true;
    else this.begin((v, out) => memory.apply(v, out));
  }

  /** Makes H of its products with the axes. */
  private begin(product: InverseHessian): void {
    const { H, Hy, state } = this;
    const n = Hy.length;
    const axis = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      axis.fill(0);
      axis[i] = 1;
      product(axis, Hy);
      for (let j = 0; j <= i; j++) H.data[i * n + j] = Hy[j];
    }
    state.isRaw = false;
  }
}
