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
import { dot } from "@curvature/linalg";
import {
  checkLinearProblem,
  fingerprintOfLinear,
  type LinearProblem,
  parameterCount,
} from "@curvature/objectives/linear";
import {
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import type { LinearDetails } from "../../details.js";
import type { LearnerSettings, RowLearner } from "../../learner.js";
import { costPerRow, createLearner } from "../../learners/create-learner.js";
import { standing } from "../../standing.js";
import { learnerSettings } from "./learner-settings.js";
import { type StochasticOptions, type StochasticSettings, stochasticSettings } from "./options.js";
import { Sample } from "./sample.js";
import { PassWatch } from "./watch.js";

/** What these solvers tell beside what all solvers of linear problems tell. */
export interface StochasticDetails extends LinearDetails {
  /** The error on the rows held out after the last pass. */
  readonly validationError: number | undefined;
  /** How often the solver began again with a larger t₀. */
  readonly restarts: number;
}

/** Its steps are never promises. */
export interface StochasticSolver extends Solver<StochasticDetails> {
  step(): Iteration<StochasticDetails>;
}

const VERSION = 1;
const BLOCK_COST = 2 ** 21;
const LARGEST_BLOCK = 8192;
const MOST_RESTARTS = 10;
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
  checkLinearProblem(problem, "createStochasticSolver");
  return new PassSolver(problem, stochasticSettings(problem, options));
}

class PassSolver implements StochasticSolver {
  readonly name: string;
  readonly dimension: number;
  readonly options: StochasticSettings;
  private readonly problem: LinearProblem;
  private readonly watch: PassWatch;
  private readonly largestPenalty: number;
  private knownFingerprint: string | undefined;
  private seed: number;
  private sample: Sample;
  private learning: LearnerSettings;
  private learner: RowLearner;
  /** Costs of the candidates of a search so far; undefined where there is none under way. */
  private trials: number[] | undefined;
  /** The next row's position in the pass. */
  private position = 0;
  /** Whole passes since the last restart. */
  private passes = 0;
  private restarts = 0;
  private index = 0;
  /** Evaluations of learners that are no more. */
  private evaluationsBefore = 0;
  private outcome: Outcome | undefined;

  constructor(problem: LinearProblem, options: StochasticSettings) {
    this.name = options.solver;
    this.dimension = parameterCount(problem);
    this.options = options;
    this.problem = problem;
    this.seed = options.seed;
    this.sample = new Sample(problem, options, this.seed);
    this.learning = learnerSettings(problem, options, this.sample);
    this.trials = options.t0 === "search" ? [] : undefined;
    this.learner = this.newLearner();
    const start = options.initial ?? new Float64Array(this.dimension);
    this.watch = new PassWatch(start, options.tolerance);
    this.largestPenalty = RUNAWAY * (this.sample.costAtZero() + this.penalty(start));
  }

  get fingerprint(): string {
    this.knownFingerprint ??= fingerprintOfLinear(this.problem);
    return this.knownFingerprint;
  }

  get last(): Point {
    return { x: this.learner.parameters(), value: this.position === 0 ? this.watch.cost : undefined };
  }

  get best(): Point {
    const { watch } = this;
    return watch.isMeasured || this.outcome?.status === "diverged"
      ? { x: watch.x, value: watch.value }
      : this.last;
  }

  step(): Iteration<StochasticDetails> {
    if (this.outcome !== undefined) return this.report("pass");
    this.index++;
    return this.report(this.trials === undefined ? this.train() : this.search(this.trials));
  }

  /** A block of a pass. */
  private train(): string {
    const { training } = this.sample;
    this.visit(training);
    const w = this.learner.parameters();
    const penalty = this.penalty(w);
    if (!(Number.isFinite(penalty) && penalty <= this.largestPenalty)) return this.restart();
    if (this.position < training) return "block";
    this.position = 0;
    this.passes++;
    this.outcome = this.watch.look(w, this.sample);
    if (this.outcome === undefined && this.passes >= this.options.maxPasses)
      this.outcome = {
        status: "max-evaluations",
        message: `${this.passes} passes are made, ${this.options.maxPasses} were allowed.`,
      };
    return "pass";
  }

  /** A block of a candidate's trial pass over the first tenth of the rows. */
  private search(trials: number[]): string {
    const subset = Math.ceil(SEARCH_SHARE * this.sample.training);
    this.visit(subset);
    if (this.position < subset) return "t0-search";
    const cost = this.sample.cost(this.learner.parameters(), subset);
    trials.push(Number.isFinite(cost) ? cost : Number.POSITIVE_INFINITY);
    this.watch.evaluations += this.learner.evaluations + subset;
    this.position = 0;
    if (trials.length === CANDIDATES) {
      const least = Math.min(...trials);
      if (Number.isFinite(least)) this.learning = { ...this.learning, t0: candidate(trials.indexOf(least)) };
      this.trials = undefined;
    }
    this.learner = this.newLearner();
    return "t0-search";
  }

  /** The next rows of a pass over the rows at positions 0 … end − 1. */
  private visit(end: number): void {
    const { access } = this.sample.rows;
    const cost = costPerRow(this.options.solver, access.storedEntries / access.rows, this.learning);
    const block = Math.max(1, Math.min(LARGEST_BLOCK, Math.floor(BLOCK_COST / cost)));
    const to = Math.min(end, this.position + block);
    this.learner.visit(this.sample.rows, this.position, to);
    this.position = to;
  }

  private restart(): string {
    if (this.restarts === MOST_RESTARTS) {
      this.outcome = {
        status: "diverged",
        message: `The point ran away with t0 = ${this.learning.t0}, after ${MOST_RESTARTS} restarts with t0 ten times as large each. Scale the features, or use step "implicit".`,
      };
      return "pass";
    }
    this.restarts++;
    this.evaluationsBefore += this.learner.evaluations;
    this.learning = { ...this.learning, t0: 10 * this.learning.t0 };
    this.learner = this.newLearner();
    this.watch.restart();
    this.position = 0;
    this.passes = 0;
    return "restart";
  }

  private newLearner(): RowLearner {
    const { trials, learning } = this;
    const settings = trials === undefined ? learning : { ...learning, t0: candidate(trials.length) };
    return createLearner(this.options.solver, settings);
  }

  /** λ/2 ‖w‖², a free bias in it; not finite if w has such an entry. */
  private penalty(w: Float64Array): number {
    return 0.5 * this.problem.lambda * dot(w, w);
  }

  private report(phase: string): Iteration<StochasticDetails> {
    const { watch, trials, sample } = this;
    const evaluations = this.evaluationsBefore + (trials === undefined ? this.learner.evaluations : 0);
    return {
      index: this.index,
      value: phase === "pass" ? watch.cost : undefined,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations,
      gradientEvaluations: evaluations,
      monitoringEvaluations: watch.evaluations + (trials === undefined ? 0 : this.learner.evaluations),
      passes: evaluations / sample.training,
      phase,
      details: {
        gap: undefined,
        certificate: undefined,
        t0: trials === undefined ? this.learning.t0 : undefined,
        validationError: watch.error,
        restarts: this.restarts,
      },
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    const { learning, outcome, trials } = this;
    return {
      solver: this.name,
      version: VERSION,
      state: {
        seed: this.seed,
        t0: learning.t0,
        skip: learning.skip,
        step: learning.step,
        averageStart: learning.averageStart,
        memory: learning.memory,
        trials:
          trials === undefined ? null : Float64Array.from({ length: CANDIDATES }, (_, k) => trials[k] ?? NaN),
        position: this.position,
        passes: this.passes,
        restarts: this.restarts,
        index: this.index,
        evaluationsBefore: this.evaluationsBefore,
        outcome: outcome === undefined ? null : { ...outcome },
        learner: this.learner.save(),
        watch: this.watch.save(),
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const seed = state.integer("seed");
    const sample = seed === this.seed ? this.sample : new Sample(this.problem, this.options, seed);
    const learning: LearnerSettings = {
      ...this.learning,
      t0: state.number("t0"),
      skip: state.integer("skip", 1),
      step: state.text("step") === "implicit" ? "implicit" : "explicit",
      averageStart: state.number("averageStart"),
      memory: state.integer("memory", this.learning.memory, this.learning.memory), // arrays of its size are made before any is read
    };
    const trials = state.has("trials")
      ? Array.from(state.float64("trials", CANDIDATES)).filter((cost) => !Number.isNaN(cost))
      : undefined;
    const position = state.integer("position", 0, sample.training);
    const passes = state.integer("passes");
    const restarts = state.integer("restarts", 0, MOST_RESTARTS);
    const index = state.integer("index");
    const evaluationsBefore = state.integer("evaluationsBefore");
    const outcome = standing(state.outcome("outcome"), { passes }, this.options);
    const t0 = trials === undefined ? learning.t0 : candidate(trials.length);
    const learner = createLearner(this.options.solver, { ...learning, t0 });
    learner.restore(state.object("learner"));
    this.watch.restore(state.object("watch")); // the last that may refuse
    [this.seed, this.sample, this.learning, this.learner] = [seed, sample, learning, learner];
    [this.trials, this.position, this.passes, this.restarts] = [trials, position, passes, restarts];
    [this.index, this.evaluationsBefore, this.outcome] = [index, evaluationsBefore, outcome];
  }
}

/** 10^k */
function candidate(k: number): number {
  let t0 = 1;
  for (let i = 0; i < k; i++) t0 *= 10;
  return t0;
}
