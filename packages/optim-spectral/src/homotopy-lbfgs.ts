/**
 * The default recipe for maps: a continuous homotopy in λ, driven by L-BFGS whose memory is re-expressed for each λ
 * and whose initial matrix is an incomplete factor of the spectral direction's 4 L⁺. Ours, not the paper's.
 *
 * Problem    min_X E⁺(X) + λ E⁻(X) at the target λ, within T evaluations of (E⁺, E⁻ and their gradients)
 * Iteration  n evaluations so far: λ = λ(n), r = r(n)                                      (lambda-schedule.ts)
 *            F = E⁺ + λ E⁻ + r/(2N) ‖X‖²,   G = A + λ R + (r/N) X           (a new λ costs no evaluation)
 *            D = −H G, L-BFGS, H₀ = γ (L̃ L̃')⁻¹, pairs re-expressed for λ                  (homotopy-memory.ts)
 *            a = min(1, max(1, rms X) / max_n ‖d_n‖), then, until F(X + aD) ≤ F + 1e-4 a ⟨G, D⟩ + 1e-9 |F|:
 *            a ← the quadratic's minimiser, kept within [a/10, a/2]; no trial goes beyond T
 *            X ← X + aD
 *
 * | symbol | variable        | shape                                                          |
 * |--------|-----------------|----------------------------------------------------------------|
 * | X, G, D| X, G, D         | N × d                                                          |
 * | A, R   | A, R            | ∇E⁺, ∇E⁻ at X, N × d                                            |
 * | L̃      | factor          | IC(0) of 4 L⁺ + μ I on the 20 heaviest neighbours, full degree |
 * | T      | maxEvaluations  | 100; 50 is fast, 200 thorough                                  |
 *
 * The spectral direction: Vladymyrov, Carreira-Perpiñán, ICML 2012. Measured on six data sets, 100 evaluations of this
 * reach a lower Kullback-Leibler divergence than 750 of gradient descent with exaggeration, momentum and gains. The
 * reported value, gradient and best point are those of E at the target λ, without penalty.
 */
import {
  CurvatureError,
  checkOptions,
  type DenseMatrix,
  dot,
  integerFrom,
  nonNegative,
  norm2,
  optional,
  type Rules,
} from "@curvature/linalg";
import type { EmbeddingObjective, Parts } from "@curvature/objectives/embedding";
import { type Iteration, type Outcome, openSnapshot, type Point, type Snapshot } from "@curvature/optim-core";
import { longestRow } from "./columns.js";
import { jointEvaluations } from "./counters.js";
import { incompleteSolve } from "./directions/incomplete.js";
import { attractiveGraph, componentWarnings } from "./directions/spectral-matrix.js";
import type { EmbeddingDetails } from "./embedding-details.js";
import { readEnd, savedEnd } from "./ended.js";
import { HomotopyMemory } from "./homotopy-memory.js";
import type { ImmediateSolver } from "./immediate-solver.js";
import { LambdaSchedule } from "./lambda-schedule.js";
import { checkObjective, startPoint } from "./start.js";

export interface HomotopyLbfgsOptions {
  /** T, the length of the schedule, at the end of which the solver stops: it never makes more. Default 100. */
  readonly maxEvaluations?: number;
  /**
   * φ, the first λ as a share of the target, above 0 and up to 1, where there is no homotopy; 1/φ is what t-SNE's users
   * know as early exaggeration. Default 1/12 for t-SNE, 0.08 for s-SNE and SNE, 0.01 for EE and t-EE.
   */
  readonly firstLambda?: number | undefined;
  /**
   * r of the penalty r/(2N) ‖X‖² once λ has reached its target; a smaller one makes a t-SNE map larger and its divergence
   * lower. Default 4e-6 for t-SNE, 0 for the others.
   */
  readonly sizePenalty?: number | undefined;
}

/** Undefined is what depends on the model. */
export const homotopyLbfgsDefaults: Readonly<Required<HomotopyLbfgsOptions>> = Object.freeze({
  maxEvaluations: 100,
  firstLambda: undefined,
  sizePenalty: undefined,
});

const rules: Rules<Required<HomotopyLbfgsOptions>> = {
  maxEvaluations: integerFrom(1),
  firstLambda: optional({
    expected: "a number above 0 and up to 1",
    accepts: (value) => typeof value === "number" && value > 0 && value <= 1,
  }),
  sizePenalty: optional(nonNegative),
};

const neighborsKept = 20;
const pairsKept = 10;
const sufficientDecrease = 1e-4;
const slack = 1e-9;
const maxTrials = 15;
const rounding = 4 * Number.EPSILON;
const snapshotVersion = 2;

export class HomotopyLbfgs implements ImmediateSolver {
  readonly name = "auto";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly warnings: readonly string[];
  /** As used. */
  readonly options: { readonly [K in keyof HomotopyLbfgsOptions]-?: number };
  private readonly T: number;
  private readonly schedule: LambdaSchedule;
  private readonly memory: HomotopyMemory;
  private readonly solve: (V: Float64Array) => void;
  private X: Float64Array;
  private A: Float64Array;
  private R: Float64Array;
  private trialX: Float64Array;
  private trialA: Float64Array;
  private trialR: Float64Array;
  private readonly G: Float64Array;
  private readonly D: Float64Array;
  private readonly bestX: Float64Array;
  private bestE = Number.POSITIVE_INFINITY;
  private parts: Parts = { attractive: Number.NaN, repulsive: Number.NaN };
  private index = 0;
  private evaluations = 0;
  /** Evaluations of the schedule that were skipped because nothing moved at its λ. */
  private skipped = 0;
  /** λ of the latest iteration. */
  private lambda = Number.NaN;
  private ended: Iteration<EmbeddingDetails> | undefined;

  /**
   * @param start - X_0, N × d, of size about 1 (t-SNE) or 0.1 (the others)
   * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION
   */
  constructor(
    private readonly objective: EmbeddingObjective,
    start: DenseMatrix | Float64Array,
    options?: HomotopyLbfgsOptions,
  ) {
    const given = checkOptions("HomotopyLbfgs", options, homotopyLbfgsDefaults, rules);
    checkObjective("HomotopyLbfgs", objective);
    this.T = given.maxEvaluations;
    this.schedule = new LambdaSchedule(objective, this.T, given.firstLambda, given.sizePenalty);
    const { first, lastPenalty } = this.schedule;
    this.options = { maxEvaluations: this.T, firstLambda: first, sizePenalty: lastPenalty };
    this.dimension = objective.dimension;
    this.fingerprint = objective.fingerprint;
    const graph = attractiveGraph(objective.attractiveWeights());
    this.warnings = componentWarnings(graph);
    this.solve = incompleteSolve(graph, neighborsKept, objective.dimensions);
    this.memory = new HomotopyMemory(this.dimension, pairsKept, this.solve);
    this.X = startPoint(objective, start);
    this.bestX = this.X.slice();
    const vector = (): Float64Array => new Float64Array(this.dimension);
    [this.A, this.R, this.G, this.D] = [vector(), vector(), vector(), vector()];
    [this.trialX, this.trialA, this.trialR] = [vector(), vector(), vector()];
  }

  get best(): Point {
    return { x: this.bestX, value: Number.isFinite(this.bestE) ? this.bestE : undefined };
  }

  get last(): Point {
    const E = this.targetValue();
    return { x: this.X, value: Number.isFinite(E) ? E : undefined };
  }

  step(): Iteration<EmbeddingDetails> {
    const { X, D, G, schedule, objective } = this;
    const N = objective.points;
    if (this.ended !== undefined) return this.ended;
    if (this.evaluations === 0) this.begin();
    const n = this.evaluations + this.skipped;
    const lambda = schedule.lambda(n);
    const r = schedule.penalty(n);
    this.lambda = lambda;
    if (!Number.isFinite(this.targetValue()))
      return this.end("diverged", `E is ${this.targetValue()} at the start.`);
    if (this.evaluations >= this.T) return this.scheduleEnded(0);

    const F = this.penalized(this.parts, X, lambda, r);
    for (let k = 0; k < G.length; k++) G[k] = this.A[k] + lambda * this.R[k] + (r / N) * X[k];

    this.memory.direction(lambda, r / N, G, D);
    if (!(dot(G, D) < 0)) this.steepest();
    let a = this.search(F, lambda, r);
    if (a === 0 && this.memory.size > 0) {
      this.steepest();
      a = this.search(F, lambda, r);
    }
    if (a > 0) this.accept(a);
    if (this.evaluations >= this.T) return this.scheduleEnded(a);
    return a > 0 ? this.report(a, undefined) : this.nothingMoved(n);
  }

  save(): Snapshot {
    const { parts } = this;
    return {
      solver: this.name,
      version: snapshotVersion,
      state: {
        X: this.X.slice(),
        A: this.A.slice(),
        R: this.R.slice(),
        bestX: this.bestX.slice(),
        bestE: this.bestE,
        attractive: parts.attractive,
        repulsive: parts.repulsive,
        index: this.index,
        evaluations: this.evaluations,
        skipped: this.skipped,
        ...this.options,
        lambda: this.lambda,
        pairs: this.memory.save(),
        ended: savedEnd(this.ended),
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, snapshotVersion);
    const vector = (key: string): Float64Array => state.float64(key, this.dimension);
    const [X, A, R, bestX] = [vector("X"), vector("A"), vector("R"), vector("bestX")];
    const [bestE, lambda] = [state.number("bestE"), state.number("lambda")];
    const parts = { attractive: state.number("attractive"), repulsive: state.number("repulsive") };
    const counters = [state.integer("index"), state.integer("evaluations"), state.integer("skipped")];
    state.integer("maxEvaluations", this.T, this.T);
    for (const name of ["firstLambda", "sizePenalty"] as const) {
      const received = state.number(name);
      if (received !== this.options[name])
        throw new CurvatureError(
          "ERR_SNAPSHOT",
          `The snapshot was made with ${name} ${received}, and this solver has ${this.options[name]}.`,
          { path: name, expected: String(this.options[name]), received },
        );
    }
    const pairs = this.memory.checked(state.float64("pairs"));
    const ended = readEnd(state, "ended");
    this.X.set(X);
    this.A.set(A);
    this.R.set(R);
    this.bestX.set(bestX);
    [this.bestE, this.lambda, this.parts, this.ended] = [bestE, lambda, parts, ended];
    [this.index, this.evaluations, this.skipped] = counters;
    this.memory.restore(pairs);
  }

  private begin(): void {
    this.parts = this.objective.evaluateParts(this.X, this.A, this.R);
    this.evaluations = 1;
    const E = this.targetValue();
    if (Number.isFinite(E)) this.bestE = E;
  }

  /** D = −(L̃ L̃')⁻¹ G, and an empty memory. */
  private steepest(): void {
    this.memory.clear();
    for (let k = 0; k < this.D.length; k++) this.D[k] = -this.G[k];
    this.solve(this.D);
  }

  /** The accepted step, its point and parts in the trial arrays; 0 if no trial within the budget was good enough. */
  private search(F: number, lambda: number, r: number): number {
    const { X, D, trialX, objective } = this;
    const slope = dot(this.G, D);
    if (!(slope < 0)) return 0;
    // 1, or less where a point would move farther than the map is large
    let a = Math.min(
      1,
      Math.max(1, norm2(X) / Math.sqrt(objective.points)) / longestRow(D, objective.dimensions),
    );
    for (let trial = 0; trial <= maxTrials && this.evaluations < this.T; trial++) {
      for (let k = 0; k < X.length; k++) trialX[k] = X[k] + a * D[k];
      const parts = objective.evaluateParts(trialX, this.trialA, this.trialR);
      this.evaluations += 1;
      const trialF = this.penalized(parts, trialX, lambda, r);
      const enough = F + sufficientDecrease * a * slope + slack * Math.abs(F);
      if (Number.isFinite(trialF) && trialF <= enough) {
        this.parts = parts;
        return a;
      }
      const minimizer = (-0.5 * slope * a * a) / (trialF - F - slope * a);
      a = Number.isFinite(minimizer) ? Math.min(Math.max(minimizer, 0.1 * a), 0.5 * a) : 0.1 * a;
    }
    return 0;
  }

  /** Takes the trial point and remembers the pair. */
  private accept(a: number): void {
    const { D, A, R, trialA, trialR } = this;
    const { s, dA, dR } = this.memory.push();
    for (let k = 0; k < s.length; k++) {
      s[k] = a * D[k];
      dA[k] = trialA[k] - A[k];
      dR[k] = trialR[k] - R[k];
    }
    [this.X, this.trialX] = [this.trialX, this.X];
    [this.A, this.trialA] = [trialA, A];
    [this.R, this.trialR] = [trialR, R];
    const E = this.targetValue();
    if (E < this.bestE) {
      this.bestE = E;
      this.bestX.set(this.X);
    }
  }

  /** Neither the memory's direction nor the plain one decreases F: on to the target λ, or the end. */
  private nothingMoved(n: number): Iteration<EmbeddingDetails> {
    if (n < this.schedule.length) {
      this.skipped += this.schedule.length - n;
      return this.report(0, undefined);
    }
    const promised = -dot(this.G, this.D);
    return promised <= rounding * Math.abs(this.targetValue())
      ? this.end("converged", "No step promises to change E by more than its rounding.")
      : this.end("stalled", "The line search found no decrease, with or without the memory.");
  }

  private scheduleEnded(stepLength: number): Iteration<EmbeddingDetails> {
    return this.end("max-evaluations", `The schedule of ${this.T} evaluations ran to its end.`, stepLength);
  }

  private end(status: Outcome["status"], message: string, stepLength = 0): Iteration<EmbeddingDetails> {
    this.ended = this.report(stepLength, { status, message });
    return this.ended;
  }

  /** E at the target λ. */
  private targetValue(): number {
    return this.parts.attractive + this.schedule.target * this.parts.repulsive;
  }

  private penalized(parts: Parts, X: Float64Array, lambda: number, r: number): number {
    const E = parts.attractive + lambda * parts.repulsive;
    return r === 0 ? E : E + (r / (2 * this.objective.points)) * dot(X, X);
  }

  private report(stepLength: number, outcome: Outcome | undefined): Iteration<EmbeddingDetails> {
    const { objective, parts, evaluations, G, lambda } = this;
    const { attractive, repulsive } = parts;
    for (let k = 0; k < G.length; k++) G[k] = this.A[k] + this.schedule.target * this.R[k];
    this.index += 1;
    return {
      index: this.index,
      value: this.targetValue(),
      gradientNorm: norm2(G),
      stepLength,
      ...jointEvaluations(evaluations),
      phase: "iteration",
      details: {
        lambda,
        energy: attractive + lambda * repulsive,
        klDivergence: objective.isDivergence ? attractive + repulsive + objective.entropyConstant : undefined,
      },
      outcome,
    };
  }
}
