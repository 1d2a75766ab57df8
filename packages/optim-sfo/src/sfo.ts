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
  type Point,
  type Question,
} from "@curvature/optim-core";
import { DivergenceWatch, SCALE_FLOOR } from "./divergence-watch.js";
import { expectedChange, hasFailed, isTame } from "./failure.js";
import type { SubfunctionModel } from "./model/subfunction-model.js";
import { checkSfoOptions, type SfoOptions, type SfoSettings } from "./options.js";
import { type SelectionState, selectSubfunction } from "./selection.js";
import { type Evaluation, type Schedule, usualSchedule, Workings } from "./workings.js";

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

/** A question that was asked, and its answer once it was told. */
interface Pending {
  readonly index: number;
  readonly ticket: number;
  readonly purpose: "step" | "failure" | "restart";
  readonly point: Float64Array;
  /** The point before the step that led here, and what that step was to gain. */
  readonly pointBefore: Float64Array;
  readonly gain: number;
  /** Counts resets; a question from before the last one cannot fail its step any more. */
  readonly epoch: number;
  answer: { readonly f: number; readonly gradient: Float64Array } | undefined;
}

/** A failed step in the course of being mended (section E.5). */
interface Mending {
  readonly index: number;
  readonly pointBefore: Float64Array;
  /** The point that failed, or the last one on the way back from it. */
  readonly point: Float64Array;
  f: number;
  readonly gradient: Float64Array;
  before: { readonly f: number; readonly gradient: Float64Array } | undefined;
  expected: number;
  trials: number;
}

/** Trials on the way back, each nearer by a factor of 100. */
const TRIALS = 10;
const STEP_BACK = 0.01;
const RESTART_SCALE = 0.1;

export class Sfo implements AskTellSolver<SfoDetails> {
  readonly name = "sfo";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SfoSettings;
  private readonly workings: Workings;
  private readonly random: RandomGenerator;
  private readonly watch: DivergenceWatch;
  private readonly schedule: Schedule;
  private cycle = 0;
  private index = 0;
  private tickets = 0;
  private epoch = 0;
  /** Asked, or about to be, and not answered (in a batch: not all of them answered). */
  private pending: Pending[] = [];
  /** Those of them that `ask` has not handed out. */
  private queue: Pending[] = [];
  private readonly start: Float64Array;
  private mending: Mending | undefined;
  /** Subfunctions that a restart has still to evaluate; undefined if none is under way. */
  private sweep: { next: number; done: number; readonly point: Float64Array; sum: number } | undefined;
  private restarts = 0;
  private calm = 0;
  private outcome: Outcome | undefined;
  private readonly measured: { x: Float64Array; value: number | undefined };

  /**
   * @param problem - M, N and, if it has one, the fingerprint of the sum that will be evaluated
   * @param x - the first point, of M finite numbers; copied
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
    this.measured = { x: this.workings.x, value: undefined };
    this.workings.start(this.firstActive(problem.count));
  }

  private firstActive(count: number): number[] {
    const { initialActive, deterministic } = this.options;
    const wanted = Math.min(initialActive, count);
    if (deterministic) return Array.from({ length: wanted }, (_, i) => i);
    return Array.from(sampleWithoutReplacement(this.random, wanted, count));
  }

  get best(): Point {
    return this.measured.value === undefined ? this.last : this.measured;
  }

  /** The point that the next evaluation is of; nobody has evaluated there yet. */
  get last(): Point {
    return { x: this.workings.x, value: undefined };
  }

  /** The point before the last step, at which a subfunction was evaluated. */
  get lastAccepted(): Float64Array {
    return this.workings.xPrevious;
  }

  /** Bytes that the basis P takes: 8 (or 4) M for each of its columns. */
  get subspaceBytes(): number {
    return this.workings.subspace.bytes;
  }

  /**
   * One question for each step, unless `batch` or `limit` asks for more; those beyond `batch` are answered at points
   * that may be older than the solver's, in the order of arrival.
   */
  ask(limit: number = this.options.batch): readonly Question[] {
    if (this.outcome !== undefined) return [];
    this.queueQuestions(limit);
    const asked = this.queue.splice(0, Math.max(0, limit));
    return asked.map(({ index, point, ticket }) => ({ index, point, ticket }));
  }

  private queueQuestions(limit: number): void {
    if (this.queue.length > 0) return;
    if (this.mending !== undefined) {
      if (!this.pending.some(({ purpose }) => purpose === "failure")) this.queueMending(this.mending);
    } else if (this.sweep !== undefined) {
      const group = Math.min(this.options.batch, this.workings.models.length - this.sweep.next);
      if (this.pending.some(({ purpose }) => purpose === "restart")) return;
      for (let k = 0; k < group; k++) this.queueAt(this.sweep.next++, "restart", this.sweep.point);
    } else if (this.options.batch === 1 || this.pending.length === 0) {
      this.queueSteps(this.options.batch === 1 ? limit : this.options.batch);
    }
  }

  private queueSteps(count: number): void {
    for (let k = 0; k < count; k++) {
      const index = selectSubfunction(this.selection());
      if (index === undefined) return;
      this.queueAt(index, "step", this.workings.pointNow());
    }
  }

  private queueMending({ index, before, pointBefore, point }: Mending): void {
    this.queueAt(index, "failure", before === undefined ? pointBefore : point);
  }

  private queueAt(index: number, purpose: Pending["purpose"], point: Float64Array): void {
    const { gain } = this.workings;
    const pending: Pending = {
      index,
      ticket: this.tickets++,
      purpose,
      point,
      pointBefore: purpose === "step" ? this.workings.pointBefore() : point,
      gain,
      epoch: this.epoch,
      answer: undefined,
    };
    this.pending.push(pending);
    this.queue.push(pending);
  }

  private selection(): SelectionState {
    const { workings, random, options, pending } = this;
    const { selection: rule, deterministic } = options;
    const busy = new Set(pending.map(({ index }) => index));
    const solver = this;
    return {
      models: workings.models,
      busy,
      random,
      rule,
      deterministic,
      get cycle() {
        return solver.cycle;
      },
      set cycle(next: number) {
        solver.cycle = next;
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

  tell(ticket: number, value: number, gradient: Float64Array): Iteration<SfoDetails> | undefined {
    const at = this.pending.findIndex((pending) => pending.ticket === ticket);
    if (at < 0) throw this.misused(`ticket ${shown(ticket)} is of no open question`);
    if (!(gradient instanceof Float64Array) || gradient.length !== this.dimension)
      throw this.misused(
        `the gradient of subfunction ${this.pending[at].index} must be a Float64Array of length ${this.dimension}; received ${shown(gradient)}${gradient instanceof Float64Array ? ` of length ${gradient.length}` : ""}`,
      );
    const pending = this.pending[at];
    const f = gradient.every(Number.isFinite) ? value : Number.NaN;
    if (pending.purpose === "failure") {
      this.pending.splice(at, 1);
      return this.mend(f, gradient);
    }
    if (this.options.batch === 1) {
      this.pending.splice(at, 1);
      if (pending.purpose === "restart") return this.restartWith([{ pending, f, gradient }]);
      if (this.mending !== undefined || this.sweep !== undefined) return this.absorb(pending, f, gradient);
      return this.stepWith([{ pending, f, gradient }]);
    }
    pending.answer = { f, gradient: gradient.slice() };
    if (this.pending.some(({ answer }) => answer === undefined)) return undefined;
    const answers = this.pending
      .flatMap((told) => (told.answer === undefined ? [] : [{ pending: told, ...told.answer }]))
      .sort((a, b) => a.pending.index - b.pending.index);
    this.pending = [];
    return pending.purpose === "restart" ? this.restartWith(answers) : this.stepWith(answers);
  }

  /** A late answer while something else is under way: it enters its model, and no step follows. */
  private absorb(pending: Pending, f: number, gradient: Float64Array): undefined {
    this.workings.take(pending.index, gradient, this.pointsInUse(pending.point), this.gradientsInUse());
    if (Number.isFinite(f)) this.workings.learn(pending.index, [{ point: pending.point, f, gradient }]);
  }

  private stepWith(answers: readonly Answer[]): Iteration<SfoDetails> | undefined {
    const { workings, epoch } = this;
    const { models } = workings;
    let failed: Answer | undefined;
    for (const { pending, f, gradient } of answers) {
      const { index, point } = pending;
      workings.take(index, gradient, this.pointsInUse(point), []);
      const predicted = workings.valueAt(index, point);
      const isFailure =
        pending.epoch === epoch &&
        hasFailed(models[index], predicted, f, Number.isFinite(f), pending.gain, models);
      if (isFailure && failed === undefined) failed = { pending, f, gradient };
      else if (Number.isFinite(f)) workings.learn(index, [{ point, f, gradient }]);
    }
    if (failed !== undefined) return this.startMending(failed);
    const share = answers.length / models.length;
    workings.stepScale = share + workings.stepScale * (1 - share);
    if (workings.radius < Number.POSITIVE_INFINITY) workings.radius *= 1 + share;
    workings.distance += workings.stepLength;
    return this.finish(
      answers.map(({ pending }) => pending.index),
      false,
    );
  }

  private startMending({ pending, f, gradient }: Answer): undefined {
    const { workings } = this;
    const { index, point, pointBefore } = pending;
    workings.stepScale /= 2;
    if (workings.radius < Number.POSITIVE_INFINITY)
      workings.radius = Math.max(1e-10, Math.min(workings.radius, workings.stepLength) / 2);
    this.mending = {
      index,
      pointBefore,
      point: point.slice(),
      f,
      gradient: gradient.slice(),
      before: undefined,
      expected: 0,
      trials: 0,
    };
  }

  private mend(f: number, gradient: Float64Array): Iteration<SfoDetails> | undefined {
    const { mending, workings } = this;
    if (mending === undefined) return undefined;
    const { index, pointBefore, point } = mending;
    workings.take(index, gradient, [pointBefore, point], this.gradientsInUse());
    const model = workings.models[index];
    if (mending.before === undefined) {
      mending.before = { f, gradient: gradient.slice() };
      const predicted = workings.valueAt(index, point);
      mending.expected = expectedChange(model.isSeen ? model.f : Number.NaN, predicted, mending.f, f);
    } else {
      mending.f = f;
      mending.gradient.set(gradient);
    }
    const { before } = mending;
    if (mending.trials < TRIALS && !isTame(mending.f, before.f, mending.expected)) {
      mending.trials++;
      for (let i = 0; i < point.length; i++)
        point[i] = (1 - STEP_BACK) * pointBefore[i] + STEP_BACK * point[i];
      return undefined;
    }
    this.mending = undefined;
    return this.finishMending(mending, before);
  }

  private finishMending(
    { index, point, pointBefore, f, gradient }: Mending,
    before: { readonly f: number; readonly gradient: Float64Array },
  ): Iteration<SfoDetails> {
    const { workings } = this;
    const old: Evaluation = { point: pointBefore, ...before };
    const recent: Evaluation = { point, f, gradient };
    const isBetter = Number.isFinite(f) && !(before.f <= f);
    const usable = (isBetter ? [old, recent] : [recent, old]).filter((e) => Number.isFinite(e.f));
    if (usable.length === 0 && workings.evaluations <= 2) return this.fail(index);
    this.epoch++;
    workings.moveTo(isBetter ? point : pointBefore);
    workings.learn(index, usable);
    if (isBetter) workings.distance += distanceBetween(point, pointBefore);
    workings.stepScale = Math.max(workings.stepScale, SCALE_FLOOR);
    return this.finish([index], true);
  }

  private fail(index: number): Iteration<SfoDetails> {
    this.outcome = {
      status: "diverged",
      message: `At the first point subfunction ${index}, or its gradient, is not finite. Start where all of them are.`,
    };
    return this.iteration([index], true, "step");
  }

  /** The Newton step, and all that follows it. */
  private finish(subfunctions: readonly number[], hasFailedStep: boolean): Iteration<SfoDetails> {
    const { workings, watch, schedule } = this;
    const estimate = this.estimate();
    const reason = schedule.isWatched
      ? watch.see(estimate, this.firstEstimate(), workings.x, hasFailedStep, workings.stepScale)
      : undefined;
    if (reason !== undefined) this.startRestart(reason);
    else if (!this.hasConverged(estimate)) this.makeStep(hasFailedStep);
    this.index++;
    return this.iteration(subfunctions, hasFailedStep, "step");
  }

  private makeStep(hasFailedStep: boolean): void {
    const { workings } = this;
    try {
      if (workings.step() === 0)
        this.outcome = { status: "converged", message: "The model has its minimum at the current point." };
      else workings.grow(hasFailedStep, this.choice);
    } catch (error) {
      if (!(error instanceof CurvatureError)) throw error;
      this.startRestart("the model's Hessian is not positive definite");
    }
  }

  private hasConverged(estimate: number | undefined): boolean {
    const { workings, options, schedule } = this;
    const { models } = workings;
    if (estimate === undefined || !schedule.isWatched || options.tolerance === 0) return false;
    if (models.some(({ evaluations }) => evaluations < 2)) return false;
    if (!(this.workings.gain <= GENEROUS * options.tolerance * (1 + Math.abs(estimate)))) {
      this.calm = 0;
      return false;
    }
    const left = workings.decreaseLeft();
    this.calm = left <= options.tolerance * (1 + Math.abs(estimate)) ? this.calm + 1 : 0;
    if (this.calm < models.length) return false;
    this.outcome = {
      status: "converged",
      message: `The model predicts a further decrease of ${left.toPrecision(3)}, at most ${options.tolerance} of 1 + |F|, for ${models.length} steps in a row.`,
    };
    return true;
  }

  private estimate(): number | undefined {
    return sumOf(this.workings.models, ({ isSeen, f }) => (isSeen ? f : undefined));
  }

  private firstEstimate(): number | undefined {
    return sumOf(this.workings.models, ({ isSeen, firstF }) => (isSeen ? firstF : undefined));
  }

  private startRestart(reason: string): void {
    const { workings, watch, options } = this;
    if (this.restarts === options.maxRestarts) {
      this.outcome = {
        status: "diverged",
        message: `After ${this.restarts} restarts ${reason} again. Look at the gradients with checkGradient, or give a larger initialHessian.`,
      };
      return;
    }
    this.restarts++;
    this.epoch++;
    watch.restart();
    workings.stepScale = RESTART_SCALE;
    workings.distance *= RESTART_SCALE;
    const far = distanceBetween(workings.x, this.start) / Math.sqrt(workings.models.length);
    const size = Math.max(1, norm2(workings.x));
    workings.radius = (0.3 * far + 1e-3 * size) * 0.3 ** (this.restarts - 1);
    this.sweep = { next: 0, done: 0, point: watch.point.slice(), sum: 0 };
    workings.moveTo(this.sweep.point);
  }

  private restartWith(answers: readonly Answer[]): Iteration<SfoDetails> | undefined {
    const { sweep, workings } = this;
    if (sweep === undefined) return undefined;
    for (const { pending, f, gradient } of answers) {
      workings.take(pending.index, gradient, this.pointsInUse(sweep.point), []);
      if (Number.isFinite(f)) workings.learn(pending.index, [{ point: sweep.point, f, gradient }]);
      sweep.sum += f;
      sweep.done++;
    }
    if (sweep.done < workings.models.length) return undefined;
    this.sweep = undefined;
    this.measure(sweep.point, sweep.sum);
    if (!(sweep.sum <= (this.firstEstimate() ?? Number.POSITIVE_INFINITY)) && sweep.point !== this.start) {
      this.sweep = { next: 0, done: 0, point: this.start, sum: 0 };
      workings.moveTo(this.start);
    } else {
      this.makeStep(false);
    }
    this.index++;
    return { ...this.iteration([], false, "restart"), value: sweep.sum };
  }

  /** Keeps a point whose whole sum was measured, if it is the best of these. */
  private measure(x: Float64Array, value: number): void {
    if (!(value < (this.measured.value ?? Number.POSITIVE_INFINITY))) return;
    this.measured.x = x.slice();
    this.measured.value = value;
  }

  private pointsInUse(point: Float64Array): readonly Float64Array[] {
    const points = new Set([point, ...this.pending.flatMap((p) => [p.point, p.pointBefore])]);
    if (this.sweep !== undefined) points.add(this.sweep.point);
    if (this.mending !== undefined) points.add(this.mending.point).add(this.mending.pointBefore);
    return [...points];
  }

  private gradientsInUse(): readonly Float64Array[] {
    const { mending } = this;
    if (mending === undefined) return [];
    const gradients = [mending.gradient, ...(mending.before === undefined ? [] : [mending.before.gradient])];
    return gradients.filter((gradient) => gradient.every(Number.isFinite));
  }

  private iteration(
    subfunctions: readonly number[],
    hasFailedStep: boolean,
    phase: string,
  ): Iteration<SfoDetails> {
    const { workings } = this;
    return {
      index: this.index,
      value: undefined,
      gradientNorm: undefined,
      stepLength: workings.stepScale,
      evaluations: workings.evaluations,
      gradientEvaluations: workings.evaluations,
      monitoringEvaluations: 0,
      passes: workings.evaluations / workings.models.length,
      phase,
      details: {
        subfunctions,
        activeSubfunctions: workings.active.length,
        subspaceDimension: workings.K,
        stepScale: workings.stepScale,
        predictedDecrease: workings.gain,
        hasFailed: hasFailedStep,
        estimate: this.estimate(),
        restarts: this.restarts,
      },
      outcome: this.outcome,
    };
  }

  private misused(what: string): CurvatureError {
    return new CurvatureError("ERR_ARGUMENT", `Sfo.tell: ${what}.`, { path: "tell" });
  }
}

/** Only once the last step's gain is this near to the tolerance is the decrease left looked at. */
const GENEROUS = 100;

interface Answer {
  readonly pending: Pending;
  readonly f: number;
  readonly gradient: Float64Array;
}

/** The sum of a number over all models; undefined if one of them has none. */
function sumOf(
  models: readonly SubfunctionModel[],
  part: (model: SubfunctionModel) => number | undefined,
): number | undefined {
  let sum = 0;
  for (const model of models) {
    const value = part(model);
    if (value === undefined) return undefined;
    sum += value;
  }
  return sum;
}

function distanceBetween(x: Float64Array, y: Float64Array): number {
  return Math.sqrt(squaredDistance(x, y));
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
