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
 * | η      | workings.control.scale        |                                                |
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
  checkOptions,
  flag,
  RandomGenerator,
  sampleWithoutReplacement,
  shown,
} from "@curvature/linalg";
import {
  type AskTellSolver,
  checkPoint,
  fingerprintOf,
  type Iteration,
  openSnapshot,
  type Point,
  type Question,
  type Snapshot,
} from "@curvature/optim-core";
import { Course } from "./course.js";
import { iterationOf, type SfoDetails } from "./details.js";
import type { Ended } from "./ended.js";
import { checkSfoOptions, type SfoOptions, type SfoSettings } from "./options.js";
import { type Pending, Questions } from "./questions.js";
import { type Schedule, usualSchedule } from "./schedule.js";
import { type SelectionState, selectSubfunction } from "./selection.js";
import { checkGradientLength, checkShape, misused, type SumShape } from "./sum-shape.js";
import type { Workings } from "./workings.js";

const VERSION = 4;
const AFTER_THE_END = -1;
const keepNothing: { readonly keepHistory: boolean } = Object.freeze({ keepHistory: false });
const AT_THE_END: Ended = { subfunctions: [], hasFailed: false, phase: "step", value: undefined };

export class Sfo implements AskTellSolver<SfoDetails> {
  readonly name = "sfo";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SfoSettings;
  private readonly random: RandomGenerator;
  private readonly questions = new Questions();
  private readonly course: Course;
  /** Where "cyclic" selection stands. */
  private cycle = 0;
  private index = 0;

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
    this.random = new RandomGenerator(this.options.seed);
    this.course = new Course(x, problem.count, this.questions, this.options, schedule, this.choice);
    this.workings.start(this.firstActive(problem.count));
  }

  private get workings(): Workings {
    return this.course.workings;
  }

  private firstActive(count: number): number[] {
    const { initialActive, deterministic } = this.options;
    const wanted = Math.min(initialActive, count);
    if (deterministic) return Array.from({ length: wanted }, (_, i) => i);
    return Array.from(sampleWithoutReplacement(this.random, wanted, count));
  }

  /** The best point at which F was measured, or as long as there is none, the current one. */
  get best(): Point {
    return this.course.measured.best ?? this.last;
  }

  /** The point that the next evaluation is of; nobody has evaluated there yet. */
  get last(): Point {
    return { x: this.workings.x, value: undefined };
  }

  /** The point before the last step, at which a subfunction was evaluated. Not a copy. */
  get lastAccepted(): Float64Array {
    return this.workings.position.xPrevious;
  }

  /** Bytes that the basis P takes: 8 M (or 4 M in single precision) for each of its columns. */
  get subspaceBytes(): number {
    return this.workings.subspace.bytes;
  }

  /**
   * Whether P no longer fits WebAssembly's memory (4 GiB, or what the system gives), so that its products are made in
   * TypeScript: the same bits, in more time.
   */
  get subspaceHasOutgrown(): boolean {
    return this.workings.subspace.hasOutgrown;
  }

  /**
   * Subfunction i is another function from now on: it is evaluated next, and twice before anything else.
   *
   * @param options - `keepHistory`: whether what is known of its curvature still holds. Default false
   * @throws CurvatureError ERR_ARGUMENT, ERR_OPTION
   */
  replaceSubfunction(index: number, options?: { readonly keepHistory?: boolean }): void {
    const { models } = this.workings;
    const { keepHistory } = checkOptions("Sfo.replaceSubfunction", options, keepNothing, {
      keepHistory: flag,
    });
    if (!Number.isSafeInteger(index) || index < 0 || index >= models.length)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `Sfo.replaceSubfunction: index must be a whole number from 0 to ${models.length - 1}; received ${shown(index)}.`,
        { path: "index", received: index },
      );
    models[index].renew(keepHistory);
    this.course.reopen();
  }

  /**
   * The subfunctions of the next step: `batch` of them, at one point. With a larger `limit` and a `batch` of 1 there
   * are more, whose answers come to points that the solver may have left; then the order of arrival matters. After the
   * end it is any one question, whose answer changes nothing.
   *
   * @throws CurvatureError ERR_ARGUMENT
   */
  ask(limit: number = this.options.batch): readonly Question[] {
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `Sfo.ask: limit must be a whole number of at least 1; received ${shown(limit)}.`,
        { path: "limit", received: limit },
      );
    if (this.course.outcome !== undefined)
      return [{ index: 0, point: this.workings.x, ticket: AFTER_THE_END }];
    if (!this.questions.hasQueued) this.queueQuestions(limit);
    return this.questions.hand(limit);
  }

  private queueQuestions(limit: number): void {
    const { questions, course } = this;
    const { mending, sweep } = course;
    const { batch } = this.options;
    if (mending !== undefined) {
      if (!questions.has("mending")) this.queue(mending.index, "mending", mending.next);
    } else if (sweep !== undefined) {
      if (questions.has("sweep")) return;
      const end = Math.min(sweep.next + batch, this.workings.models.length);
      while (sweep.next < end) this.queue(sweep.next++, "sweep", sweep.point);
    } else if (batch === 1 || !questions.has("step")) {
      for (let k = 0; k < (batch === 1 ? limit : batch); k++) {
        const index = selectSubfunction(this.selection());
        if (index === undefined) return;
        this.queue(index, "step", this.workings.position.pointNow());
      }
    }
  }

  private queue(index: number, purpose: Pending["purpose"], point: Float64Array): void {
    const { workings, course } = this;
    const { epoch } = course;
    const pointBefore = purpose === "step" ? workings.position.pointBefore() : point;
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
    if (this.course.outcome !== undefined) return iterationOf(this.course, this.index, AT_THE_END);
    const ended = this.answered(ticket, value, gradient);
    if (ended === undefined) return undefined;
    this.index++;
    return iterationOf(this.course, this.index, ended);
  }

  private answered(ticket: number, value: number, gradient: Float64Array): Ended | undefined {
    const { questions, course } = this;
    const pending = questions.find(ticket);
    if (pending === undefined) throw misused(`the ticket ${shown(ticket)} is of no open question`);
    checkGradientLength(gradient, this.dimension, pending.index);
    const f = gradient.every(Number.isFinite) ? value : Number.NaN;
    const answer = { pending, f, gradient };
    const { purpose } = pending;
    if (purpose === "mending" || this.options.batch === 1) {
      questions.close(pending);
      if (purpose === "mending") return course.mend(answer);
      if (purpose === "sweep") return course.sweepWith([answer]);
      return course.mending === undefined && course.sweep === undefined
        ? course.stepWith([answer])
        : course.absorb(answer);
    }
    const group = questions.collect(answer);
    if (group === undefined) return undefined;
    return purpose === "sweep" ? course.sweepWith(group) : course.stepWith(group);
  }

  /**
   * Makes a point at which somebody measured F known to the solver: `best` is the best of these, if F is finite.
   *
   * @throws CurvatureError ERR_SHAPE for the point
   */
  measure(x: Float64Array, value: number): void {
    if (!(x instanceof Float64Array) || x.length !== this.dimension)
      throw new CurvatureError(
        "ERR_SHAPE",
        `Sfo.measure: the point must be a Float64Array of length ${this.dimension}; received ${shown(x)}.`,
        { path: "x", received: x },
      );
    this.course.measured.offer(x, value);
  }

  save(): Snapshot {
    return {
      solver: this.name,
      version: VERSION,
      state: {
        random: this.random.save(),
        course: this.course.save(),
        steps: this.questions.save(),
        cycle: this.cycle,
        index: this.index,
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const { course, workings } = this;
    const count = workings.models.length;
    const state = openSnapshot(snapshot, this.name, VERSION);
    const random = state.uint32("random", 4);
    const restoreCourse = course.open(state.object("course"));
    const steps = state.int32("steps");
    if (steps.some((index) => index < 0 || index >= count))
      throw new CurvatureError(
        "ERR_SNAPSHOT",
        `Sfo: the snapshot asks for subfunctions beyond ${count - 1}.`,
        { path: "steps" },
      );
    const cycle = state.integer("cycle");
    const index = state.integer("index");
    this.random.restore(random);
    restoreCourse();
    this.cycle = cycle;
    this.index = index;
    this.questions.clear();
    if (course.mending === undefined && course.sweep === undefined)
      for (const asked of steps) this.queue(asked, "step", workings.position.pointNow());
  }
}
