/**
 * What gradient descent, nonlinear conjugate gradients and L-BFGS share: they go downhill along a direction p, by
 * a step that a line search finds, and differ in p and in the search.
 *
 *   x ← x + α p,   pᵀ∇f(x) < 0
 *
 * A direction that is not downhill, or along which no step is found, is given up once for −∇f(x); if no step is
 * found there either, the solver has come to its end: `converged` if the decrease that it could still expect is
 * below the rounding of the value, else `stalled`.
 */
import { norm2 } from "@curvature/linalg";
import { fingerprintOf } from "../hash.js";
import { SearchLine } from "../line-search/search-line.js";
import type { Objective } from "../problem.js";
import { type Iteration, jointEvaluations, type Outcome, type Point, type Solver } from "../solver.js";
import { DeclaredSolver, number, outcome, part, type State, whole } from "../state.js";
import { checkStart } from "./start.js";

export interface DescentDetails {
  /** ∇f(x)ᵀp at the start of the step. */
  readonly slope: number;
  /** Evaluations that the line search took. */
  readonly trials: number;
  /** Whether p was, or became, −∇f(x). */
  readonly restarted: boolean;
}

/** Below this part of |f|, a predicted decrease is lost in the rounding of f. */
const ROUNDING = 100 * Number.EPSILON;

export abstract class DescentSolver extends DeclaredSolver implements Solver<DescentDetails> {
  abstract readonly options: object;
  readonly dimension: number;
  readonly fingerprint: string;
  protected readonly line: SearchLine;
  abstract override readonly state: State<ReturnType<DescentSolver["commonState"]>>;
  private readonly bestPoint: { x: Float64Array; value: number | undefined };

  constructor(where: string, objective: Objective, x: Float64Array) {
    super();
    checkStart(where, objective, x);
    this.dimension = objective.dimension;
    this.fingerprint = objective.fingerprint ?? fingerprintOf("objective", objective.dimension);
    this.line = new SearchLine(objective, x);
    this.bestPoint = { x: this.line.x, value: undefined };
  }

  /** Writes p. @returns whether it is −∇f(x) */
  protected abstract aim(): boolean;
  /** The first trial of the next search, α₀, once p is set; `isGradient` says whether p is −∇f(x). */
  protected abstract firstTrial(isGradient: boolean): number;
  /** The line search. */
  protected abstract search(first: number): boolean;
  /** Sees an accepted step: the line's trial is the new point, its x the old one. */
  protected abstract learn(): void;
  /** Forgets what led to a bad direction. */
  protected abstract forget(): void;
  /** What all of these solvers have to remember. */
  protected commonState() {
    return { line: part(this.line), index: whole(), gradientNorm: number(), outcome: outcome() };
  }

  /** Monotone descent: the current point is the best one. */
  get best(): Point {
    const point = this.bestPoint;
    point.x = this.line.x;
    point.value = Number.isFinite(this.line.value) ? this.line.value : undefined;
    return point;
  }

  get last(): Point {
    return this.best;
  }

  step(): Iteration<DescentDetails> {
    const { line } = this;
    if (this.state.outcome !== undefined) return this.iteration(0, false, undefined);
    if (this.state.index === 0 && !this.start()) return this.finish(0, false, undefined);

    const evaluationsBefore = line.evaluations;
    let isGradient = this.aim();
    if (!(line.aim() < 0) && !isGradient) isGradient = this.turnToGradient();
    let isAccepted = this.search(this.firstTrial(isGradient));
    const ending = isAccepted ? undefined : this.ending(this.firstTrial(isGradient));
    if (!isAccepted && !isGradient) {
      isGradient = this.turnToGradient();
      isAccepted = this.search(this.firstTrial(isGradient));
    }
    if (!isAccepted && this.state.index === 0)
      isAccepted = this.searchFromLengthOne(this.firstTrial(isGradient));
    const trials = line.evaluations - evaluationsBefore;
    if (!isAccepted) {
      this.state.outcome = ending;
      return this.finish(trials, isGradient, undefined);
    }
    this.learn();
    line.accept();
    this.measureGradient();
    return this.finish(trials, isGradient, line.alpha);
  }

  /** f and ∇f at the first point. @returns false if the solver ends there */
  private start(): boolean {
    const { line } = this;
    line.evaluateStart();
    this.measureGradient();
    if (!Number.isFinite(line.value) || !Number.isFinite(this.state.gradientNorm))
      this.state.outcome = {
        status: "diverged",
        message: `At the first point the value is ${line.value} and the gradient norm ${this.state.gradientNorm}. Start where both are finite, and write every entry of the gradient.`,
      };
    return this.state.outcome === undefined;
  }

  private turnToGradient(): true {
    const { line } = this;
    this.forget();
    for (let i = 0; i < line.p.length; i++) line.p[i] = -line.gradient[i];
    line.aim();
    return true;
  }

  /** While nothing is known of the scale, a first trial may be lost in rounding only because f is tiny. */
  private searchFromLengthOne(tried: number): boolean {
    const alpha = 1 / norm1(this.line.gradient);
    return alpha > tried && Number.isFinite(alpha) && this.search(alpha);
  }

  private measureGradient(): void {
    this.state.gradientNorm = norm2(this.line.gradient);
    if (this.state.gradientNorm === 0)
      this.state.outcome = { status: "converged", message: "The gradient is zero." };
  }

  /** What it means that no trial from `first` downwards was accepted. */
  private ending(first: number): Outcome {
    const { value, slope, p, x } = this.line;
    if (!Number.isFinite(slope))
      return {
        status: "stalled",
        message: `Squares of the gradient, whose norm is ${this.state.gradientNorm.toPrecision(3)}, leave the range of numbers. Divide the objective by a constant that brings the norm near to 1.`,
      };
    const decrease = Math.abs(first * slope);
    if (decrease <= ROUNDING * Math.abs(value))
      return {
        status: "converged",
        message: `The decrease still expected, ${decrease.toPrecision(3)}, is below the rounding of the value ${value}.`,
      };
    const step = first * norm1(p);
    if (step <= ROUNDING * norm1(x))
      return {
        status: "converged",
        message: `The step still expected, of length ${step.toPrecision(3)}, is below the rounding of the point.`,
      };
    return {
      status: "stalled",
      message: `The line search found no lower value (slope ${slope.toPrecision(3)}, value ${value}), although a decrease was to be expected. Either the objective's rounding is reached, or its gradient is wrong: see checkGradient.`,
    };
  }

  /** Counts the iteration; an evaluation that throws comes before it. */
  private finish(
    trials: number,
    restarted: boolean,
    stepLength: number | undefined,
  ): Iteration<DescentDetails> {
    this.state.index++;
    return this.iteration(trials, restarted, stepLength);
  }

  private iteration(
    trials: number,
    restarted: boolean,
    stepLength: number | undefined,
  ): Iteration<DescentDetails> {
    const { line } = this;
    return {
      index: this.state.index,
      value: line.value,
      gradientNorm: this.state.gradientNorm,
      stepLength,
      ...jointEvaluations(line.evaluations),
      phase: "iteration",
      details: { slope: line.slope, trials, restarted },
      outcome: this.state.outcome,
    };
  }
}

/** ‖v‖₁ */
export function norm1(v: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < v.length; i++) sum += Math.abs(v[i]);
  return sum;
}
