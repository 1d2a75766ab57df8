/**
 * L-BFGS: a quasi-Newton direction from the last m steps.
 *
 * Iteration  p = −H ∇f(x),   x ← x + α p
 *            H from the pairs in `LbfgsMemory`; α = 1 is tried first
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed. (2006), Algorithm 7.5.
 * Differs from the book: in the first step H says nothing of the scale yet, so α = min(1, 1/‖∇f‖₁) is tried
 * first; a unit step along a raw gradient may throw the first point anywhere. (An initial inverse Hessian, where
 * one is given, knows the scale.) No search is made where −½ pᵀ∇f(x), the decrease that a full step promises, is within
 * the noise of the values; what follows a search that finds nothing is in `descent.ts`.
 */
import {
  callable,
  type OptionsOf,
  oneOf,
  optionTable,
  type SettingsOf,
  strictlyBetween,
} from "@curvature/linalg";
import { backtrack } from "../line-search/armijo.js";
import { valueNoise } from "../line-search/noise.js";
import { searchWolfe, type WolfeSettings, wolfeOptions } from "../line-search/strong-wolfe.js";
import type { Objective } from "../problem.js";
import { number, stateOf } from "../state.js";
import { DescentSolver } from "./descent.js";
import { type InverseHessian, LbfgsMemory, pairCount } from "./lbfgs-memory.js";
import { norm1 } from "./line-standpoint.js";

export const lbfgsOptions = optionTable(
  {
    /** m, the number of pairs. */
    memory: pairCount.default(10),
    /** The weak Wolfe and the Armijo search save evaluations where a full step is mostly right. */
    lineSearch: oneOf("strong-wolfe", "weak-wolfe", "armijo").default("strong-wolfe"),
    /** c₁ */
    sufficientDecrease: strictlyBetween(0, 1).default(1e-4),
    /** c₂ of the Wolfe searches. */
    curvature: strictlyBetween(0, 1).default(0.9),
    /** Which α is tried first while p is the raw gradient: "scaled" min(1, 1/‖∇f‖₁), or "unit" 1, as textbooks have it. */
    firstStep: oneOf("scaled", "unit").default("scaled"),
    /** B⁻¹ in H₀ = γ B⁻¹. Left out: the identity. */
    inverseHessian: callable<InverseHessian>(),
    valueNoise,
  },
  [["sufficientDecrease", "<", "curvature"]],
);
export type LbfgsOptions = OptionsOf<typeof lbfgsOptions>;

export class Lbfgs extends DescentSolver {
  readonly name = "lbfgs";
  readonly options: SettingsOf<typeof lbfgsOptions>;
  readonly state;
  protected readonly memory: LbfgsMemory;
  private readonly wolfe: WolfeSettings;
  /** Whether p is −∇f(x), since there are no pairs. */
  private isRaw = false;

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(objective: Objective, x: ArrayLike<number>, options?: LbfgsOptions) {
    const settings = lbfgsOptions.resolve("Lbfgs", options);
    super("Lbfgs", objective, x, settings.valueNoise);
    this.options = settings;
    const { memory, sufficientDecrease, curvature, lineSearch, inverseHessian } = settings;
    this.memory = new LbfgsMemory(objective.dimension, memory, inverseHessian);
    this.state = stateOf({
      ...this.commonState(this.memory),
      /** The last α: while no step has left a pair, the next search goes on from there. */
      alpha: number(0),
    });
    const condition = lineSearch === "weak-wolfe" ? "weak" : "strong";
    this.wolfe = { ...wolfeOptions.defaults, sufficientDecrease, curvature, condition };
  }

  /** Whether a step so far has found positive curvature. */
  get hasPairs(): boolean {
    return this.memory.size > 0;
  }

  protected aim(): boolean {
    const { p, gradient } = this.line;
    this.memory.apply(gradient, p);
    for (let i = 0; i < p.length; i++) p[i] = -p[i];
    this.isRaw = this.memory.size === 0 && this.options.inverseHessian === undefined;
    return this.isRaw;
  }

  protected firstTrial(isGradient: boolean): number {
    if (!isGradient) return 1;
    const { alpha } = this.state;
    if (this.isRaw && alpha > 0) return alpha;
    if (this.options.firstStep === "unit") return 1;
    return Math.min(1, 1 / norm1(this.line.gradient));
  }

  protected search(first: number): boolean {
    // Steps that have left no pair went along a slope that does not rise: there only a search that grows comes far.
    if (this.options.lineSearch !== "armijo" || (this.isRaw && this.state.index > 0))
      return searchWolfe(this.line, first, this.wolfe);
    return backtrack(this.line, first, { sufficientDecrease: this.options.sufficientDecrease, shrink: 0.5 });
  }

  protected override isSettled(): boolean {
    return -0.5 * this.line.slope <= this.line.noise;
  }

  protected learn(): void {
    if (this.isRaw) this.state.alpha = this.line.alpha;
  }

  /** The pairs are kept. */
  protected forget(): void {}
}
