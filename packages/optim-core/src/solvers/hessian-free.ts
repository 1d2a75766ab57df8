/**
 * Hessian-free optimization: a truncated Newton method whose inner solver needs products with the curvature matrix only.
 *
 *   p ≈ argmin f + gᵀp + ½ pᵀ(B + λ I)p   by `dampedGradients`, from 0.95 times the last p
 *   p ← the point on its way with the least f, looked for from the last one backwards
 *   x ← x + α p                            α by halving (backtracking, Armijo)
 *   ρ = (f(x + α p) − f(x)) / (gᵀp + ½ pᵀBp);   ρ < ¼: λ ← 3/2 λ,   ρ > ¾: λ ← 2/3 λ       (Levenberg, Marquardt)
 *
 * | symbol | option or field   |                                                                                |
 * |--------|-------------------|--------------------------------------------------------------------------------|
 * | B      | the objective's   | `gaussNewtonVector`, else `hessianVector`, else (∇f(x + h v) − ∇f(x))/h |
 * | λ      | initialDamping    | the first one; in units of B. Left out, 10⁻³ times the curvature along ∇f, |∇fᵀB∇f|/‖∇f‖² |
 *
 * Martens: Deep learning via Hessian-free optimization. ICML 2010, Algorithm 2 and section 4. Differs from it: no preconditioner
 * (his needs the gradients of single cases); a step in which no lower value is found is not
 * made, and λ becomes four times as large; a λ that leaves steps no decrease that f could show, while B along them is far
 * smaller, becomes that pᵀBp/pᵀp; along a step without positive curvature α may grow (strong Wolfe). Where a step lowers the
 * value by no more than its noise, or many in a row do not lower it at all, the solver looks for an end (`ending.ts`), by
 * ten pairs of its own. A product costs about as much as a gradient and counts as a pass.
 *
 * With `chunks` = 4, as in the SFO paper's experiments: B is that of one of four parts of a sum, in each step the next one, times
 * four; value and gradient are those of the whole. After the first step with ρ < ¼, or none, B is that of the whole. Of 20 sums
 * after 20 passes: lower on 8 (networks 10.8 to 6.6, 6.0 to 4.3; softmax 3.5 to 2.0), higher by up to 0.9 % on 6, equal on the
 * others. It is not the default as in the first nine passes it gains nothing on some quadratic sums of unlike terms.
 */
import {
  between,
  dot,
  integerFrom,
  norm2,
  type OptionsOf,
  optionTable,
  type SettingsOf,
} from "@curvature/linalg";
import { fingerprintOf } from "../hash.js";
import { evaluated, pointWritten } from "../line-search/evaluated.js";
import { clearOf, noiseOf, valueNoise } from "../line-search/noise.js";
import { SearchLine } from "../line-search/search-line.js";
import { searchWolfe } from "../line-search/strong-wolfe.js";
import { bottomless } from "../line-search/unbounded.js";
import type { Objective } from "../problem.js";
import type { EndingTest, Iteration, Point, Solver } from "../solver.js";
import { boolean, DeclaredSolver, float64, number, outcome, part, stateOf, whole } from "../state.js";
import { dampedGradients, type InnerPoint, type InnerResult } from "./damped-gradients.js";
import { badStart, lookForEnd, unboundedEnd, zeroGradient } from "./ending.js";
import { LbfgsMemory, WITNESSES } from "./lbfgs-memory.js";
import { LineStandpoint } from "./line-standpoint.js";
import { CALM, isAffordable } from "./newton-look.js";
import { startPoint } from "./start.js";

export const hessianFreeOptions = optionTable({
  /** λ in the first step, in units of B; left out, 1e-3 times the curvature along the first gradient, for one product. */
  initialDamping: between(1e-100, 1e100),
  /** Products with B in a step, at most. */
  maxInnerIterations: integerFrom(1).default(250),
  /** Of a sum: into how many parts it is divided, of which one in turn gives B; for products by differences. */
  chunks: integerFrom(1).default(1),
  valueNoise,
});
export type HessianFreeOptions = OptionsOf<typeof hessianFreeOptions>;

export interface HessianFreeDetails {
  /** λ of the next step. */
  readonly damping: number;
  /** ρ; NaN where no step was made. */
  readonly reductionRatio: number;
  readonly innerIterations: number;
  /** Products with B so far; those by differences are among the evaluations too. */
  readonly products: number;
}

const WARM_START = 0.95;
const SUFFICIENT_DECREASE = 0.01;
const HALVINGS = 30;
/** λ in units of the curvature along the first gradient, where no other is given. */
const FIRST_DAMPING = 1e-3;
/** λ in units of B along the step from which on steps without a decrease to speak of are λ's doing. */
const OVERDAMPED = 100;
/** Steps in a row without a lower value. */
const REJECTIONS = 20;
/** Ends a step for which no evaluation is left; nothing of it has been taken by then. */
class Spent extends Error {}

interface FoundStep {
  readonly alpha: number;
  readonly value: number;
  /** What lets the objective seem without a lower bound. */
  readonly unbounded: EndingTest | undefined;
}

export class HessianFree extends DeclaredSolver implements Solver<HessianFreeDetails> {
  readonly name = "hessian-free";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SettingsOf<typeof hessianFreeOptions>;
  readonly state;
  private readonly objective: Objective;
  private readonly trial: Float64Array;
  private readonly shiftedGradient: Float64Array;
  /** Where B is that of a part: its gradient at x. */
  private readonly partGradient: Float64Array;
  /** Of a sum without products of its own. */
  private readonly parts: readonly Objective[];
  /** What the objective sees of a point. */
  private readonly shown: Float64Array;
  /** Pairs to judge an end by. */
  private readonly memory: LbfgsMemory;
  private limit = Number.POSITIVE_INFINITY;
  private mostPasses = Number.POSITIVE_INFINITY;

  /**
   * @param objective - for a sum, `asObjective(sum)`
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(objective: Objective, x: ArrayLike<number>, options?: HessianFreeOptions) {
    super();
    const start = startPoint("HessianFree", objective, x);
    this.options = hessianFreeOptions.resolve("HessianFree", options);
    this.objective = objective;
    this.dimension = objective.dimension;
    this.fingerprint = objective.fingerprint ?? fingerprintOf("objective", objective.dimension);
    this.trial = new Float64Array(x.length);
    this.shiftedGradient = new Float64Array(x.length);
    this.shown = new Float64Array(x.length);
    this.partGradient = new Float64Array(x.length);
    const hasProducts = objective.gaussNewtonVector !== undefined || objective.hessianVector !== undefined;
    const { chunks } = this.options;
    this.parts = hasProducts || chunks === 1 ? [] : (objective.partsOf?.(chunks) ?? []);
    this.memory = new LbfgsMemory(x.length, WITNESSES);
    this.state = stateOf({
      x: float64(start),
      g: float64(new Float64Array(x.length).fill(Number.NaN)), // an entry that is not written shows
      p: float64(new Float64Array(x.length)),
      value: number(),
      startValue: number(),
      /** The largest |f| at the accepted points. */
      largest: number(0),
      /** Whether the last step lowered the value by no more than the noise. */
      isQuiet: boolean(),
      memory: part(this.memory),
      /** λ */
      damping: number(this.options.initialDamping ?? Number.NaN), // NaN: not known yet
      evaluations: whole(),
      gradientEvaluations: whole(),
      products: whole(),
      /** Evaluations of parts. */
      partEvaluations: whole(),
      /** Whether B is that of a part: up to the first step that it does not explain. */
      isDivided: boolean(this.parts.length > 0),
      index: whole(),
      /** Steps in a row without a lower value. */
      rejections: whole(),
      outcome: outcome(),
    });
  }

  /** Only lower values are accepted, so the current point is the best. */
  get best(): Point {
    return { x: this.state.x, value: Number.isFinite(this.state.value) ? this.state.value : undefined };
  }

  get last(): Point {
    return this.best;
  }

  limitWork(evaluations: number, passes: number): void {
    this.limit = evaluations;
    this.mostPasses = Math.ceil(passes);
  }

  /** Evaluations, or passes where there are fewer of them. */
  private get left(): number {
    return Math.min(this.limit - this.evaluations, this.mostPasses - this.passes);
  }

  private get isDivided(): boolean {
    return this.state.isDivided && this.parts.length > 0;
  }

  /** Of the whole objective; so many of parts count as one that has begun. */
  private get evaluations(): number {
    return this.state.evaluations + Math.ceil(this.state.partEvaluations / Math.max(1, this.parts.length));
  }

  step(): Iteration<HessianFreeDetails> {
    const { state } = this;
    if (state.outcome !== undefined) return this.iteration(undefined, Number.NaN, 0);
    const { damping } = state;
    try {
      if (state.index === 0) this.evaluateStart();
      if (state.outcome !== undefined) return this.finish(undefined, Number.NaN, 0);
      return state.isQuiet ? this.lookAgain() : this.advance();
    } catch (error) {
      state.damping = damping;
      if (!(error instanceof Spent)) throw error;
      return this.finish(undefined, Number.NaN, 0);
    }
  }

  private advance(): Iteration<HessianFreeDetails> {
    const { options, state } = this;
    const { g, p } = state;
    if (this.isDivided) this.evaluatePart(state.x, this.partGradient);
    if (Number.isNaN(state.damping)) state.damping = this.firstDamping();
    const start = p.map((entry) => WARM_START * entry);
    // Half of what is left for the model, half for the step.
    const most = Math.min(options.maxInnerIterations, Math.max(1, this.left / 2));
    const solved = (): InnerResult =>
      dampedGradients(this.product, g, state.damping, start, Math.floor(most));
    let inner = solved();
    let chosen = this.bestOnTheWay(inner.points);
    if (this.isOverdamped(chosen)) {
      state.damping = chosen.curvature;
      inner = solved();
      chosen = this.bestOnTheWay(inner.points);
    }
    const { damping } = state;
    const step = chosen.curvature > 0 ? this.search(chosen) : this.searchFar(chosen);
    if (step === undefined) return this.reject(chosen, inner);
    const ratio = (step.value - state.value) / chosen.predicted;
    if (!(ratio >= 0.25)) state.isDivided = false;
    if (step.alpha < 1 || inner.hasNegativeCurvature || ratio < 0.25) state.damping = 1.5 * damping;
    else if (ratio > 0.75) state.damping = damping / 1.5;
    const isAffordableHere = isAffordable(this.dimension, state.evaluations);
    state.isQuiet = state.value - step.value <= (isAffordableHere ? CALM : 1) * this.noise;
    p.set(chosen.p);
    this.accept(this.trial, step.value, this.shiftedGradient);
    if (step.unbounded !== undefined) state.outcome = unboundedEnd(step.value, step.unbounded);
    return this.finish(step.alpha, ratio, inner.iterations);
  }

  /** In the unit of f; without curvature along the gradient, as if it turned within the length of x. */
  private firstDamping(): number {
    const { g, x } = this.state;
    const length = norm2(g);
    const [unit, Bv] = [g.map((entry) => entry / length), new Float64Array(g.length)];
    this.product(unit, Bv);
    const curvature = Math.abs(dot(unit, Bv));
    const isUsable = curvature > 0 && Number.isFinite(curvature);
    return FIRST_DAMPING * (isUsable ? curvature : length / Math.max(1, norm2(x)));
  }

  private accept(x: Float64Array, value: number, gradient: Float64Array): void {
    const { state } = this;
    this.memory.update(x, state.x, gradient, state.g);
    state.x.set(x);
    state.g.set(gradient);
    state.value = value;
    state.largest = Math.max(state.largest, Math.abs(value));
    state.rejections = 0;
    if (norm2(gradient) === 0) state.outcome = zeroGradient("gradient");
  }

  /** How far apart two values near f(x) may be that are equal but for rounding. */
  private get noise(): number {
    return noiseOf(this.options.valueNoise, this.state.value, this.state.largest);
  }

  /** The point as one from which a line goes. */
  private lineFrom(): SearchLine {
    const { state, objective, options } = this;
    const line = new SearchLine(objective, state.x, options.valueNoise);
    line.gradient.set(state.g);
    line.value = state.value;
    line.largest = state.largest;
    line.evaluations = state.evaluations;
    line.limit = state.evaluations + this.left;
    return line;
  }

  private count(line: SearchLine): void {
    this.state.gradientEvaluations += line.evaluations - this.state.evaluations;
    this.state.evaluations = line.evaluations;
  }

  /** Where there is no positive curvature along p, the step may be far longer than the model's. */
  private searchFar({ p }: InnerPoint): FoundStep | undefined {
    const line = this.lineFrom();
    line.p.set(p);
    const isAccepted = line.aim() < 0 && searchWolfe(line, 1);
    this.count(line);
    const { unbounded } = line;
    if (unbounded !== undefined) this.state.outcome = unboundedEnd(this.state.value, unbounded);
    if (!isAccepted) return undefined;
    this.trial.set(line.trialX);
    this.shiftedGradient.set(line.trialGradient);
    return { alpha: line.alpha, value: line.trialValue, unbounded };
  }

  /** A look in which an evaluation throws can be made again. */
  private lookAgain(): Iteration<HessianFreeDetails> {
    const before = isAffordable(this.dimension, this.state.evaluations) ? this.save() : undefined;
    try {
      return this.lookForEnd();
    } catch (error) {
      if (before !== undefined) this.restore(before);
      throw error;
    }
  }

  private lookForEnd(): Iteration<HessianFreeDetails> {
    const { state, memory } = this;
    const line = this.lineFrom();
    const standpoint = new LineStandpoint(line, memory);
    standpoint.startValue = state.startValue;
    standpoint.isFirst = state.index === 0;
    const { isAccepted, outcome } = lookForEnd(standpoint);
    this.count(line);
    state.outcome = outcome;
    state.isQuiet = !isAccepted;
    if (isAccepted) {
      this.accept(line.trialX, line.trialValue, line.trialGradient);
      state.p.fill(0);
    }
    if (line.unbounded !== undefined) state.outcome = unboundedEnd(state.value, line.unbounded);
    return this.finish(isAccepted ? line.alpha : undefined, Number.NaN, 0);
  }

  private evaluateStart(): void {
    const { state } = this;
    state.value = this.evaluate(state.x, state.g);
    state.startValue = state.value;
    state.largest = Math.abs(state.value);
    const gradientNorm = norm2(state.g);
    if (!Number.isFinite(state.value) || !Number.isFinite(gradientNorm))
      state.outcome = badStart(state.value, gradientNorm, "gradient norm");
    else if (gradientNorm === 0) state.outcome = zeroGradient("gradient");
  }

  /** B v into `out`. */
  private readonly product = (v: Float64Array, out: Float64Array): void => {
    const { objective, trial } = this;
    const { x, g } = this.state;
    if (this.left <= 0 && !this.isDivided) throw new Spent();
    if (objective.gaussNewtonVector !== undefined) {
      objective.gaussNewtonVector(x, v, out);
    } else if (objective.hessianVector !== undefined) {
      objective.hessianVector(x, v, out);
    } else {
      const h = (Math.sqrt(this.options.valueNoise) * (1 + norm2(x))) / norm2(v);
      for (let i = 0; i < x.length; i++) trial[i] = x[i] + h * v[i];
      if (this.isDivided) this.evaluatePart(trial, out);
      else this.evaluate(trial, out);
      const here = this.isDivided ? this.partGradient : g;
      for (let i = 0; i < x.length; i++) out[i] = (out[i] - here[i]) / h;
    }
    this.state.products++;
  };

  /** The gradient of this step's part, in the unit of the whole. */
  private evaluatePart(x: Float64Array, gradient: Float64Array): void {
    const { state, parts } = this;
    if (this.left <= 0 && state.partEvaluations % parts.length === 0) throw new Spent();
    this.valueAt(parts[state.index % parts.length], x, gradient);
    for (let i = 0; i < x.length; i++) gradient[i] *= parts.length;
    state.partEvaluations++;
  }

  /** f at x + α p, and with an array its gradient. */
  private evaluateAt(p: Float64Array, alpha: number, gradient?: Float64Array): number {
    const { trial } = this;
    const { x } = this.state;
    for (let i = 0; i < x.length; i++) trial[i] = x[i] + alpha * p[i];
    return this.evaluate(trial, gradient);
  }

  private evaluate(x: Float64Array, gradient?: Float64Array): number {
    if (this.state.evaluations > 0 && this.left <= 0) throw new Spent();
    const value = this.valueAt(this.objective, x, gradient);
    this.state.evaluations++;
    if (gradient !== undefined) this.state.gradientEvaluations++;
    return value;
  }

  private valueAt(objective: Objective, x: Float64Array, gradient?: Float64Array): number {
    const { shown } = this;
    shown.set(x);
    const value = evaluated(objective, shown, gradient);
    for (let i = 0; i < x.length; i++) if (shown[i] !== x[i]) throw pointWritten(i);
    return value;
  }

  /** Goes back along the points as long as f falls. */
  private bestOnTheWay(points: readonly InnerPoint[]): InnerPoint {
    let best = points[points.length - 1];
    let value = this.evaluateAt(best.p, 1);
    for (let k = points.length - 2; k >= 0; k--) {
      const earlier = this.evaluateAt(points[k].p, 1);
      if (earlier >= value || (Number.isNaN(earlier) && !Number.isNaN(value))) break;
      best = points[k];
      value = earlier;
    }
    return best;
  }

  /** α with a sufficient decrease; leaves x + α p and the gradient there in the two arrays for them. */
  private search({ p }: InnerPoint): FoundStep | undefined {
    const slope = dot(this.state.g, p);
    if (!(slope < 0)) return undefined;
    for (let k = 0, alpha = 1; k < HALVINGS; k++, alpha /= 2) {
      const value = this.evaluateAt(p, alpha, this.shiftedGradient);
      if (
        value <= this.state.value + SUFFICIENT_DECREASE * alpha * slope &&
        value > Number.NEGATIVE_INFINITY &&
        this.shiftedGradient.every(Number.isFinite)
      )
        return { alpha, value, unbounded: undefined };
      const unbounded = bottomless(value);
      if (unbounded !== undefined) {
        this.state.outcome = unboundedEnd(this.state.value, unbounded);
        return undefined;
      }
    }
    return undefined;
  }

  /** No step: the model is not to be trusted this far, unless there is nothing left to gain, in any direction. */
  private reject(chosen: InnerPoint, { iterations, gainLeft }: InnerResult): Iteration<HessianFreeDetails> {
    const { state } = this;
    state.rejections++;
    state.isDivided = false;
    state.damping *= 4;
    state.p.fill(0);
    const isSettled = this.isWithinRounding(chosen.predicted) && this.isWithinRounding(gainLeft);
    state.isQuiet = isSettled || state.rejections >= REJECTIONS;
    return this.finish(undefined, Number.NaN, iterations);
  }

  private isWithinRounding(gain: number): boolean {
    return Math.abs(gain) <= clearOf(this.noise);
  }

  /** Whether it is λ that leaves the step no decrease to speak of. */
  private isOverdamped(chosen: InnerPoint): boolean {
    const { curvature } = chosen;
    return (
      this.isWithinRounding(chosen.predicted) && curvature > 0 && this.state.damping > OVERDAMPED * curvature
    );
  }

  private finish(
    stepLength: number | undefined,
    ratio: number,
    innerIterations: number,
  ): Iteration<HessianFreeDetails> {
    this.state.index++;
    return this.iteration(stepLength, ratio, innerIterations);
  }

  /** Products by differences are evaluations. */
  private get passes(): number {
    const { gaussNewtonVector, hessianVector } = this.objective;
    const isOwn = gaussNewtonVector !== undefined || hessianVector !== undefined;
    return this.evaluations + (isOwn ? this.state.products : 0);
  }

  private iteration(
    stepLength: number | undefined,
    reductionRatio: number,
    innerIterations: number,
  ): Iteration<HessianFreeDetails> {
    const { evaluations } = this;
    const { index, value, g, gradientEvaluations, products, damping, outcome } = this.state;
    return {
      index,
      value,
      gradientNorm: norm2(g),
      stepLength,
      evaluations,
      gradientEvaluations,
      monitoringEvaluations: 0,
      passes: this.passes,
      phase: "iteration",
      details: { damping, reductionRatio, innerIterations, products },
      outcome,
    };
  }
}
