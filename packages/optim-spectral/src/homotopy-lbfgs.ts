/**
 * The default recipe for maps: a continuous homotopy in λ, driven by L-BFGS whose memory is re-expressed for each λ
 * and whose initial matrix is an incomplete factor of the spectral direction's 4 L⁺. Ours, not the paper's.
 *
 * Problem    min_X E⁺(X) + λ E⁻(X) at the target λ, within T evaluations of (E⁺, E⁻ and their gradients)
 * Iteration  n evaluations so far: λ = λ(n), r = r(n)                                            (LambdaSchedule)
 *            F = E⁺ + λ E⁻ + r/(2N) ‖X‖²,   G = ∇F                  (a new λ costs no evaluation, parts-line.ts)
 *            D = −H G, L-BFGS, H₀ = γ (L̃ L̃')⁻¹, pairs re-expressed for λ                     (HomotopyMemory)
 *            D or its longest rows shortened to the map's size, a by backtracking to a sufficient decrease of F;
 *            no trial goes beyond T                                                            (parts-line.ts)
 *            X ← X + aD
 *
 * | symbol | variable        | shape                                                          |
 * |--------|-----------------|----------------------------------------------------------------|
 * | X, G, D| line            | N × d                                                          |
 * | L̃      | factor          | IC(0) of 4 L⁺ + μ I on the 20 heaviest neighbours, full degree |
 * | T      | maxEvaluations  | 100; 50 is fast, 200 thorough                                  |
 *
 * The spectral direction: Vladymyrov, Carreira-Perpiñán, ICML 2012. Measured on six data sets, 100 evaluations of this
 * reach a lower Kullback-Leibler divergence than 750 of gradient descent with exaggeration, momentum and gains. The
 * reported value, gradient and best point are those of E at the target λ, without penalty.
 */
import {
  axpy,
  type DenseMatrix,
  dot,
  exp,
  integerFrom,
  log,
  nonNegative,
  norm2,
  numberThat,
  type OptionsOf,
  oneOf,
  optionTable,
  scale,
  type Warning,
} from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import { type Iteration, jointEvaluations, type Outcome, type Point } from "@curvature/optim-core";
import { DeclaredSolver, fixed, float64, number, part, stateOf, whole } from "@curvature/optim-core/state";
import { incompleteSolve } from "./directions/incomplete.js";
import { attractiveGraph, componentWarnings } from "./directions/spectral-matrix.js";
import {
  divergenceOf,
  type EmbeddingDetails,
  endedIteration,
  type ImmediateSolver,
  SCHEDULE,
} from "./immediate-solver.js";
import { PartsLine, type PartsObjective } from "./parts-line.js";
import { checkObjective, startPoint } from "./start.js";

export const homotopyLbfgsOptions = optionTable({
  /** T, the length of the schedule, at the end of which the solver stops: it never makes more. */
  maxEvaluations: integerFrom(1).default(SCHEDULE),
  /**
   * φ, the first λ as a share of the target, above 0 and up to 1, where there is no homotopy; 1/φ is what t-SNE's users
   * know as early exaggeration. Left out: 1/12 for t-SNE, 0.08 for s-SNE and SNE, 0.01 for EE and t-EE.
   */
  firstLambda: numberThat("a number above 0 and up to 1", (v) => v > 0 && v <= 1),
  /**
   * r of the penalty r/(2N) ‖X‖² once λ has reached its target; a smaller one makes a t-SNE map larger and its divergence
   * lower. Left out: 4e-6 for t-SNE, 0 for the others.
   */
  sizePenalty: nonNegative,
  /**
   * What is shortened where a point would move farther than the map is large: the whole step, or the rows of such points
   * alone, which leaves none of them far outside where t-SNE's initial map is random.
   */
  shortening: oneOf("step", "rows").default("step"),
});
export type HomotopyLbfgsOptions = OptionsOf<typeof homotopyLbfgsOptions>;

const MAX_NEIGHBORS = 20;
const MAX_PAIRS = 10;
const ROUNDING = 4 * Number.EPSILON;

type Settings = { readonly [K in keyof HomotopyLbfgsOptions]-?: NonNullable<HomotopyLbfgsOptions[K]> };

export class HomotopyLbfgs extends DeclaredSolver implements ImmediateSolver {
  readonly name = "auto";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly warnings: readonly Warning[];
  /** As used. */
  readonly options: Settings;
  private readonly T: number;
  private readonly schedule: LambdaSchedule;
  private readonly memory: HomotopyMemory;
  private readonly solve: (V: Float64Array) => void;
  /** X, its parts and the trials of the search. */
  private readonly line: PartsLine;
  private readonly bestX: Float64Array;
  readonly state;

  /**
   * @param start - X_0, N × d, of size about 1 (t-SNE) or 0.1 (the others)
   * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION
   */
  constructor(
    private readonly objective: PartsObjective,
    start: DenseMatrix | Float64Array,
    options?: HomotopyLbfgsOptions,
  ) {
    super();
    const resolved = homotopyLbfgsOptions.resolve("HomotopyLbfgs", options);
    checkObjective("HomotopyLbfgs", objective);
    this.T = resolved.maxEvaluations;
    this.schedule = new LambdaSchedule(objective, this.T, resolved.firstLambda, resolved.sizePenalty);
    const { first, lastPenalty } = this.schedule;
    const { shortening } = resolved;
    this.options = { maxEvaluations: this.T, firstLambda: first, sizePenalty: lastPenalty, shortening };
    this.dimension = objective.dimension;
    this.fingerprint = objective.fingerprint;
    const graph = attractiveGraph(objective.attractiveWeights());
    this.warnings = componentWarnings(graph);
    this.solve = incompleteSolve(graph, MAX_NEIGHBORS, objective.dimensions);
    this.memory = new HomotopyMemory(this.dimension, MAX_PAIRS, this.solve);
    this.line = new PartsLine(objective, startPoint(objective, start), shortening);
    this.bestX = this.line.X.slice();
    const same = "give it as before";
    this.state = stateOf({
      maxEvaluations: fixed(this.T, same),
      ...{
        firstLambda: fixed(first, same),
        sizePenalty: fixed(lastPenalty, same),
        shortening: fixed(shortening, same),
      },
      line: part(this.line),
      memory: part(this.memory),
      bestX: float64(this.bestX),
      bestE: number(Number.POSITIVE_INFINITY),
      index: whole(),
      /** Evaluations of the schedule that were skipped because nothing moved at its λ. */
      skipped: whole(),
      /** λ of the latest iteration. */
      lambda: number(),
      ended: endedIteration(),
    });
  }

  get best(): Point {
    return { x: this.bestX, value: Number.isFinite(this.state.bestE) ? this.state.bestE : undefined };
  }

  get last(): Point {
    const E = this.targetValue();
    return { x: this.line.X, value: Number.isFinite(E) ? E : undefined };
  }

  step(): Iteration<EmbeddingDetails> {
    const { line, schedule, memory } = this;
    if (this.state.ended !== undefined) return this.state.ended;
    if (line.evaluations === 0) this.begin();
    const n = line.evaluations + this.state.skipped;
    const lambda = schedule.lambda(n);
    const r = schedule.penalty(n);
    this.state.lambda = lambda;
    if (!Number.isFinite(this.targetValue()))
      return this.end("diverged", `E is ${this.targetValue()} at the start.`);
    if (line.evaluations >= this.T) return this.scheduleEnded(0);

    line.weigh(lambda, r);
    memory.direction(lambda, r / this.objective.points, line.G, line.D);
    if (!(dot(line.G, line.D) < 0)) this.steepest();
    let a = line.search(this.T);
    if (a === 0 && memory.size > 0) {
      this.steepest();
      a = line.search(this.T);
    }
    if (a > 0) this.accept(a);
    if (line.evaluations >= this.T) return this.scheduleEnded(a);
    return a > 0 ? this.report(a, undefined) : this.nothingMoved(n);
  }

  private begin(): void {
    this.line.evaluateStart();
    const E = this.targetValue();
    if (Number.isFinite(E)) this.state.bestE = E;
  }

  /** D = −(L̃ L̃')⁻¹ G, and an empty memory. */
  private steepest(): void {
    const { D, G } = this.line;
    this.memory.clear();
    for (let k = 0; k < D.length; k++) D[k] = -G[k];
    this.solve(D);
  }

  /** Takes the trial point and remembers the pair. */
  private accept(a: number): void {
    const { line } = this;
    const { D, A, R, trialA, trialR } = line;
    const { s, dA, dR } = this.memory.push();
    for (let k = 0; k < s.length; k++) {
      s[k] = a * D[k];
      dA[k] = trialA[k] - A[k];
      dR[k] = trialR[k] - R[k];
    }
    line.accept();
    const E = this.targetValue();
    if (E < this.state.bestE) {
      this.state.bestE = E;
      this.bestX.set(line.X);
    }
  }

  /** Neither the memory's direction nor the plain one decreases F: on to the target λ, or the end. */
  private nothingMoved(n: number): Iteration<EmbeddingDetails> {
    if (n < this.schedule.length) {
      this.state.skipped += this.schedule.length - n;
      return this.report(0, undefined);
    }
    const promised = -dot(this.line.G, this.line.D);
    return promised <= ROUNDING * Math.abs(this.targetValue())
      ? this.end("converged", "No step promises to change E by more than its rounding.")
      : this.end("stalled", "The line search found no decrease, with or without the memory.");
  }

  private scheduleEnded(stepLength: number): Iteration<EmbeddingDetails> {
    return this.end("max-evaluations", `The schedule of ${this.T} evaluations ran to its end.`, stepLength);
  }

  private end(status: Outcome["status"], message: string, stepLength = 0): Iteration<EmbeddingDetails> {
    const last = this.report(stepLength, { status, message });
    this.state.ended = last;
    return last;
  }

  /** E at the target λ. */
  private targetValue(): number {
    const { attractive, repulsive } = this.line.parts;
    return attractive + this.schedule.target * repulsive;
  }

  private report(stepLength: number, outcome: Outcome | undefined): Iteration<EmbeddingDetails> {
    const { objective, line } = this;
    const { lambda } = this.state;
    const { attractive, repulsive } = line.parts;
    line.weigh(this.schedule.target, 0);
    this.state.index += 1;
    return {
      index: this.state.index,
      value: this.targetValue(),
      gradientNorm: norm2(line.G),
      stepLength,
      ...jointEvaluations(line.evaluations),
      phase: "iteration",
      details: {
        lambda,
        energy: attractive + lambda * repulsive,
        klDivergence: objective.isDivergence ? divergenceOf(objective, attractive + repulsive) : undefined,
      },
      outcome,
    };
  }
}

interface ScheduleShape {
  /** φ */
  readonly first: number;
  /** n_0 */
  readonly hold: number;
  /** q */
  readonly exponent: 1 | 1.5;
  /** n_1 */
  readonly end: (T: number) => number;
  /** r before and from n_1 */
  readonly penalty: readonly [number, number];
}

const studentNormalized: ScheduleShape = {
  first: 1 / 12,
  hold: 5,
  exponent: 1.5,
  end: (T) => 0.75 * T,
  penalty: [1e-4, 4e-6],
};
const gaussianNormalized: ScheduleShape = {
  first: 0.08,
  hold: 3,
  exponent: 1,
  end: (T) => 3 + 0.6 * T,
  penalty: [0, 0],
};
const unnormalized: ScheduleShape = { ...gaussianNormalized, first: 0.01 };

/**
 * How λ grows from a first, easy value to the target over a budget of T evaluations.
 *
 *   λ(n) = λ_T φ^{s(n)},   s = 1 for n < n_0;   (1 − u)^q, u = (n − n_0)/(n_1 − n_0), for n_0 ≤ n < n_1;   0 after
 *
 * and, for t-SNE alone, a weak penalty r(n)/(2N) ‖X‖² on the map's size, which falls when λ has reached its target:
 * without it L-BFGS runs along the nearly flat direction of size.
 *
 * | model       | φ     | n_0 | n_1        | q   | r                     |
 * |-------------|-------|-----|------------|-----|-----------------------|
 * | t-SNE       | 1/12  | 5   | 0.75 T     | 1.5 | 1e-4, 4e-6 from n_1   |
 * | s-SNE, SNE  | 0.08  | 3   | 3 + 0.6 T  | 1   | 0                     |
 * | EE, t-EE    | 0.01  | 3   | 3 + 0.6 T  | 1   | 0                     |
 *
 * The numbers are measured ones of our own; φ and the last r are options of the solver. A first λ of 1/12 is what
 * t-SNE's users know as an early exaggeration of 12.
 */
export class LambdaSchedule {
  readonly target: number;
  /** φ */
  readonly first: number;
  /** r from n_1 on */
  readonly lastPenalty: number;
  private readonly shape: ScheduleShape;
  private readonly hold: number;
  private readonly end: number;

  /**
   * @param T - evaluations in all
   * @param first - φ, if not the model's
   * @param lastPenalty - r from n_1 on, if not the model's
   */
  constructor(
    objective: Pick<EmbeddingObjective, "name" | "isDivergence" | "lambda">,
    T: number,
    first?: number,
    lastPenalty?: number,
  ) {
    if (objective.name === "tsne") this.shape = studentNormalized;
    else this.shape = objective.isDivergence ? gaussianNormalized : unnormalized;
    this.target = objective.lambda;
    this.first = first ?? this.shape.first;
    this.lastPenalty = lastPenalty ?? this.shape.penalty[1];
    this.end = Math.min(this.shape.end(T), 0.9 * T);
    this.hold = Math.min(this.shape.hold, 0.5 * this.end);
  }

  /** n_1: from here on λ is the target. */
  get length(): number {
    return Math.ceil(this.end);
  }

  /** λ(n) */
  lambda(n: number): number {
    const { first } = this;
    const { exponent } = this.shape;
    if (n >= this.end) return this.target;
    if (n < this.hold) return this.target * first;
    const left = 1 - (n - this.hold) / (this.end - this.hold);
    const s = exponent === 1 ? left : left * Math.sqrt(left);
    return this.target * exp(s * log(first));
  }

  /** r(n) */
  penalty(n: number): number {
    return n < this.end ? this.shape.penalty[0] : this.lastPenalty;
  }
}

interface Pair {
  readonly s: Float64Array;
  readonly dA: Float64Array;
  readonly dR: Float64Array;
  readonly y: Float64Array;
}

/**
 * L-BFGS memory for an objective whose weights move: each pair keeps the change of both parts of the gradient, so
 * that its y is exact for every λ and every penalty, at the price of arithmetic and of no evaluation.
 *
 *   y = ΔA + λ ΔR + (r/N) s          A = ∇E⁺, R = ∇E⁻
 *
 * Direction  D = −H G by the two-loop recursion with H₀ = γ B⁻¹, γ = s'y / y'B⁻¹y of the newest usable pair; a pair
 * with s'y ≤ 1e-10 ‖s‖ ‖y‖ is passed over for this λ, and kept.
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed., algorithm 7.4. The re-expression is ours: a memory that is dropped
 * whenever λ changes makes a continuous homotopy worthless.
 */
export class HomotopyMemory {
  private readonly slots: readonly Pair[];
  private readonly weights: Float64Array;
  private readonly inverses: Float64Array;
  private readonly scratch: Float64Array;
  readonly state;

  constructor(
    dimension: number,
    private readonly capacity: number,
    private readonly solve: (V: Float64Array) => void,
  ) {
    const pairs = new Float64Array(3 * capacity * dimension);
    const vector = (k: number): Float64Array => pairs.subarray(k * dimension, (k + 1) * dimension);
    this.slots = Array.from({ length: capacity }, (_, k) => ({
      s: vector(3 * k),
      dA: vector(3 * k + 1),
      dR: vector(3 * k + 2),
      y: new Float64Array(dimension),
    }));
    this.weights = new Float64Array(capacity);
    this.inverses = new Float64Array(capacity);
    this.scratch = new Float64Array(dimension);
    this.state = stateOf(
      {
        /** Pairs are numbered as they come; number k lies in slot k mod m. */
        newest: whole(),
        count: whole(0, { to: capacity }),
        /** s, ΔA and ΔR of each slot in turn. */
        pairs: float64(pairs),
      },
      (fields) =>
        Number(fields.get("count")) <= Number(fields.get("newest"))
          ? undefined
          : "of no more pairs than came",
    );
  }

  get size(): number {
    return this.state.count;
  }

  clear(): void {
    this.state.count = 0;
  }

  /** Room for the next pair (over the oldest): the caller writes s, ΔA and ΔR. */
  push(): { readonly s: Float64Array; readonly dA: Float64Array; readonly dR: Float64Array } {
    this.state.newest += 1;
    this.state.count = Math.min(this.state.count + 1, this.capacity);
    return this.slots[this.state.newest % this.capacity];
  }

  /** D = −H G for this λ; `shrink` is r/N. */
  direction(lambda: number, shrink: number, G: Float64Array, D: Float64Array): void {
    const { weights, inverses } = this;
    const gamma = this.reexpress(lambda, shrink);
    for (let k = 0; k < D.length; k++) D[k] = -G[k];
    for (let j = this.state.newest; j > this.state.newest - this.state.count; j--) {
      const slot = j % this.capacity;
      if (inverses[slot] === 0) continue;
      const { s, y } = this.slots[slot];
      weights[slot] = inverses[slot] * dot(s, D);
      axpy(-weights[slot], y, D);
    }
    this.solve(D);
    scale(gamma, D);
    for (let j = this.state.newest - this.state.count + 1; j <= this.state.newest; j++) {
      const slot = j % this.capacity;
      if (inverses[slot] === 0) continue;
      const { s, y } = this.slots[slot];
      axpy(weights[slot] - inverses[slot] * dot(y, D), s, D);
    }
  }

  /** Every y for this λ, and 1/(s'y), or 0 for a pair to pass over; returns γ. */
  private reexpress(lambda: number, shrink: number): number {
    let gamma = 0;
    for (let j = this.state.newest; j > this.state.newest - this.state.count; j--) {
      const slot = j % this.capacity;
      const { s, dA, dR, y } = this.slots[slot];
      for (let k = 0; k < y.length; k++) y[k] = dA[k] + lambda * dR[k] + shrink * s[k];
      const sy = dot(s, y);
      const usable = sy > 1e-10 * norm2(s) * norm2(y);
      this.inverses[slot] = usable ? 1 / sy : 0;
      if (usable && gamma === 0) {
        this.scratch.set(y);
        this.solve(this.scratch);
        gamma = sy / dot(y, this.scratch);
      }
    }
    return gamma > 0 && Number.isFinite(gamma) ? gamma : 1;
  }
}
