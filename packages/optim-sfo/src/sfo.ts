/**
 * SFO, the sum of functions optimizer: every subfunction has a quadratic model of its own, and each step goes to the
 * minimum of their sum after one of them was evaluated.
 *
 *   minimise  F(x) = Σᵢ fᵢ(x),   i = 1 … N,   x of M numbers                                          (eq. 5)
 *   model     G(x) = Σ gᵢ(x) over the active i,   gᵢ(x) = fᵢ + dᵢᵀ(x − tᵢ) + ½ (x − tᵢ)ᵀ Hᵢ (x − tᵢ)   (eq. 6, 8)
 *   step      choose j, evaluate fⱼ(x), renew gⱼ, then   x ← x − η H⁻¹ ∇G(x),   H = Σ Hᵢ               (eq. 7)
 *
 * All of it happens in a subspace of at most 3N + 3 dimensions that holds the latest points and gradients. A step that
 * the next evaluation shows to have failed halves η and is taken back.
 *
 * | symbol | variable                      | shape                                          |
 * |--------|-------------------------------|------------------------------------------------|
 * | x      | x                             | M, the next point to be evaluated              |
 * | P, z   | subspace, z                   | M x K, K: x = P z                              |
 * | tᵢ, dᵢ | models[i].t, .d               | K                                              |
 * | η      | stepScale                     |                                                |
 * | G, H   | total                         |                                                |
 *
 * Sohl-Dickstein, Poole, Ganguli: Fast large-scale optimization by unifying stochastic gradient and quasi-Newton
 * methods. ICML 2014. Where paper and the authors' program differ this follows the program (the failure test, the
 * growth test, the constants), except that: pairs come from recorded evaluations only; the predicted gain is exact for
 * a shortened step; a collapse keeps what is in use and pads with nothing; the test of a first value needs five others;
 * the sums are added up anew once a pass; a run ends when the model has no decrease left, and starts again from its
 * best point when it diverges (`divergence-watch.ts`).
 */
import {
  CurvatureError,
  norm2,
  RandomGenerator,
  sampleWithoutReplacement,
  shown,
  squaredDistance,
} from "@curvature/linalg";
import {
  type AskTellSolver,
  checkPoint,
  fingerprintOf,
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Question,
  type Snapshot,
} from "@curvature/optim-core";
import { DivergenceWatch, SCALE_FLOOR } from "./divergence-watch.js";
import { hasFailed } from "./failure.js";
import { type Mended, Mending } from "./mending.js";
import { checkSfoOptions, type SfoOptions, type SfoSettings } from "./options.js";
import { type Answer, type Pending, Questions } from "./questions.js";
import { type SelectionState, selectSubfunction } from "./selection.js";
import { Sweep } from "./sweep.js";
import { type Schedule, usualSchedule, Workings } from "./workings.js";

/** What is to be minimised, as far as the solver needs to know: it never evaluates by itself. */
export interface SumShape {
  readonly dimension: number;
  readonly count: number;
  readonly fingerprint?: string | undefined;
}

export interface SfoDetails {
  /** The subfunctions evaluated in this step. */
  readonly subfunctions: readonly number[];
  readonly activeSubfunctions: number;
  /** K */
  readonly subspaceDimension: number;
  /** η */
  readonly stepScale: number;
  /** The decrease of G that the step is to bring. */
  readonly predictedDecrease: number;
  /** Whether the step before was taken back. */
  readonly hasFailed: boolean;
  /** The sum of all subfunctions' latest values, once all were evaluated: an estimate of F. */
  readonly estimate: number | undefined;
  readonly restarts: number;
}

const VERSION = 1;
/** η after a restart. */
const RESTART_SCALE = 0.1;
/** Only once the last step's gain is this near to the tolerance is the decrease left looked at. */
const NEARLY = 100;

export class Sfo implements AskTellSolver<SfoDetails> {
  readonly name = "sfo";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SfoSettings;
  private readonly schedule: Schedule;
  private readonly start: Float64Array;
  private readonly random: RandomGenerator;
  private readonly workings: Workings;
  private readonly watch: DivergenceWatch;
  private readonly questions = new Questions();
  private mending: Mending | undefined;
  private sweep: Sweep | undefined;
  /** Counts resets of x. */
  private epoch = 0;
  /** Where "cyclic" selection stands. */
  private cycle = 0;
  private index = 0;
  private restarts = 0;
  /** Steps in a row without a decrease to speak of. */
  private calm = 0;
  private outcome: Outcome | undefined;
  /** The best point at which F was measured. */
  private measured: { readonly x: Float64Array; readonly value: number } | undefined;

  /**
   * @param problem - M, N and, if it has one, the fingerprint of the sum that will be evaluated
   * @param x - the first point, of M finite numbers; copied
   * @param schedule - for tests against traces that were made without some of the safeguards
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(problem: SumShape, x: Float64Array, options?: SfoOptions, schedule: Schedule = usualSchedule) {
    checkShape(problem);
    checkPoint("Sfo", x, problem.dimension);
    this.options = checkSfoOptions("Sfo", options);
    this.dimension = problem.dimension;
    this.fingerprint = problem.fingerprint ?? fingerprintOf("sum", problem.dimension, problem.count);
    this.schedule = schedule;
    this.start = x.slice();
    this.random = new RandomGenerator(this.options.seed);
    this.workings = new Workings(x, problem.count, this.options, schedule);
    this.watch = new DivergenceWatch(x, problem.count);
    this.workings.start(this.firstActive(problem.count));
  }

  private firstActive(count: number): number[] {
    const { initialActive, deterministic } = this.options;
    const wanted = Math.min(initialActive, count);
    if (deterministic) return Array.from({ length: wanted }, (_, i) => i);
    return Array.from(sampleWithoutReplacement(this.random, wanted, count));
  }

  /** The best point at which F was measured, or as long as there is none, the current one. */
  get best(): Point {
    return this.measured ?? this.last;
  }

  /** The point that the next evaluation is of; nobody has evaluated there yet. */
  get last(): Point {
    return { x: this.workings.x, value: undefined };
  }

  /** The point before the last step, at which a subfunction was evaluated. Not a copy. */
  get lastAccepted(): Float64Array {
    return this.workings.xPrevious;
  }

  /** Bytes that the basis P takes: 8 M (or 4 M in single precision) for each of its columns. */
  get subspaceBytes(): number {
    return this.workings.subspace.bytes;
  }

  /**
   * Subfunction i is another function from now on: it is evaluated next, and twice before anything else.
   *
   * @param keepHistory - whether what is known of its curvature still holds. Default false
   * @throws CurvatureError ERR_ARGUMENT
   */
  replaceSubfunction(index: number, { keepHistory = false }: { readonly keepHistory?: boolean } = {}): void {
    const { models } = this.workings;
    if (!Number.isSafeInteger(index) || index < 0 || index >= models.length)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `Sfo.replaceSubfunction: index must be a whole number from 0 to ${models.length - 1}; received ${shown(index)}.`,
        { path: "index", received: index },
      );
    models[index].renew(keepHistory);
    if (this.outcome?.status === "converged") this.outcome = undefined;
    this.calm = 0;
    this.measured = undefined;
  }

  /**
   * The subfunctions of the next step: `batch` of them, at one point. With a larger `limit` and a `batch` of 1 there
   * are more, whose answers come to points that the solver may have left; then the order of arrival matters.
   */
  ask(limit: number = this.options.batch): readonly Question[] {
    if (this.outcome !== undefined) return [];
    if (!this.questions.hasQueued) this.queueQuestions(limit);
    return this.questions.hand(limit);
  }

  private queueQuestions(limit: number): void {
    const { questions, mending, sweep } = this;
    const { batch } = this.options;
    if (mending !== undefined) {
      if (!questions.has("mending")) this.queue(mending.index, "mending", mending.next);
    } else if (sweep !== undefined) {
      if (questions.has("restart")) return;
      const end = Math.min(sweep.next + batch, this.workings.models.length);
      while (sweep.next < end) this.queue(sweep.next++, "restart", sweep.point);
    } else if (batch === 1 || !questions.has("step")) {
      for (let k = 0; k < (batch === 1 ? limit : batch); k++) {
        const index = selectSubfunction(this.selection());
        if (index === undefined) return;
        this.queue(index, "step", this.workings.pointNow());
      }
    }
  }

  private queue(index: number, purpose: Pending["purpose"], point: Float64Array): void {
    const { workings, epoch } = this;
    const pointBefore = purpose === "step" ? workings.pointBefore() : point;
    this.questions.add({ index, purpose, point, pointBefore, gain: workings.gain, epoch });
  }

  private selection(): SelectionState {
    const { workings, random, options, questions } = this;
    return {
      models: workings.models,
      busy: questions.busy,
      random,
      rule: options.selection,
      deterministic: options.deterministic,
      cycle: this.cycle,
      turn: (next) => {
        this.cycle = next;
      },
      distances: (indices) => workings.distances(indices),
      ownDistance: (index) => workings.models[index].squaredDistance(workings.z, workings.K),
      activate: () => workings.activate(this.choice),
    };
  }

  /** The generator, where choices are at random. */
  private get choice(): RandomGenerator | undefined {
    return this.options.deterministic ? undefined : this.random;
  }

  /** @throws CurvatureError ERR_ARGUMENT for a ticket that is not open, or a gradient of another length */
  tell(ticket: number, value: number, gradient: Float64Array): Iteration<SfoDetails> | undefined {
    const { questions } = this;
    const pending = questions.find(ticket);
    if (pending === undefined) throw misused(`the ticket ${shown(ticket)} is of no open question`);
    checkGradientLength(gradient, this.dimension, pending.index);
    const f = gradient.every(Number.isFinite) ? value : Number.NaN;
    const answer = { pending, f, gradient };
    const { purpose } = pending;
    if (purpose === "mending" || this.options.batch === 1) {
      questions.close(pending);
      if (purpose === "mending") return this.mend(answer);
      if (purpose === "restart") return this.sweepWith([answer]);
      return this.mending === undefined && this.sweep === undefined
        ? this.stepWith([answer])
        : this.absorb(answer);
    }
    const group = questions.collect(answer);
    if (group === undefined) return undefined;
    return purpose === "restart" ? this.sweepWith(group) : this.stepWith(group);
  }

  private take({ pending, gradient }: Answer): void {
    const { mending, sweep, questions } = this;
    const points = new Set([pending.point, pending.pointBefore, ...questions.points]);
    if (sweep !== undefined) points.add(sweep.point);
    if (mending !== undefined) points.add(mending.point).add(mending.pointBefore);
    this.workings.take(pending.index, gradient, [...points], mending?.gradients ?? []);
  }

  /** A late answer while a step is mended or a restart is under way: it enters its model, and no step follows. */
  private absorb(answer: Answer): undefined {
    this.take(answer);
    const { pending, f, gradient } = answer;
    if (Number.isFinite(f)) this.workings.learn(pending.index, [{ point: pending.point, f, gradient }]);
  }

  private stepWith(answers: readonly Answer[]): Iteration<SfoDetails> | undefined {
    const { workings, epoch } = this;
    const { models } = workings;
    let failed: Answer | undefined;
    for (const answer of answers) {
      const { pending, f, gradient } = answer;
      const { index, point, gain } = pending;
      this.take(answer);
      const isFailure =
        failed === undefined &&
        pending.epoch === epoch &&
        hasFailed(models[index], workings.valueAt(index, point), f, gain, models);
      if (isFailure) failed = answer;
      else if (Number.isFinite(f)) workings.learn(index, [{ point, f, gradient }]);
    }
    if (failed !== undefined) {
      const { pending, f, gradient } = failed;
      workings.shorten();
      this.mending = new Mending({ point: pending.point, f, gradient }, pending.index, pending.pointBefore);
      return undefined;
    }
    workings.lengthen(answers.length / models.length);
    return this.advance(
      answers.map(({ pending }) => pending.index),
      false,
    );
  }

  private mend(answer: Answer): Iteration<SfoDetails> | undefined {
    const { mending, workings } = this;
    if (mending === undefined) return undefined;
    const { index, point } = mending;
    this.take(answer);
    const { isSeen, f: known } = workings.models[index];
    const mended = mending.take(
      answer.f,
      answer.gradient,
      isSeen ? known : Number.NaN,
      workings.valueAt(index, point),
    );
    if (mended === undefined) return undefined;
    this.mending = undefined;
    return this.goOn(mended, mending);
  }

  private goOn(
    { evaluations, point, isBack }: Mended,
    { index, pointBefore }: Mending,
  ): Iteration<SfoDetails> {
    const { workings } = this;
    this.epoch++;
    workings.moveTo(point);
    workings.stepLength = isBack ? 0 : distanceBetween(point, pointBefore);
    if (evaluations.length > 0) workings.learn(index, evaluations);
    else if (!workings.models.some(({ isSeen }) => isSeen)) return this.fail(index);
    workings.stepScale = Math.max(workings.stepScale, SCALE_FLOOR);
    return this.advance([index], true);
  }

  private fail(index: number): Iteration<SfoDetails> {
    this.outcome = {
      status: "diverged",
      message: `At the first point subfunction ${index}, or its gradient, is not finite. Start where all of them are.`,
    };
    this.index++;
    return this.iteration([index], true, "step");
  }

  /** The Newton step from where the models stand now, unless the run is at an end or at a restart. */
  private advance(subfunctions: readonly number[], isMended: boolean): Iteration<SfoDetails> {
    const { workings, watch, schedule } = this;
    workings.distance += workings.stepLength;
    const estimate = workings.sumOf(({ f }) => f);
    const first = workings.sumOf(({ firstF }) => firstF);
    const reason = schedule.isWatched
      ? watch.see(estimate, first, workings.x, isMended, workings.stepScale)
      : undefined;
    if (reason !== undefined) this.restart(reason);
    else if (!this.hasConverged(estimate)) this.step(isMended);
    this.index++;
    return this.iteration(subfunctions, isMended, "step");
  }

  private step(isMended: boolean): void {
    const { workings } = this;
    try {
      if (workings.step() === 0)
        this.outcome = { status: "converged", message: "The model has its minimum at the current point." };
      else workings.grow(isMended, this.choice, Math.max(this.options.batch, this.questions.count + 1));
    } catch (error) {
      if (!(error instanceof CurvatureError)) throw error;
      this.restart("the model's Hessian is not positive definite");
    }
  }

  /** ½ qᵀH⁻¹q, the decrease that the model has left, is small for N steps in a row. */
  private hasConverged(estimate: number | undefined): boolean {
    const { workings, options, schedule } = this;
    const { models } = workings;
    if (estimate === undefined || !schedule.isWatched || options.tolerance === 0) return false;
    const bound = options.tolerance * (1 + Math.abs(estimate));
    const isNear = workings.gain <= NEARLY * bound && models.every(({ evaluations }) => evaluations >= 2);
    const left = isNear ? workings.decreaseLeft() : Number.POSITIVE_INFINITY;
    this.calm = left <= bound ? this.calm + 1 : 0;
    if (this.calm < models.length) return false;
    this.outcome = {
      status: "converged",
      message: `The model has a decrease of ${left.toPrecision(3)} left, at most ${options.tolerance} of 1 + |F|, for ${models.length} steps in a row.`,
    };
    return true;
  }

  private restart(reason: string): void {
    const { workings, watch, options } = this;
    if (this.restarts === options.maxRestarts) {
      this.outcome = {
        status: "diverged",
        message: `After ${this.restarts} restarts ${reason} again. Look at the gradients with checkGradient, or give a larger initialHessian.`,
      };
      return;
    }
    const far = distanceBetween(workings.x, this.start) / Math.sqrt(workings.models.length);
    const size = norm2(workings.x);
    workings.radius = (0.3 * far + 1e-3 * Math.max(1, size)) * 0.3 ** this.restarts;
    workings.stepScale = RESTART_SCALE;
    workings.distance *= RESTART_SCALE;
    this.restarts++;
    watch.restart();
    this.sweepAt(watch.point.slice());
  }

  private sweepAt(point: Float64Array): void {
    this.epoch++;
    this.sweep = new Sweep(point);
    this.workings.moveTo(point);
    this.workings.stepLength = 0;
  }

  private sweepWith(answers: readonly Answer[]): Iteration<SfoDetails> | undefined {
    const { sweep, workings } = this;
    if (sweep === undefined) return undefined;
    for (const answer of answers) {
      const { pending, f, gradient } = answer;
      this.take(answer);
      if (Number.isFinite(f)) workings.learn(pending.index, [{ point: sweep.point, f, gradient }]);
      sweep.sum += f;
      sweep.done++;
    }
    if (sweep.done < workings.models.length) return undefined;
    const { point, sum } = sweep;
    this.sweep = undefined;
    this.measure(point, sum);
    const first = workings.sumOf(({ firstF }) => firstF) ?? Number.POSITIVE_INFINITY;
    if (!(sum <= first) && !isSame(point, this.start)) this.sweepAt(this.start.slice());
    else this.step(false);
    this.index++;
    return { ...this.iteration([], false, "restart"), value: Number.isFinite(sum) ? sum : undefined };
  }

  /** Makes a point at which somebody measured F known to the solver: `best` is the best of these. */
  measure(x: Float64Array, value: number): void {
    if (value < (this.measured?.value ?? Number.POSITIVE_INFINITY)) this.measured = { x: x.slice(), value };
  }

  private iteration(
    subfunctions: readonly number[],
    isMended: boolean,
    phase: string,
  ): Iteration<SfoDetails> {
    const { workings } = this;
    const { stepScale, evaluations, models } = workings;
    return {
      index: this.index,
      value: undefined,
      gradientNorm: undefined,
      stepLength: stepScale,
      evaluations,
      gradientEvaluations: evaluations,
      monitoringEvaluations: 0,
      passes: evaluations / models.length,
      phase,
      details: {
        subfunctions,
        activeSubfunctions: workings.active.length,
        subspaceDimension: workings.K,
        stepScale,
        predictedDecrease: workings.gain,
        hasFailed: isMended,
        estimate: workings.sumOf(({ f }) => f),
        restarts: this.restarts,
      },
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    const { measured, outcome } = this;
    return {
      solver: this.name,
      version: VERSION,
      state: {
        start: this.start.slice(),
        random: this.random.save(),
        workings: this.workings.save(),
        watch: this.watch.save(),
        steps: this.questions.save(),
        mending: this.mending?.save() ?? null,
        sweep: this.sweep?.save() ?? null,
        cycle: this.cycle,
        index: this.index,
        restarts: this.restarts,
        calm: this.calm,
        outcome: outcome === undefined ? null : { ...outcome },
        measured: measured === undefined ? null : { x: measured.x.slice(), value: measured.value },
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const { dimension, workings } = this;
    const count = workings.models.length;
    const state = openSnapshot(snapshot, this.name, VERSION);
    const start = state.float64("start", dimension);
    const random = state.uint32("random", 4);
    const restoreWorkings = workings.open(state.object("workings"));
    const restoreWatch = this.watch.open(state.object("watch"));
    const steps = state.int32("steps");
    if (steps.some((index) => index < 0 || index >= count))
      throw new CurvatureError(
        "ERR_SNAPSHOT",
        `Sfo: the snapshot asks for subfunctions beyond ${count - 1}.`,
        {
          path: "steps",
        },
      );
    const mending = state.has("mending")
      ? Mending.from(state.object("mending"), dimension, count)
      : undefined;
    const sweep = state.has("sweep") ? Sweep.from(state.object("sweep"), dimension, count) : undefined;
    const cycle = state.integer("cycle");
    const index = state.integer("index");
    const restarts = state.integer("restarts");
    const calm = state.integer("calm");
    const outcome = state.outcome("outcome");
    const measured = state.has("measured") ? state.object("measured") : undefined;
    const best = measured && { x: measured.float64("x", dimension).slice(), value: measured.number("value") };

    this.random.restore(random);
    this.start.set(start);
    restoreWorkings();
    restoreWatch();
    this.mending = mending;
    this.sweep = sweep;
    this.cycle = cycle;
    this.index = index;
    this.restarts = restarts;
    this.calm = calm;
    this.outcome = outcome;
    this.measured = best;
    this.epoch++;
    this.questions.clear();
    if (mending === undefined && sweep === undefined)
      for (const asked of steps) this.queue(asked, "step", workings.pointNow());
  }
}

function distanceBetween(x: Float64Array, y: Float64Array): number {
  return Math.sqrt(squaredDistance(x, y));
}

function isSame(x: Float64Array, y: Float64Array): boolean {
  return x.every((entry, i) => entry === y[i]);
}

function misused(what: string): CurvatureError {
  return new CurvatureError("ERR_ARGUMENT", `Sfo.tell: ${what}.`, { path: "tell" });
}

function checkGradientLength(gradient: unknown, dimension: number, index: number): void {
  const length = gradient instanceof Float64Array ? gradient.length : undefined;
  if (length === dimension) return;
  const received = length === undefined ? shown(gradient) : `one of length ${length}`;
  throw misused(
    `the gradient of subfunction ${index} must be a Float64Array of length ${dimension}; received ${received}`,
  );
}

/** @throws CurvatureError ERR_ARGUMENT */
function checkShape(problem: SumShape): void {
  const { dimension, count } = problem;
  if (![dimension, count].every((size) => Number.isSafeInteger(size) && size >= 1))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `Sfo: the problem must have a dimension and a count of at least 1; received ${shown(dimension)} and ${shown(count)}.`,
      { path: "problem", received: problem },
    );
}
