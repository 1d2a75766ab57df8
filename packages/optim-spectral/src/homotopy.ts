/**
 * The paper's homotopy: follow the minimum of E(X; λ) from a λ at which it is easy to the λ that was asked for.
 *
 * Iteration  λ_h, h = 1 … H, log-spaced from λ_1 to λ_H; at each, a solver from X_{h−1} until
 *            E_{k−1} − E_k ≤ ε |E_k| and ‖X_k − X_{k−1}‖ ≤ ‖X_k‖ / 10, or until it ends by itself; its first step is
 *            again 1
 *
 * | symbol | variable    | value                                   |
 * |--------|-------------|-----------------------------------------|
 * | H      | steps       | 50                                      |
 * | λ_1    | first       | 1e-4                                    |
 * | ε      | tolerance   | 1e-6                                    |
 *
 * Carreira-Perpiñán: The elastic embedding algorithm for dimensionality reduction, ICML 2010; Vladymyrov,
 * Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012 (H, λ_1, ε). The
 * spectral direction's factor does not depend on λ, so one serves all. Differs: below a threshold of λ all points want
 * to meet in one, where E's differences drown in its rounding and X's asymmetry is lost; above it X grows again by a
 * factor per step while E hardly changes. So noise of 1e-3 is added before the next λ wherever X's points lie closer than
 * that, and a λ is not done while X still moves by more than a tenth.
 */
import {
  badOption,
  CurvatureError,
  checkOptions,
  type DenseMatrix,
  exp,
  integerFrom,
  log,
  nonNegative,
  normal,
  positive,
  RandomGenerator,
  type Rules,
  squaredDistance,
} from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import {
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type SnapshotValue,
} from "@curvature/optim-core";
import { spread } from "./columns.js";
import type { EmbeddingDetails } from "./embedding-details.js";
import { readEnd, savedEnd } from "./ended.js";
import type { ImmediateSolver, SolverFactory } from "./immediate-solver.js";
import { checkObjective, startPoint } from "./start.js";

export interface HomotopyOptions {
  /** H. Default 50. */
  readonly steps?: number;
  /** λ_1; the objective's own λ if that is smaller. Default 1e-4. */
  readonly first?: number;
  /** ε, the relative decrease of E at which λ moves on. Default 1e-6. */
  readonly tolerance?: number;
  /** Of the noise that keeps the points apart. Default 0. */
  readonly seed?: number;
}

export const homotopyDefaults: Readonly<Required<HomotopyOptions>> = Object.freeze({
  steps: 50,
  first: 1e-4,
  tolerance: 1e-6,
  seed: 0,
});

const rules: Rules<Required<HomotopyOptions>> = {
  steps: integerFrom(1),
  first: positive,
  tolerance: nonNegative,
  seed: integerFrom(0),
};

/** Spread of X below which it has collapsed, wherever its mean lies, and the noise that keeps it from that. */
const collapsed = 1e-3;
/** Relative change of X below which it stands still. */
const still = 0.1;
const snapshotVersion = 1;

export class Homotopy implements ImmediateSolver {
  readonly name: string;
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: Readonly<Required<HomotopyOptions>>;
  private readonly random: RandomGenerator;
  private inner: ImmediateSolver;
  /** h − 1 */
  private stage = 0;
  /** E before the next step of this λ; NaN until it is measured. */
  private E = Number.NaN;
  /** Counters of the λ's that are done, and evaluations of E at their starts. */
  private iterationsBefore = 0;
  private evaluationsBefore = 0;
  private gradientEvaluationsBefore = 0;
  /** X before the step. */
  private readonly before: Float64Array;
  private ended: Iteration<EmbeddingDetails> | undefined;

  /** @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE */
  constructor(
    private readonly objective: EmbeddingObjective,
    start: DenseMatrix | Float64Array,
    private readonly makeSolver: SolverFactory,
    options?: HomotopyOptions,
  ) {
    this.options = checkOptions("Homotopy", options, homotopyDefaults, rules);
    checkObjective("Homotopy", objective);
    if (typeof makeSolver !== "function")
      throw badOption(
        "Homotopy",
        "makeSolver",
        "a function (objective, start) that gives a solver",
        makeSolver,
      );
    this.random = new RandomGenerator(this.options.seed);
    this.dimension = objective.dimension;
    this.before = new Float64Array(this.dimension);
    this.fingerprint = objective.fingerprint;
    this.inner = this.solverAt(0, startPoint(objective, start));
    this.name = `${this.inner.name}-homotopy`;
  }

  get best(): Point {
    const { x, value } = this.inner.best;
    return { x, value: this.isLast ? value : undefined };
  }

  get last(): Point {
    const { x, value } = this.inner.last;
    return { x, value: this.isLast ? value : undefined };
  }

  step(): Iteration<EmbeddingDetails> {
    if (this.ended !== undefined) return this.ended;
    if (Number.isNaN(this.E)) {
      this.E = this.objective.atLambda(this.lambdaAt(this.stage)).evaluate(this.inner.last.x);
      this.evaluationsBefore += 1;
    }
    this.before.set(this.inner.last.x);
    const inner = this.inner.step();
    const { energy } = inner.details;
    const settled = this.E - energy <= this.options.tolerance * Math.abs(energy) && this.isStill();
    const told = this.told(inner);
    const status = inner.outcome?.status;
    this.E = energy;
    if (status === "diverged" || status === "failed") this.ended = { ...told, outcome: inner.outcome };
    else if (settled || status !== undefined) {
      if (this.isLast) this.ended = { ...told, outcome: inner.outcome ?? this.settledOutcome() };
      else this.advance(inner);
    }
    return this.ended ?? told;
  }

  save(): Snapshot {
    return {
      solver: this.name,
      version: snapshotVersion,
      state: {
        stage: this.stage,
        E: this.E,
        iterationsBefore: this.iterationsBefore,
        evaluationsBefore: this.evaluationsBefore,
        gradientEvaluationsBefore: this.gradientEvaluationsBefore,
        random: this.random.save(),
        inner: { ...this.inner.save() },
        ended: savedEnd(this.ended),
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, snapshotVersion);
    const stage = state.integer("stage", 0, this.options.steps - 1);
    const E = state.number("E");
    const before = ["iterationsBefore", "evaluationsBefore", "gradientEvaluationsBefore"].map((key) =>
      state.integer(key),
    );
    const random = state.uint32("random", 4);
    const ended = readEnd(state, "ended");
    const inner = this.solverAt(stage, new Float64Array(this.dimension)); // its point is the snapshot's
    inner.restore(innerOf(snapshot.state));
    this.random.restore(random);
    [this.stage, this.E, this.inner, this.ended] = [stage, E, inner, ended];
    [this.iterationsBefore, this.evaluationsBefore, this.gradientEvaluationsBefore] = before;
  }

  /** Whether the last step moved X by less than a tenth of its size, or X has collapsed. */
  private isStill(): boolean {
    const { x } = this.inner.last;
    const size = spread(x, this.objective.dimensions);
    return size < collapsed || Math.sqrt(squaredDistance(x, this.before) / x.length) <= still * size;
  }

  private get isLast(): boolean {
    return this.stage === this.options.steps - 1;
  }

  /** λ_h: log-spaced; the target itself at the end. */
  private lambdaAt(stage: number): number {
    const { steps, first } = this.options;
    const target = this.objective.lambda;
    if (stage === steps - 1 || target <= first) return target;
    return first * exp((stage / (steps - 1)) * log(target / first));
  }

  private solverAt(stage: number, start: Float64Array): ImmediateSolver {
    const made = this.makeSolver(this.objective.atLambda(this.lambdaAt(stage)), start);
    if (typeof made?.step !== "function" || typeof made.best !== "object")
      throw badOption("Homotopy", "makeSolver", "a function (objective, start) that gives a solver", made);
    return made;
  }

  /** To the next λ, from where this one ended. */
  private advance(inner: Iteration<EmbeddingDetails>): void {
    this.iterationsBefore += inner.index;
    this.evaluationsBefore += inner.evaluations;
    this.gradientEvaluationsBefore += inner.gradientEvaluations;
    this.stage += 1;
    this.E = Number.NaN;
    const X = this.inner.best.x.slice();
    if (spread(X, this.objective.dimensions) < collapsed)
      for (let k = 0; k < X.length; k++) X[k] += collapsed * normal(this.random);
    this.inner = this.solverAt(this.stage, X);
  }

  /** The inner solver's iteration among those of the whole homotopy. */
  private told(inner: Iteration<EmbeddingDetails>): Iteration<EmbeddingDetails> {
    return {
      ...inner,
      index: this.iterationsBefore + inner.index,
      value: this.isLast ? inner.value : undefined,
      evaluations: this.evaluationsBefore + inner.evaluations,
      gradientEvaluations: this.gradientEvaluationsBefore + inner.gradientEvaluations,
      passes: this.evaluationsBefore + inner.evaluations,
      outcome: undefined,
    };
  }

  private settledOutcome(): Outcome {
    return {
      status: "converged",
      message: `At the last lambda, ${this.objective.lambda}, E = ${this.E} fell by no more than ${this.options.tolerance} of itself.`,
    };
  }
}

/** The snapshot of the solver within. @throws CurvatureError ERR_SNAPSHOT */
function innerOf(state: SnapshotValue): Snapshot {
  const inner = isRecord(state) ? state.inner : undefined;
  if (inner !== undefined && isRecord(inner)) {
    const { solver, version } = inner;
    if (typeof solver === "string" && typeof version === "number")
      return { solver, version, state: inner.state };
  }
  throw new CurvatureError("ERR_SNAPSHOT", "The snapshot of a homotopy has no solver within.", {
    path: "inner",
  });
}

function isRecord(value: SnapshotValue): value is { readonly [key: string]: SnapshotValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}
