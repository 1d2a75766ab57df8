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
  badArgument,
  type DenseMatrix,
  exp,
  integerFrom,
  log,
  nonNegative,
  normal,
  type OptionsOf,
  optionTable,
  positive,
  RandomGenerator,
  type SettingsOf,
  squaredDistance,
} from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import type { Iteration, Outcome, Point } from "@curvature/optim-core";
import {
  changingInner,
  DeclaredSolver,
  generator,
  number,
  stateOf,
  whole,
} from "@curvature/optim-core/state";
import { spread } from "./columns.js";

import {
  type EmbeddingDetails,
  endedIteration,
  type ImmediateSolver,
  type SolverFactory,
} from "./immediate-solver.js";
import { checkObjective, startPoint } from "./start.js";

export const homotopyOptions = optionTable({
  /** H */
  steps: integerFrom(1).default(50),
  /** λ_1; the objective's own λ if that is smaller. */
  first: positive.default(1e-4),
  /** ε, the relative decrease of E at which λ moves on. */
  tolerance: nonNegative.default(1e-6),
  /** Of the noise that keeps the points apart. */
  seed: integerFrom(0).default(0),
});
export type HomotopyOptions = OptionsOf<typeof homotopyOptions>;

/** Spread of X below which it has collapsed, wherever its mean lies, and the noise that keeps it from that. */
const COLLAPSED = 1e-3;
/** Relative change of X below which it stands still. */
const STILL = 0.1;

export class Homotopy extends DeclaredSolver implements ImmediateSolver {
  readonly name: string;
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SettingsOf<typeof homotopyOptions>;
  /** X before the step. */
  private readonly before: Float64Array;
  readonly state;

  /** @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE */
  constructor(
    private readonly objective: EmbeddingObjective,
    start: DenseMatrix | Float64Array,
    private readonly makeSolver: SolverFactory,
    options?: HomotopyOptions,
  ) {
    super();
    this.options = homotopyOptions.resolve("Homotopy", options);
    checkObjective("Homotopy", objective);
    if (typeof makeSolver !== "function")
      throw badArgument(
        "Homotopy",
        "makeSolver",
        "a function (objective, start) that gives a solver",
        makeSolver,
      );
    this.dimension = objective.dimension;
    this.before = new Float64Array(this.dimension);
    this.fingerprint = objective.fingerprint;
    const { steps, seed } = this.options;
    const first = this.solverAt(0, startPoint(objective, start));
    this.name = `${first.name}-homotopy`;
    this.state = stateOf({
      /** h − 1 */
      stage: whole(0, { to: steps - 1 }),
      /** Of the λ of this stage; its point is the snapshot's. */
      inner: changingInner(first, (at) =>
        this.solverAt(at.number("stage"), new Float64Array(this.dimension)),
      ),
      /** E before the next step of this λ; NaN until it is measured. */
      E: number(),
      /** Counters of the λ's that are done, and evaluations of E at their starts. */
      iterationsBefore: whole(),
      evaluationsBefore: whole(),
      gradientEvaluationsBefore: whole(),
      random: generator(new RandomGenerator(seed)),
      ended: endedIteration(),
    });
  }

  get best(): Point {
    const { x, value } = this.state.inner.best;
    return { x, value: this.isLast ? value : undefined };
  }

  get last(): Point {
    const { x, value } = this.state.inner.last;
    return { x, value: this.isLast ? value : undefined };
  }

  step(): Iteration<EmbeddingDetails> {
    if (this.state.ended !== undefined) return this.state.ended;
    if (Number.isNaN(this.state.E)) {
      this.state.E = this.objective
        .atLambda(this.lambdaAt(this.state.stage))
        .evaluate(this.state.inner.last.x);
      this.state.evaluationsBefore += 1;
    }
    this.before.set(this.state.inner.last.x);
    const inner = this.state.inner.step();
    const { energy } = inner.details;
    const settled = this.state.E - energy <= this.options.tolerance * Math.abs(energy) && this.isStill();
    const iteration = this.among(inner);
    const status = inner.outcome?.status;
    this.state.E = energy;
    if (status === "diverged" || status === "failed")
      this.state.ended = { ...iteration, outcome: inner.outcome };
    else if (settled || status !== undefined) {
      if (this.isLast) this.state.ended = { ...iteration, outcome: inner.outcome ?? this.settledOutcome() };
      else this.advance(inner);
    }
    return this.state.ended ?? iteration;
  }

  /** Whether the last step moved X by less than a tenth of its size, or X has collapsed. */
  private isStill(): boolean {
    const { x } = this.state.inner.last;
    const size = spread(x, this.objective.dimensions);
    return size < COLLAPSED || Math.sqrt(squaredDistance(x, this.before) / x.length) <= STILL * size;
  }

  private get isLast(): boolean {
    return this.state.stage === this.options.steps - 1;
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
      throw badArgument("Homotopy", "makeSolver", "a function (objective, start) that gives a solver", made);
    return made;
  }

  /** To the next λ, from where this one ended. */
  private advance(inner: Iteration<EmbeddingDetails>): void {
    this.state.iterationsBefore += inner.index;
    this.state.evaluationsBefore += inner.evaluations;
    this.state.gradientEvaluationsBefore += inner.gradientEvaluations;
    this.state.stage += 1;
    this.state.E = Number.NaN;
    const X = this.state.inner.best.x.slice();
    if (spread(X, this.objective.dimensions) < COLLAPSED)
      for (let k = 0; k < X.length; k++) X[k] += COLLAPSED * normal(this.state.random);
    this.state.inner = this.solverAt(this.state.stage, X);
  }

  /** The inner solver's iteration among those of the whole homotopy. */
  private among(inner: Iteration<EmbeddingDetails>): Iteration<EmbeddingDetails> {
    return {
      ...inner,
      index: this.state.iterationsBefore + inner.index,
      value: this.isLast ? inner.value : undefined,
      evaluations: this.state.evaluationsBefore + inner.evaluations,
      gradientEvaluations: this.state.gradientEvaluationsBefore + inner.gradientEvaluations,
      passes: this.state.evaluationsBefore + inner.evaluations,
      outcome: undefined,
    };
  }

  private settledOutcome(): Outcome {
    return {
      status: "converged",
      message: `At the last lambda, ${this.objective.lambda}, E = ${this.state.E} fell by no more than ${this.options.tolerance} of itself.`,
    };
  }
}
