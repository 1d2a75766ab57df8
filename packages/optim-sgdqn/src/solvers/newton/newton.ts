/**
 * Newton's method for linear models.
 *
 * Problem    P(w) = ½ wᵀΛw + Σᵢ cᵢ l(xᵢ·w, yᵢ), with a last entry 1 in xᵢ for a bias
 * Iteration  aᵢ = cᵢ l′(zᵢ, yᵢ),  hᵢ = cᵢ l″(zᵢ, yᵢ),   z = X w
 *            g = Λw + Xᵀa
 *            H s = −g,  H = Λ + Xᵀ diag(h) X              exactly, or by conjugate gradients
 *            t = argmin P(w + t s)                        on the margins z + t q,  q = X s
 *            w ← w + t s,  z ← z + t q
 * Free bias  eliminated from the systems (`bias-elimination.ts`), and where slopes of one sign prevail the best one for the
 *            scores (`best-bias.ts`); columns far from zero are moved there (`centered-rows.ts`). Nothing is damped
 * End        P − D ≤ tolerance · P, D the largest of the bounds D(u) of P* (`certificate.ts`) seen so far, at
 *              u = l′(z + q) to first order, l′ᵢ + l″ᵢ qᵢ: the dual point of Newton's step, whose gap is of fourth order in the
 *                  step. It costs one read of the rows, once half the decrement, −½ g·s, is at most 30 tolerance · P
 *              u = l′(z), the slopes at the point, at the price of the next gradient, for which Xᵀa is needed anyway
 *            Where no step lowers P any more it has stalled, at the gap that there is
 * Small λ    where after 10 steps half the decrement is still a large part of P: λ₀ = Σ cᵢ ‖xᵢ − x̄‖², then a tenth of it, and so
 *            on down to λ, from the last point each, as soon as half the decrement is at most P, which is nearly always one
 *            step. Only where λ < λ₀/100. Losses with kinks would take hundreds of steps on rows that can be separated
 * Hinge      by smoothed hinges of width 1, 1/4, 1/16, …, each from the last point, as soon as its P − D is at most a tenth
 *            of the hinge's own. P is the hinge's at the best bias, D(u) its bound at the same u. A smoothed hinge narrower
 *            than 1 likewise, down to its width
 *
 * | symbol | variable     | shape                                     |
 * |--------|--------------|-------------------------------------------|
 * | w, s   | `line`       | parameters: d, and 1 more with a bias     |
 * | z, q   | `line`       | n: margins, and their change along s      |
 * | a, h   | `line`       | n: slopes and curvatures, times cᵢ        |
 * | g      | `parts`      | as w                                      |
 * | Λ      | `line`       | λ, and 0 for a free bias                  |
 *
 * A step of the solver is as much of an iteration as some 15 ms allow: see `work.ts`.
 *
 * A line search in place of the trust region of LIBLINEAR's Newton (Lin, Weng, Keerthi: Trust region Newton method for
 * large-scale logistic regression. JMLR 9 (2008) 627-650): with cached margins an exact minimum along s costs less
 * than one product with X, and no step is ever thrown away. For losses with kinks in l′ this is a semismooth Newton
 * method with the generalised Hessian; exact line searches keep it going down from everywhere.
 */
import {
  dot,
  nonNegative,
  norm2,
  type OptionsOf,
  oneOf,
  optionTable,
  positiveOrInfinity,
} from "@curvature/linalg";
import {
  checkLinearProblem,
  fingerprintOfLinear,
  type LinearLoss,
  type LinearProblem,
  linearLoss,
  parameterCount,
  rowAccess,
} from "@curvature/objectives/linear";
import type { Iteration, Outcome, Point, Solver } from "@curvature/optim-core";
import {
  boolean,
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
import type { SharedRows } from "../../multiclass/shared-rows.js";
import { standing } from "../../standing.js";
import { BLURRED, exactCost, ofExact } from "../exact-cost.js";
import { firstPoint, sharedEntries } from "../start.js";
import { bestHingeBias, lossSum } from "./best-bias.js";
import { type CenteredProblem, centered } from "./centered-problem.js";
import { DualBound, relativeGap } from "./certificate.js";
import { ExplicitHessian, sharedGram } from "./explicit-hessian.js";
import { type Backtracked, backtrack, Line, ROUNDING, StepLength } from "./line-search.js";
import { DiagonalPreconditioner, SampledPreconditioner } from "./preconditioner.js";
import { rowSweeps } from "./sweeps/row-sweeps.js";
import { chooseMethod, type NewtonMethod, type NewtonSystem, rowPrices, type SystemParts } from "./system.js";
import { TruncatedSystem } from "./truncated-system.js";
import { RowCursor, WORK_PER_STEP, Work } from "./work.js";

export const newtonOptions = optionTable({
  /** (P − D)/P at which it ends as converged: P − P* is no more. */
  tolerance: nonNegative.default(1e-3),
  /** Passes at most: reads of n rows for a gradient, a bound, a product with the Hessian or its entries. */
  maxPasses: positiveOrInfinity("a number of passes").default(1000),
  /** How the systems are solved (see `chooseMethod`); "auto": by the shape of the rows. */
  method: oneOf("auto", "explicit", "sampled", "diagonal").default("auto"),
  ...sharedEntries,
});
export type NewtonOptions = OptionsOf<typeof newtonOptions>;

const stages = ["margins", "gradient", "system", "line", "dual", "search"] as const;

/** Iterations after which the margins are computed anew, so that rounding does not pile up in them. */
const REFRESH = 10;
/** Half the decrement, over tolerance · P, from which the dual point of a step is worth a read of the rows. */
const NEAR = 30;
/** Steps after which half the decrement, over P, is to be no more than this: else λ is brought down from λ₀. */
const PATIENCE = 10;
const SLOW = 0.3;
/** Half the decrement, over P, at which λ becomes smaller: one step nearly always does. */
const COARSE = 1;
/** The same, over P, for a smoothed hinge wider than the loss. */
const SMOOTHED_NEAR = 0.3;
/** Of slopes, their sum over that of their sizes: the bias is left to the next step. */
const BALANCED = 0.05;
const LAMBDA_RATIO = 10;
const MIN_LAMBDAS = 100;
/** Of P − D: that of the smoothed hinge at which its width becomes smaller. */
const SHARE = 0.1;
const WIDTH_RATIO = 4;
const MIN_WIDTH = 1e-9;
const WHERE = "Newton";

export class Newton extends DeclaredSolver implements Solver<LinearDetails> {
  readonly name = "newton";
  readonly dimension: number;
  readonly options;
  readonly state;
  private readonly problem: LinearProblem;
  private readonly centered: CenteredProblem;
  private readonly n: number;
  private readonly line: Line;
  private readonly length = new StepLength();
  private readonly work = new Work();
  private readonly cursor: RowCursor;
  private readonly parts: SystemParts;
  private readonly system: NewtonSystem;
  private readonly bound: DualBound;
  /** That of the loss, 0 for the hinge; undefined for losses that are approached through no others. */
  private readonly lastWidth: number | undefined;
  /** Of the smoothed hinge of now, where that is not the loss. */
  private smoothed: DualBound | undefined;
  private hash: string | undefined;

  /**
   * @throws CurvatureError as `checkLinearProblem`; ERR_OPTION for an option; ERR_SHAPE or ERR_NON_FINITE for `initial`
   */
  constructor(problem: LinearProblem, options?: NewtonOptions) {
    super();
    const { initial, shared, ...settings } = newtonOptions.resolve(WHERE, options);
    if (shared === undefined) checkLinearProblem(problem, WHERE);
    else shared.check(problem, WHERE);
    this.options = Object.freeze(settings);
    this.problem = problem;
    this.centered = centered(problem, shared);
    this.dimension = parameterCount(problem);
    this.n = problem.rows.rows;
    this.lastWidth = lastWidthOf(problem.loss);
    const { centered: inner, dimension } = this;
    this.line = new Line(inner);
    if (initial !== undefined)
      this.line.w.set(inner.inward(firstPoint(WHERE, "initial", initial, dimension)));
    this.bound = new DualBound(inner);
    const isBiasFree = problem.bias === "free";
    this.parts = {
      sweeps: rowSweeps(inner.problem.rows, problem.bias),
      rows: this.n,
      diagonal: this.line.diagonal,
      isBiasFree,
      h: this.line.h,
      g: new Float64Array(dimension),
    };
    const { system, price } = createSystem(inner.problem, settings.method, this.parts, shared);
    this.system = system;
    this.cursor = new RowCursor(this.n, price);
    this.state = stateOf({
      stage: word("margins", stages),
      cursor: part(this.cursor),
      work: part(this.work),
      /** Steps, of which an iteration takes some. */
      index: whole(),
      iterations: whole(),
      evaluations: whole(),
      gradients: whole(),
      /** The λ of the steps now, and for the hinge the width. */
      lambda: number(problem.lambda),
      width: number(Math.max(1, this.lastWidth ?? 1)),
      /** P of the steps now: of this λ and width. */
      level: maybe(number()),
      /** P at w and its bias, once it was measured. */
      value: maybe(number()),
      /** The point of the least P that was measured, as the problem counts its parameters. */
      bestX: float64(new Float64Array(dimension)),
      bestValue: maybe(number()),
      /** What P may be more there. */
      rounding: number(0),
      /** Whether it is the point now. */
      isBest: boolean(),
      /** The largest D so far, and for the hinge that of the smoothed one of now. */
      dual: number(Number.NEGATIVE_INFINITY),
      smoothedDual: number(Number.NEGATIVE_INFINITY),
      /** By which `dual` was lowered for rounding. */
      dualRounding: number(0),
      gradientNorm: maybe(number()),
      /** (P − D)/P at the best point. */
      gap: maybe(number()),
      outcome: outcome(),
      /** That of the options, to tell after a resume whether it is a smaller one now. */
      tolerance: number(settings.tolerance),
      line: part(this.line),
      g: float64(this.parts.g),
      /** g·s */
      slope: number(0),
      /** A dual point, that of the slopes or of the step under way, and Σ aᵢ xᵢ there. */
      stepDual: float64(new Float64Array(this.n)),
      stepSum: float64(new Float64Array(dimension)),
      /** Whether the last step was made to a lower P. */
      isLower: boolean(true),
      length: part(this.length),
      system: part(this.system),
    });
    this.state.bestX.set(inner.outward(this.line.w));
    this.useSurrogate();
  }

  /** Costs a read of all rows the first time. */
  get fingerprint(): string {
    this.hash ??= fingerprintOfLinear(this.problem);
    return this.hash;
  }

  get best(): Point {
    const { bestX, bestValue } = this.state;
    return { x: bestX, value: bestValue };
  }

  get last(): Point {
    return this.best;
  }

  step(): Iteration<LinearDetails> {
    const { state, work } = this;
    let phase = "iteration";
    if (state.outcome === undefined) {
      state.index++;
      work.left = WORK_PER_STEP;
      phase = "";
      while (state.outcome === undefined && work.left > 0) {
        phase = this.phase;
        if (!this.advance()) continue;
        phase = "iteration";
        break;
      }
    }
    return this.iteration(phase);
  }

  private get phase(): string {
    const { stage } = this.state;
    if (stage === "system") return this.system.phase;
    if (stage === "dual") return "certificate";
    return stage === "margins" || stage === "gradient" ? stage : "line search";
  }

  /** Works at the current stage while work is left. @returns whether that completed an iteration */
  private advance(): boolean {
    const { line, work, state } = this;
    switch (state.stage) {
      case "margins":
        if (this.multiply(line.w, line.z)) this.measureStart();
        return false;
      case "gradient":
        if (this.addTransposed(line.a, state.stepSum)) this.startSystem();
        return false;
      case "system":
        if (this.system.advance(work, line.s)) this.useDirection();
        return false;
      case "line":
        if (this.multiply(line.s, line.q)) this.startSearch();
        return false;
      case "dual":
        if (this.addTransposed(state.stepDual, state.stepSum)) {
          this.takeBound(0);
          state.stage = "search";
        }
        return false;
      case "search":
        return this.search();
    }
  }

  /** out ← X v */
  private multiply(v: Float64Array, out: Float64Array): boolean {
    return this.cursor.sweep(this.work, (from, to) => {
      this.parts.sweeps.multiply(v, out, from, to);
      this.work.rowVisits += to - from;
    });
  }

  /** out ← out + Xᵀa */
  private addTransposed(a: Float64Array, out: Float64Array): boolean {
    return this.cursor.sweep(this.work, (from, to) => {
      this.parts.sweeps.addTransposed(a, out, from, to);
      this.work.rowVisits += to - from;
    });
  }

  /** λ₀ where that is far above λ, else λ. */
  private firstLambda(): number {
    const { parts, n, dimension } = this;
    const { problem, c, sizes } = this.centered;
    const { lambda, rows } = problem;
    const means = new Float64Array(dimension);
    let total = 0;
    for (const ci of c) total += ci;
    if (parts.isBiasFree) parts.sweeps.addTransposed(c, means, 0, n);
    let first = 0;
    for (let j = 0; j < rows.columns; j++) first += sizes[j] * sizes[j] - (means[j] * means[j]) / total;
    return first > MIN_LAMBDAS * lambda && first < Number.POSITIVE_INFINITY ? first : lambda;
  }

  /** The problem of the steps now. */
  private useSurrogate(): void {
    const { line, state, problem } = this;
    line.regularize(state.lambda);
    const { isSmoothed } = this;
    const loss = isSmoothed ? linearLoss("smoothed-hinge", { width: state.width }) : problem.loss;
    line.use(loss);
    this.smoothed = isSmoothed ? new DualBound(this.centered, loss) : undefined;
  }

  /** Whether the steps are those of a smoothed hinge wider than the loss. */
  private get isSmoothed(): boolean {
    return this.lastWidth !== undefined && this.state.width > this.lastWidth;
  }

  /** Whether the steps are those of the problem, or of a smoothed hinge with its λ. */
  private get isAtLambda(): boolean {
    return this.state.lambda === this.problem.lambda;
  }

  /** P, a and h at margins z that were computed anew. */
  private measureStart(): void {
    const { state, line } = this;
    line.renew();
    if (state.isBest) state.bestValue = undefined; // its value was that of rounded margins
    this.settle(this.measure(0));
    const { level } = state;
    if (level === undefined || !Number.isFinite(level)) {
      state.outcome = tooLarge(`P is ${level} at the first point`);
      return;
    }
    this.setGap();
    if (state.iterations > 0) state.outcome = this.reached() ?? this.passesUsedUp();
    this.startGradient();
  }

  private measure(t: number): number {
    this.state.evaluations++;
    this.work.left -= 4 * this.n;
    return this.line.measure(t);
  }

  /** The best bias for the scores, and P there. @param level - with the bias as it is */
  private settle(level: number): void {
    const { line, state } = this;
    line.s.fill(0);
    line.q.fill(0);
    state.level = line.moveBias(BALANCED) ? this.measure(0) : level;
    this.record();
  }

  /** P at the point, and whether it is the best so far. */
  private record(): void {
    const { line, state, problem, isSmoothed } = this;
    const { loss, targets, bias } = problem;
    const { w, z, c } = line;
    let value = state.level ?? Number.NaN;
    let delta = 0;
    if (isSmoothed || !this.isAtLambda) {
      line.regularize(problem.lambda);
      const regularization = line.regularization(0);
      line.regularize(state.lambda);
      if (loss.name === "hinge" && bias === "free") delta = bestHingeBias(z, targets, c);
      value = regularization + (isSmoothed ? lossSum(loss, z, targets, c, delta) : line.risk);
    }
    state.value = value;
    state.isBest = value <= (state.bestValue ?? Number.POSITIVE_INFINITY);
    if (!state.isBest) return;
    state.bestValue = value;
    state.rounding = line.rounding(value, delta);
    state.bestX.set(this.centered.outward(w, delta));
  }

  private startGradient(): void {
    this.state.stepSum.fill(0);
    this.state.stage = "gradient";
  }

  /** D from which the solver ends. */
  private get enough(): number {
    return (this.state.bestValue ?? 0) * (1 - this.options.tolerance);
  }

  /** The bound of P* by `stepDual`. @param moved - how far that was moved since `stepSum` was summed */
  private takeBound(moved: number): void {
    const { state, bound, smoothed, options } = this;
    const { stepDual, stepSum, bestValue = 0 } = state;
    let found = bound.value(stepDual, stepSum, this.enough, moved, this.line);
    if (found.rounding > 0.25 * Math.max(options.tolerance, ROUNDING) * bestValue)
      found = bound.value(stepDual, bound.exactSum(stepDual), this.enough, 0, undefined, true);
    const { value, rounding } = found;
    if (value > state.dual) {
      state.dual = value;
      state.dualRounding = rounding;
    }
    if (smoothed !== undefined) {
      const ofSmoothed = smoothed.value(stepDual, stepSum, Number.POSITIVE_INFINITY, moved).value;
      state.smoothedDual = Math.max(state.smoothedDual, ofSmoothed);
    }
    this.setGap();
  }

  private setGap(): void {
    const { state } = this;
    const { bestValue, rounding, dual } = state;
    if (bestValue === undefined || dual === Number.NEGATIVE_INFINITY) return;
    const gap = relativeGap(bestValue, rounding, dual);
    state.gap = Number.isNaN(gap) ? undefined : gap; // of rows that overflow
  }

  /** With the gradient there is the bound of the slopes. */
  private startSystem(): void {
    const { line, n, system, state } = this;
    const { g } = this.parts;
    const { stepDual, stepSum } = state;
    for (let j = 0; j < g.length; j++) g[j] = line.diagonal[j] * line.w[j] + stepSum[j];
    state.gradientNorm = norm2(g);
    state.gradients++;
    if (!Number.isFinite(state.gradientNorm)) {
      state.outcome = tooLarge(`the gradient norm is ${state.gradientNorm}`);
      return;
    }
    this.work.left -= 2 * n;
    system.start(this.options.tolerance * (state.bestValue ?? 0));
    state.stage = "system";
    // D takes several logarithms a row for the logistic loss.
    if (this.problem.loss.name === "logistic" ? !this.isNear : !this.isAtLambda) return;
    stepDual.set(line.a);
    // The best bias leaves nothing to project but rounding, as a rule.
    this.takeBound(this.bound.project(stepDual));
    state.outcome = this.reached();
  }

  /** The end, where P − D as computed is small enough: a claim only if it is so with all rounding. */
  private reached(): Outcome | undefined {
    const { gap, iterations, bestValue = Number.NaN, rounding, dual, dualRounding } = this.state;
    const { tolerance } = this.options;
    if (gap === undefined) return undefined;
    const words = `${gapInWords(gap)} after ${counted(iterations)}`;
    if (gap <= tolerance && this.sharpen()) return this.reached();
    if (gap <= tolerance)
      return { status: "converged", message: `${capitalized(words)}, at most ${tolerance}.` };
    const computed = bestValue - dual - dualRounding;
    if (!(computed <= Math.max(tolerance, ROUNDING) * bestValue)) return undefined;
    if (this.measureExactly()) return this.reached();
    const share = ((rounding + dualRounding) / bestValue).toPrecision(3);
    return { status: "stalled", message: `${capitalized(words)}, of which rounding may be ${share}.` };
  }

  /** Before the end, where P is still rounded too much to be reported. @returns whether it was */
  private sharpen(): boolean {
    const { rounding, bestValue = 0 } = this.state;
    const isRounded = rounding > (BLURRED + this.line.ofSums) * bestValue;
    return isRounded && !this.isBlurred && this.measureExactly();
  }

  /** P at the best point in twice the precision. @returns whether it was not known so */
  private measureExactly(): boolean {
    const { state, problem, isSmoothed } = this;
    const { bestX, bestValue = 0, rounding } = state;
    if (rounding <= 2 * ofExact(bestValue)) return false;
    // Rows and targets that were moved to zero are rounded, and so is a bias that takes up their offsets.
    const { rows, targets } = this.centered.problem;
    const isMoved = rows !== problem.rows || targets !== problem.targets;
    if (isMoved || (isSmoothed && problem.bias === "free")) return false;
    const exact = exactCost(problem, bestX);
    if (Number.isNaN(exact)) return false;
    state.bestValue = exact;
    state.rounding = ofExact(exact);
    this.setGap();
    return true;
  }

  private useDirection(): void {
    const { state } = this;
    state.slope = dot(this.parts.g, this.line.s);
    if (state.slope < 0 && Number.isFinite(state.slope)) state.stage = "line";
    else if (Math.abs(state.slope) < Number.MIN_VALUE / Number.EPSILON) this.goOn(true);
    else state.outcome = tooLarge(`Newton's direction has the slope ${state.slope}`);
  }

  private startSearch(): void {
    const { state, line } = this;
    this.length.start(state.slope);
    state.stage = "search";
    if (!this.isNear) return;
    const { stepDual, stepSum } = state;
    for (let i = 0; i < stepDual.length; i++) stepDual[i] = line.a[i] + line.h[i] * line.q[i];
    this.bound.project(stepDual);
    stepSum.fill(0);
    state.stage = "dual";
  }

  /** Whether the end may be so near that a bound of P* is worth its price. */
  private get isNear(): boolean {
    const { slope, level = 0 } = this.state;
    const scale = this.isSmoothed ? SMOOTHED_NEAR : NEAR * this.options.tolerance;
    return this.isAtLambda && -0.5 * slope <= Math.max(scale, NEAR * ROUNDING) * level;
  }

  /** One value of t. @returns whether the iteration is complete */
  private search(): boolean {
    const { length, line, work, n } = this;
    work.left -= 4 * n;
    if (!length.take(line.derivatives(length.state.t))) return false;
    this.finish();
    return true;
  }

  /** Takes the step if it lowers P, and says how far the solver is. */
  private finish(): void {
    const { line, length, state } = this;
    const { level = Number.POSITIVE_INFINITY, slope } = state;
    const made: Backtracked = backtrack((t) => this.measure(t), length.state.t, level, slope);
    length.state.t = made.t;
    state.iterations++;
    state.isLower = made.isLower;
    if (made.isLower) {
      line.move(made.t);
      this.settle(made.value);
    }
    this.setGap();
    const end = this.reached();
    this.goOn(!made.isLower);
    state.outcome = end ?? state.outcome ?? this.passesUsedUp();
    if (state.outcome !== undefined && this.isBlurred) {
      state.outcome = undefined;
      state.stage = "margins";
    }
  }

  /** Whether the margins are to be computed anew before P is believed, after every step and at the end. */
  private get isBlurred(): boolean {
    const { rounding, bestValue = 0 } = this.state;
    return rounding > (BLURRED + this.line.ofSums) * bestValue && this.line.isStale;
  }

  private passesUsedUp(): Outcome | undefined {
    const { maxPasses } = this.options;
    if (this.passes < maxPasses) return undefined;
    this.sharpen();
    const words = gapInWords(this.state.gap);
    return { status: "max-iterations", message: `The limit of ${maxPasses} passes is reached: ${words}.` };
  }

  /** The next iteration, on the next problem where this one is solved well enough. @param isStuck - no step lowers P */
  private goOn(isStuck: boolean): void {
    const { state, problem } = this;
    const decrement = -0.5 * state.slope;
    const isSlow = state.iterations === PATIENCE && decrement > SLOW * (state.level ?? 0);
    if (isSlow && this.isAtLambda) {
      state.lambda = this.firstLambda();
      state.width = Math.max(1, this.lastWidth ?? 1);
      state.smoothedDual = Number.NEGATIVE_INFINITY;
      this.restart();
      return;
    }
    if (!this.isAtLambda) {
      if (isStuck || decrement <= COARSE * (state.level ?? 0)) {
        const next = state.lambda / LAMBDA_RATIO;
        state.lambda = Math.max(next, problem.lambda);
        this.restart();
        return;
      }
    } else if (this.isSmoothed && state.width > MIN_WIDTH) {
      const { level = 0, bestValue = 0 } = state;
      if (isStuck || level - state.smoothedDual <= SHARE * (bestValue - state.dual)) {
        state.width = Math.max(state.width / WIDTH_RATIO, this.lastWidth ?? 0);
        state.smoothedDual = Number.NEGATIVE_INFINITY;
        this.restart();
        return;
      }
    }
    if (isStuck) {
      this.sharpen();
      const words = `No step along Newton's direction lowers P any more, and ${gapInWords(state.gap)}.`;
      state.outcome = { status: "stalled", message: words };
      return;
    }
    state.stage = this.isBlurred || state.iterations % REFRESH === 0 ? "margins" : "gradient";
    if (state.stage === "gradient") this.startGradient();
  }

  /** From the same point, with another λ or width. The next steps may leave it: its value is to be that of its parameters. */
  private restart(): void {
    this.useSurrogate();
    if (this.isBlurred) {
      this.state.stage = "margins";
      return;
    }
    this.settle(this.measureHere());
    this.startGradient();
  }

  private measureHere(): number {
    const { line } = this;
    line.s.fill(0);
    line.q.fill(0);
    return this.measure(0);
  }

  private get passes(): number {
    return this.work.rowVisits / this.n;
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
    this.useSurrogate();
    this.system.renew?.();
    // Where rounding ended it, it would come no further at the same tolerance.
    const tolerance = options.tolerance < state.tolerance ? options.tolerance : undefined;
    const asked = { maxPasses: options.maxPasses, tolerance };
    state.outcome = standing(state.outcome, { passes: this.passes, gap: state.gap }, asked);
    state.tolerance = options.tolerance;
  }
}

const gapInWords = (gap: number | undefined): string =>
  gap === undefined ? "there is no bound of P* yet" : `the duality gap is ${gap.toPrecision(3)} of P`;

const counted = (iterations: number): string =>
  iterations === 1 ? "1 iteration" : `${iterations} iterations`;

function lastWidthOf({ name, width }: LinearLoss): number | undefined {
  if (name === "hinge") return 0;
  return name === "smoothed-hinge" ? width : undefined;
}

const tooLarge = (what: string): Outcome => ({
  status: "diverged",
  message: `${what}: the rows or the first point are too large for double precision. Scale the features.`,
});

/**
 * The system in the form that suits the rows.
 *
 * @param shared - where classes of one problem share the matrix Σ xᵢ xᵢᵀ
 * @returns the system, and the multiplications per row of a product with the rows
 */
function createSystem(
  { rows, loss, importances, bias }: LinearProblem,
  asked: "auto" | NewtonMethod,
  parts: SystemParts,
  shared: SharedRows | undefined,
): { readonly system: NewtonSystem; readonly price: number } {
  const prices = rowPrices(rows);
  const { product: price, outerProduct } = prices;
  const { sweeps, diagonal, isBiasFree } = parts;
  const method = asked === "auto" ? chooseMethod(rows, loss, prices) : asked;
  if (method === "explicit") {
    const gram = shared !== undefined && isPlain(loss, importances) ? sharedGram(shared, bias) : undefined;
    return { system: new ExplicitHessian(parts, outerProduct, gram), price };
  }
  const preconditioner =
    method === "sampled"
      ? new SampledPreconditioner(sweeps, rowAccess(rows), diagonal.length, diagonal, prices, isBiasFree)
      : new DiagonalPreconditioner(sweeps, rows.rows, diagonal, price);
  return { system: new TruncatedSystem(parts, preconditioner, price), price };
}

/** Whether no row's curvature exceeds 1/n. */
const isPlain = ({ name }: LinearLoss, importances: Float64Array | undefined): boolean =>
  importances === undefined && (name === "squared-hinge" || name === "squared-error");
