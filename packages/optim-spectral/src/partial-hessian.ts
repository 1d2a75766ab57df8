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
import { badOption, between, checkOptions, type DenseMatrix, norm2, type Rules } from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import {
  backtrack,
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  SearchLine,
  type Snapshot,
} from "@curvature/optim-core";
import { centerColumns } from "./columns.js";
import { jointEvaluations } from "./counters.js";
import type { Direction } from "./directions/direction.js";
import type { EmbeddingDetails } from "./embedding-details.js";
import { readEnd, savedEnd } from "./ended.js";
import type { ImmediateSolver } from "./immediate-solver.js";
import { checkObjective, startPoint } from "./start.js";

export interface PartialHessianOptions {
  /** c₁, the sufficient decrease. Default 0.1. */
  readonly sufficientDecrease?: number;
  /** ρ, by which a rejected step shrinks. Default 0.8. */
  readonly shrink?: number;
  /** By which the first trial exceeds the last accepted step. Default 1: steps only shrink. */
  readonly growth?: number;
}

export const partialHessianDefaults: Readonly<Required<PartialHessianOptions>> = Object.freeze({
  sufficientDecrease: 0.1,
  shrink: 0.8,
  growth: 1,
});

const rules: Rules<Required<PartialHessianOptions>> = {
  sufficientDecrease: between(0, 0.5),
  shrink: between(0.01, 0.99),
  growth: between(1, 100),
};

const rounding = 4 * Number.EPSILON;
const snapshotVersion = 1;

export class PartialHessian implements ImmediateSolver {
  readonly name: string;
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: Readonly<Required<PartialHessianOptions>>;
  /** X, G, P, E, and the trials of the search. */
  private readonly line: SearchLine;
  private alpha = 1;
  private index = 0;
  private ended: Iteration<EmbeddingDetails> | undefined;

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
    this.options = checkOptions("PartialHessian", options, partialHessianDefaults, rules);
    checkObjective("PartialHessian", objective);
    if (typeof direction?.compute !== "function" || typeof direction.name !== "string")
      throw badOption(
        "PartialHessian",
        "direction",
        "a direction such as spectralDirection(graph)",
        direction,
      );
    this.name = direction.name;
    this.dimension = objective.dimension;
    this.fingerprint = objective.fingerprint;
    this.line = new SearchLine(objective, startPoint(objective, start));
  }

  get best(): Point {
    const { x, value } = this.line;
    return { x, value: Number.isFinite(value) ? value : undefined };
  }

  get last(): Point {
    return this.best;
  }

  step(): Iteration<EmbeddingDetails> {
    const { line, objective, direction } = this;
    const { growth, sufficientDecrease, shrink } = this.options;
    const d = objective.dimensions;
    if (this.ended !== undefined) return this.ended;
    if (this.index === 0) {
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

    const before = this.alpha;
    const first = this.index === 0 ? before : before * growth;
    if (!backtrack(line, first, { sufficientDecrease, shrink })) return this.searchFailed();
    this.alpha = line.alpha;
    line.accept();
    centerColumns(line.gradient, d);
    if (E - line.value <= rounding * Math.abs(E) && this.alpha <= before)
      return this.end("converged", `E = ${E} moves by no more than its rounding.`, this.alpha);
    return this.report(this.alpha, undefined);
  }

  save(): Snapshot {
    const { line } = this;
    return {
      solver: this.name,
      version: snapshotVersion,
      state: {
        X: line.x.slice(),
        G: line.gradient.slice(),
        E: line.value,
        evaluations: line.evaluations,
        alpha: this.alpha,
        index: this.index,
        ended: savedEnd(this.ended),
        direction: this.direction.save(),
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const { line } = this;
    const state = openSnapshot(snapshot, this.name, snapshotVersion);
    const X = state.float64("X", this.dimension);
    const G = state.float64("G", this.dimension);
    const [E, alpha] = [state.number("E"), state.number("alpha")];
    const [index, evaluations] = [state.integer("index"), state.integer("evaluations")];
    const ended = readEnd(state, "ended");
    this.direction.restore(state, this.dimension);
    line.x.set(X);
    line.gradient.set(G);
    [line.value, line.evaluations] = [E, evaluations];
    [this.alpha, this.index, this.ended] = [alpha, index, ended];
  }

  private searchFailed(): Iteration<EmbeddingDetails> {
    const { value, slope, trialValue } = this.line;
    if (-this.alpha * slope <= rounding * Math.abs(value))
      return this.end("converged", "No step promises to change E by more than its rounding.");
    return Number.isFinite(trialValue)
      ? this.end("stalled", "The line search found no step that decreases E.")
      : this.end("diverged", "E was not finite at any step of the line search.");
  }

  private end(status: Outcome["status"], message: string, stepLength = 0): Iteration<EmbeddingDetails> {
    this.ended = this.report(stepLength, { status, message });
    return this.ended;
  }

  private report(stepLength: number, outcome: Outcome | undefined): Iteration<EmbeddingDetails> {
    const { lambda, isDivergence, entropyConstant } = this.objective;
    const { value: E, evaluations, gradient } = this.line;
    this.index += 1;
    return {
      index: this.index,
      value: E,
      gradientNorm: norm2(gradient),
      stepLength,
      ...jointEvaluations(evaluations),
      phase: "iteration",
      details: {
        lambda,
        energy: E,
        klDivergence: isDivergence && lambda === 1 ? E + entropyConstant : undefined,
      },
      outcome,
    };
  }
}
