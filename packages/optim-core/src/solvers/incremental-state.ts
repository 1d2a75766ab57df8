/**
 * What the methods share that take one subfunction of a sum F = Σ f_q, q = 0 … N − 1, at a time: which is next, the
 * counters, and what becomes of a step that leaves the finite numbers. They differ in the step alone.
 *
 * The value of F is never measured: the best point is the last one. A step that is not finite is not taken and ends
 * the run as diverged.
 */
import { CurvatureError, RandomGenerator, type Rule, shown, shuffle } from "@curvature/linalg";
import { fingerprintOf } from "../hash.js";
import type { SumOfFunctions } from "../problem.js";
import { openSnapshot, type SnapshotReader } from "../snapshot.js";
import type {
  AskTellSolver,
  Iteration,
  Outcome,
  Point,
  Question,
  Snapshot,
  SnapshotValue,
} from "../solver.js";
import { checkSum, indicesOf } from "../sum.js";
import { checkPoint } from "./start.js";

/** A new random order of all subfunctions in every pass, or even draws with replacement. */
type Sampling = "permutation" | "replacement";

export interface IncrementalDetails {
  /** The subfunction that was evaluated. */
  readonly subfunction: number;
}

/** For decays and momenta: with 1 nothing would ever be forgotten. */
export const belowOne: Rule = {
  expected: "a number of at least 0 and below 1",
  accepts: (value) => typeof value === "number" && value >= 0 && value < 1,
};

const VERSION = 1;

export abstract class IncrementalSolver implements AskTellSolver<IncrementalDetails> {
  abstract readonly name: string;
  abstract readonly options: object;
  readonly dimension: number;
  readonly fingerprint: string;
  protected readonly N: number;
  protected readonly x: Float64Array;
  private readonly random: RandomGenerator;
  /** The order of the pass; without entries where the draws are with replacement. */
  private readonly order: Int32Array;
  private readonly next: Float64Array;
  private current: number | undefined;
  private isAsked = false;
  private index = 0;
  private evaluations = 0;
  private subfunction = -1;
  private outcome: Outcome | undefined;

  constructor(where: string, sum: SumOfFunctions, x: Float64Array, sampling: Sampling, seed: number) {
    checkSum(where, sum);
    checkPoint(where, x, sum.dimension);
    this.dimension = sum.dimension;
    this.N = sum.count;
    this.fingerprint = sum.fingerprint ?? fingerprintOf("sum", sum.dimension, sum.count);
    this.x = x.slice();
    this.next = new Float64Array(x.length);
    this.random = new RandomGenerator(seed);
    this.order = indicesOf(where, sampling === "permutation" ? this.N : 0);
  }

  /** Writes the point after step t (from 1), which has the gradient of f_q at x, and renews the method's own state. */
  protected abstract move(q: number, gradient: Float64Array, t: number, next: Float64Array): void;
  /** The method's own state, copied. */
  protected abstract saveMethod(): { readonly [key: string]: SnapshotValue };
  /** Reads and checks; the returned function takes it over. */
  protected abstract openMethod(state: SnapshotReader): () => void;
  /** What a user can do about steps that are too long. */
  protected abstract readonly advice: string;

  /** Not measured, so without a value. */
  get best(): Point {
    return { x: this.x, value: undefined };
  }

  get last(): Point {
    return this.best;
  }

  /** One question at a time: each step starts where the one before it ended. */
  ask(limit = 1): readonly Question[] {
    if (this.outcome !== undefined) return [{ index: 0, point: this.x, ticket: this.index }];
    if (this.isAsked || limit < 1) return [];
    this.current ??= this.draw();
    this.isAsked = true;
    return [{ index: this.current, point: this.x, ticket: this.index }];
  }

  private draw(): number {
    const { order, random, N, evaluations } = this;
    if (order.length === 0) return random.integer(N);
    if (evaluations % N === 0) shuffle(random, order);
    return order[evaluations % N];
  }

  tell(ticket: number, value: number, gradient: Float64Array): Iteration<IncrementalDetails> {
    if (this.outcome !== undefined) return this.iteration();
    const { current } = this;
    if (!this.isAsked || current === undefined || ticket !== this.index)
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
    this.current = undefined;
    this.index++;
    this.evaluations++;
    this.subfunction = current;
    if (Number.isFinite(value) && gradient.every(Number.isFinite)) {
      this.move(current, gradient, this.evaluations, this.next);
      if (this.next.every(Number.isFinite)) this.x.set(this.next);
      else this.diverge(`Step ${this.index} leads`);
    } else if (this.evaluations === 1) {
      this.outcome = {
        status: "diverged",
        message: `At the first point subfunction ${current}, or its gradient, is not finite. Start where all of them are, and write every entry of the gradient.`,
      };
    } else {
      this.diverge(`An evaluation of subfunction ${current} came`);
    }
    return this.iteration();
  }

  private diverge(what: string): void {
    this.outcome = {
      status: "diverged",
      message: `${what} to numbers that are not finite; the point before it is kept. ${this.advice}`,
    };
  }

  private iteration(): Iteration<IncrementalDetails> {
    const { evaluations, N } = this;
    return {
      index: this.index,
      value: undefined,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations,
      gradientEvaluations: evaluations,
      monitoringEvaluations: 0,
      passes: evaluations / N,
      phase: evaluations % N === 0 ? "pass" : "terms",
      details: { subfunction: this.subfunction },
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    return {
      solver: this.name,
      version: VERSION,
      state: {
        x: this.x.slice(),
        order: this.order.slice(),
        random: this.random.save(),
        current: this.current ?? -1,
        subfunction: this.subfunction,
        index: this.index,
        evaluations: this.evaluations,
        outcome: this.outcome === undefined ? null : { ...this.outcome },
        method: this.saveMethod(),
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const { N } = this;
    const state = openSnapshot(snapshot, this.name, VERSION);
    const x = state.float64("x", this.dimension);
    const order = state.int32("order", this.order.length);
    if (!order.every((q) => q >= 0 && q < N))
      throw new CurvatureError(
        "ERR_SNAPSHOT",
        `Snapshot for ${this.name}: subfunctions are from 0 to ${N - 1}.`,
        { path: "order" },
      );
    const random = state.uint32("random", 4);
    const current = state.integer("current", -1, N - 1);
    const subfunction = state.integer("subfunction", -1, N - 1);
    const index = state.integer("index");
    const evaluations = state.integer("evaluations");
    const outcome = state.outcome("outcome");
    const takeMethod = this.openMethod(state.object("method"));
    this.random.restore(random);
    takeMethod();
    this.x.set(x);
    this.order.set(order);
    this.current = current < 0 ? undefined : current;
    this.isAsked = false;
    this.subfunction = subfunction;
    this.index = index;
    this.evaluations = evaluations;
    this.outcome = outcome;
  }
}
