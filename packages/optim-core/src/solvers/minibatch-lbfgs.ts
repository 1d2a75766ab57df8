/**
 * Minibatch L-BFGS: some iterations of L-BFGS on the sum of a tenth of the subfunctions, then on that of the next tenth.
 *
 *   for every batch b of a random division of 0 … N − 1:   k iterations on F_b(x) = Σ f_q(x), q in b,
 *   with a memory of b's own pairs alone, then a new division
 *
 * One of the methods that Sohl-Dickstein, Poole, Ganguli: Fast large-scale optimization by unifying stochastic gradient
 * and quasi-Newton methods (ICML 2014) compare with in section 3: "one tenth of the subfunctions, ten iterations". It does not
 * converge to the minimum of F: each batch pulls towards its own. Evaluations must be synchronous.
 */
import { CurvatureError, checkOptions, integerFrom, RandomGenerator, shuffle } from "@curvature/linalg";
import { fingerprintOf } from "../hash.js";
import type { Objective, SumOfFunctions } from "../problem.js";
import { openSnapshot } from "../snapshot.js";
import type { Iteration, Outcome, Point, Snapshot, Solver } from "../solver.js";
import { asObjective, checkSum, indicesOf } from "../sum.js";
import { Lbfgs } from "./lbfgs.js";
import { pairCount } from "./lbfgs-memory.js";
import { checkPoint } from "./start.js";

export interface MinibatchLbfgsOptions {
  /** Into how many batches the subfunctions are divided, at most N. Default 10. */
  readonly batches?: number;
  /** k, iterations on each. Default 10. */
  readonly iterationsPerBatch?: number;
  /** Pairs of L-BFGS. Default 10. */
  readonly memory?: number;
  /** Default 0. */
  readonly seed?: number;
}

export const minibatchLbfgsDefaults: Required<MinibatchLbfgsOptions> = Object.freeze({
  batches: 10,
  iterationsPerBatch: 10,
  memory: 10,
  seed: 0,
});

export interface MinibatchLbfgsDetails {
  /** Which batch of the division, from 0. */
  readonly batch: number;
  /** F_b at the current point. */
  readonly batchValue: number;
}

const VERSION = 1;

export class MinibatchLbfgs implements Solver<MinibatchLbfgsDetails> {
  readonly name = "minibatch-lbfgs";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: Required<MinibatchLbfgsOptions>;
  private readonly sum: SumOfFunctions;
  private readonly random: RandomGenerator;
  private readonly order: Int32Array;
  private readonly batches: number;
  /** The batch's own solver, which holds x; undefined before the first step. */
  private lbfgs: Lbfgs | undefined;
  private readonly start: Float64Array;
  private batch = -1;
  private iterations = 0;
  private batchValue = Number.NaN;
  /** Evaluations of subfunctions on the batches before this one, and on it. */
  private before = 0;
  private now = 0;
  private index = 0;
  /** Batches in a row on which no iteration moved. */
  private idle = 0;
  private hasMoved = false;
  private outcome: Outcome | undefined;

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE, ERR_MEMORY for more than 2²⁷ subfunctions;
   *   and from `step` ERR_ARGUMENT if an evaluation is a promise
   */
  constructor(sum: SumOfFunctions, x: Float64Array, options?: MinibatchLbfgsOptions) {
    checkSum("MinibatchLbfgs", sum);
    checkPoint("MinibatchLbfgs", x, sum.dimension);
    this.options = checkOptions("MinibatchLbfgs", options, minibatchLbfgsDefaults, {
      batches: integerFrom(1),
      iterationsPerBatch: integerFrom(1),
      memory: pairCount,
      seed: integerFrom(0),
    });
    this.sum = sum;
    this.dimension = sum.dimension;
    this.fingerprint = sum.fingerprint ?? fingerprintOf("sum", sum.dimension, sum.count);
    this.batches = Math.min(this.options.batches, sum.count);
    this.random = new RandomGenerator(this.options.seed);
    this.order = indicesOf("MinibatchLbfgs", sum.count);
    this.start = x.slice();
  }

  /** F is not measured, so without a value. */
  get best(): Point {
    return { x: this.lbfgs?.last.x ?? this.start, value: undefined };
  }

  get last(): Point {
    return this.best;
  }

  step(): Iteration<MinibatchLbfgsDetails> {
    if (this.outcome !== undefined) return this.iteration(undefined);
    const solver = this.lbfgs ?? this.turn();
    const { value, evaluations, outcome, stepLength } = solver.step();
    this.now = evaluations * this.members(this.batch).length;
    this.index++;
    this.iterations++;
    this.batchValue = value ?? Number.NaN;
    if (stepLength !== undefined) this.hasMoved = true;
    if (outcome?.status === "diverged") this.outcome = outcome;
    else if (outcome !== undefined || this.iterations >= this.options.iterationsPerBatch) this.turn();
    return this.iteration(stepLength);
  }

  /** Goes on with the next batch, from the current point. */
  private turn(): Lbfgs {
    const x = this.last.x;
    if (this.batch >= 0) this.idle = this.hasMoved ? 0 : this.idle + 1;
    if (this.idle >= this.batches)
      this.outcome = { status: "converged", message: "No batch has a decrease left that L-BFGS could find." };
    this.hasMoved = false;
    this.before += this.now;
    this.now = 0;
    this.iterations = 0;
    this.batch = (this.batch + 1) % this.batches;
    if (this.batch === 0) shuffle(this.random, this.order);
    this.lbfgs = this.solverAt(this.batch, x);
    return this.lbfgs;
  }

  private members(batch: number): Int32Array {
    const { order, batches } = this;
    const from = Math.floor((batch * order.length) / batches);
    return order.slice(from, Math.floor(((batch + 1) * order.length) / batches));
  }

  private solverAt(batch: number, x: Float64Array): Lbfgs {
    return new Lbfgs(batchObjective(this.sum, this.members(batch)), x, { memory: this.options.memory });
  }

  private iteration(stepLength: number | undefined): Iteration<MinibatchLbfgsDetails> {
    const evaluations = this.before + this.now;
    return {
      index: this.index,
      value: undefined,
      gradientNorm: undefined,
      stepLength,
      evaluations,
      gradientEvaluations: evaluations,
      monitoringEvaluations: 0,
      passes: evaluations / this.sum.count,
      phase: "iteration",
      details: { batch: this.batch, batchValue: this.batchValue },
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    const { lbfgs, batch, iterations, batchValue, before, now, index, idle, hasMoved, outcome } = this;
    return {
      solver: this.name,
      version: VERSION,
      state: {
        start: this.start.slice(),
        order: this.order.slice(),
        random: this.random.save(),
        lbfgs: lbfgs === undefined ? null : { ...lbfgs.save() },
        numbers: Float64Array.of(batch, iterations, batchValue, before, now, index, idle),
        hasMoved,
        outcome: outcome === undefined ? null : { ...outcome },
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const { dimension, sum, batches } = this;
    const state = openSnapshot(snapshot, this.name, VERSION);
    const start = state.float64("start", dimension);
    const order = state.int32("order", sum.count);
    const numbers = state.float64("numbers", 7);
    const [batch, iterations, batchValue, before, now, index, idle] = numbers;
    if (!order.every((q) => q >= 0 && q < sum.count) || !(batch >= -1 && batch < batches))
      throw new CurvatureError(
        "ERR_SNAPSHOT",
        `Snapshot for ${this.name}: subfunctions are from 0 to ${sum.count - 1}, batches from 0 to ${batches - 1}.`,
        { path: "order" },
      );
    const random = state.uint32("random", 4);
    const hasMoved = state.flag("hasMoved");
    const outcome = state.outcome("outcome");
    const saved = state.has("lbfgs") ? state.snapshot("lbfgs") : undefined;
    const old = this.order.slice();
    this.order.set(order);
    let lbfgs: Lbfgs | undefined;
    try {
      lbfgs = saved && this.solverAt(Math.max(0, batch), start);
      if (saved !== undefined) lbfgs?.restore(saved);
      this.random.restore(random);
    } catch (error) {
      this.order.set(old);
      throw error;
    }
    this.start.set(start);
    this.lbfgs = lbfgs;
    Object.assign(this, { batch, iterations, batchValue, before, now, index, idle, hasMoved });
    this.outcome = outcome;
  }
}

/** The sum of some subfunctions, in the order of `indices`. */
function batchObjective(sum: SumOfFunctions, indices: Int32Array): Objective {
  const { evaluateBatch } = sum;
  return asObjective({
    dimension: sum.dimension,
    count: indices.length,
    evaluate: (k, x, gradient) => sum.evaluate(indices[k], x, gradient),
    ...(evaluateBatch === undefined
      ? {}
      : {
          evaluateBatch: (_: Int32Array, x: Float64Array, gradient?: Float64Array) =>
            gradient === undefined
              ? evaluateBatch.call(sum, indices, x)
              : evaluateBatch.call(sum, indices, x, gradient),
        }),
  });
}
