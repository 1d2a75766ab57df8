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
import {
  integerFrom,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  type SettingsOf,
  shuffle,
} from "@curvature/linalg";
import { fingerprintOf } from "../hash.js";
import type { Objective, SumOfFunctions } from "../problem.js";
import { type Iteration, jointEvaluations, type Point, type Solver } from "../solver.js";
import {
  boolean,
  DeclaredSolver,
  float64,
  generator,
  int32,
  madeInner,
  number,
  outcome,
  type Place,
  stateOf,
  whole,
} from "../state.js";
import { asObjective, checkSum, indicesOf } from "../sum.js";
import { Lbfgs } from "./lbfgs.js";
import { pairCount } from "./lbfgs-memory.js";
import { checkPoint } from "./start.js";

export const minibatchLbfgsOptions = optionTable({
  /** Into how many batches the subfunctions are divided, at most N. */
  batches: integerFrom(1).default(10),
  /** k, iterations on each. */
  iterationsPerBatch: integerFrom(1).default(10),
  /** Pairs of L-BFGS. */
  memory: pairCount.default(10),
  /** Of the divisions. */
  seed: integerFrom(0).default(0),
});
export type MinibatchLbfgsOptions = OptionsOf<typeof minibatchLbfgsOptions>;

export interface MinibatchLbfgsDetails {
  /** Which batch of the division, from 0. */
  readonly batch: number;
  /** F_b at the current point. */
  readonly batchValue: number;
}

export class MinibatchLbfgs extends DeclaredSolver implements Solver<MinibatchLbfgsDetails> {
  readonly name = "minibatch-lbfgs";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SettingsOf<typeof minibatchLbfgsOptions>;
  readonly state;
  private readonly sum: SumOfFunctions;
  private readonly batches: number;

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE, ERR_MEMORY for more than 2²⁷ subfunctions;
   *   and from `step` ERR_ARGUMENT if an evaluation is a promise
   */
  constructor(sum: SumOfFunctions, x: Float64Array, options?: MinibatchLbfgsOptions) {
    super();
    checkSum("MinibatchLbfgs", sum);
    checkPoint("MinibatchLbfgs", x, sum.dimension);
    this.options = minibatchLbfgsOptions.resolve("MinibatchLbfgs", options);
    this.sum = sum;
    this.dimension = sum.dimension;
    this.fingerprint = sum.fingerprint ?? fingerprintOf("sum", sum.dimension, sum.count);
    this.batches = Math.min(this.options.batches, sum.count);
    this.state = stateOf({
      start: float64(x.slice()),
      order: int32(indicesOf("MinibatchLbfgs", sum.count), { from: 0, to: sum.count - 1 }),
      random: generator(new RandomGenerator(this.options.seed)),
      batch: whole(-1, { from: -1, to: this.batches - 1 }),
      iterations: whole(),
      batchValue: number(),
      /** Evaluations of subfunctions on the batches before this one, and on it. */
      before: whole(),
      now: whole(),
      index: whole(),
      /** Batches in a row on which no iteration moved. */
      idle: whole(),
      hasMoved: boolean(),
      /** The batch's own solver, which holds x; undefined before the first step. */
      lbfgs: madeInner((at) => this.savedSolver(at)),
      outcome: outcome(),
    });
  }

  /** F is not measured, so without a value. */
  get best(): Point {
    return { x: this.state.lbfgs?.last.x ?? this.state.start, value: undefined };
  }

  get last(): Point {
    return this.best;
  }

  step(): Iteration<MinibatchLbfgsDetails> {
    const { state } = this;
    if (state.outcome !== undefined) return this.iteration(undefined);
    const solver = state.lbfgs ?? this.turn();
    const { value, evaluations, outcome, stepLength } = solver.step();
    state.now = evaluations * this.members(state.batch, state.order).length;
    state.index++;
    state.iterations++;
    state.batchValue = value ?? Number.NaN;
    if (stepLength !== undefined) state.hasMoved = true;
    if (outcome?.status === "diverged") state.outcome = outcome;
    else if (outcome !== undefined || state.iterations >= this.options.iterationsPerBatch) this.turn();
    return this.iteration(stepLength);
  }

  /** Goes on with the next batch, from the current point. */
  private turn(): Lbfgs {
    const { state, batches } = this;
    const x = this.last.x;
    if (state.batch >= 0) state.idle = state.hasMoved ? 0 : state.idle + 1;
    if (state.idle >= batches)
      state.outcome = {
        status: "converged",
        message: "No batch has a decrease left that L-BFGS could find.",
      };
    state.hasMoved = false;
    state.before += state.now;
    state.now = 0;
    state.iterations = 0;
    state.batch = (state.batch + 1) % batches;
    if (state.batch === 0) shuffle(state.random, state.order);
    state.lbfgs = this.solverAt(this.members(state.batch, state.order), x);
    return state.lbfgs;
  }

  private members(batch: number, order: Int32Array): Int32Array {
    const from = Math.floor((batch * order.length) / this.batches);
    return order.slice(from, Math.floor(((batch + 1) * order.length) / this.batches));
  }

  private solverAt(members: Int32Array, x: Float64Array): Lbfgs {
    return new Lbfgs(batchObjective(this.sum, members), x, { memory: this.options.memory });
  }

  /** The solver of the batch that a snapshot stands at. */
  private savedSolver(at: Place): Lbfgs {
    const batch = at.number("batch");
    const order = at.siblings.get("order");
    if (batch < 0 || !(order instanceof Int32Array)) return at.refuse("absent before the first batch", batch);
    return this.solverAt(this.members(batch, order), new Float64Array(this.dimension)); // its point is the snapshot's
  }

  private iteration(stepLength: number | undefined): Iteration<MinibatchLbfgsDetails> {
    const { index, before, now, batch, batchValue, outcome } = this.state;
    const evaluations = before + now;
    return {
      index,
      value: undefined,
      gradientNorm: undefined,
      stepLength,
      ...jointEvaluations(evaluations, evaluations / this.sum.count),
      phase: "iteration",
      details: { batch, batchValue },
      outcome,
    };
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
