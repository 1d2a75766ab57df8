/**
 * Partial-Hessian descent for embeddings: one loop, in which only the direction changes.
 *
 * Problem    min_X E(X; λ) = E⁺(X) + λ E⁻(X),   X (N × d), E invariant to shifts of X
 * Iteration  B_k P_k = −G_k;   X_{k+1} = X_k + α_k P_k,   α_k = ρ^j α_{k−1} with the least j ≥ 0 for which
 *            E(X_k + α P_k) ≤ E(X_k) + c₁ α ⟨G_k, P_k⟩                                                (backtracking)
 * Rate       ‖G_k‖ → 0 from every X_0 where B_k is positive definite with bounded condition (theorem 2.1);
 *            linear with ‖I − α B⁻¹ ∇²E‖ near a minimum
 *
 * | symbol | variable    | shape, value                                        |
 * |--------|-------------|-----------------------------------------------------|
 * | X, G, P| X, G, P     | N × d row-major; G and P have zero column means     |
 * | α      | alpha       | 1 at first, then the previous one ("adaptive")      |
 * | c₁, ρ  | sufficientDecrease, shrink | 0.1, 0.8                             |
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 2 (iteration, theorem 2.1) and their code (c₁, ρ). Differs: G and P are centred, for the factor of 4 L⁺ + μ I
 * amplifies rounding along the shifts 1e10 times; steps may grow again where asked (`growth`: needed by GD alone);
 * it stops when E moves by no more than rounding, 4 ε |E|; it gives up a search after 60 reductions. A trial computes
 * the gradient together with E, since most trials are accepted and E and G share the kernel.
 */
import {
  badArgument,
  between,
  type DenseMatrix,
  norm2,
  type OptionsOf,
  optionTable,
  type SettingsOf,
} from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import {
  backtrack,
  type Iteration,
  jointEvaluations,
  type Outcome,
  type Point,
  SearchLine,
} from "@curvature/optim-core";
import { DeclaredSolver, number, part, stateOf, whole } from "@curvature/optim-core/state";
import { centerColumns } from "./columns.js";
import type { Direction } from "./directions/direction.js";
import { divergenceOf } from "./divergence.js";
import { type EmbeddingDetails, endedIteration, type ImmediateSolver } from "./immediate-solver.js";
import { checkObjective, startPoint } from "./start.js";

export const partialHessianOptions = optionTable({
  /** c₁, the sufficient decrease. */
  sufficientDecrease: between(0, 0.5).default(0.1),
  /** ρ, by which a rejected step shrinks. */
  shrink: between(0.01, 0.99).default(0.8),
  /** By which the first trial exceeds the last accepted step; with 1 steps only shrink. */
  growth: between(1, 100).default(1),
});
export type PartialHessianOptions = OptionsOf<typeof partialHessianOptions>;

const ROUNDING = 4 * Number.EPSILON;

export class PartialHessian extends DeclaredSolver implements ImmediateSolver {
  readonly name: string;
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SettingsOf<typeof partialHessianOptions>;
  /** X, G, P, E, and the trials of the search. */
  private readonly line: SearchLine;
  readonly state;

  /**
   * @param start - X_0, N × d
   * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION
   */
  constructor(
    private readonly objective: EmbeddingObjective,
    start: DenseMatrix | Float64Array,
    private readonly direction: Direction,
    options?: PartialHessianOptions,
  ) {
    super();
    this.options = partialHessianOptions.resolve("PartialHessian", options);
    checkObjective("PartialHessian", objective);
    if (typeof direction?.compute !== "function" || typeof direction.name !== "string")
      throw badArgument(
        "PartialHessian",
        "direction",
        "a direction such as spectralDirection(graph)",
        direction,
      );
    this.name = direction.name;
    this.dimension = objective.dimension;
    this.fingerprint = objective.fingerprint;
    this.line = new SearchLine(objective, startPoint(objective, start));
    this.state = stateOf({
      line: part(this.line),
      direction: part(direction),
      alpha: number(1),
      index: whole(),
      ended: endedIteration(),
    });
  }

  get best(): Point {
    const { x, value } = this.line;
    return { x, value: Number.isFinite(value) ? value : undefined };
  }

  get last(): Point {
    return this.best;
  }

  limitWork(evaluations: number, passes: number): void {
    this.line.limit = Math.min(evaluations, Math.ceil(passes));
    this.line.isSpent = false;
  }

  step(): Iteration<EmbeddingDetails> {
    const { line, objective, direction } = this;
    const { growth, sufficientDecrease, shrink } = this.options;
    const d = objective.dimensions;
    if (this.state.ended !== undefined) return this.state.ended;
    if (this.state.index === 0) {
      line.evaluateStart();
      centerColumns(line.gradient, d);
    }
    const E = line.value;
    if (!Number.isFinite(E)) return this.end("diverged", `E is ${E} at the start.`);

    direction.compute(objective, line.x, line.gradient, line.p);
    centerColumns(line.p, d);
    const slope = line.aim();
    if (slope === 0) return this.end("converged", "The gradient is zero.");
    if (!(slope < 0)) return this.end("stalled", `The direction does not descend: its slope is ${slope}.`);

    const before = this.state.alpha;
    const first = this.state.index === 0 ? before : before * growth;
    const isAccepted = backtrack(line, first, { sufficientDecrease, shrink });
    if (!isAccepted && line.isSpent) return this.report(0, undefined);
    if (!isAccepted || !(line.trialValue < E)) return this.searchFailed();
    this.state.alpha = line.alpha;
    line.accept();
    centerColumns(line.gradient, d);
    if (E - line.value <= ROUNDING * Math.abs(E) && this.state.alpha <= before)
      return this.end("converged", `E = ${E} moves by no more than its rounding.`, this.state.alpha);
    return this.report(this.state.alpha, undefined);
  }

  private searchFailed(): Iteration<EmbeddingDetails> {
    const { value, slope, trialValue } = this.line;
    if (-this.state.alpha * slope <= ROUNDING * Math.abs(value))
      return this.end("converged", "No step promises to change E by more than its rounding.");
    return Number.isFinite(trialValue)
      ? this.end("stalled", "The line search found no step that decreases E.")
      : this.end("diverged", "E was not finite at any step of the line search.");
  }

  private end(status: Outcome["status"], message: string, stepLength = 0): Iteration<EmbeddingDetails> {
    const last = this.report(stepLength, { status, message });
    this.state.ended = last;
    return last;
  }

  private report(stepLength: number, outcome: Outcome | undefined): Iteration<EmbeddingDetails> {
    const { lambda, isDivergence } = this.objective;
    const { value: E, evaluations, gradient } = this.line;
    this.state.index += 1;
    return {
      index: this.state.index,
      value: E,
      gradientNorm: norm2(gradient),
      stepLength,
      ...jointEvaluations(evaluations),
      phase: "iteration",
      details: {
        lambda,
        energy: E,
        klDivergence: isDivergence && lambda === 1 ? divergenceOf(this.objective, E) : undefined,
      },
      outcome,
    };
  }
}
