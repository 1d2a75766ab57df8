/**
 * Stochastic gradient descent on a sum F = Σ f_q, q = 0 … N − 1.
 *
 *   x ← x − B/(1 + δ k) Σ_{q in I} ∇f_q(x),   I: the next b of a random order, or b drawn evenly with replacement
 *   k = ⌊evaluations/N⌋, the passes that are done
 *
 * | symbol | option        | unit                                                                             |
 * |--------|---------------|----------------------------------------------------------------------------------|
 * | B      | initialStep   | that of a gradient step on F: a pass moves about −B ∇F(x), whatever N and b are   |
 * | δ      | decay         | of each pass                                                                     |
 *
 * Robbins, Monro: A stochastic approximation method. Ann. Math. Statist. 22 (1951) 400-407; the schedule is that of
 * Ma et al.: Fast stochastic ordinal embedding with variance reduction and adaptive step size (2019), section 5.1, with δ = 0.01.
 * The value of F is never measured: the best point is the last one. A step that leaves the finite numbers is taken
 * back and ends the run as diverged.
 */
import {
  CurvatureError,
  checkOptions,
  integerFrom,
  nonNegative,
  oneOf,
  positive,
  RandomGenerator,
  shuffle,
} from "@curvature/linalg";
import { fingerprintOf } from "../hash.js";
import type { SumOfFunctions } from "../problem.js";
import { openSnapshot } from "../snapshot.js";
import type { Iteration, Outcome, Point, Snapshot } from "../solver.js";
import { checkSum, indicesOf } from "../sum.js";
import { checkPoint } from "./start.js";

export interface SgdOptions {
  /** B > 0. Default 1. */
  readonly initialStep?: number;
  /** δ ≥ 0. Default 0.01. */
  readonly decay?: number;
  /** b, terms in a step. Default 1. */
  readonly batchSize?: number;
  /** A new random order of all terms in every pass, or even draws with replacement. Default "permutation". */
  readonly sampling?: "permutation" | "replacement";
  /** Default 0. */
  readonly seed?: number;
}

export interface SgdSettings {
  readonly initialStep: number;
  readonly decay: number;
  readonly batchSize: number;
  readonly sampling: "permutation" | "replacement";
  readonly seed: number;
}

export const sgdDefaults: SgdSettings = Object.freeze({
  initialStep: 1,
  decay: 0.01,
  batchSize: 1,
  sampling: "permutation",
  seed: 0,
});

export interface SgdDetails {
  /** k */
  readonly pass: number;
  /** B/(1 + δ k) */
  readonly step: number;
}

const VERSION = 1;

/** What both forms share: the order of the terms, the schedule, the counters. A batch never spans two passes. */
export abstract class SgdState {
  readonly name = "sgd";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SgdSettings;
  protected readonly N: number;
  protected readonly x: Float64Array;
  protected readonly random: RandomGenerator;
  private readonly order: Int32Array;
  /** The batch under way, and how many terms are in it (0: none is). */
  protected readonly batch: Int32Array;
  protected size = 0;
  protected index = 0;
  protected evaluations = 0;
  protected outcome: Outcome | undefined;

  constructor(where: string, sum: SumOfFunctions, x: Float64Array, options: SgdOptions | undefined) {
    checkSum(where, sum);
    checkPoint(where, x, sum.dimension);
    this.options = checkOptions<SgdSettings>(where, options, sgdDefaults, {
      initialStep: positive,
      decay: nonNegative,
      batchSize: integerFrom(1),
      sampling: oneOf("permutation", "replacement"),
      seed: integerFrom(0),
    });
    this.dimension = sum.dimension;
    this.N = sum.count;
    this.fingerprint = sum.fingerprint ?? fingerprintOf("sum", sum.dimension, sum.count);
    this.x = x.slice();
    this.random = new RandomGenerator(this.options.seed);
    const isPermuted = this.options.sampling === "permutation";
    this.order = indicesOf(where, isPermuted ? this.N : 0);
    if (isPermuted) shuffle(this.random, this.order);
    this.batch = new Int32Array(Math.min(this.options.batchSize, this.N));
  }

  /** Not measured, so without a value. */
  get best(): Point {
    return { x: this.x, value: undefined };
  }

  get last(): Point {
    return this.best;
  }

  protected get pass(): number {
    return Math.floor(this.evaluations / this.N);
  }

  protected get stepLength(): number {
    return this.options.initialStep / (1 + this.options.decay * this.pass);
  }

  /** The next batch, `ahead` terms after those that are counted. */
  protected drawBatch(ahead: number): void {
    const { batch, order, N, random } = this;
    const place = (this.evaluations + ahead) % N;
    this.size = Math.min(batch.length, N - place);
    for (let k = 0; k < this.size; k++) batch[k] = order.length > 0 ? order[place + k] : random.integer(N);
  }

  /** Counts terms that were used; at the end of a pass a new order begins. */
  protected count(terms: number): void {
    this.evaluations += terms;
    this.size = 0;
    this.index++;
    if (this.evaluations % this.N === 0) shuffle(this.random, this.order);
  }

  protected diverge(): void {
    this.index++;
    this.size = 0;
    this.outcome = {
      status: "diverged",
      message: `A step of ${this.stepLength} led to numbers that are not finite; the point before it is kept. Give a smaller initialStep, and write every entry of the gradient.`,
    };
  }

  protected iteration(): Iteration<SgdDetails> {
    const { evaluations, N } = this;
    const isPassEnd = evaluations > 0 && evaluations % N === 0;
    return {
      index: this.index,
      value: undefined,
      gradientNorm: undefined,
      stepLength: this.stepLength,
      evaluations,
      gradientEvaluations: evaluations,
      monitoringEvaluations: 0,
      passes: evaluations / N,
      phase: isPassEnd ? "pass" : "terms",
      details: { pass: this.pass, step: this.stepLength },
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
        batch: this.batch.slice(),
        size: this.size,
        index: this.index,
        evaluations: this.evaluations,
        random: this.random.save(),
        outcome: this.outcome === undefined ? null : { ...this.outcome },
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const { N } = this;
    const state = openSnapshot(snapshot, this.name, VERSION);
    const x = state.float64("x", this.dimension);
    const order = state.int32("order", this.order.length);
    const batch = state.int32("batch", this.batch.length);
    if (![...order, ...batch].every((q) => q >= 0 && q < N))
      throw new CurvatureError("ERR_SNAPSHOT", `Snapshot for ${this.name}: terms are from 0 to ${N - 1}.`, {
        path: "order",
      });
    const size = state.integer("size", 0, batch.length);
    const index = state.integer("index");
    const evaluations = state.integer("evaluations");
    const outcome = state.outcome("outcome");
    this.random.restore(state.uint32("random", 4));
    this.x.set(x);
    this.order.set(order);
    this.batch.set(batch);
    this.size = size;
    this.index = index;
    this.evaluations = evaluations;
    this.outcome = outcome;
  }
}
