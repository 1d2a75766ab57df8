/**
 * The solver that chooses: a plan of solvers by the problem's loss and size, run one after another as one.
 *
 * | columns | loss                     | plan                                                              |
 * |---------|--------------------------|-------------------------------------------------------------------|
 * | ≤ 2000  | hinge                    | dual coordinate descent                                           |
 * |         | others                   | Newton on a sample of the rows, then on all; Newton alone where   |
 * |         |                          | there are fewer than 54 rows for each parameter                   |
 * | > 2000  | all but logistic         | dual coordinate descent                                           |
 * |         | logistic, any free bias  | Newton                                                            |
 * |         | any, accuracy "error"    | 5 passes of SVMSGD2, 2 from 100,000 rows                          |
 *
 * The hinge with a free bias takes 10 passes of SGD-QN, whatever the columns. From a given first point there is no
 * sample.
 *
 * CPU time at tolerance 1e-3 with the sample, as a part of that of Newton alone; the least of 15 fits each, in turns:
 *
 *   | loss          | spam, 3601 x 57 | ijcnn1, 10,000 x 22 | a9a, 32,560 x 123 |
 *   |---------------|-----------------|---------------------|-------------------|
 *   | squared hinge | 0.87            | 0.57                | 0.79              |
 *   | logistic      | 0.81            | 0.75                | 0.83              |
 *
 * The sizes of samples were chosen on these sets and on 20,000 x 500 dense rows, where a sample of 8 rows for each
 * parameter, a fifth of all, took a third longer than none: hence the limit. Tasks looked at once, afterwards, with a
 * bias and λ = 1e-4 (the half of the classes that comes last against the first; the third class against the rest):
 *
 *   | loss          | letter, 16 columns: halves | third class | pendigits, 16 columns: halves | third class |
 *   |---------------|----------------------------|-------------|-------------------------------|-------------|
 *   | squared hinge | 0.89                       | 0.51        | 0.83                          | 0.66        |
 *   | logistic      | 0.76                       | 0.66        | 1.14                          | 1.07        |
 *
 * A pass of averaged SGD in place of the sample took 2.4 times as long on a9a with the logistic loss.
 *
 * For the logistic loss on text, 5 passes of SVMSGD2 before Newton multiplied the time by 1.0 (20 newsgroups) and 1.1
 * (300,000 rows like RCV1), and L-BFGS preconditioned by the diagonal took 1.0 and 0.9 times as long: no reason for
 * another solver.
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
import { sampledProblem } from "./sampled-problem.js";
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
  /** Of the sample, or of the order of the rows. Default 0. */
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
/** What a sample tells is not true of all rows. */
const unmeasured = {
  value: undefined,
  gradientNorm: undefined,
  details: { gap: undefined, certificate: undefined, t0: undefined },
};
const WHERE = "Auto";
const VERSION = 2;
/** To which a sample's problem is solved: its optimum is not that of all rows. */
const SAMPLE_TOLERANCE = 0.1;
const phases: Readonly<Record<AutoStage, string>> = {
  sample: "sample",
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
  /** That of the options, or of the snapshot that it was restored from. */
  private seed: number;
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
    this.seed = settings.seed;
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
    seed = this.seed,
  ): InnerSolver {
    const { problem, shared } = this;
    const { tolerance } = this.options;
    const maxPasses = Math.max(1, this.options.maxPasses - passesBefore);
    const solver = this.plan.stages[stage];
    switch (solver) {
      case "newton":
        return new Newton(problem, { tolerance, maxPasses, initial, shared });
      case "dcd":
        return new DualCoordinateDescent(problem, { tolerance, maxPasses, seed, shared });
      case "sample":
        return new Newton(sampledProblem(problem, this.plan.sampleRows, seed), {
          tolerance: Math.max(SAMPLE_TOLERANCE, tolerance),
          maxPasses: maxPasses / this.passesPerInnerPass(stage),
        });
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
    return this.isSampling ? this.last : this.inner.best;
  }

  get last(): Point {
    const { last } = this.inner;
    return this.isSampling ? { x: last.x, value: undefined } : last;
  }

  private get isSampling(): boolean {
    return this.plan.stages[this.stage] === "sample";
  }

  private passesPerInnerPass(stage: number): number {
    return this.plan.stages[stage] === "sample" ? this.plan.sampleRows / this.problem.rows.rows : 1;
  }

  step(): Iteration<LinearDetails> {
    const { inner, before, plan, isSampling, stage } = this;
    const phase = phases[plan.stages[stage]];
    const made = inner.step();
    const isLast = stage + 1 === plan.stages.length;
    this.made = { ...added(none, made), passes: this.passesPerInnerPass(stage) * made.passes };
    const counters = added(before, this.made);
    if (made.outcome !== undefined && !isLast) this.advance();
    const iteration = { ...made, ...counters, phase, outcome: isLast ? made.outcome : undefined };
    return isSampling ? { ...iteration, ...unmeasured } : iteration;
  }

  /** The next stage begins where the one before ended, unless that is nowhere. */
  private advance(): void {
    const { x } = this.inner.last;
    this.before = added(this.before, this.made);
    this.made = none;
    this.stage++;
    this.inner = this.create(this.stage, x.every(Number.isFinite) ? x : undefined);
  }

  save(): Snapshot {
    const { seed, stage, before, made, inner } = this;
    const state = { seed, stage, before: { ...before }, made: { ...made }, inner: { ...inner.save() } };
    return { solver: this.name, version: VERSION, state };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const seed = state.integer("seed");
    const stage = state.integer("stage", 0, this.plan.stages.length - 1);
    const before = readCounters(state.object("before"));
    const made = readCounters(state.object("made"));
    const inner = this.create(stage, undefined, before.passes, seed);
    inner.restore(innerSnapshot(snapshot));
    [this.seed, this.stage] = [seed, stage];
    [this.before, this.made, this.inner] = [before, made, inner];
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
