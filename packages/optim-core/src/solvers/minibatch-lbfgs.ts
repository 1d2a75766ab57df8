/**
 * Minibatch L-BFGS: some iterations of L-BFGS on the sum of a tenth of the subfunctions, then on that of the next tenth.
 *
 *   for every batch b of a random division of 0 … N − 1:   k iterations on F_b(x) = Σ f_q(x), q in b,
 *   with a memory of b's own pairs alone, then a new division
 *
 * One of the methods that Sohl-Dickstein, Poole, Ganguli: Fast large-scale optimization by unifying stochastic gradient
 * and quasi-Newton methods (ICML 2014) compare with in section 3: "one tenth of the subfunctions, ten iterations". Batches of one
 * size do not converge to the minimum of F: each pulls towards its own. Differs from it in what follows from that. The turn of a
 * batch is taken back if the next one has a higher value after it than before; two evaluations of it decide. The next division has
 * half as many batches if Σ F_b, each at the point where its turn began, has not become lower in this one, and at once if a batch
 * has no minimum of its own: no lower bound, or no curvature along a first step. It has one batch if this one has not moved x. With
 * one batch it is L-BFGS on F, and ends as that ends. (Growing batches: Friedlander, Schmidt, SIAM J. Sci. Comput. 34 (2012),
 * A1380.) Evaluations must be synchronous.
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
  /** Into how many batches the subfunctions are divided at first, at most N. */
  batches: integerFrom(1).default(10),
  /** k, iterations on each, as long as there are several. */
  iterationsPerBatch: integerFrom(1).default(10),
  /** Pairs of L-BFGS. */
  memory: pairCount.default(10),
  /** Of the divisions. */
  seed: integerFrom(0).default(0),
});
export type MinibatchLbfgsOptions = OptionsOf<typeof minibatchLbfgsOptions>;

export interface MinibatchLbfgsDetails {
  /** Which batch of the division, from 0, and how many there are in it. */
  readonly batch: number;
  readonly batches: number;
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
  private limit = Number.POSITIVE_INFINITY;

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
    const batches = Math.min(this.options.batches, sum.count);
    this.state = stateOf({
      /** Where the turn of the batch began. */
      start: float64(x.slice()),
      order: int32(indicesOf("MinibatchLbfgs", sum.count), { from: 0, to: sum.count - 1 }),
      random: generator(new RandomGenerator(this.options.seed)),
      batches: whole(batches, { from: 1, to: batches }),
      batch: whole(-1, { from: -1, to: batches - 1 }),
      iterations: whole(),
      batchValue: number(),
      /** Evaluations of subfunctions on the batches before this one, and on it. */
      before: whole(),
      now: whole(),
      index: whole(),
      /** Σ F_b at the points where the batches' turns began, in this division so far and in the one before. */
      total: number(0),
      lastTotal: number(Number.POSITIVE_INFINITY),
      /** Whether a batch of this division has moved x. */
      hasMoved: boolean(),
      /** Whether the turn of the batch is over. */
      isOver: boolean(),
      /** The batch's own solver, which holds x; undefined before the first step. */
      lbfgs: madeInner((at) => this.savedSolver(at)),
      outcome: outcome(),
    });
  }

  /** F is measured where there is one batch; else this is the last point that two batches agree on. */
  get best(): Point {
    const { lbfgs, start, batches } = this.state;
    return lbfgs !== undefined && batches === 1 ? lbfgs.best : { x: start, value: undefined };
  }

  get last(): Point {
    const { lbfgs, start } = this.state;
    return { x: lbfgs?.last.x ?? start, value: undefined };
  }

  limitWork(evaluations: number, passes: number): void {
    this.limit = Math.min(evaluations, passes * this.sum.count);
    const { lbfgs } = this.state;
    if (lbfgs !== undefined) this.limitBatch(lbfgs);
  }

  step(): Iteration<MinibatchLbfgsDetails> {
    const { state } = this;
    const solver = this.solver();
    const { batch, batches } = state;
    const details = (): MinibatchLbfgsDetails => ({ batch, batches, batchValue: state.batchValue });
    if (state.outcome !== undefined) return this.iteration(undefined, details());
    const { value, evaluations, outcome, stepLength } = solver.step();
    state.now = evaluations * this.members().length;
    state.index++;
    state.iterations++;
    state.batchValue = value ?? Number.NaN;
    if (batches === 1) state.outcome = outcome;
    else if (outcome?.status === "diverged" || (stepLength !== undefined && !solver.hasPairs)) this.goBack();
    else state.isOver = outcome !== undefined || state.iterations >= this.options.iterationsPerBatch;
    return this.iteration(stepLength, details());
  }

  /** That of the batch whose turn it is. */
  private solver(): Lbfgs {
    const { lbfgs, start, isOver } = this.state;
    if (lbfgs === undefined) return this.divide(start);
    return isOver ? this.turn(lbfgs) : lbfgs;
  }

  /** Goes on with the next batch, from the current point if that one agrees. */
  private turn({ state: { startValue }, last: { x } }: Lbfgs): Lbfgs {
    const { state } = this;
    const next = membersOf(state.order, (state.batch + 1) % state.batches, state.batches);
    const judge = batchObjective(this.sum, next);
    const isLower = judge.evaluate(x) <= judge.evaluate(state.start);
    state.before += 2 * next.length;
    state.total += startValue;
    if (isLower && x.some((entry, i) => entry !== state.start[i])) state.hasMoved = true;
    const from = isLower ? x : state.start;
    if (state.batch + 1 < state.batches) return this.solveNext(from);
    const { total, lastTotal, hasMoved } = state;
    if (!hasMoved) state.batches = 1;
    else if (!(total < lastTotal)) state.batches = Math.ceil(state.batches / 2);
    state.lastTotal = total;
    return this.divide(from);
  }

  /** The batch says nothing of F. */
  private goBack(): void {
    const { state } = this;
    state.batches = Math.ceil(state.batches / 2);
    this.divide(state.start);
  }

  private divide(x: Float64Array): Lbfgs {
    const { state } = this;
    state.batch = -1;
    state.total = 0;
    state.hasMoved = false;
    shuffle(state.random, state.order);
    return this.solveNext(x);
  }

  private solveNext(x: Float64Array): Lbfgs {
    const { state } = this;
    state.start.set(x);
    state.before += state.now;
    state.now = 0;
    state.iterations = 0;
    state.isOver = false;
    state.batch++;
    state.lbfgs = this.solverAt(this.members(), state.start);
    return state.lbfgs;
  }

  private members(): Int32Array {
    const { order, batch, batches } = this.state;
    return membersOf(order, batch, batches);
  }

  private solverAt(members: Int32Array, x: Float64Array): Lbfgs {
    const solver = new Lbfgs(batchObjective(this.sum, members), x, { memory: this.options.memory });
    this.limitBatch(solver, members.length);
    return solver;
  }

  /** The last batch may exceed the limit by a part of its subfunctions. */
  private limitBatch(solver: Lbfgs, size = this.members().length): void {
    const left = Math.ceil((this.limit - this.state.before) / size);
    solver.limitWork(left, left);
  }

  /** The solver of the batch that a snapshot stands at. */
  private savedSolver(at: Place): Lbfgs {
    const [batch, batches] = [at.number("batch"), at.number("batches")];
    const order = at.siblings.get("order");
    if (batch < 0 || batch >= batches || !(order instanceof Int32Array))
      return at.refuse("absent before the first batch", batch);
    return this.solverAt(membersOf(order, batch, batches), new Float64Array(this.dimension)); // its point is the snapshot's
  }

  protected override restored(): void {
    const { lbfgs } = this.state;
    if (lbfgs !== undefined) this.limitBatch(lbfgs);
  }

  private iteration(
    stepLength: number | undefined,
    details: MinibatchLbfgsDetails,
  ): Iteration<MinibatchLbfgsDetails> {
    const { index, before, now, batches, batchValue, outcome } = this.state;
    const evaluations = before + now;
    const isWhole = batches === 1 && details.batches === 1;
    return {
      index,
      value: isWhole ? batchValue : undefined,
      gradientNorm: isWhole ? this.state.lbfgs?.state.gradientNorm : undefined,
      stepLength,
      ...jointEvaluations(evaluations, evaluations / this.sum.count),
      phase: "iteration",
      details,
      outcome,
    };
  }
}

/** Batch b of a division in so many. */
function membersOf(order: Int32Array, batch: number, batches: number): Int32Array {
  const from = Math.floor((batch * order.length) / batches);
  return order.slice(from, Math.floor(((batch + 1) * order.length) / batches));
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
          evaluateBatch: (ks: Int32Array, x: Float64Array, gradient?: Float64Array) => {
            const chosen = ks.map((k) => indices[k]);
            return gradient === undefined
              ? evaluateBatch.call(sum, chosen, x)
              : evaluateBatch.call(sum, chosen, x, gradient);
          },
        }),
  });
}
