/**
 * The solver that chooses: a plan of solvers by the problem's loss and size, run one after another as one.
 *
 * | columns | loss                     | plan                                                              |
 * |---------|--------------------------|-------------------------------------------------------------------|
 * | ≤ 2000  | hinge, no free bias      | dual coordinate descent                                           |
 * |         | others                   | Newton on a sample of the rows, then on all; Newton alone where   |
 * |         |                          | there are fewer than 54 rows for each parameter                   |
 * | > 2000  | all but logistic         | dual coordinate descent                                           |
 * |         | logistic, any free bias  | Newton                                                            |
 * |         | any, accuracy "error"    | 5 passes of SVMSGD2, 2 from 100,000 rows                          |
 *
 * The hinge with a free bias is Newton's, by smoothed hinges, whatever the columns. From a given first point there is no
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
  integerFrom,
  nonNegative,
  type OptionsOf,
  oneOf,
  optionTable,
  positiveOrInfinity,
} from "@curvature/linalg";
import { fingerprintOfLinear, type LinearProblem, parameterCount } from "@curvature/objectives/linear";
import { type Iteration, jointEvaluations, type Point, type Solver } from "@curvature/optim-core";
import {
  always,
  DeclaredSolver,
  madeInner,
  number,
  type Place,
  record,
  stateOf,
  whole,
} from "@curvature/optim-core/state";
import type { LinearDetails } from "../details.js";
import { SharedRows } from "../multiclass/shared-rows.js";
import { DualCoordinateDescent } from "./dual/dual-coordinate-descent.js";
import { Newton } from "./newton/newton.js";
import { FEW_COLUMNS } from "./newton/system.js";
import { sampledProblem } from "./sampled-problem.js";
import { firstPoint, sharedEntries } from "./start.js";
import { createStochasticSolver } from "./stochastic/stochastic-solver.js";

export const stagedLinearOptions = optionTable({
  /** (P − P*)/P at which it ends as converged. */
  tolerance: nonNegative.default(1e-3),
  maxPasses: positiveOrInfinity("a number of passes").default(1000),
  /**
   * "error": ends where the error on new rows is about that of the optimum, which beyond 2000 columns is long before P is
   * near its minimum; there is no certificate then.
   */
  accuracy: oneOf("objective", "error").default("objective"),
  /** Of the sample, or of the order of the rows. */
  seed: integerFrom(0).default(0),
  ...sharedEntries,
});
/** `initial` is for plans without dual coordinate descent. */
export type StagedLinearOptions = OptionsOf<typeof stagedLinearOptions>;

/**
 * The solvers one after another; each but "dcd" begins where the one before ended. "sample" is Newton's method on a
 * part of the rows.
 */
export type Stage = "sample" | "svmsgd2" | "newton" | "dcd";

export interface StagePlan {
  readonly stages: readonly Stage[];
  /** Of the first stage, where that is a stochastic one. */
  readonly stochasticPasses: number;
  /** Rows of the sample, where that is the first stage. */
  readonly sampleRows: number;
}

/** An inner step is never a promise. */
interface InnerSolver extends Solver<LinearDetails> {
  step(): Iteration<LinearDetails>;
}

const counters = () =>
  record({
    index: whole(),
    evaluations: whole(),
    gradientEvaluations: whole(),
    monitoringEvaluations: whole(),
    passes: number(0),
  });
type Counters = ReturnType<typeof counters>["initial"];

const none: Counters = { index: 0, ...jointEvaluations(0) };
/** What is true of a sample is not of all rows. */
const unmeasured = {
  value: undefined,
  gradientNorm: undefined,
  details: { gap: undefined, certificate: undefined, t0: undefined },
};
const WHERE = "StagedLinearSolver";
/** To which a sample's problem is solved: its optimum is not that of all rows. */
const SAMPLE_TOLERANCE = 0.1;
const phases: Readonly<Record<Stage, string>> = {
  sample: "sample",
  svmsgd2: "svmsgd2",
  newton: "newton",
  dcd: "dual coordinate descent",
};

export class StagedLinearSolver extends DeclaredSolver implements Solver<LinearDetails> {
  readonly name = "auto";
  readonly dimension: number;
  readonly options;
  readonly state;
  readonly plan: StagePlan;
  private readonly problem: LinearProblem;
  private readonly shared: SharedRows;
  private hash: string | undefined;

  /**
   * @throws CurvatureError as `checkLinearProblem`; ERR_OPTION for an option; ERR_SHAPE or ERR_NON_FINITE for `initial`
   */
  constructor(problem: LinearProblem, options?: StagedLinearOptions) {
    super();
    const { initial, shared, ...settings } = stagedLinearOptions.resolve(WHERE, options);
    shared?.check(problem, WHERE);
    this.shared = shared ?? new SharedRows(problem, WHERE);
    this.options = Object.freeze(settings);
    this.problem = problem;
    this.dimension = parameterCount(problem);
    const start = initial && firstPoint(WHERE, "initial", initial, this.dimension);
    this.plan = planOf(problem, { accuracy: settings.accuracy, hasInitial: initial !== undefined });
    this.state = stateOf({
      /** That of the options, or of the snapshot that it was restored from. */
      seed: whole(settings.seed),
      stage: whole(0, { to: this.plan.stages.length - 1 }),
      /** Of the stages that ended. */
      before: counters(),
      /** Of the stage under way. */
      made: counters(),
      inner: always(
        this.create(0, start, 0, settings.seed),
        madeInner((at) => this.createAt(at)),
      ),
    });
  }

  private create(
    stage: number,
    initial: Float64Array | undefined,
    passesBefore: number,
    seed: number,
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
      case "svmsgd2":
        return createStochasticSolver(problem, {
          solver,
          seed,
          maxPasses: Math.min(maxPasses, this.plan.stochasticPasses),
          initial,
        });
    }
  }

  private createAt(at: Place): InnerSolver {
    const passes: unknown = Reflect.get(Object(at.siblings.get("before")), "passes");
    return this.create(at.number("stage"), undefined, Number(passes), at.number("seed"));
  }

  /** Costs a read of all rows the first time. */
  get fingerprint(): string {
    this.hash ??= fingerprintOfLinear(this.problem);
    return this.hash;
  }

  get best(): Point {
    return this.isSampling ? this.last : this.state.inner.best;
  }

  get last(): Point {
    const { last } = this.state.inner;
    return this.isSampling ? { x: last.x, value: undefined } : last;
  }

  private get isSampling(): boolean {
    return this.plan.stages[this.state.stage] === "sample";
  }

  private passesPerInnerPass(stage: number): number {
    return this.plan.stages[stage] === "sample" ? this.plan.sampleRows / this.problem.rows.rows : 1;
  }

  step(): Iteration<LinearDetails> {
    const { plan, isSampling, state } = this;
    const { inner, before, stage } = state;
    const phase = phases[plan.stages[stage]];
    const made = inner.step();
    const isLast = stage + 1 === plan.stages.length;
    state.made = { ...added(none, made), passes: this.passesPerInnerPass(stage) * made.passes };
    const counts = added(before, state.made);
    if (made.outcome !== undefined && !isLast) this.advance();
    const iteration = { ...made, ...counts, phase, outcome: isLast ? made.outcome : undefined };
    return isSampling ? { ...iteration, ...unmeasured } : iteration;
  }

  /** The next stage begins where the one before ended, unless that is nowhere. */
  private advance(): void {
    const { state } = this;
    const { x } = state.inner.last;
    state.before = added(state.before, state.made);
    state.made = none;
    state.stage++;
    const start = x.every(Number.isFinite) ? x : undefined;
    state.inner = this.create(state.stage, start, state.before.passes, state.seed);
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

interface PlanRequest {
  readonly accuracy: "objective" | "error";
  readonly hasInitial: boolean;
}

/** Rows from which two stochastic passes are as good as five. */
const MANY_ROWS = 1e5;
/** A sample has a sixteenth of the rows, and 8 for each parameter; where that is more than 15 %, there is none. */
const SAMPLE_SHARE = 1 / 16;
const SAMPLES_PER_PARAMETER = 8;
const MAX_SHARE = 0.15;

function planOf(problem: LinearProblem, request: PlanRequest): StagePlan {
  const { loss, bias, rows } = problem;
  const textPasses = rows.rows >= MANY_ROWS ? 2 : 5;
  const isLarge = rows.columns > FEW_COLUMNS;
  if (isLarge && request.accuracy === "error") return plan(["svmsgd2"], textPasses);
  if (loss.name === "hinge") return plan([bias === "free" ? "newton" : "dcd"]);
  if (isLarge) return plan(loss.name !== "logistic" && bias !== "free" ? ["dcd"] : ["newton"]);
  const sampleRows = Math.max(
    SAMPLES_PER_PARAMETER * parameterCount(problem),
    Math.ceil(SAMPLE_SHARE * rows.rows),
  );
  return request.hasInitial || sampleRows > MAX_SHARE * rows.rows
    ? plan(["newton"])
    : plan(["sample", "newton"], 0, sampleRows);
}

const plan = (stages: readonly Stage[], stochasticPasses = 0, sampleRows = 0): StagePlan => ({
  stages,
  stochasticPasses,
  sampleRows,
});
