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
  checkArgument,
  type DenseMatrix,
  dot,
  integerFrom,
  type MatrixLike,
  norm2,
  type OptionsOf,
  optionTable,
  outerGram,
  positive,
  type SettingsOf,
  symmetricEigen,
  toDense,
} from "@curvature/linalg";
import type { OrdinalObjective } from "@curvature/objectives/ordinal";
import { checkPoint, fingerprintOf, type Iteration, type Point, type Solver } from "@curvature/optim-core";
import { DeclaredSolver, float64, maybe, number, outcome, stateOf, whole } from "@curvature/optim-core/state";
import { checkObjective } from "../create-solver.js";
import { GramLoss } from "./gram-loss.js";
import { positivePart } from "./positive-part.js";

export const gramDescentOptions = optionTable({
  /** t of the first trial. Left out: 2 n. */
  initialStep: positive,
});
export type GramDescentOptions = OptionsOf<typeof gramDescentOptions>;

export interface GramDetails {
  /** Positive eigenvalues of K. */
  readonly rank: number;
  /** Trials of t in this step. */
  readonly trials: number;
}

const GROWTH = 1.5;
const MAX_TRIALS = 60;
const MAX_OBJECTS = 16_384;
const ROUNDING = 100 * Number.EPSILON;

/** Points of this solver are K, n × n row-major, so its dimension is n². */
export class GramDescent extends DeclaredSolver implements Solver<GramDetails> {
  readonly name = "gram";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SettingsOf<typeof gramDescentOptions>;
  readonly state;
  private readonly n: number;
  private readonly p: number;
  private readonly N: number;
  /** The most evaluations that are allowed. */
  private limit = Number.POSITIVE_INFINITY;
  private readonly loss: GramLoss;
  private readonly gradient: Float64Array;
  private readonly moved: DenseMatrix;

  /**
   * @param X - the first embedding, n × p row-major; copied. K starts as X Xᵀ of X centred
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE; ERR_MEMORY for more than 16,384 objects
   */
  constructor(objective: OrdinalObjective, X: Float64Array, options?: GramDescentOptions) {
    super();
    this.options = gramDescentOptions.resolve("GramDescent", options);
    checkObjective("GramDescent", objective);
    checkPoint("GramDescent", X, objective.dimension);
    const n = objective.comparisons.objects;
    if (n > MAX_OBJECTS)
      throw new CurvatureError(
        "ERR_MEMORY",
        `${n} objects need several matrices of ${n} x ${n}. Use a solver over coordinates, such as "svrg-sbb".`,
        { where: "GramDescent", path: "objects", expected: `at most ${MAX_OBJECTS}`, received: n },
      );
    this.n = n;
    this.p = objective.dimensions;
    this.N = objective.sum.count;
    this.dimension = n * n;
    this.fingerprint = fingerprintOf("gram", objective.fingerprint);
    this.loss = new GramLoss(objective);
    this.gradient = new Float64Array(n * n);
    this.moved = { rows: n, columns: n, data: new Float64Array(n * n) };
    this.state = stateOf({
      K: float64(centredGram(X, n, this.p)),
      t: number(this.options.initialStep ?? 2 * n),
      /** F(K) */
      value: maybe(number()),
      /** Of K; undefined for the first, of which it is not known. */
      rank: maybe(whole(0, { to: n })),
      /** ‖K⁺ − K‖/t of the last step. */
      mapNorm: maybe(number()),
      index: whole(),
      evaluations: whole(),
      gradientEvaluations: whole(),
      outcome: outcome(),
    });
  }

  /** Every step goes down, so the current point is the best one. */
  get best(): Point {
    return { x: this.state.K, value: this.state.value };
  }

  get last(): Point {
    return this.best;
  }

  /** The embedding of the current K in p coordinates (default: the objective's), n × p row-major. */
  coordinates(dimensions: number = this.p): Float64Array {
    return coordinatesFromGram({ rows: this.n, columns: this.n, data: this.state.K }, dimensions);
  }

  limitWork(evaluations: number, passes: number): void {
    this.limit = Math.min(evaluations, this.N * Math.ceil(passes));
  }

  /** Whether another evaluation is beyond the limit. */
  private get isSpent(): boolean {
    return this.state.evaluations + this.N > this.limit;
  }

  step(): Iteration<GramDetails> {
    const { state, N } = this;
    if (state.outcome !== undefined || (state.index > 0 && this.isSpent)) return this.iteration(0);
    const value = this.loss.evaluate(state.K, this.gradient);
    state.evaluations += N;
    state.gradientEvaluations += N;
    state.value = Number.isFinite(value) ? value : undefined;
    state.index++;
    if (state.value === undefined || !Number.isFinite(norm2(this.gradient))) {
      state.outcome = {
        status: "diverged",
        message: `At the first point the value is ${value}. Start from an embedding of a smaller scale.`,
      };
      return this.iteration(0);
    }
    return this.iteration(this.search(state.value));
  }

  /** Makes the step, or ends the run. @returns the trials of t */
  private search(value: number): number {
    const { state, gradient, moved } = this;
    const { K } = state;
    for (let trial = 1; trial <= MAX_TRIALS; trial++, state.t /= 2) {
      for (let i = 0; i < K.length; i++) moved.data[i] = K[i] - state.t * gradient[i];
      if (this.isSpent) return trial - 1;
      const { matrix, rank } = positivePart(moved, state.rank);
      const next = matrix.data;
      for (let i = 0; i < K.length; i++) moved.data[i] = next[i] - K[i];
      const length = norm2(moved.data);
      const slope = dot(gradient, moved.data);
      const reached = this.loss.evaluate(next);
      state.evaluations += this.N;
      if (length <= ROUNDING * norm2(K) || Math.abs(slope) <= ROUNDING * Math.abs(value)) {
        state.outcome = {
          status: "converged",
          message: "The decrease still expected is below the rounding of the value or of the point.",
        };
        return trial;
      }
      const bound = value + slope + (length * length) / (2 * state.t);
      if (!(reached <= bound + ROUNDING * Math.abs(value) && reached <= value)) continue;
      state.mapNorm = length / state.t;
      state.K = next;
      state.rank = rank;
      state.value = reached;
      state.t *= GROWTH;
      return trial;
    }
    state.outcome = { status: "stalled", message: `No step found a lower value, down to t = ${state.t}.` };
    return MAX_TRIALS;
  }

  private iteration(trials: number): Iteration<GramDetails> {
    const { index, value, mapNorm, t, evaluations, gradientEvaluations, rank, outcome } = this.state;
    return {
      index,
      value,
      gradientNorm: mapNorm,
      stepLength: t,
      evaluations,
      gradientEvaluations,
      monitoringEvaluations: 0,
      passes: evaluations / this.N,
      phase: "iteration",
      details: { rank: rank ?? this.n, trials },
      outcome,
    };
  }
}

/** X Xᵀ of X with its centroid moved to 0. */
function centredGram(X: Float64Array, n: number, p: number): Float64Array {
  const mean = new Float64Array(p);
  for (let i = 0; i < X.length; i++) mean[i % p] += X[i] / n;
  const centred = { rows: n, columns: p, data: X.map((x, i) => x - mean[i % p]) };
  return outerGram(centred).data;
}

/**
 * The embedding that a Gram matrix stands for, in p coordinates: √λ v of its p largest eigenpairs, n × p row-major.
 * Fewer positive eigenvalues than p leave the last columns 0.
 *
 * @throws CurvatureError ERR_ARGUMENT unless p is from 1 to n; ERR_SHAPE, ERR_NON_FINITE
 */
export function coordinatesFromGram(gram: MatrixLike, dimensions: number): Float64Array {
  const K = toDense(gram, "gram");
  const n = K.rows;
  checkArgument("coordinatesFromGram", "dimensions", integerFrom(1, n), dimensions);
  const { values, vectors } = symmetricEigen(K);
  const X = new Float64Array(n * dimensions);
  for (let t = 0; t < dimensions; t++) {
    const from = n - 1 - t;
    const root = Math.sqrt(Math.max(0, values[from]));
    for (let i = 0; i < n; i++) X[i * dimensions + t] = root * vectors.data[from * n + i];
  }
  return X;
}
