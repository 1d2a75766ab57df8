/**
 * Newton's method for the softmax model of K classes, multinomial logistic regression.
 *
 * Problem    P(W, b) = λ/2 ‖W‖² + Σᵢ cᵢ (ln Σ_k e^{s_ik} − s_iyᵢ),   s_ik = w_k·xᵢ + b_k,  cᵢ the importance of row i over n
 * Point      Θ, the contrasts between the classes (`contrasts.ts`), of the centered rows (`row-blocks.ts`): W = VᵀΘ
 * Iteration  (H + Λ) S = −(g + ΛΘ)                              by Cholesky where a factor costs no more than 16 products with H,
 *                                                               or than the products so far; else by conjugate gradients
 *                                                               (`softmax-products.ts`)
 *            D ← max(D, D(U)), U = Newton's own dual point      the certificate, see `softmax-dual.ts`
 *            t = argmin P(Θ + t S)                              on the scores s + t q,  q = VᵀS X̃ᵀ
 *            Θ ← Θ + t S,  s ← s + t q
 * End        (P − D)/P ≤ tolerance
 *
 * | symbol | variable          | shape                              |
 * |--------|-------------------|------------------------------------|
 * | Θ, S   | `theta`, `step`   | (K − 1) x D, D = d, or d + 1 with b |
 * | s, q   | `scores`, `change`| n x K                              |
 * | cᵢuᵢ   | `flows`           | n x K                              |
 *
 * Nothing is damped, and no ridge is added: H + Λ is at least λ I, as contrasts have no direction in which the scores do not
 * change. With a free bias, a class none of whose rows counts has the probability 0: P has no minimum but this limit.
 */
import {
  badOption,
  dot,
  nonNegative,
  norm2,
  type OptionsOf,
  optionTable,
  positiveOrInfinity,
} from "@curvature/linalg";
import { checkLinearProblem, fingerprintOfLinear, rowAccess } from "@curvature/objectives/linear";
import { fingerprintOf, type Iteration, type Point, type Solver } from "@curvature/optim-core";
import {
  DeclaredSolver,
  float64,
  maybe,
  number,
  outcome,
  part,
  stateOf,
  whole,
  word,
} from "@curvature/optim-core/state";
import { capitalized, type LinearDetails } from "../../details.js";
import { backtrack, StepLength } from "../../solvers/newton/line-search.js";
import { RowCursor, WORK_PER_STEP, Work } from "../../solvers/newton/work.js";
import { firstPoint, sharedEntries } from "../../solvers/start.js";
import { standing } from "../../standing.js";
import { binaryProblem, checkMulticlass, type MulticlassProblem } from "../problem.js";
import { fromContrasts, toContrasts } from "./contrasts.js";
import { RowBlocks } from "./row-blocks.js";
import { RowLoss } from "./row-loss.js";
import { SoftmaxDual } from "./softmax-dual.js";
import { SoftmaxHessian } from "./softmax-hessian.js";
import { type LeaveOneOut, leaveOneOut } from "./softmax-leave-one-out.js";
import { SoftmaxProducts } from "./softmax-products.js";

export const softmaxNewtonOptions = optionTable({
  /** (P − D)/P at which it ends as converged; D is a lower bound of P*. */
  tolerance: nonNegative.default(1e-3),
  /** Passes at most: reads of n rows for a gradient with its Hessian, a product, or the certificate. */
  maxPasses: positiveOrInfinity("a number of passes").default(1000),
  ...sharedEntries,
});
export type SoftmaxNewtonOptions = OptionsOf<typeof softmaxNewtonOptions>;

/** Of K numbers for each row, of which it keeps several. */
const MAX_SCORES = 2e7;
/** Parameters at which sparse rows may be filled in, and the share of entries from which they are beyond that. */
const FEW_PARAMETERS = 1000;
const FILLED = 0.1;

/** Whether it is the method for several classes: not of too many rows times classes, or sparse rows of many columns. */
export function isSoftmax({
  rows,
  classes,
  loss,
}: Pick<MulticlassProblem, "rows" | "classes" | "loss">): boolean {
  if (loss.name !== "logistic" || rows.rows * classes > MAX_SCORES) return false;
  const entries = rows.rows * rows.columns;
  return classes * (rows.columns + 1) <= FEW_PARAMETERS || rowAccess(rows).storedEntries >= FILLED * entries;
}

/** Products with H that a factor may cost, where none was made so far. */
const CHEAP = 16;
/** (K − 1) D up to which there is memory for a factor. */
const MAX_FACTORED = 2000;

const stages = ["scores", "hessian", "system", "change", "certificate", "search"] as const;

/** Iterations after which the scores are computed anew, so that rounding does not pile up in them. */
const REFRESH = 10;
/** How far the score of a class without rows lies below all others: e^−1000 is 0. */
const NEVER = 1000;
/** A change of P or D that is this part of it is rounding. */
const ROUNDING = 1e-14;
const WHERE = "SoftmaxNewton";

/** A model of centered rows: scores are w_k·(x − shift) + b_k, which large offsets of the columns do no harm to. */
export interface CenteredParameters {
  /** 0 where the bias is not free. */
  readonly shift: Float64Array;
  /** K x d, or K x (d + 1) with a bias: row k holds w_k (and b_k). */
  readonly parameters: Float64Array;
}

export class SoftmaxNewton extends DeclaredSolver implements Solver<LinearDetails> {
  readonly name = "softmax-newton";
  readonly dimension: number;
  readonly options;
  readonly state;
  private readonly problem: MulticlassProblem;
  private readonly isBiasFree: boolean;
  private readonly rows: RowBlocks;
  /** The classes that have a row that counts; all of them where the bias is not free. */
  private readonly present: readonly number[];
  /** Of the rows that count, numbered as in `present`. */
  private readonly labels: Int32Array;
  private readonly row: RowLoss;
  private readonly first: SoftmaxHessian | SoftmaxProducts;
  /** Instead of the first once that has cost as much. */
  private readonly later: SoftmaxHessian | undefined;
  /** Products with H that a factor costs. */
  private readonly factorPrice: number;
  private readonly dual: SoftmaxDual;
  private readonly length = new StepLength();
  private readonly work = new Work();
  private readonly products: RowCursor;
  private readonly hessians: RowCursor;
  /** VᵀΘ or VᵀS, K x D. */
  private readonly W: Float64Array;
  private hash: string | undefined;

  /**
   * @throws CurvatureError as `checkLinearProblem`; ERR_OPTION for an option, or for another loss than the logistic one; ERR_SHAPE or
   *   ERR_ARGUMENT for labels; ERR_SHAPE or ERR_NON_FINITE for `initial`; ERR_MEMORY
   */
  constructor(problem: MulticlassProblem, options?: SoftmaxNewtonOptions) {
    super();
    const { initial, shared, ...settings } = softmaxNewtonOptions.resolve(WHERE, options);
    checkMulticlass(problem, WHERE);
    const binary = binaryProblem(problem, 0);
    if (shared === undefined) checkLinearProblem(binary, WHERE);
    else shared.check(binary, WHERE);
    if (problem.loss.name !== "logistic")
      throw badOption(WHERE, "loss", "the logistic loss", problem.loss.name);
    this.dimension = problem.classes * (problem.rows.columns + Number(problem.bias !== "none"));
    this.options = Object.freeze(settings);
    this.problem = problem;
    this.isBiasFree = problem.bias === "free";
    this.rows = new RowBlocks(problem);
    this.present = presentClasses(problem, this.rows);
    const numbers = new Int32Array(problem.classes);
    for (const [k, label] of this.present.entries()) numbers[label] = k;
    this.labels = Int32Array.from(this.rows.indices, (i) => numbers[problem.labels[i]]);
    const K = this.present.length;
    const n = this.rows.count;
    const { width } = this.rows;
    this.row = new RowLoss(K);
    const size = Math.max(0, K - 1) * width;
    this.factorPrice = (n * SoftmaxHessian.costOf(K, width) + size ** 3 / 6) / (2 * n * K * width);
    const isDear = this.factorPrice > CHEAP;
    this.first = isDear
      ? new SoftmaxProducts(this.rows, this.labels, K, this.isBiasFree)
      : new SoftmaxHessian(this.rows, K);
    this.later = isDear && size <= MAX_FACTORED ? new SoftmaxHessian(this.rows, K) : undefined;
    this.dual = new SoftmaxDual(this.rows, this.labels, K, this.isBiasFree);
    this.products = new RowCursor(n, (K + 1) * width);
    this.hessians = new RowCursor(n, SoftmaxHessian.costOf(K, width), 64);
    this.W = new Float64Array(K * width);
    const theta = initial === undefined ? new Float64Array(size) : this.contrastsOf(initial);
    this.state = stateOf({
      stage: word("scores", stages),
      products: part(this.products),
      hessians: part(this.hessians),
      work: part(this.work),
      /** Steps, of which an iteration takes some. */
      index: whole(),
      iterations: whole(),
      evaluations: whole(),
      gradients: whole(),
      /** ½ ‖Θ‖², the free bias left out, and the sum of the losses. */
      halfSquares: number(0),
      loss: number(),
      /** P(Θ), once it was measured. */
      value: maybe(number()),
      gradientNorm: maybe(number()),
      /** The largest D so far, and as it was an iteration before; P is never below 0. */
      bound: number(0),
      boundBefore: number(0),
      gap: maybe(number()),
      outcome: outcome(),
      /** That of the options, to tell after a resume whether it is a smaller one now. */
      tolerance: number(settings.tolerance),
      theta: float64(theta),
      step: float64(new Float64Array(theta.length)),
      /** g·S */
      slope: number(0),
      scores: float64(new Float64Array(n * K)),
      change: float64(new Float64Array(n * K)),
      flows: float64(new Float64Array(n * K)),
      V: float64(new Float64Array(K * width)),
      /** By columns, the terms of V in absolute value. */
      sizes: float64(new Float64Array(width)),
      first: part(this.first),
      ...(this.later && { later: part(this.later) }),
      /** Products in all systems. */
      spent: whole(),
      length: part(this.length),
    });
  }

  /** Costs a read of all rows the first time. */
  get fingerprint(): string {
    const { problem } = this;
    this.hash ??= fingerprintOf(
      WHERE,
      problem.classes,
      problem.labels,
      fingerprintOfLinear(binaryProblem(problem, 0)),
    );
    return this.hash;
  }

  /** P falls in every iteration: the current point is the best one. K x d, or K x (d + 1) with a bias: row k holds w_k (and b_k). */
  get best(): Point {
    return { x: this.inColumnsOf(this.state.theta), value: this.state.value };
  }

  get last(): Point {
    return this.best;
  }

  /** `best` for centered rows. Copies. */
  get centered(): CenteredParameters {
    return { shift: this.rows.shift.slice(), parameters: this.parametersOf(this.state.theta) };
  }

  /**
   * What the model of all rows but one says of that one, at `best`, by one Newton step of the other rows. It takes a Hessian
   * and its factor.
   *
   * @param left - what is left out of each row's importance over n: that of one copy where importances count copies. By default
   *   the whole row
   * @returns undefined where the Hessian has no Cholesky factor in double precision
   */
  leaveOneOut(left?: Float64Array): LeaveOneOut | undefined {
    const { problem, rows, labels, present, isBiasFree, state } = this;
    return leaveOneOut({
      problem,
      rows,
      labels,
      present,
      isBiasFree,
      theta: state.theta,
      parameters: this.parametersOf(state.theta),
      left,
    });
  }

  step(): Iteration<LinearDetails> {
    const { state, work } = this;
    let phase = "iteration";
    if (state.outcome === undefined) {
      state.index++;
      work.left = WORK_PER_STEP;
      phase = "";
      while (state.outcome === undefined && work.left > 0) {
        phase = state.stage;
        if (!this.advance()) continue;
        phase = "iteration";
        break;
      }
    }
    return this.iteration(phase);
  }

  /** Works at the current stage while work is left. @returns whether that completed an iteration */
  private advance(): boolean {
    const { state } = this;
    switch (state.stage) {
      case "scores":
        if (this.multiply(state.theta, state.scores)) this.measureStart();
        return false;
      case "hessian":
        if (this.sumHessian()) this.solve();
        return false;
      case "system":
        if (this.solveOn()) this.useStep();
        return false;
      case "change":
        if (this.multiply(state.step, state.change)) this.startCertificate();
        return false;
      case "certificate":
        if (this.sumDual()) this.startSearch();
        return false;
      case "search":
        return this.search();
    }
  }

  /** out ← X̃ (Vᵀ theta)ᵀ */
  private multiply(theta: Float64Array, out: Float64Array): boolean {
    const { rows, W, work } = this;
    const K = this.present.length;
    for (let j = 0; j < rows.width; j++) fromContrasts(K, theta, j, rows.width, W, j, rows.width);
    return this.products.sweep(work, (from, to) => {
      rows.multiply(W, K, out, from, to);
      work.rowVisits += to - from;
    });
  }

  private measureStart(): void {
    const { state } = this;
    const value = this.measure(0);
    state.value = Math.min(value, state.value ?? value); // computed anew, it may differ by rounding
    this.measureGap();
    if (!Number.isFinite(value)) this.end("diverged", `P is ${value} at the first point: ${TOO_LARGE}`);
    else if (value === 0) this.end("converged", "P is zero.");
    else this.startHessian();
  }

  /** ½ λ ‖Θ + t S‖² + Σ cᵢ lᵢ, and its parts into the state. */
  private measure(t: number): number {
    const { state, row, labels, rows } = this;
    const K = this.present.length;
    state.evaluations++;
    this.work.left -= 8 * K * labels.length;
    let loss = 0;
    for (let i = 0; i < labels.length; i++) {
      row.take(state.scores, state.change, t, i * K, labels[i]);
      loss += rows.c[i] * row.loss;
    }
    state.loss = loss;
    state.halfSquares = this.halfSquares(t);
    return this.problem.lambda * state.halfSquares + loss;
  }

  private halfSquares(t: number): number {
    const { theta, step } = this.state;
    let sum = 0;
    for (let j = 0; j < theta.length; j++)
      if (this.isPenalised(j)) sum += (theta[j] + t * step[j]) * (theta[j] + t * step[j]);
    return 0.5 * sum;
  }

  private isPenalised(j: number): boolean {
    const { width } = this.rows;
    return !this.isBiasFree || j % width !== width - 1;
  }

  /** What solves the systems now. */
  private get system(): SoftmaxHessian | SoftmaxProducts {
    const { first, later, state, factorPrice } = this;
    return later !== undefined && state.spent >= factorPrice ? later : first;
  }

  private startHessian(): void {
    this.system.clear();
    this.state.stage = "hessian";
  }

  private sumHessian(): boolean {
    const { system, labels, work, state } = this;
    if (system instanceof SoftmaxProducts) return system.sumGradient(state.scores, work);
    return this.hessians.sweep(work, (from, to) => {
      system.add(state.scores, labels, from, to);
      work.rowVisits += to - from;
    });
  }

  private solve(): void {
    const { state, system } = this;
    const { g } = system.state;
    for (let j = 0; j < g.length; j++) if (this.isPenalised(j)) g[j] += this.problem.lambda * state.theta[j];
    state.gradients++;
    state.gradientNorm = norm2(g);
    if (!Number.isFinite(state.gradientNorm)) {
      this.end("diverged", `the gradient norm is ${state.gradientNorm}: ${TOO_LARGE}`);
      return;
    }
    if (system instanceof SoftmaxProducts) {
      system.begin(this.problem.lambda, this.options.tolerance * (state.value ?? 0));
      state.stage = "system";
      return;
    }
    this.work.left -= g.length ** 3 / 6;
    const factor = system.factor(this.problem.lambda, this.isBiasFree);
    if (factor === undefined) {
      const why = "the Hessian is not positive definite in double precision";
      this.end("stalled", `${why}: scale the columns, or take a larger lambda; ${this.words()}.`);
      return;
    }
    factor.solve(g, 1, state.step);
    for (let j = 0; j < g.length; j++) state.step[j] = -state.step[j];
    this.useStep();
  }

  private solveOn(): boolean {
    const { system, problem, state, work } = this;
    return system instanceof SoftmaxProducts && system.advance(problem.lambda, state.step, work);
  }

  private useStep(): void {
    const { state, system } = this;
    state.slope = dot(system.state.g, state.step);
    if (system instanceof SoftmaxProducts) state.spent += system.state.products;
    state.stage = "change";
  }

  private startCertificate(): void {
    const { state } = this;
    this.dual.take(state.scores, state.change, state.flows);
    this.work.left -= 8 * state.flows.length;
    state.V.fill(0);
    state.sizes.fill(0);
    state.stage = "certificate";
  }

  private sumDual(): boolean {
    const { rows, labels, work, state } = this;
    const K = this.present.length;
    const isDone = this.products.sweep(work, (from, to) => {
      rows.addTransposed(state.flows, K, labels, state.V, state.sizes, from, to);
      work.rowVisits += to - from;
    });
    if (isDone) this.takeBound();
    return isDone;
  }

  private takeBound(): void {
    const { state, rows, problem } = this;
    const { V, sizes, flows } = state;
    let squares = 0;
    let size = 0;
    for (let j = 0; j < V.length; j++) {
      if (!this.isPenalised(j)) continue;
      squares += V[j] * V[j];
      size += Math.abs(V[j]) * sizes[j % rows.width];
    }
    this.work.left -= 8 * flows.length;
    state.bound = Math.max(state.bound, this.dual.value(flows, squares, size, problem.lambda) || 0);
  }

  private startSearch(): void {
    this.length.start(this.state.slope);
    this.state.stage = "search";
  }

  /** One value of t. @returns whether the iteration is complete */
  private search(): boolean {
    const { length, state } = this;
    if (state.slope < 0 && !length.take(this.derivatives(length.state.t))) return false;
    this.finish();
    return true;
  }

  /** The derivatives of the objective at Θ + t S. */
  private derivatives(t: number): { readonly slope: number; readonly curvature: number } {
    const { state, row, labels, rows } = this;
    const { theta, step, scores, change } = state;
    const { lambda } = this.problem;
    const K = this.present.length;
    this.work.left -= 8 * K * labels.length;
    let slope = 0;
    let curvature = 0;
    for (let j = 0; j < theta.length; j++) {
      if (!this.isPenalised(j)) continue;
      slope += lambda * step[j] * (theta[j] + t * step[j]);
      curvature += lambda * step[j] * step[j];
    }
    for (let i = 0; i < labels.length; i++) {
      row.take(scores, change, t, i * K, labels[i]);
      const own = change[i * K + labels[i]];
      let mean = 0;
      for (let k = 0; k < K; k++) mean += row.p[k] * (change[i * K + k] - own);
      let variance = 0;
      for (let k = 0; k < K; k++) variance += row.p[k] * (change[i * K + k] - own - mean) ** 2;
      slope += rows.c[i] * mean;
      curvature += rows.c[i] * variance;
    }
    return { slope, curvature };
  }

  /** Takes the step if it lowers P, and says how far the solver is. */
  private finish(): void {
    const { state, length } = this;
    const { loss, halfSquares, slope } = state;
    const before = this.problem.lambda * halfSquares + loss;
    const { t, value, isLower } =
      slope < 0
        ? backtrack((t) => this.measure(t), length.state.t, before, slope)
        : { t: 0, value: before, isLower: false };
    if (isLower) this.move(t, value);
    else if (slope < 0 && this.measure(1) <= before * (1 + ROUNDING)) this.move(1, before);
    else Object.assign(state, { loss, halfSquares });
    state.iterations++;
    this.judge(isLower, before);
    if (state.iterations % REFRESH === 0) state.stage = "scores";
    else this.startHessian();
  }

  /** A step whose gain is lost in the rounding of P is taken as well: it still makes the gradient smaller. */
  private move(t: number, value: number): void {
    const { theta, step, scores, change } = this.state;
    for (let j = 0; j < theta.length; j++) theta[j] += t * step[j];
    for (let j = 0; j < scores.length; j++) scores[j] += t * change[j];
    this.state.value = value;
    this.length.state.t = t;
  }

  /** @param before - P before the step, and `bound` D at the one before */
  private judge(isLower: boolean, before: number): void {
    const { state } = this;
    const { tolerance, maxPasses } = this.options;
    const { value = Number.NaN, bound } = state;
    const gain = before - value + (bound - state.boundBefore);
    state.boundBefore = bound;
    this.measureGap();
    const { gap = 1 } = state;
    if (Number.isNaN(state.slope)) this.end("diverged", `Newton's direction is not a number: ${TOO_LARGE}`);
    else if (gap <= tolerance) this.end("converged", `${this.words()}, at most ${tolerance}.`);
    else if (!isLower || gain <= ROUNDING * value)
      this.end("stalled", `P and D come no closer in double precision; ${this.words()}.`);
    else if (this.passes >= maxPasses)
      this.end("max-iterations", `The limit of ${maxPasses} passes is reached; ${this.words()}.`);
  }

  private measureGap(): void {
    const { state } = this;
    const { value = Number.NaN, bound } = state;
    state.gap = value === 0 ? 0 : Math.max(0, value - bound) / value;
  }

  private words(): string {
    const { gap = 1, iterations } = this.state;
    return `the duality gap is ${gap.toPrecision(3)} of P after ${iterations} iterations`;
  }

  private end(status: "converged" | "stalled" | "diverged" | "max-iterations", message: string): void {
    this.state.outcome = { status, message: capitalized(message) };
  }

  private get passes(): number {
    return this.work.rowVisits / Math.max(1, this.rows.count);
  }

  /** Θ of parameters in the problem's columns. */
  private contrastsOf(initial: ArrayLike<number>): Float64Array {
    const { rows, present, problem, dimension } = this;
    const x = firstPoint(WHERE, "initial", initial, dimension);
    const stride = dimension / problem.classes;
    const d = problem.rows.columns;
    const chosen = new Float64Array(present.length * stride);
    for (const [k, label] of present.entries()) {
      const w = x.subarray(label * stride, (label + 1) * stride);
      if (stride > d) w[d] += dot(w.subarray(0, d), rows.shift);
      chosen.set(w, k * stride);
    }
    const theta = new Float64Array(this.first.size);
    for (let j = 0; j < stride; j++) toContrasts(present.length, chosen, j, stride, theta, j, stride);
    return theta;
  }

  /** The parameters of centered rows. */
  private parametersOf(theta: Float64Array): Float64Array {
    const { rows, present, problem, dimension, W } = this;
    const D = rows.width;
    const x = new Float64Array(dimension);
    for (let j = 0; j < D; j++) fromContrasts(present.length, theta, j, D, W, j, D);
    if (present.length < problem.classes) this.banAbsent(x);
    for (const [k, label] of present.entries()) x.set(W.subarray(k * D, (k + 1) * D), label * D);
    return x;
  }

  private banAbsent(x: Float64Array): void {
    const { rows, present, problem, W } = this;
    const D = rows.width;
    const scores = new Float64Array(rows.count * present.length);
    rows.multiply(W, present.length, scores, 0, rows.count);
    const least = scores.reduce((a, b) => Math.min(a, b), 0);
    for (let k = 0; k < problem.classes; k++) x[k * D + D - 1] = least - NEVER;
  }

  /** The parameters in the problem's columns: b_k − w_k·x̄ in place of b_k. */
  private inColumnsOf(theta: Float64Array): Float64Array {
    const x = this.parametersOf(theta);
    if (!this.isBiasFree) return x;
    const d = this.problem.rows.columns;
    for (let at = 0; at < x.length; at += d + 1) x[at + d] -= dot(x.subarray(at, at + d), this.rows.shift);
    return x;
  }

  private iteration(phase: string): Iteration<LinearDetails> {
    const { index, value, gradientNorm, evaluations, gradients, gap, outcome } = this.state;
    return {
      index,
      value,
      gradientNorm,
      stepLength: phase === "iteration" ? this.length.state.t : undefined,
      evaluations,
      gradientEvaluations: gradients,
      monitoringEvaluations: 0,
      passes: this.passes,
      phase,
      details: { gap, certificate: gap === undefined ? undefined : "duality-gap", t0: undefined },
      outcome,
    };
  }

  protected override restored(): void {
    const { state, options } = this;
    // Rounding may have ended it above its tolerance: at the same one it would come no further.
    const tolerance = options.tolerance < state.tolerance ? options.tolerance : undefined;
    const asked = { maxPasses: options.maxPasses, tolerance };
    state.outcome = standing(state.outcome, { passes: this.passes, gap: state.gap }, asked);
    state.tolerance = options.tolerance;
  }
}

const TOO_LARGE = "the rows or the first point are too large for double precision. Scale the columns.";

function presentClasses({ classes, labels, bias }: MulticlassProblem, rows: RowBlocks): number[] {
  const counts = new Float64Array(classes);
  for (const i of rows.indices) counts[labels[i]]++;
  return Array.from(counts.keys()).filter((k) => bias !== "free" || counts[k] > 0);
}
