/**
 * Stochastic gradient descent on a sum F = Σ f_q, q = 0 … N − 1.
 *
 *   x ← x − B/(1 + δ k) Σ_{q in I} ∇f_q(x),   I: the next b of a random order, or b drawn evenly with replacement
 *   k, the passes over all terms that are done
 *
 * | symbol | option        | unit                                                                             |
 * |--------|---------------|----------------------------------------------------------------------------------|
 * | B      | initialStep   | that of a gradient step on F: a pass moves about −B ∇F(x), whatever N and b are   |
 * | δ      | decay         | of each pass                                                                     |
 *
 * Robbins, Monro: A stochastic approximation method. Ann. Math. Statist. 22 (1951) 400-407; the schedule is that of
 * Ma et al.: Fast stochastic ordinal embedding with variance reduction and adaptive step size (2019), section 5.1, with δ = 0.01.
 * Where no B is given, it is 1/L, renewed in every step by trials on the same terms (`lipschitz-estimate.ts`): each step then takes
 * two evaluations of its terms, now and then more.
 *
 * Two forms: `Sgd` asks for dense gradients, `SparseSgd` evaluates terms that say which few coordinates they touch, at the cost
 * of those coordinates.
 *
 * The value of F is never measured: the best point is the last one. A step that leaves the finite numbers is taken
 * back and ends the run as diverged.
 */
import {
  CurvatureError,
  integerFrom,
  nonNegative,
  norm2,
  type OptionsOf,
  oneOf,
  optionTable,
  positive,
  RandomGenerator,
  type SettingsOf,
  shuffle,
} from "@curvature/linalg";
import { driveSum } from "../drive-sum.js";
import { fingerprintOf } from "../hash.js";
import type { SumOfFunctions } from "../problem.js";
import {
  type AskTellSolver,
  type Iteration,
  jointEvaluations,
  type Point,
  type Question,
  type Solver,
} from "../solver.js";
import { DeclaredSolver, float64, generator, int32, outcome, part, stateOf, whole } from "../state.js";
import { checkSum, indicesOf } from "../sum.js";
import { LipschitzEstimate } from "./lipschitz-estimate.js";
import { checkPoint } from "./start.js";

export const sgdOptions = optionTable({
  /** B; left out, 1/L with an estimated L. */
  initialStep: positive,
  /** δ */
  decay: nonNegative.default(0.01),
  /** b, terms in a step. */
  batchSize: integerFrom(1).default(1),
  /** A new random order of all terms in every pass, or even draws with replacement. */
  sampling: oneOf("permutation", "replacement").default("permutation"),
  /** Of order and draws. */
  seed: integerFrom(0).default(0),
});
export type SgdOptions = OptionsOf<typeof sgdOptions>;

export interface SgdDetails {
  /** k */
  readonly pass: number;
  /** B/(1 + δ k), as it was in the last step. */
  readonly step: number;
}

/** Evaluations in a step of the sparse form, at least. */
const BLOCK = 8192;

/** What both forms share: the order of the terms, the schedule, the counters. A batch never spans two passes. */
abstract class SgdBase extends DeclaredSolver {
  readonly name = "sgd";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SettingsOf<typeof sgdOptions>;
  readonly state;
  protected readonly N: number;

  constructor(where: string, sum: SumOfFunctions, x: Float64Array, options: SgdOptions | undefined) {
    super();
    checkSum(where, sum);
    checkPoint(where, x, sum.dimension);
    this.options = sgdOptions.resolve(where, options);
    this.dimension = sum.dimension;
    this.N = sum.count;
    this.fingerprint = sum.fingerprint ?? fingerprintOf("sum", sum.dimension, sum.count);
    const random = new RandomGenerator(this.options.seed);
    const isPermuted = this.options.sampling === "permutation";
    const order = indicesOf(where, isPermuted ? this.N : 0);
    if (isPermuted) shuffle(random, order);
    const terms = { from: 0, to: this.N - 1 };
    const batch = new Int32Array(Math.min(this.options.batchSize, this.N));
    this.state = stateOf({
      x: float64(x.slice()),
      order: int32(order, terms),
      random: generator(random),
      /** The batch under way, and how many terms are in it (0: none is). */
      batch: int32(batch, terms),
      size: whole(0, { to: batch.length }),
      index: whole(),
      /** Of the terms of steps, once each. */
      evaluations: whole(),
      trialEvaluations: whole(),
      lipschitz: part(new LipschitzEstimate(this.N / batch.length)),
      outcome: outcome(),
    });
  }

  /** Not measured, so without a value. */
  get best(): Point {
    return { x: this.state.x, value: undefined };
  }

  get last(): Point {
    return this.best;
  }

  protected get pass(): number {
    return Math.floor(this.state.evaluations / this.N);
  }

  protected get isEstimated(): boolean {
    return this.options.initialStep === undefined;
  }

  protected get stepLength(): number {
    const { initialStep = this.state.lipschitz.step, decay } = this.options;
    return initialStep / (1 + decay * this.pass);
  }

  /** The next batch, `ahead` terms after those that are counted. */
  protected drawBatch(ahead: number): void {
    const { N, state } = this;
    const { batch, order, random } = state;
    const place = (state.evaluations + ahead) % N;
    const size = Math.min(batch.length, N - place);
    for (let k = 0; k < size; k++) batch[k] = order.length > 0 ? order[place + k] : random.integer(N);
    state.size = size;
  }

  /** Counts terms that were used; at the end of a pass a new order begins. */
  protected count(terms: number): void {
    const { state } = this;
    state.evaluations += terms;
    state.size = 0;
    state.index++;
    if (state.evaluations % this.N === 0) shuffle(state.random, state.order);
  }

  protected diverge(): void {
    const { state } = this;
    state.index++;
    state.size = 0;
    state.outcome = {
      status: "diverged",
      message: `A step of ${this.stepLength} led to numbers that are not finite; the point before it is kept. Give a smaller initialStep, and write every entry of the gradient.`,
    };
  }

  protected iteration(): Iteration<SgdDetails> {
    const { N, pass, stepLength } = this;
    const { index, evaluations, trialEvaluations, outcome } = this.state;
    const made = evaluations + trialEvaluations;
    const isPassEnd = evaluations > 0 && evaluations % N === 0;
    return {
      index,
      value: undefined,
      gradientNorm: undefined,
      stepLength,
      ...jointEvaluations(made, made / N),
      phase: isPassEnd ? "pass" : "terms",
      details: { pass, step: stepLength },
      outcome,
    };
  }
}

/**
 * SGD that asks for the terms' gradients; `driveSum` evaluates them. A step is a batch.
 */
export class Sgd extends SgdBase implements AskTellSolver<SgdDetails> {
  /** Of the batch, and its value. */
  private readonly gradient: Float64Array;
  private value = 0;
  private asked = 0;
  private readonly isAnswered: Uint8Array;
  private answers = 0;
  /** Trials of the step under way, and where they are made. */
  private trials = 0;
  private readonly trial: Float64Array;

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE; ERR_MEMORY for more than 2²⁷ subfunctions in
   *   random order
   */
  constructor(sum: SumOfFunctions, x: Float64Array, options?: SgdOptions) {
    super("Sgd", sum, x, options);
    this.gradient = new Float64Array(sum.dimension);
    this.trial = new Float64Array(sum.dimension);
    this.isAnswered = new Uint8Array(this.state.batch.length);
  }

  ask(limit = Number.POSITIVE_INFINITY): readonly Question[] {
    const { state } = this;
    if (state.outcome !== undefined) return [{ index: 0, point: state.x, ticket: 0 }];
    if (state.size === 0) this.drawBatch(0);
    const questions: Question[] = [];
    const point = this.trials === 0 ? state.x : this.trial;
    for (; this.asked < state.size && questions.length < limit; this.asked++)
      questions.push({
        index: state.batch[this.asked],
        point,
        ticket: this.trials * state.size + this.asked,
      });
    return questions;
  }

  tell(ticket: number, value: number, gradient: Float64Array): Iteration<SgdDetails> | undefined {
    if (this.state.outcome !== undefined) return this.iteration();
    const place = ticket - this.trials * this.state.size;
    if (!(place >= 0 && place < this.asked) || this.isAnswered[place] === 1)
      throw new CurvatureError("ERR_ARGUMENT", `no question waits with the ticket ${ticket}.`, {
        where: "Sgd",
        path: "ticket",
        received: ticket,
      });
    const sum = this.gradient;
    if (this.trials === 0) for (let i = 0; i < sum.length; i++) sum[i] += gradient[i];
    this.value += value;
    this.isAnswered[place] = 1;
    this.answers++;
    if (this.answers < this.state.size || this.goesOnTrial()) return undefined;
    this.state.trialEvaluations += this.trials * this.state.size;
    if (this.canMove()) this.count(this.state.size);
    else this.diverge();
    this.forgetAnswers();
    return this.iteration();
  }

  /** Whether the batch has to be evaluated at a (further) trial point. */
  private goesOnTrial(): boolean {
    const { gradient, trial, value, trials } = this;
    const { x, lipschitz } = this.state;
    if (!this.isEstimated) return false;
    const isWanted =
      trials > 0
        ? lipschitz.isTooLong(value)
        : Number.isFinite(value) && lipschitz.begin(value, norm2(gradient), norm2(x));
    if (!isWanted) return false;
    this.forgetRound();
    this.trials++;
    for (let i = 0; i < x.length; i++) trial[i] = x[i] - lipschitz.trialStep * gradient[i];
    return true;
  }

  /** Makes the step unless it leads out of the finite numbers. */
  private canMove(): boolean {
    const { gradient, stepLength } = this;
    const { x } = this.state;
    for (let i = 0; i < x.length; i++) if (!Number.isFinite(x[i] - stepLength * gradient[i])) return false;
    for (let i = 0; i < x.length; i++) x[i] -= stepLength * gradient[i];
    return true;
  }

  private forgetAnswers(): void {
    this.gradient.fill(0);
    this.trials = 0;
    this.forgetRound();
  }

  private forgetRound(): void {
    this.value = 0;
    this.isAnswered.fill(0);
    this.asked = 0;
    this.answers = 0;
  }

  protected override restored(): void {
    this.forgetAnswers();
  }
}

/** A sum whose terms can say which few coordinates they touch. */
export type SparseSum = SumOfFunctions & Required<Pick<SumOfFunctions, "evaluateSparse">>;

/**
 * SGD on terms with sparse gradients, at the cost of the coordinates that they touch. A step is a block of some
 * thousand terms, and ends with the pass at the latest.
 */
export class SparseSgd extends SgdBase implements Solver<SgdDetails> {
  private readonly sum: SparseSum;
  private readonly block: number;
  private readonly before: Float64Array;
  private readonly coordinates: Int32Array;
  private readonly entries: Float64Array;
  /** The batch's gradient, the coordinates where it is not 0, and marks of them. */
  private readonly gradient: Float64Array;
  private readonly touched: Int32Array;
  private readonly mark: Uint8Array;
  /** x at `touched`, and evaluations, of trials in the step under way. */
  private readonly held: Float64Array;
  private trials = 0;

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(sum: SparseSum, x: Float64Array, options?: SgdOptions) {
    super("SparseSgd", sum, x, options);
    const { dimension } = sum;
    this.sum = sum;
    this.block = Math.max(BLOCK, dimension >> 3); // a step pays for the whole of x
    this.before = new Float64Array(dimension);
    this.coordinates = new Int32Array(dimension);
    this.entries = new Float64Array(dimension);
    this.gradient = new Float64Array(dimension);
    this.touched = new Int32Array(dimension);
    this.mark = new Uint8Array(dimension);
    this.held = new Float64Array(dimension);
  }

  step(): Iteration<SgdDetails> {
    const { before, state } = this;
    const { x, random, lipschitz } = state;
    if (state.outcome !== undefined) return this.iteration();
    const words = random.save();
    const { constants, largest } = lipschitz.state;
    const [constant] = constants;
    this.trials = 0;
    before.set(x);
    let terms = 0;
    try {
      terms = this.descend();
    } catch (error) {
      x.set(before);
      random.restore(words);
      constants[0] = constant;
      lipschitz.state.largest = largest;
      state.size = 0;
      this.gradient.fill(0);
      this.mark.fill(0);
      throw error;
    }
    state.trialEvaluations += this.trials;
    if (x.every(Number.isFinite)) this.count(terms);
    else {
      x.set(before);
      this.diverge();
    }
    return this.iteration();
  }

  /** A block of batches; returns the number of their terms. */
  private descend(): number {
    const { N, block, isEstimated, stepLength, state } = this;
    const { batch, evaluations } = state;
    const most = Math.min(block, N - (evaluations % N));
    let terms = 0;
    while (terms < most) {
      this.drawBatch(terms);
      if (batch.length === 1 && !isEstimated) this.descendOne(batch[0], stepLength);
      else this.descendBatch();
      terms += state.size;
    }
    return terms;
  }

  private descendOne(index: number, step: number): void {
    const { sum, coordinates, entries } = this;
    const { x } = this.state;
    const count = sum.evaluateSparse(index, x, coordinates, entries).touched;
    for (let k = 0; k < count; k++) x[coordinates[k]] -= step * entries[k];
  }

  private descendBatch(): void {
    const { sum, coordinates, entries, gradient, touched, mark } = this;
    const { x, batch, size } = this.state;
    let length = 0;
    let value = 0;
    for (let q = 0; q < size; q++) {
      const { value: term, touched: count } = sum.evaluateSparse(batch[q], x, coordinates, entries);
      value += term;
      for (let k = 0; k < count; k++) {
        const i = coordinates[k];
        gradient[i] += entries[k];
        if (mark[i] === 1) continue;
        mark[i] = 1;
        touched[length++] = i;
      }
    }
    if (this.isEstimated) this.tryOut(value, length);
    const step = this.stepLength;
    for (let k = 0; k < length; k++) {
      const i = touched[k];
      x[i] -= step * gradient[i];
      gradient[i] = 0;
      mark[i] = 0;
    }
  }

  /** The batch at trial points, along its gradient, which has `length` coordinates; x is then as it was. */
  private tryOut(value: number, length: number): void {
    const { sum, coordinates, entries, gradient, touched, held } = this;
    const { x, batch, size, lipschitz } = this.state;
    for (let k = 0; k < length; k++) {
      entries[k] = gradient[touched[k]];
      held[k] = x[touched[k]];
    }
    const pointNorm = lipschitz.step > 0 ? 1 : norm2(x);
    let isWanted =
      Number.isFinite(value) && lipschitz.begin(value, norm2(entries.subarray(0, length)), pointNorm);
    while (isWanted) {
      for (let k = 0; k < length; k++) x[touched[k]] = held[k] - lipschitz.trialStep * gradient[touched[k]];
      let trialValue = 0;
      for (let q = 0; q < size; q++)
        trialValue += sum.evaluateSparse(batch[q], x, coordinates, entries).value;
      this.trials += size;
      isWanted = lipschitz.isTooLong(trialValue);
    }
    for (let k = 0; k < length; k++) x[touched[k]] = held[k];
  }
}

/**
 * SGD on any sum: at the cost of the touched coordinates where the terms are sparse, else by dense gradients, which
 * may be promises.
 *
 * @param x - the first point; copied
 * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE; ERR_MEMORY for more than 2²⁷ subfunctions in
 *   random order
 */
export function sgd(sum: SumOfFunctions, x: Float64Array, options?: SgdOptions): Solver<SgdDetails> {
  checkSum("sgd", sum);
  return isSparse(sum) ? new SparseSgd(sum, x, options) : driveSum(new Sgd(sum, x, options), sum);
}

function isSparse(sum: SumOfFunctions): sum is SparseSum {
  return typeof sum.evaluateSparse === "function";
}
