/**
 * Ordinal embedding over Gram matrices, convex for some losses: projected gradient on K ⪰ 0, with no bound on its
 * rank (the paper's "cvx").
 *
 *   K ← (K − t ∇F(K))₊,   t halved until F(K⁺) ≤ F(K) + ⟨∇F(K), K⁺ − K⟩ + ‖K⁺ − K‖²/(2t), then grown by half
 *
 * | symbol | variable | shape                                                        |
 * |--------|----------|--------------------------------------------------------------|
 * | K      | K        | n × n, symmetric positive semidefinite, centred              |
 * | (·)₊   |          | the positive part: negative eigenvalues become 0             |
 * | t      | t        | the step                                                     |
 *
 * The embedding is read out at the end (`coordinates`), from the p largest eigenpairs.
 *
 * Ma et al. (2019), section 2, eq. (8); Agarwal et al. (2007). Differs from the paper: the step is searched for; theirs, of
 * a fixed 0.0075, is ten thousand times too short. The p largest eigenpairs are taken, not the first of an
 * unsorted list.
 *
 * Cost of a trial: N evaluations and an eigendecomposition, 9 n³ operations or, from n = 300 and where the rank is
 * below a twelfth of n, some hundred products with K. Memory 5 n² numbers. For a few hundred objects, not for
 * thousands.
 */
import {
  CurvatureError,
  checkOptions,
  type DenseMatrix,
  dot,
  norm2,
  optional,
  outerGram,
  positive,
} from "@curvature/linalg";
import type { OrdinalObjective } from "@curvature/objectives/ordinal";
import {
  checkPoint,
  fingerprintOf,
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import { checkObjective } from "./check-objective.js";
import { GramLoss } from "./gram/gram-loss.js";
import { positivePart } from "./gram/positive-part.js";
import { coordinatesFromGram } from "./gram/read-out.js";

export interface GramOptions {
  /** t > 0 of the first trial. Default 2 n. */
  readonly initialStep?: number;
}

interface Settings {
  readonly initialStep: number | undefined;
}

export const gramDefaults: Settings = Object.freeze({
  initialStep: undefined,
});

export interface GramDetails {
  /** Positive eigenvalues of K. */
  readonly rank: number;
  /** Trials of t in this step. */
  readonly trials: number;
}

const VERSION = 1;
const GROWTH = 1.5;
const MOST_TRIALS = 60;
const MOST_OBJECTS = 16_384;
const ROUNDING = 100 * Number.EPSILON;

/** Points of this solver are K, n × n row-major, so its dimension is n². */
export class GramDescent implements Solver<GramDetails> {
  readonly name = "gram";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: Settings;
  private readonly n: number;
  private readonly p: number;
  private readonly loss: GramLoss;
  private K: Float64Array;
  private readonly gradient: Float64Array;
  private readonly moved: DenseMatrix;
  private value: number | undefined;
  private rank: number | undefined;
  private t: number;
  private evaluations = 0;
  private gradientEvaluations = 0;
  private readonly N: number;
  private index = 0;
  private outcome: Outcome | undefined;
  private mapNorm: number | undefined;

  /**
   * @param X - the first embedding, n × p row-major; copied. K starts as X Xᵀ of X centred
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE; ERR_MEMORY for more than 16,384 objects
   */
  constructor(objective: OrdinalObjective, X: Float64Array, options?: GramOptions) {
    this.options = checkOptions<Settings>("GramDescent", options, gramDefaults, {
      initialStep: optional(positive),
    });
    checkObjective("GramDescent", objective);
    checkPoint("GramDescent", X, objective.dimension);
    const n = objective.comparisons.objects;
    if (n > MOST_OBJECTS)
      throw new CurvatureError(
        "ERR_MEMORY",
        `GramDescent: ${n} objects need several matrices of ${n} x ${n}. Use a solver over coordinates, such as "svrg-sbb".`,
        { path: "objects", expected: `at most ${MOST_OBJECTS}`, received: n },
      );
    this.n = n;
    this.p = objective.dimensions;
    this.N = objective.sum.count;
    this.dimension = n * n;
    this.fingerprint = fingerprintOf("gram", objective.fingerprint);
    this.loss = new GramLoss(objective);
    this.K = centredGram(X, n, this.p);
    this.gradient = new Float64Array(n * n);
    this.moved = { rows: n, columns: n, data: new Float64Array(n * n) };
    this.t = this.options.initialStep ?? 2 * n;
  }

  /** Every step goes down, so the current point is the best one. */
  get best(): Point {
    return { x: this.K, value: this.value };
  }

  get last(): Point {
    return this.best;
  }

  /** The embedding of the current K in p coordinates (default: the objective's), n × p row-major. */
  coordinates(dimensions: number = this.p): Float64Array {
    return coordinatesFromGram({ rows: this.n, columns: this.n, data: this.K }, dimensions);
  }

  step(): Iteration<GramDetails> {
    if (this.outcome !== undefined) return this.iteration(0);
    const value = this.loss.evaluate(this.K, this.gradient);
    this.evaluations += this.N;
    this.gradientEvaluations += this.N;
    this.value = Number.isFinite(value) ? value : undefined;
    this.index++;
    if (this.value === undefined || !Number.isFinite(norm2(this.gradient))) {
      this.outcome = {
        status: "diverged",
        message: `At the first point the value is ${value}. Start from an embedding of a smaller scale.`,
      };
      return this.iteration(0);
    }
    return this.iteration(this.search(this.value));
  }

  /** Makes the step, or ends the run. @returns the trials of t */
  private search(value: number): number {
    const { K, gradient, moved } = this;
    for (let trial = 1; trial <= MOST_TRIALS; trial++, this.t /= 2) {
      for (let i = 0; i < K.length; i++) moved.data[i] = K[i] - this.t * gradient[i];
      const { matrix, rank } = positivePart(moved, this.rank);
      const next = matrix.data;
      for (let i = 0; i < K.length; i++) moved.data[i] = next[i] - K[i];
      const length = norm2(moved.data);
      const slope = dot(gradient, moved.data);
      const reached = this.loss.evaluate(next);
      this.evaluations += this.N;
      if (length <= ROUNDING * norm2(K) || Math.abs(slope) <= ROUNDING * Math.abs(value)) {
        this.outcome = {
          status: "converged",
          message: "The decrease still expected is below the rounding of the value or of the point.",
        };
        return trial;
      }
      const bound = value + slope + (length * length) / (2 * this.t);
      if (!(reached <= bound + ROUNDING * Math.abs(value) && reached <= value)) continue;
      this.mapNorm = length / this.t;
      this.K = next;
      this.rank = rank;
      this.value = reached;
      this.t *= GROWTH;
      return trial;
    }
    this.outcome = { status: "stalled", message: `No step found a lower value, down to t = ${this.t}.` };
    return MOST_TRIALS;
  }

  private iteration(trials: number): Iteration<GramDetails> {
    return {
      index: this.index,
      value: this.value,
      gradientNorm: this.mapNorm,
      stepLength: this.t,
      evaluations: this.evaluations,
      gradientEvaluations: this.gradientEvaluations,
      monitoringEvaluations: 0,
      passes: this.evaluations / this.N,
      phase: "iteration",
      details: { rank: this.rank ?? this.n, trials },
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    return {
      solver: this.name,
      version: VERSION,
      state: {
        K: this.K.slice(),
        value: this.value ?? null,
        rank: this.rank ?? null,
        t: this.t,
        mapNorm: this.mapNorm ?? null,
        evaluations: this.evaluations,
        gradientEvaluations: this.gradientEvaluations,
        index: this.index,
        outcome: this.outcome === undefined ? null : { ...this.outcome },
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const K = state.float64("K", this.dimension);
    const value = state.optionalNumber("value");
    const rank = state.has("rank") ? state.integer("rank", 0, this.n) : undefined;
    const t = state.number("t");
    const mapNorm = state.optionalNumber("mapNorm");
    const evaluations = state.integer("evaluations");
    const gradientEvaluations = state.integer("gradientEvaluations");
    const index = state.integer("index");
    this.outcome = state.outcome("outcome");
    this.K = K.slice();
    this.value = value;
    this.rank = rank;
    this.t = t;
    this.mapNorm = mapNorm;
    this.evaluations = evaluations;
    this.gradientEvaluations = gradientEvaluations;
    this.index = index;
  }
}

/** X Xᵀ of X with its centroid moved to 0. */
function centredGram(X: Float64Array, n: number, p: number): Float64Array {
  const mean = new Float64Array(p);
  for (let i = 0; i < X.length; i++) mean[i % p] += X[i] / n;
  const centred = { rows: n, columns: p, data: X.map((x, i) => x - mean[i % p]) };
  return outerGram(centred).data;
}
