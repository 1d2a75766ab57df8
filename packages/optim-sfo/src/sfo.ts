/**
 * SFO, the sum of functions optimizer: every subfunction has a quadratic model of its own, and each step goes to the
 * minimum of their sum after one of them was evaluated.
 *
 *   minimise  F(x) = Σᵢ fᵢ(x),   i = 1 … N,   x of M numbers                                          (eq. 5)
 *   model     G(x) = Σ gᵢ(x) over the active i,   gᵢ(x) = fᵢ + dᵢᵀ(x − tᵢ) + ½ (x − tᵢ)ᵀ Hᵢ (x − tᵢ)   (eq. 6, 8)
 *   step      1. choose j                                             `ask`      `Method.choose`      (eq. 15)
 *             2. evaluate fⱼ(x) and its gradient                      the caller
 *             3. record gⱼ                                            `tell`     `Method.record`      (eq. 8, 12-14)
 *             4. x ← x − η H⁻¹ ∇G(x),   H = Σ Hᵢ                                 `Method.step`        (eq. 7)
 *             5. let more subfunctions in if it is time                          `Method.grow`        (eq. 16)
 *
 * All of it happens in a subspace of at most max(3N + 3, 2N + 6 + `batch`) dimensions that holds the latest points and
 * gradients. A step that the next evaluation shows to have failed halves η and is taken back (section E.5, `recovery.ts`).
 *
 * | symbol | variable                      | shape                                          |
 * |--------|-------------------------------|------------------------------------------------|
 * | x      | method.x                      | M, the next point to be evaluated              |
 * | P, z   | method.subspace, .z           | M × K, K: x = P z                              |
 * | tᵢ, dᵢ | method.models[i].t, .d        | K                                              |
 * | η      | method.control.scale          |                                                |
 * | G, H   | method.total                  |                                                |
 *
 * Sohl-Dickstein, Poole, Ganguli: Fast large-scale optimization by unifying stochastic gradient and quasi-Newton
 * methods. ICML 2014. Where paper and the authors' program differ this follows the program (the failure test, the
 * growth test, the constants), except that: pairs come from recorded evaluations only; the predicted decrease is exact for
 * a shortened step; a collapse keeps what is in use and pads with nothing; the test of a first value needs five others;
 * the sums are added up anew once a pass; the first Hessian and the shortest step are in units of the problem; gradients that
 * do not change along a step are a curvature of 0; a run ends when the model has no decrease left (`convergence.ts`), and
 * starts again from its best point when it diverges (`recovery.ts`). `minimizeSum` goes on with L-BFGS (`whole-sum.ts`).
 */
import {
  badArgument,
  CurvatureError,
  checkArgument,
  flag,
  integerFrom,
  option,
  optionTable,
  shown,
  squaredDistance,
} from "@curvature/linalg";
import {
  type AskTellSolver,
  checkPoint,
  fingerprintOf,
  type Iteration,
  jointEvaluations,
  type Point,
  type Question,
  type Snapshot,
  type SumDetails,
} from "@curvature/optim-core";
import {
  DeclaredSolver,
  float64,
  int32,
  madePart,
  maybe,
  number,
  outcome,
  part,
  record,
  stateOf,
  whole,
} from "@curvature/optim-core/state";
import { ConvergenceMonitor, converged, stalled } from "./convergence.js";
import { Method, type Safeguards, SCALE_FLOOR, usualSafeguards } from "./method.js";
import { type SfoOptions, type SfoSettings, sfoOptions } from "./options.js";
import { type Answer, type Pending, Questions } from "./questions.js";
import {
  DivergenceMonitor,
  diverged,
  hasFailed,
  notFinite,
  Recovery,
  Restarts,
  Sweep,
  type SweepPhase,
} from "./recovery.js";

/** What is to be minimised, as far as the solver needs to know: it never evaluates by itself. */
export interface SumShape {
  readonly dimension: number;
  readonly count: number;
  readonly fingerprint?: string | undefined;
}

/** What ended with an answer: a step, or a sweep, which measures F. */
interface Ended {
  readonly subfunctions: readonly number[];
  readonly hasFailed: boolean;
  readonly phase: "step" | SweepPhase;
  readonly value: number | undefined;
}

const AFTER_THE_END = -1;
const replaceOptions = optionTable({
  /** Whether what is known of its curvature still holds. */
  keepHistory: flag.default(false),
});

export class Sfo extends DeclaredSolver implements AskTellSolver<SumDetails> {
  readonly name = "sfo";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SfoSettings;
  private readonly count: number;
  private readonly method: Method;
  private readonly convergence: ConvergenceMonitor;
  private readonly divergence: DivergenceMonitor;
  private readonly restarts: Restarts;
  private readonly questions = new Questions();
  /** Counts resets of x. */
  private resets = 0;
  protected readonly state;

  /**
   * @param problem - M, N and, if it has one, the fingerprint of the sum that will be evaluated
   * @param x - the first point, of M finite numbers; copied
   * @param safeguards - for tests against traces that were made without some of them
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(
    problem: SumShape,
    x: Float64Array,
    options?: SfoOptions,
    private readonly safeguards: Safeguards = usualSafeguards,
  ) {
    super();
    checkShape(problem);
    const { dimension, count } = problem;
    checkPoint("Sfo", x, dimension);
    this.options = sfoOptions.resolve("Sfo", options);
    this.dimension = dimension;
    this.count = count;
    this.fingerprint = problem.fingerprint ?? fingerprintOf("sum", dimension, count);
    this.method = new Method(x, count, this.options, safeguards);
    this.convergence = new ConvergenceMonitor(this.method, this.options.tolerance);
    this.divergence = new DivergenceMonitor(x, count);
    this.restarts = new Restarts(x, this.options.maxRestarts);
    const point = (): Float64Array => new Float64Array(dimension);
    this.state = stateOf({
      method: part(this.method),
      convergence: part(this.convergence),
      divergence: part(this.divergence),
      restarts: part(this.restarts),
      /** What follows a failed step. */
      recovery: madePart(
        () => new Recovery({ point: point(), f: Number.NaN, gradient: point() }, 0, point(), count),
      ),
      sweep: madePart(() => new Sweep(point(), "restart", count)),
      /** The best of the points at which F was measured, by a sweep or by somebody else. */
      measured: maybe(
        record({ x: float64(new Float64Array(0), { length: () => dimension }), value: number() }),
      ),
      /** Subfunctions that were chosen for steps when this was saved, to be asked for anew. */
      asked: int32(new Int32Array(0), { anyLength: true, from: 0, to: count - 1 }),
      index: whole(),
      outcome: outcome(),
    });
  }

  /** The best point at which F was measured, or as long as there is none, the current one. */
  get best(): Point {
    return this.state.measured ?? this.last;
  }

  /** The point that the next evaluation is of; nobody has evaluated there yet. */
  get last(): Point {
    return { x: this.method.x, value: undefined };
  }

  /** The iteration that it stands at, without a step. */
  get now(): Iteration<SumDetails> {
    return this.iteration({ subfunctions: [], hasFailed: false, phase: "step", value: undefined });
  }

  /** Of the model's Hessian, the mean of its diagonal. */
  get meanCurvature(): number {
    return this.method.meanCurvature;
  }

  /** The point before the last step, at which a subfunction was evaluated. Not a copy. */
  get lastAccepted(): Float64Array {
    return this.method.position.xPrevious;
  }

  /** Bytes that the basis P takes: 8 M (or 4 M in single precision) for each of its columns. */
  get subspaceBytes(): number {
    return this.method.subspace.bytes;
  }

  /**
   * Whether P no longer fits WebAssembly's memory (4 GiB, or what the system gives), so that its products are made in
   * TypeScript: the same bits, in more time.
   */
  get subspaceHasOutgrown(): boolean {
    return this.method.subspace.hasOutgrown;
  }

  // ── Ask: choose j ─────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * The subfunctions of the next step: `batch` of them, at one point. With a larger `limit` and a `batch` of 1 there
   * are more, whose answers come to points that the solver may have left; then the order of arrival matters. After the
   * end it is any one question, whose answer changes nothing.
   *
   * @throws CurvatureError ERR_ARGUMENT
   */
  ask(limit: number = this.options.batch): readonly Question[] {
    checkArgument("Sfo.ask", "limit", integerFrom(1), limit);
    if (this.state.outcome !== undefined) return [{ index: 0, point: this.method.x, ticket: AFTER_THE_END }];
    if (!this.questions.hasQueued) this.queueQuestions(limit);
    return this.questions.hand(limit);
  }

  private queueQuestions(limit: number): void {
    const { questions, method } = this;
    const { recovery, sweep } = this.state;
    const { batch } = this.options;
    if (recovery !== undefined) {
      if (!questions.has("recovery")) this.queue(recovery.index, "recovery", recovery.next);
    } else if (sweep !== undefined) {
      if (questions.has("sweep")) return;
      const end = Math.min(sweep.next + batch, this.count);
      while (sweep.next < end) this.queue(sweep.next++, "sweep", sweep.point);
    } else if (batch === 1 || !questions.has("step")) {
      for (let k = 0; k < (batch === 1 ? limit : batch); k++) {
        const index = method.choose(questions.busy);
        if (index === undefined) return;
        this.queue(index, "step", method.position.pointNow());
      }
    }
  }

  private queue(index: number, purpose: Pending["purpose"], point: Float64Array): void {
    const { method, resets } = this;
    const pointBefore = purpose === "step" ? method.position.pointBefore() : point;
    this.questions.add({
      index,
      purpose,
      point,
      pointBefore,
      predictedDecrease: method.predictedDecrease,
      resets,
    });
  }

  // ── Tell: record gⱼ, step ─────────────────────────────────────────────────────────────────────────────────────────

  /** @throws CurvatureError ERR_ARGUMENT for a ticket that is not open, or a gradient of another length */
  tell(ticket: number, value: number, gradient: Float64Array): Iteration<SumDetails> | undefined {
    if (this.state.outcome !== undefined)
      return this.iteration({ subfunctions: [], hasFailed: false, phase: "step", value: undefined });
    const ended = this.answered(ticket, value, gradient);
    if (ended === undefined) return undefined;
    this.state.index++;
    return this.iteration(ended);
  }

  private answered(ticket: number, value: number, gradient: Float64Array): Ended | undefined {
    const { questions } = this;
    const pending = questions.find(ticket);
    if (pending === undefined) throw badArgument("Sfo.tell", "ticket", "that of an open question", ticket);
    if (!(gradient instanceof Float64Array) || gradient.length !== this.dimension)
      throw badArgument("Sfo.tell", "gradient", `a Float64Array of length ${this.dimension}`, gradient);
    const f = gradient.every(Number.isFinite) ? value : Number.NaN;
    const answer = { pending, f, gradient };
    const { purpose } = pending;
    if (purpose === "recovery" || this.options.batch === 1) {
      questions.close(pending);
      if (purpose === "recovery") return this.recover(answer);
      if (purpose === "sweep") return this.sweepWith([answer]);
      const { recovery, sweep } = this.state;
      return recovery === undefined && sweep === undefined ? this.stepWith([answer]) : this.absorb(answer);
    }
    const group = questions.collect(answer);
    if (group === undefined) return undefined;
    return purpose === "sweep" ? this.sweepWith(group) : this.stepWith(group);
  }

  /** Renews the models of the subfunctions that were evaluated, and steps; unless the step before has failed. */
  private stepWith(answers: readonly Answer[]): Ended | undefined {
    const { method, resets } = this;
    const { models, control } = method;
    let failed: Answer | undefined;
    for (const answer of answers) {
      const { pending, f, gradient } = answer;
      const { index, point, predictedDecrease } = pending;
      this.take(answer);
      const isFailure =
        failed === undefined &&
        pending.resets === resets &&
        hasFailed(models[index], method.valueAt(index, point), f, predictedDecrease, models);
      if (isFailure) failed = answer;
      else if (Number.isFinite(f)) method.record(index, [{ point, f, gradient }]);
    }
    if (failed !== undefined) {
      const { pending, f, gradient } = failed;
      const { index, point, pointBefore } = pending;
      control.shorten(method.isSparse);
      this.state.recovery = new Recovery({ point, f, gradient }, index, pointBefore, this.count);
      return undefined;
    }
    control.lengthen(answers.length / models.length);
    const subfunctions = answers.map(({ pending }) => pending.index);
    this.advance(false);
    return { subfunctions, hasFailed: false, phase: "step", value: undefined };
  }

  /** Counts an evaluation and takes its gradient into the subspace, where the points in use stay. */
  private take({ pending, gradient }: Answer): void {
    const { recovery, sweep } = this.state;
    const points = new Set([pending.point, pending.pointBefore, ...this.questions.points]);
    if (sweep !== undefined) points.add(sweep.point);
    if (recovery !== undefined) points.add(recovery.point).add(recovery.pointBefore);
    this.method.take(pending.index, gradient, [...points], recovery?.gradients ?? []);
  }

  /** A late answer during a recovery or a sweep: it enters its model, and no step follows. */
  private absorb(answer: Answer): undefined {
    this.take(answer);
    const { pending, f, gradient } = answer;
    if (Number.isFinite(f)) this.method.record(pending.index, [{ point: pending.point, f, gradient }]);
  }

  /**
   * The Newton step from where the models stand now, unless the run is at an end or at a restart.
   *
   * @param isLost - whether nothing finite was found, which says nothing of a minimum
   */
  private advance(hasFailed: boolean, isLost = false): void {
    const { method, divergence, safeguards } = this;
    const { control } = method;
    control.distance += control.length;
    const estimate = method.sumOf(({ f }) => f);
    const first = method.sumOf(({ firstF }) => firstF);
    const reason = safeguards.isMonitored
      ? divergence.see(estimate, first, method.x, hasFailed, control.scale)
      : undefined;
    if (reason !== undefined) this.restart(reason);
    else if (isLost || !this.hasConverged(estimate, first)) this.step(hasFailed);
    if (isLost) this.convergence.disturb();
  }

  private step(hasFailed: boolean): void {
    const { method } = this;
    try {
      method.step();
      method.grow(hasFailed, Math.max(this.options.batch, this.questions.count + 1));
    } catch (error) {
      if (!(error instanceof CurvatureError)) throw error;
      const isBeyondRange = error.code === "ERR_NON_FINITE";
      this.restart(
        isBeyondRange
          ? "the model's step leaves the range of float64"
          : "the model's Hessian is not positive definite",
      );
    }
  }

  // ── A failed step ─────────────────────────────────────────────────────────────────────────────────────────────────

  private recover(answer: Answer): Ended | undefined {
    const { method } = this;
    const { recovery } = this.state;
    if (recovery === undefined) return undefined;
    const { index, point: failedPoint, pointBefore } = recovery;
    this.take(answer);
    const { isSeen, f: known } = method.models[index];
    const recovered = recovery.take(
      answer.f,
      answer.gradient,
      isSeen ? known : Number.NaN,
      method.valueAt(index, failedPoint),
    );
    if (recovered === undefined) return undefined;
    this.state.recovery = undefined;
    const { evaluations, point, isBack } = recovered;
    const ended: Ended = { subfunctions: [index], hasFailed: true, phase: "step", value: undefined };
    const { control } = method;
    this.resets++;
    method.moveTo(point);
    control.length = isBack ? 0 : Math.sqrt(squaredDistance(point, pointBefore));
    if (evaluations.length > 0) method.record(index, evaluations);
    else if (!method.models.some((model) => model.isSeen)) {
      this.state.outcome = notFinite(index);
      return ended;
    }
    control.scale = Math.max(control.scale, SCALE_FLOOR);
    this.advance(true, evaluations.length === 0);
    return ended;
  }

  // ── Convergence ───────────────────────────────────────────────────────────────────────────────────────────────────

  private hasConverged(estimate: number | undefined, first: number | undefined): boolean {
    const { convergence, options } = this;
    if (estimate === undefined || first === undefined || !this.safeguards.isMonitored) return false;
    const { left, isLost } = convergence.see(estimate, first);
    if (isLost && this.returnToNearest()) return true;
    if (!convergence.isCalm) return false;
    // Steps in a row visit every subfunction, unless they go at random: then some model may be of long ago.
    if (options.selection === "random" && !options.deterministic)
      this.sweepAt(this.method.x.slice(), "verification");
    else this.state.outcome = converged(left, options.tolerance, `for ${this.count} steps in a row`);
    return true;
  }

  /** All models are of this point now, and their gradients' sum is F's. */
  private verify(F: number): void {
    this.method.rebuild();
    const { left, verdict } = this.convergence.verify(F, this.method.sumOf(({ firstF }) => firstF) ?? F);
    if (verdict === "converged")
      this.state.outcome = converged(
        left,
        this.options.tolerance,
        "with every subfunction evaluated at one point",
      );
    else if (verdict === "stalled") this.state.outcome = stalled;
    else this.step(false);
  }

  /** Every subfunction is evaluated at the point nearest to a minimum. @returns whether there is one */
  private returnToNearest(): boolean {
    const point = this.convergence.takeNearest();
    if (point !== undefined) this.sweepAt(point, "verification");
    return point !== undefined;
  }

  // ── Restarts and sweeps ───────────────────────────────────────────────────────────────────────────────────────────

  private restart(reason: string): void {
    const { method, divergence, restarts } = this;
    if (restarts.areSpent && this.convergence.wasVerified) {
      this.state.outcome = stalled;
      return;
    }
    if (this.returnToNearest()) {
      divergence.restart();
      restarts.take();
      return;
    }
    if (restarts.areSpent) {
      this.state.outcome = diverged(restarts.count, reason);
      return;
    }
    method.control.restart(restarts.firstLength(method.x, this.count));
    restarts.take();
    divergence.restart();
    this.sweepAt(divergence.point.slice(), "restart");
  }

  private sweepAt(point: Float64Array, phase: SweepPhase): void {
    this.resets++;
    this.state.sweep = new Sweep(point, phase, this.count);
    this.method.moveTo(point);
    this.method.control.length = 0;
  }

  private sweepWith(answers: readonly Answer[]): Ended | undefined {
    const { method } = this;
    const { sweep } = this.state;
    if (sweep === undefined) return undefined;
    for (const answer of answers) {
      const { pending, f, gradient } = answer;
      this.take(answer);
      // x has not moved since the sweep began: its coordinates are z, the same before and after an interruption.
      if (Number.isFinite(f))
        method.record(pending.index, [{ point: method.position.pointNow(), f, gradient }]);
      sweep.sum += f;
      sweep.done++;
    }
    if (sweep.done < this.count) return undefined;
    const { point, sum, phase } = sweep;
    this.state.sweep = undefined;
    this.offer(point, sum);
    if (phase === "verification") this.verify(sum);
    else this.goOnFrom(point, sum);
    return { subfunctions: [], hasFailed: false, phase, value: Number.isFinite(sum) ? sum : undefined };
  }

  /** After a restart's sweep: from the start, if even the best point known was worse. */
  private goOnFrom(point: Float64Array, sum: number): void {
    const first = this.method.sumOf(({ firstF }) => firstF) ?? Number.POSITIVE_INFINITY;
    if (!(sum <= first) && !this.restarts.isStart(point))
      this.sweepAt(this.restarts.start.slice(), "restart");
    else this.step(false);
  }

  // ── What others know ──────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Subfunction i is another function from now on: it is evaluated next, and twice before anything else. A minimum that was
   * found, or measured, no longer counts.
   *
   * @param options - `keepHistory`: whether what is known of its curvature still holds
   * @throws CurvatureError ERR_ARGUMENT, ERR_OPTION
   */
  replaceSubfunction(index: number, options?: { readonly keepHistory?: boolean | undefined }): void {
    const { keepHistory } = replaceOptions.resolve("Sfo.replaceSubfunction", options);
    checkArgument("Sfo.replaceSubfunction", "index", integerFrom(0, this.count - 1), index);
    this.method.models[index].forget(keepHistory);
    if (this.state.outcome?.status === "converged") this.state.outcome = undefined;
    this.convergence.forget();
    this.state.measured = undefined;
  }

  /**
   * Makes a point at which somebody measured F known to the solver: `best` is the best of these, if F is finite.
   *
   * @throws CurvatureError ERR_SHAPE for the point
   */
  recordMeasurement(x: Float64Array, value: number): void {
    if (!(x instanceof Float64Array) || x.length !== this.dimension)
      throw new CurvatureError(
        "ERR_SHAPE",
        `the point must be a Float64Array of length ${this.dimension}; received ${shown(x)}.`,
        { where: "Sfo.recordMeasurement", path: "x", received: x },
      );
    this.offer(x, value);
  }

  private offer(x: Float64Array, value: number): void {
    if (Number.isFinite(value) && value < (this.state.measured?.value ?? Number.POSITIVE_INFINITY))
      this.state.measured = { x: x.slice(), value };
  }

  private iteration({ subfunctions, hasFailed, phase, value }: Ended): Iteration<SumDetails> {
    const { method, state } = this;
    const { evaluations, control } = method;
    return {
      index: state.index,
      value,
      gradientNorm: undefined,
      stepLength: control.scale,
      ...jointEvaluations(evaluations, evaluations / this.count),
      phase,
      details: {
        subfunctions,
        activeSubfunctions: method.active.length,
        subspaceDimension: method.K,
        stepScale: control.scale,
        predictedDecrease: method.predictedDecrease,
        hasFailed,
        estimate: method.sumOf(({ f }) => f),
        restarts: this.restarts.count,
      },
      outcome: state.outcome,
    };
  }

  override save(): Snapshot {
    this.state.asked = this.questions.steps;
    return super.save();
  }

  protected override restored(): void {
    const { state, method, questions } = this;
    method.restored();
    state.sweep?.restored();
    this.resets++;
    questions.clear();
    if (state.recovery === undefined && state.sweep === undefined)
      for (const asked of state.asked) this.queue(asked, "step", method.position.pointNow());
  }
}

/** Beyond this the models alone, one for each subfunction, take gigabytes. */
const MAX_SUBFUNCTIONS = 2 ** 20;

const isSize = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;
const sumShape = option(
  "an object { dimension, count } of whole numbers of at least 1",
  (value): value is SumShape =>
    typeof value === "object" &&
    value !== null &&
    isSize(Reflect.get(value, "dimension")) &&
    isSize(Reflect.get(value, "count")),
);

/** @throws CurvatureError ERR_ARGUMENT */
function checkShape(problem: SumShape): void {
  checkArgument("Sfo", "problem", sumShape, problem);
  if (problem.count > MAX_SUBFUNCTIONS)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `the problem has ${problem.count} subfunctions, at most ${MAX_SUBFUNCTIONS} are possible and 25 to 100 work best. Join them into minibatches.`,
      { where: "Sfo", path: "problem.count", received: problem.count },
    );
}
