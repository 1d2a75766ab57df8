/**
 * L-BFGS: a quasi-Newton direction from the last m steps.
 *
 * Iteration  p = −H ∇f(x),   x ← x + α p
 *            H from the pairs in `LbfgsMemory`; α = 1 is tried first
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed. (2006), Algorithm 7.5.
 * Differs from the book: in the first step H says nothing of the scale yet, so α = min(1, 1/‖∇f‖₁) is tried
 * first; a unit step along a raw gradient may throw the first point anywhere. (An initial inverse Hessian, where
 * one is given, knows the scale.) A line search that fails forgets the pairs and goes on along −∇f(x).
 */
import { between, CurvatureError, callback, checkOptions, oneOf, optional } from "@curvature/linalg";
import { backtrack } from "../line-search/armijo.js";
import { searchWolfe, type WolfeOptions, wolfeDefaults } from "../line-search/strong-wolfe.js";
import type { Objective } from "../problem.js";
import type { SnapshotReader } from "../snapshot.js";
import type { SnapshotValue } from "../solver.js";
import { DescentSolver, norm1 } from "./descent.js";
import { type InverseHessian, LbfgsMemory, pairsRule } from "./lbfgs-memory.js";

export interface LbfgsOptions {
  /** m, the number of pairs. Default 10. */
  readonly memory?: number;
  /** Default "strong-wolfe". The other two save evaluations where a full step is mostly right. */
  readonly lineSearch?: "strong-wolfe" | "weak-wolfe" | "armijo";
  /** c₁. Default 1e-4. */
  readonly sufficientDecrease?: number;
  /** c₂ of the Wolfe searches. Default 0.9. */
  readonly curvature?: number;
  /**
   * Which α is tried first while p is the raw gradient: "scaled" min(1, 1/‖∇f‖₁), or "unit" 1, as textbooks have
   * it. Default "scaled".
   */
  readonly firstStep?: "scaled" | "unit";
  /** B⁻¹ in H₀ = γ B⁻¹. Default the identity. */
  readonly inverseHessian?: InverseHessian;
}

interface Settings {
  readonly memory: number;
  readonly lineSearch: "strong-wolfe" | "weak-wolfe" | "armijo";
  readonly sufficientDecrease: number;
  readonly curvature: number;
  readonly firstStep: "scaled" | "unit";
  readonly inverseHessian: InverseHessian | undefined;
}

export const lbfgsDefaults: Settings = Object.freeze({
  memory: 10,
  lineSearch: "strong-wolfe",
  sufficientDecrease: 1e-4,
  curvature: 0.9,
  firstStep: "scaled",
  inverseHessian: undefined,
});

export class Lbfgs extends DescentSolver {
  readonly name = "lbfgs";
  readonly options: Settings;
  private readonly memory: LbfgsMemory;
  private readonly wolfe: WolfeOptions;

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(objective: Objective, x: Float64Array, options?: LbfgsOptions) {
    super("Lbfgs", objective, x);
    this.options = checkOptions("Lbfgs", options, lbfgsDefaults, {
      memory: pairsRule,
      lineSearch: oneOf("strong-wolfe", "weak-wolfe", "armijo"),
      sufficientDecrease: between(0, 0.5),
      curvature: between(0, 1),
      firstStep: oneOf("scaled", "unit"),
      inverseHessian: optional(callback),
    });
    const { memory, sufficientDecrease, curvature, lineSearch, inverseHessian } = this.options;
    this.memory = new LbfgsMemory(objective.dimension, memory, inverseHessian);
    const condition = lineSearch === "weak-wolfe" ? "weak" : "strong";
    this.wolfe = { ...wolfeDefaults, sufficientDecrease, curvature, condition };
  }

  protected aim(): boolean {
    const { p, gradient } = this.line;
    this.memory.apply(gradient, p);
    for (let i = 0; i < p.length; i++) p[i] = -p[i];
    return this.memory.size === 0 && this.options.inverseHessian === undefined;
  }

  protected firstTrial(isGradient: boolean): number {
    if (!isGradient || this.options.firstStep === "unit") return 1;
    return Math.min(1, 1 / norm1(this.line.gradient));
  }

  protected search(first: number): boolean {
    if (this.options.lineSearch !== "armijo") return searchWolfe(this.line, first, this.wolfe);
    return backtrack(this.line, first, { sufficientDecrease: this.options.sufficientDecrease, shrink: 0.5 });
  }

  protected learn(): void {
    const { x, trialX, gradient, trialGradient } = this.line;
    this.memory.update(trialX, x, trialGradient, gradient);
  }

  protected forget(): void {
    this.memory.clear();
  }

  protected saveMethod(): { readonly [key: string]: SnapshotValue } {
    return { capacity: this.memory.capacity, ...this.memory.save() };
  }

  protected restoreMethod(state: SnapshotReader): void {
    const capacity = state.integer("capacity");
    if (capacity !== this.memory.capacity)
      throw new CurvatureError(
        "ERR_SNAPSHOT",
        `The snapshot is of an L-BFGS with memory ${capacity}, this one has ${this.memory.capacity}. Make the solver with the same memory.`,
        { path: "memory", expected: String(this.memory.capacity), received: capacity },
      );
    this.memory.restore(state);
  }
}
