/**
 * The solver that chooses: a plan of solvers by the problem's loss and size, run one after another as one.
 *
 * | columns | loss                     | plan                                                              |
 * |---------|--------------------------|-------------------------------------------------------------------|
 * | ≤ 2000  | logistic, smoothed hinge | a pass of averaged SGD, then Newton; Newton alone on badly scaled columns |
 * |         | hinge                    | dual coordinate descent                                           |
 * |         | others                   | Newton                                                            |
 * | > 2000  | all but logistic         | dual coordinate descent                                           |
 * |         | logistic, any free bias  | Newton                                                            |
 * |         | any, accuracy "error"    | 5 passes of SVMSGD2, 2 from 100,000 rows                          |
 *
 * From a given first point there is no warm start.
 *
 * Measured in CPU time to 1e-3 on six sets of 22 to 500 columns, two of them made afterwards to check (one of 3 %
 * positives): the pass of averaged SGD before Newton multiplied the time by
 *
 *   logistic       1.0 spam, 1.2 a9a, 0.9 ijcnn1v, 0.8 alpha20k, and 0.9 and 0.6 on the two
 *   squared hinge  1.1 spam, 1.3 a9a, 0.9 ijcnn1v, 1.1 alpha20k, and 0.9 and 1.4 on the two
 *
 * where native code gains by it throughout: a sweep of Newton costs much less than a pass of SGD here. For the logistic
 * loss on text, 5 passes of SVMSGD2 before Newton multiplied the time by 1.0 (20 newsgroups) and 1.1 (300,000 rows like
 * RCV1), and L-BFGS preconditioned by the diagonal took 1.0 and 0.9 times as long: no reason for another solver.
 */
import {
  anything,
  checkOptions,
  integerFrom,
  nonNegative,
  oneOf,
  optional,
  positive,
} from "@curvature/linalg";
import { fingerprintOfLinear, type LinearProblem, parameterCount } from "@curvature/objectives/linear";
import {
  checkPoint,
  type Iteration,
  openSnapshot,
  type Point,
  type Snapshot,
  type SnapshotReader,
  type Solver,
} from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import { SharedRows, sharedRows } from "../multiclass/shared-rows.js";
import { type AutoPlan, type AutoStage, autoPlan } from "./auto-plan.js";
import { DualCoordinateDescent } from "./dual-coordinate-descent.js";
import { innerSnapshot } from "./inner-snapshot.js";
import { Newton } from "./newton/newton.js";
import { createStochasticSolver } from "./stochastic/stochastic-solver.js";

export interface AutoOptions {
  /** (P − P*)/P at which it ends as converged. Default 1e-3. */
  readonly tolerance?: number;
  /** Default 1000. */
  readonly maxPasses?: number;
  /**
   * "error": ends where the error on new rows is about that of the optimum, which beyond 2000 columns is long before P is
   * near its minimum; there is no certificate then. Default "objective".
   */
  readonly accuracy?: "objective" | "error";
  /** First parameters, of length `parameterCount(problem)`, for plans without dual coordinate descent. Default 0. */
  readonly initial?: Float64Array | undefined;
  /** Of the order of the rows. Default 0. */
  readonly seed?: number;
  /** The rows, checked before, and what solvers on the same rows share. Default: the problem is checked here. */
  readonly shared?: SharedRows | undefined;
}

interface Settings {
  readonly tolerance: number;
  readonly maxPasses: number;
  readonly accuracy: "objective" | "error";
  readonly seed: number;
}

export const autoDefaults: Settings = Object.freeze({
  tolerance: 1e-3,
  maxPasses: 1000,
  accuracy: "objective",
  seed: 0,
});

type AllOptions = Settings & Pick<AutoOptions, "initial" | "shared">;
const allDefaults: AllOptions = { ...autoDefaults, initial: undefined, shared: undefined };

/** An inner step is never a promise. */
interface InnerSolver extends Solver<LinearDetails> {
  step(): Iteration<LinearDetails>;
}

type Counters = Pick<
  Iteration,
  "index" | "evaluations" | "gradientEvaluations" | "monitoringEvaluations" | "passes"
>;

const none: Counters = {
  index: 0,
  evaluations: 0,
  gradientEvaluations: 0,
  monitoringEvaluations: 0,
  passes: 0,
};
const WHERE = "Auto";
const VERSION = 1;
const phases: Readonly<Record<AutoStage, string>> = {
  asgd: "warm start",
  svmsgd2: "svmsgd2",
  sgdqn: "sgdqn",
  newton: "newton",
  dcd: "dual coordinate descent",
};

export class Auto implements Solver<LinearDetails> {
  readonly name = "auto";
  readonly dimension: number;
  readonly options: Settings;
  readonly plan: AutoPlan;
  private readonly problem: LinearProblem;
  private readonly shared: SharedRows;
  private stage = 0;
  private inner: InnerSolver;
  /** Of the stages that ended. */
  private before = none;
  /** Of the stage under way. */
  private made = none;
  private hash: string | undefined;

  /**
   * @throws CurvatureError as `checkLinearProblem`; ERR_OPTION for an option; ERR_SHAPE or ERR_NON_FINITE for `initial`
   */
  constructor(problem: LinearProblem, options?: AutoOptions) {
    const { initial, shared, ...settings } = checkOptions<AllOptions>(WHERE, options, allDefaults, {
      tolerance: nonNegative,
      maxPasses: positive,
      accuracy: oneOf("objective", "error"),
      initial: anything,
      seed: integerFrom(0),
      shared: optional(sharedRows),
    });
    shared?.check(problem, WHERE);
    this.shared = shared ?? new SharedRows(problem, WHERE);
    this.options = Object.freeze(settings);
    this.problem = problem;
    this.dimension = parameterCount(problem);
    if (initial !== undefined) checkPoint(WHERE, initial, this.dimension);
    this.plan = autoPlan(problem, { accuracy: settings.accuracy, hasInitial: initial !== undefined });
    this.inner = this.create(0, initial);
  }

  private create(
    stage: number,
    initial: Float64Array | undefined,
    passesBefore = this.before.passes,
  ): InnerSolver {
    const { problem, shared } = this;
    const { tolerance, seed } = this.options;
    const maxPasses = Math.max(1, this.options.maxPasses - passesBefore);
    const solver = this.plan.stages[stage];
    switch (solver) {
      case "newton":
        return new Newton(problem, { tolerance, maxPasses, initial, shared });
      case "dcd":
        return new DualCoordinateDescent(problem, { tolerance, maxPasses, seed, shared });
      case "asgd":
      case "sgdqn":
      case "svmsgd2":
        return createStochasticSolver(problem, {
          solver,
          seed,
          maxPasses: Math.min(maxPasses, this.plan.stochasticPasses),
          ...(initial === undefined ? {} : { initial }),
        });
    }
  }

  /** Costs a read of all rows the first time. */
  get fingerprint(): string {
    this.hash ??= fingerprintOfLinear(this.problem);
    return this.hash;
  }

  get best(): Point {
    return this.inner.best;
  }

  get last(): Point {
    return this.inner.last;
  }

  step(): Iteration<LinearDetails> {
    const { inner, before, plan } = this;
    const phase = phases[plan.stages[this.stage]];
    const made = inner.step();
    const isLast = this.stage + 1 === plan.stages.length;
    this.made = added(none, made);
    if (made.outcome !== undefined && !isLast) this.advance(made.outcome.status === "diverged");
    return { ...made, ...added(before, made), phase, outcome: isLast ? made.outcome : undefined };
  }

  /** The next stage begins where the one before ended, unless it ran away. */
  private advance(hasDiverged: boolean): void {
    const { x } = this.inner.last;
    const start = hasDiverged || !this.isPlausible(x) ? undefined : x;
    this.before = added(this.before, this.made);
    this.made = none;
    this.stage++;
    this.inner = this.create(this.stage, start);
  }

  /** λ/2 ‖w‖² ≤ P(0): beyond, w is worse than 0. */
  private isPlausible(w: Float64Array): boolean {
    const { targets, importances, loss, lambda } = this.problem;
    let atZero = 0;
    for (let i = 0; i < targets.length; i++)
      atZero += (importances === undefined ? 1 : importances[i]) * loss.value(0, targets[i]);
    let squares = 0;
    for (let j = 0; j < w.length; j++) squares += w[j] * w[j];
    return 0.5 * lambda * squares <= atZero / targets.length;
  }

  save(): Snapshot {
    const { stage, before, made, inner } = this;
    const state = { stage, before: { ...before }, made: { ...made }, inner: { ...inner.save() } };
    return { solver: this.name, version: VERSION, state };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const stage = state.integer("stage", 0, this.plan.stages.length - 1);
    const before = readCounters(state.object("before"));
    const made = readCounters(state.object("made"));
    const inner = this.create(stage, undefined, before.passes);
    inner.restore(innerSnapshot(snapshot));
    [this.stage, this.before, this.made, this.inner] = [stage, before, made, inner];
  }
}

function added(a: Counters, b: Counters): Counters {
  return {
    index: a.index + b.index,
    evaluations: a.evaluations + b.evaluations,
    gradientEvaluations: a.gradientEvaluations + b.gradientEvaluations,
    monitoringEvaluations: a.monitoringEvaluations + b.monitoringEvaluations,
    passes: a.passes + b.passes,
  };
}

function readCounters(state: SnapshotReader): Counters {
  return {
    index: state.integer("index"),
    evaluations: state.integer("evaluations"),
    gradientEvaluations: state.integer("gradientEvaluations"),
    monitoringEvaluations: state.integer("monitoringEvaluations"),
    passes: state.number("passes"),
  };
}
