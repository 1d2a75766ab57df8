/**
 * The stochastic solvers of a linear problem: a learner of rows, led over the rows pass by pass.
 *
 * A step is a block of rows, a few milliseconds of work. Its phase says what it was:
 *
 *   "t0-search"  rows of a trial pass of the search for t₀, which counts as monitoring
 *   "block"      rows of a pass
 *   "pass"       the last rows of a pass; what there is to measure is measured, the limits are tested
 *   "restart"    the point had run away: the next step begins again with t₀ ten times as large
 *
 * A point has run away if it is not finite, or so large that λ/2 ‖w‖² alone is 1000 times P(0), while no minimum has more
 * than P(0). After 10 restarts the solver ends as `diverged`.
 *
 * Search for t₀: Bordes, Bottou, Gallinari: SGD-QN, JMLR 10 (2009), section 6.
 */
import {
  atLeast,
  between,
  dot,
  either,
  flag,
  integerFrom,
  nonNegative,
  type OptionsOf,
  oneOf,
  optionTable,
  positiveOrInfinity,
  type SettingsOf,
} from "@curvature/linalg";
import {
  checkLinearProblem,
  fingerprintOfLinear,
  type LinearProblem,
  parameterCount,
} from "@curvature/objectives/linear";
import type { Iteration, Point, Solver } from "@curvature/optim-core";
import {
  always,
  boolean,
  DeclaredSolver,
  fixed,
  float64,
  madePart,
  maybe,
  number,
  outcome,
  type Place,
  part,
  stateOf,
  whole,
  word,
} from "@curvature/optim-core/state";
import { capitalized, type LinearDetails } from "../../details.js";
import type { LearnerSettings, RowLearner } from "../../learner.js";
import { costPerRow, createLearner, stochasticSolverNames } from "../../learners/create-learner.js";
import {
  defaultBiasGain,
  defaultSkip,
  defaultStep,
  defaultT0,
  largestSquaredNorm,
  meanSquaredNorm,
} from "../../learning-rate.js";
import { standing } from "../../standing.js";
import { CERTIFY_READS, certify } from "../newton/certificate.js";
import { firstPoint, numbers } from "../start.js";
import { PassMonitor } from "./pass-monitor.js";
import { Sample } from "./sample.js";

export const stochasticOptions = optionTable({
  solver: oneOf(...stochasticSolverNames).default("sgdqn"),
  /** Passes over the rows (whole ones: a started pass is ended). */
  maxPasses: positiveOrInfinity("a number of passes").default(10),
  /**
   * Offset t₀ of the learning rate 1/(λ (t + t₀)); for averaged SGD 1/(λ t₀) is the first rate. "auto": max(2, c R²/λ),
   * without a search; "search": the best of 10⁰ … 10¹⁰ by one pass each over a tenth of the rows, and "auto" where none of
   * them ends below P at the start there.
   */
  t0: either(atLeast(1), oneOf("auto", "search")).default("auto"),
  /** Rows between two decays, for svmsgd2, sgdqn and sgdqn-2009. Left out: 16 over the share of stored entries. */
  skip: integerFrom(1),
  /**
   * Whether a slope is taken before its step (explicit) or after it (implicit, which cannot run away). "auto": explicit
   * with t0 "search", and for more than 2000 columns where no ‖x‖² is above twice the mean; else implicit. olbfgs makes
   * explicit steps always.
   */
  step: oneOf("auto", "explicit", "implicit").default("auto"),
  /** Passes before averaging begins, for asgd. */
  averageStart: nonNegative.default(0.1),
  /** Pairs of the quasi-Newton matrix, for olbfgs. */
  memory: integerFrom(1, 10_000).default(10),
  /** Whether the rows are visited in one random order (the same in every pass), or as they lie. */
  shuffle: flag.default(true),
  /** Of that order. */
  seed: integerFrom(0).default(0),
  /**
   * Ends once |P_k − P_{k−1}| ≤ tolerance · P_{k−1} in two passes on end; P is measured after every pass then, which costs
   * about half a pass. The end is called converged if the duality gap there, at the price of three reads of the rows, is no
   * more than `tolerance`, and stalled if it is. Left out: not measured.
   */
  tolerance: nonNegative,
  /**
   * Share of the rows held out, the last ones of the order. The solver ends once three passes on end have not bettered
   * the error on them (for regression the mean loss), and its best point is the one of the least.
   */
  validationShare: between(0, 0.9).default(0),
  /**
   * First parameters, of length `parameterCount(problem)`; copied. Left out: 0 but for the bias; see
   * `learning-rate.ts`.
   */
  initial: numbers,
});
export type StochasticOptions = OptionsOf<typeof stochasticOptions>;
export type StochasticSettings = SettingsOf<typeof stochasticOptions>;

/** What these solvers report beside what all solvers of linear problems report. */
export interface StochasticDetails extends LinearDetails {
  /** The error on the rows held out after the last pass. */
  readonly validationError: number | undefined;
  /** How often the solver began again with a larger t₀. */
  readonly restarts: number;
  readonly isSearchLost: boolean;
  readonly isStart: boolean;
}

/** Its steps are never promises. */
export interface StochasticSolver extends Solver<StochasticDetails> {
  step(): Iteration<StochasticDetails>;
}

const BLOCK_COST = 2 ** 21;
const MAX_BLOCK = 8192;
const MAX_RESTARTS = 10;
/** Rows on which the end is first compared with the start. */
const LOOK_ROWS = 10_000;
const RUNAWAY = 1000;
/** Candidates of the search: 10⁰ … 10¹⁰. */
const CANDIDATES = 11;
const SEARCH_SHARE = 0.1;

/**
 * A solver of the stochastic family for a problem, `options.solver` of them.
 *
 * @throws CurvatureError ERR_OPTION, and as `checkLinearProblem` for the problem
 */
export function createStochasticSolver(
  problem: LinearProblem,
  options?: StochasticOptions,
): StochasticSolver {
  const where = "createStochasticSolver";
  const settings = stochasticOptions.resolve(where, options);
  checkLinearProblem(problem, where);
  const { initial } = settings;
  const start = initial && firstPoint(where, "initial", initial, parameterCount(problem));
  return new PassSolver(problem, { ...settings, initial: start });
}

class PassSolver extends DeclaredSolver implements StochasticSolver {
  readonly name: string;
  readonly dimension: number;
  readonly state;
  private readonly problem: LinearProblem;
  private readonly monitor: PassMonitor;
  private readonly maxPenalty: number;
  private hash: string | undefined;
  private sample: Sample;
  /** The seed of the sample's order. */
  private seed: number;
  private readonly fixedSettings: LearnerSettings;

  constructor(
    problem: LinearProblem,
    readonly options: Omit<StochasticSettings, "initial"> & { readonly initial: Float64Array | undefined },
  ) {
    super();
    this.name = options.solver;
    this.dimension = parameterCount(problem);
    this.problem = problem;
    this.seed = options.seed;
    this.sample = new Sample(problem, options, this.seed);
    const firstBias = this.sample.firstBias();
    const start = this.startWith(firstBias);
    const learning = { ...learnerSettings(problem, options, this.sample), initial: start };
    this.fixedSettings = learning;
    this.monitor = new PassMonitor(start, options.tolerance);
    this.maxPenalty = RUNAWAY * (this.sample.costOfConstant(0, this.sample.training) + this.penalty(start));
    const isSearching = options.t0 === "search";
    const first = createLearner(options.solver, isSearching ? { ...learning, t0: candidate(0) } : learning);
    this.state = stateOf({
      seed: whole(options.seed),
      t0: number(learning.t0),
      skip: whole(learning.skip, { from: 1 }),
      step: word(learning.step, ["explicit", "implicit"]),
      averageStart: number(learning.averageStart),
      biasGain: number(learning.biasGain),
      /** Where no first point was given. */
      firstBias: number(firstBias),
      memory: fixed(learning.memory, "make the solver with the same memory"),
      /** Whether a search for t₀ is under way, and the costs of its candidates so far. */
      isSearching: boolean(isSearching),
      /** Whether none of them ended below the start. */
      isSearchLost: boolean(),
      tried: whole(0, { to: CANDIDATES }),
      trials: float64(new Float64Array(CANDIDATES), { length: (of) => of("tried") }),
      /** The next row's position in the pass. */
      position: whole(0, { to: this.sample.training }),
      /** Whole passes since the last restart. */
      passes: whole(),
      restarts: whole(0, { to: MAX_RESTARTS }),
      index: whole(),
      /** Evaluations of learners that are no more. */
      evaluationsBefore: whole(),
      /** Of rows, to judge the end: not made where a resumed run goes on from there. */
      endEvaluations: whole(),
      /** Whether it ended at a P above that of the start, which is the best point then. */
      isWorse: boolean(),
      /** (P − D)/P at the end, where it was asked for. */
      gap: maybe(number()),
      outcome: outcome(),
      learner: always(
        first,
        madePart((at) => this.learnerAt(at)),
      ),
      monitor: part(this.monitor),
    });
  }

  get fingerprint(): string {
    this.hash ??= fingerprintOfLinear(this.problem);
    return this.hash;
  }

  get last(): Point {
    const { learner, position } = this.state;
    return { x: learner.parameters(), value: position === 0 ? this.monitor.state.cost : undefined };
  }

  get best(): Point {
    const { monitor } = this;
    if (this.state.isWorse) return { x: this.start, value: undefined };
    if (!monitor.isMeasured && this.state.outcome?.status !== "diverged") return this.last;
    return { x: monitor.state.x, value: monitor.state.value };
  }

  private get start(): Float64Array {
    return this.startWith(this.state.firstBias);
  }

  private startWith(bias: number): Float64Array {
    const { initial } = this.options;
    if (initial !== undefined) return initial.slice();
    const start = new Float64Array(this.dimension);
    if (this.problem.bias !== "none") start[this.dimension - 1] = bias;
    return start;
  }

  /** P at the start over the rows at positions 0 … count − 1. */
  private costAtStart(count: number): number {
    const { sample, state, options } = this;
    if (options.initial === undefined) return sample.costOfConstant(state.firstBias, count);
    this.monitor.state.evaluations += count;
    return sample.cost(options.initial, count);
  }

  step(): Iteration<StochasticDetails> {
    const { state } = this;
    if (state.outcome !== undefined) return this.iteration("pass");
    state.index++;
    return this.iteration(state.isSearching ? this.search() : this.train());
  }

  /** A block of a pass. */
  private train(): string {
    const { state, sample, monitor } = this;
    this.visit(sample.training);
    const w = state.learner.parameters();
    const penalty = this.penalty(w);
    if (!(Number.isFinite(penalty) && penalty <= this.maxPenalty)) return this.restart();
    if (state.position < sample.training) return "block";
    state.position = 0;
    state.passes++;
    state.outcome = monitor.look(w, sample);
    if (state.outcome === undefined && state.passes >= this.options.maxPasses)
      state.outcome = {
        status: "max-iterations",
        message: `${state.passes} passes are made, ${this.options.maxPasses} were allowed.`,
      };
    state.endEvaluations = 0;
    if (state.outcome === undefined) return "pass";
    if (this.isWorseThanStart()) {
      state.isWorse = true;
      const words = `P is larger there than at the start, which is the result; t0 was ${state.t0}`;
      state.outcome = {
        ...state.outcome,
        message: `${state.outcome.message} ${words}. Allow more passes, or a larger t0.`,
      };
    }
    if (this.options.tolerance !== undefined) this.certify(this.options.tolerance);
    return "pass";
  }

  /** Whether P is larger than at the start: on some of the rows, and then on all. */
  private isWorseThanStart(): boolean {
    const { sample, state, options } = this;
    if (options.validationShare > 0) return false;
    const { x } = this.best;
    const isWorse = (count: number): boolean => {
      state.endEvaluations += count;
      return !(sample.cost(x, count) <= this.costAtStart(count) * (1 + 1e-12));
    };
    const { training } = sample;
    return isWorse(Math.min(training, LOOK_ROWS)) && (training <= LOOK_ROWS || isWorse(training));
  }

  /** Says of the best point how far from P* it is at most. */
  private certify(tolerance: number): void {
    const { state, problem, options } = this;
    if (options.validationShare > 0) return;
    const { gap } = certify(problem, this.best.x);
    state.endEvaluations += CERTIFY_READS * problem.rows.rows;
    state.gap = Number.isNaN(gap) ? undefined : gap;
    if (state.outcome === undefined || state.gap === undefined) return;
    const words = `the duality gap is ${state.gap.toPrecision(3)} of P`;
    state.outcome =
      state.gap <= tolerance
        ? { status: "converged", message: `${capitalized(words)}, at most ${tolerance}.` }
        : {
            ...state.outcome,
            message: `${state.outcome.message} ${capitalized(words)}.`,
          };
  }

  /** A block of a candidate's trial pass over the first tenth of the rows. */
  private search(): string {
    const { state, sample, monitor } = this;
    const subset = Math.ceil(SEARCH_SHARE * sample.training);
    this.visit(subset);
    if (state.position < subset) return "t0-search";
    const cost = sample.cost(state.learner.parameters(), subset);
    state.trials[state.tried++] = Number.isFinite(cost) ? cost : Number.POSITIVE_INFINITY;
    monitor.state.evaluations += state.learner.evaluations + subset;
    state.position = 0;
    if (state.tried === CANDIDATES) {
      const least = Math.min(...state.trials);
      state.isSearchLost = !(least < this.costAtStart(subset));
      if (!state.isSearchLost) state.t0 = candidate(state.trials.indexOf(least));
      state.isSearching = false;
    }
    this.renewLearner();
    return "t0-search";
  }

  /** The next rows of a pass over the rows at positions 0 … end − 1. */
  private visit(end: number): void {
    const { state, sample } = this;
    const { access } = sample.rows;
    const cost = costPerRow(this.options.solver, access.storedEntries / access.rows, {
      columns: access.columns,
      skip: state.skip,
      memory: state.memory,
    });
    const block = Math.max(1, Math.min(MAX_BLOCK, Math.floor(BLOCK_COST / cost)));
    const to = Math.min(end, state.position + block);
    state.learner.visit(sample.rows, state.position, to);
    state.position = to;
  }

  private restart(): string {
    const { state } = this;
    if (state.restarts === MAX_RESTARTS) {
      state.outcome = {
        status: "diverged",
        message: `The point ran away with the offset t0 = ${state.t0} of the learning rate, after ${MAX_RESTARTS} restarts with one ten times as large each. Scale the features.`,
      };
      return "pass";
    }
    state.restarts++;
    state.evaluationsBefore += state.learner.evaluations;
    state.t0 = 10 * state.t0;
    this.renewLearner();
    this.monitor.restart();
    state.position = 0;
    state.passes = 0;
    return "restart";
  }

  private renewLearner(): void {
    const { state } = this;
    const { skip, step, averageStart, biasGain } = state;
    const t0 = state.isSearching ? candidate(state.tried) : state.t0;
    state.learner = createLearner(this.options.solver, {
      ...this.fixedSettings,
      ...{ t0, skip, step, averageStart, biasGain, initial: this.start },
    });
  }

  /** The learner that a snapshot's settings ask for. */
  private learnerAt(at: Place): RowLearner {
    const isSearching = at.siblings.get("isSearching") === true;
    return createLearner(this.options.solver, {
      ...this.fixedSettings,
      t0: isSearching ? candidate(at.number("tried")) : at.number("t0"),
      skip: at.number("skip"),
      step: at.siblings.get("step") === "implicit" ? "implicit" : "explicit",
      averageStart: at.number("averageStart"),
      biasGain: at.number("biasGain"),
    });
  }

  /** λ/2 ‖w‖², a free bias in it; not finite if w has such an entry. */
  private penalty(w: Float64Array): number {
    return 0.5 * this.problem.lambda * dot(w, w);
  }

  private iteration(phase: string): Iteration<StochasticDetails> {
    const { state, sample } = this;
    const { isSearching, learner, evaluationsBefore } = state;
    const monitor = this.monitor.state;
    const evaluations = evaluationsBefore + (isSearching ? 0 : learner.evaluations);
    return {
      index: state.index,
      value: phase === "pass" ? monitor.cost : undefined,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations,
      gradientEvaluations: evaluations,
      monitoringEvaluations:
        monitor.evaluations + state.endEvaluations + (isSearching ? learner.evaluations : 0),
      passes: evaluations / sample.training,
      phase,
      details: {
        gap: state.gap,
        certificate: state.gap === undefined ? undefined : "duality-gap",
        t0: isSearching ? undefined : state.t0,
        validationError: monitor.error,
        restarts: state.restarts,
        isSearchLost: state.isSearchLost,
        isStart: state.isWorse,
      },
      outcome: state.outcome,
    };
  }

  protected override restored(): void {
    const { state, options } = this;
    state.learner.renew?.();
    state.outcome = standing(state.outcome, { passes: state.passes }, options);
    if (state.outcome === undefined) {
      Object.assign(state, { endEvaluations: 0, isWorse: false, gap: undefined });
    }
    if (state.seed === this.seed) return;
    this.seed = state.seed;
    this.sample = new Sample(this.problem, options, this.seed);
  }
}

/** The settings of a solver's learner: what the user asked for, and what follows from the rows. */
function learnerSettings(
  { loss, lambda, bias }: LinearProblem,
  { t0, skip, step, averageStart, memory, solver }: PassSolver["options"],
  { rows, training }: Sample,
): Omit<LearnerSettings, "initial"> {
  const { access } = rows;
  const meanSquare = meanSquaredNorm(rows, training, bias);
  const byRows =
    t0 === "search"
      ? "explicit"
      : defaultStep(access.columns, largestSquaredNorm(rows, training), meanSquare);
  const resolved = step === "auto" ? byRows : step;
  return {
    loss,
    lambda,
    columns: access.columns,
    bias,
    t0: typeof t0 === "number" ? t0 : defaultT0(meanSquare, loss, lambda),
    skip: skip ?? defaultSkip(access.rows, access.columns, access.storedEntries),
    step: solver === "olbfgs" ? "explicit" : resolved,
    averageStart: averageStart * training,
    biasGain: defaultBiasGain(meanSquare, access.columns),
    memory,
  };
}

/** 10^k */
function candidate(k: number): number {
  let t0 = 1;
  for (let i = 0; i < k; i++) t0 *= 10;
  return t0;
}
