/**
 * What the methods share that take one subfunction of a sum F = Σ f_q, q = 0 … N − 1, at a time: which is next, the
 * counters, and what becomes of a step that leaves the finite numbers. They differ in the step alone. A method whose steps have
 * no length of the user's evaluates the subfunction again at trial points (`lipschitz-estimate.ts`).
 *
 * The value of F is never measured: the best point is the last one. A step that is not finite is not taken and ends
 * the run as diverged, as does one to a point where a subfunction is not finite: the point before it is kept.
 */
import {
  CurvatureError,
  norm2,
  numberThat,
  type Option,
  RandomGenerator,
  shown,
  shuffle,
} from "@curvature/linalg";
import { fingerprintOf } from "../hash.js";
import type { SumOfFunctions } from "../problem.js";
import {
  type AskTellSolver,
  type Iteration,
  jointEvaluations,
  type Point,
  type Question,
} from "../solver.js";
import { DeclaredSolver, float64, generator, int32, maybe, outcome, type State, whole } from "../state.js";
import { checkSum, indicesOf } from "../sum.js";
import type { LipschitzEstimate } from "./lipschitz-estimate.js";
import { checkPoint } from "./start.js";

/** A new random order of all subfunctions in every pass, or even draws with replacement. */
type Sampling = "permutation" | "replacement";

export interface IncrementalDetails {
  /** The subfunction that was evaluated. */
  readonly subfunction: number;
}

/** For decays and momenta: with 1 nothing would ever be forgotten. */
export const belowOne: Option<number> = numberThat(
  "a number of at least 0 and below 1",
  (value) => value >= 0 && value < 1,
);

export abstract class IncrementalSolver extends DeclaredSolver implements AskTellSolver<IncrementalDetails> {
  abstract readonly options: object;
  readonly dimension: number;
  readonly fingerprint: string;
  protected readonly N: number;
  /** Its fields in common are those of `commonState`. */
  abstract override readonly state: State<ReturnType<IncrementalSolver["commonState"]>>;
  private readonly start: Float64Array;
  private readonly random: RandomGenerator;
  /** The order of the pass; without entries where the draws are with replacement. */
  private readonly order: Int32Array;
  private readonly next: Float64Array;
  private isAsked = false;
  /** Trials of the step under way, at `next`, the gradient at x, and what they go along. */
  private trials = 0;
  private readonly held: Float64Array;
  private readonly along: Float64Array;

  constructor(where: string, sum: SumOfFunctions, x: Float64Array, sampling: Sampling, seed: number) {
    super();
    checkSum(where, sum);
    checkPoint(where, x, sum.dimension);
    this.dimension = sum.dimension;
    this.N = sum.count;
    this.fingerprint = sum.fingerprint ?? fingerprintOf("sum", sum.dimension, sum.count);
    this.start = x.slice();
    this.next = new Float64Array(x.length);
    this.held = new Float64Array(x.length);
    this.along = new Float64Array(x.length);
    this.random = new RandomGenerator(seed);
    this.order = indicesOf(where, sampling === "permutation" ? this.N : 0);
  }

  /** Writes the point after step t (from 1), which has the gradient of f_q at x, and renews the method's own state. */
  protected abstract move(q: number, gradient: Float64Array, t: number, next: Float64Array): void;
  /** What gives the steps their length, where the user does not. */
  protected get estimate(): LipschitzEstimate | undefined {
    return undefined;
  }
  /** Writes the direction d of trials at x − d/L for a subfunction's gradient g at x. @returns (gᵀd − ½ ‖d‖²) / (½ ‖g‖²) */
  protected aim(gradient: Float64Array, along: Float64Array): number {
    along.set(gradient);
    return 1;
  }
  /** What a user can do about steps that are too long. */
  protected abstract readonly advice: string;
  /** What all of these methods have to remember. */
  protected commonState() {
    const last = this.N - 1;
    return {
      x: float64(this.start),
      /** The point before the last step. */
      before: float64(this.start.slice()),
      order: int32(this.order, { from: 0, to: last }),
      random: generator(this.random),
      /** Drawn and not yet evaluated. */
      current: maybe(whole(0, { to: last })),
      /** Evaluated last; −1 before the first. */
      subfunction: whole(-1, { from: -1, to: last }),
      index: whole(),
      /** Of the steps, one each. */
      evaluations: whole(),
      trialEvaluations: whole(),
      outcome: outcome(),
    };
  }

  /** Not measured, so without a value. */
  get best(): Point {
    return { x: this.state.x, value: undefined };
  }

  get last(): Point {
    return this.best;
  }

  /** One question at a time: each step starts where the one before it ended. */
  ask(limit = 1): readonly Question[] {
    const { state } = this;
    if (state.outcome !== undefined) return [{ index: 0, point: state.x, ticket: state.index }];
    if (this.isAsked || limit < 1) return [];
    state.current ??= this.draw();
    this.isAsked = true;
    return [
      { index: state.current, point: this.trials === 0 ? state.x : this.next, ticket: this.openTicket },
    ];
  }

  private get openTicket(): number {
    const { evaluations, trialEvaluations } = this.state;
    return evaluations + trialEvaluations + this.trials;
  }

  private draw(): number {
    const { N } = this;
    const { order, random, evaluations } = this.state;
    if (order.length === 0) return random.integer(N);
    if (evaluations % N === 0) shuffle(random, order);
    return order[evaluations % N];
  }

  tell(ticket: number, value: number, gradient: Float64Array): Iteration<IncrementalDetails> | undefined {
    const { state } = this;
    const { current } = state;
    if (state.outcome !== undefined) return this.iteration();
    if (!this.isAsked || current === undefined || ticket !== this.openTicket)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `The solver ${this.name}: no question waits with the ticket ${shown(ticket)}.`,
        { path: "ticket", received: ticket },
      );
    if (!(gradient instanceof Float64Array) || gradient.length !== this.dimension)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `The solver ${this.name}: the gradient must be a Float64Array of length ${this.dimension}; received ${shown(gradient)}.`,
        { path: "gradient", received: gradient },
      );
    this.isAsked = false;
    if (this.goesOnTrial(current, value, gradient)) return undefined;
    const isWhole = this.trials > 0 || (Number.isFinite(value) && gradient.every(Number.isFinite));
    const gradientAtX = this.trials > 0 ? this.held : gradient;
    state.current = undefined;
    state.index++;
    state.evaluations++;
    state.trialEvaluations += this.trials;
    state.subfunction = current;
    this.trials = 0;
    if (isWhole) {
      this.move(current, gradientAtX, state.evaluations, this.next);
      if (this.next.every(Number.isFinite)) {
        state.before.set(state.x);
        state.x.set(this.next);
      } else this.diverge(`Step ${state.index} leads`);
    } else if (state.evaluations === 1) {
      state.outcome = {
        status: "diverged",
        message: `At the first point subfunction ${current}, or its gradient, is not finite. Start where all of them are, and write every entry of the gradient.`,
      };
    } else {
      this.diverge(`An evaluation of subfunction ${current} came`);
      state.x.set(state.before);
    }
    return this.iteration();
  }

  /** Whether the subfunction has to be evaluated at a (further) trial point, which is then `next`. */
  private goesOnTrial(q: number, value: number, gradient: Float64Array): boolean {
    const { estimate, along, next, trials } = this;
    const { x } = this.state;
    if (estimate === undefined) return false;
    const isWanted = trials > 0 ? estimate.isTooLong(value) : this.beginTrials(estimate, q, value, gradient);
    if (!isWanted) return false;
    this.trials++;
    for (let i = 0; i < x.length; i++) next[i] = x[i] - estimate.trialStep * along[i];
    return true;
  }

  private beginTrials(
    estimate: LipschitzEstimate,
    q: number,
    value: number,
    gradient: Float64Array,
  ): boolean {
    const { held, along } = this;
    held.set(gradient);
    const gain = this.aim(gradient, along);
    const which = estimate.state.constants.length > 1 ? q : 0;
    return Number.isFinite(value) && estimate.begin(value, norm2(gradient), norm2(this.state.x), which, gain);
  }

  private diverge(what: string): void {
    this.state.outcome = {
      status: "diverged",
      message: `${what} to numbers that are not finite; the point before it is kept. ${this.advice}`,
    };
  }

  private iteration(): Iteration<IncrementalDetails> {
    const { N } = this;
    const { index, evaluations, trialEvaluations, subfunction, outcome } = this.state;
    const made = evaluations + trialEvaluations;
    return {
      index,
      value: undefined,
      gradientNorm: undefined,
      stepLength: undefined,
      ...jointEvaluations(made, made / N),
      phase: evaluations % N === 0 ? "pass" : "terms",
      details: { subfunction },
      outcome,
    };
  }

  protected override restored(): void {
    this.isAsked = false;
    this.trials = 0; // they are made anew
  }
}
