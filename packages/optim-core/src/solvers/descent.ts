/**
 * What gradient descent, nonlinear conjugate gradients and L-BFGS share: they go downhill along a direction p, by
 * a step that a line search finds, and differ in p and in the search.
 *
 *   x ← x + α p,   pᵀ∇f(x) < 0
 *
 * Values count as equal within their noise (`noise.ts`). Where a search finds nothing, or lowers the value by no more than
 * the noise, the solver looks for an end (`ending.ts`) before it speaks of one. All three have pairs for this: L-BFGS its own,
 * the others ten of their own.
 */
import { norm2 } from "@curvature/linalg";
import { fingerprintOf } from "../hash.js";
import { SearchLine } from "../line-search/search-line.js";
import type { Objective } from "../problem.js";
import { type Iteration, jointEvaluations, type Point, type Solver } from "../solver.js";
import { boolean, DeclaredSolver, number, outcome, part, type State, whole } from "../state.js";
import { badStart, lookForEnd, unboundedEnd, zeroGradient } from "./ending.js";
import type { LbfgsMemory } from "./lbfgs-memory.js";
import { LineStandpoint } from "./line-standpoint.js";
import { CALM, isAffordable } from "./newton-look.js";
import { startPoint } from "./start.js";

export interface DescentDetails {
  /** ∇f(x)ᵀp at the start of the step. */
  readonly slope: number;
  /** Evaluations that the step took. */
  readonly trials: number;
  /** Whether p was, or became, −∇f(x). */
  readonly restarted: boolean;
}

export abstract class DescentSolver extends DeclaredSolver implements Solver<DescentDetails> {
  abstract readonly options: object;
  readonly dimension: number;
  readonly fingerprint: string;
  protected readonly line: SearchLine;
  protected abstract readonly memory: LbfgsMemory;
  abstract override readonly state: State<ReturnType<DescentSolver["commonState"]>>;
  private looked: LineStandpoint | undefined;
  private readonly bestPoint: { x: Float64Array; value: number | undefined };

  constructor(where: string, objective: Objective, x: ArrayLike<number>, valueNoise: number) {
    super();
    const start = startPoint(where, objective, x);
    this.dimension = objective.dimension;
    this.fingerprint = objective.fingerprint ?? fingerprintOf("objective", objective.dimension);
    this.line = new SearchLine(objective, start, valueNoise);
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
  /** Forgets what led to a bad direction, or to where another one led on. */
  protected abstract forget(): void;
  /** Whether p promises no decrease beyond the noise, so that a search along it is not worth its evaluations. */
  protected isSettled(): boolean {
    return false;
  }
  /** What all of these solvers have to remember. @param memory - the pairs */
  protected commonState(memory: LbfgsMemory) {
    return {
      line: part(this.line),
      memory: part(memory),
      index: whole(),
      gradientNorm: number(),
      /** f at the first point, above which the run does not end. */
      startValue: number(),
      /** Whether the last step lowered the value by no more than the noise. */
      isQuiet: boolean(),
      outcome: outcome(),
    };
  }

  /** Monotone descent, within the noise: the current point is the best one. */
  get best(): Point {
    const point = this.bestPoint;
    point.x = this.line.x;
    point.value = Number.isFinite(this.line.value) ? this.line.value : undefined;
    return point;
  }

  get last(): Point {
    return this.best;
  }

  /** A value elsewhere, from where somebody came here: what is rounding depends on it, too. */
  seeValue(value: number): void {
    if (Number.isFinite(value)) this.line.largest = Math.max(this.line.largest, Math.abs(value));
  }

  /** An evaluation is a pass. */
  limitWork(evaluations: number, passes: number): void {
    this.line.limit = Math.min(evaluations, Math.ceil(passes));
    this.line.isSpent = false;
  }

  step(): Iteration<DescentDetails> {
    const { line, state } = this;
    if (state.outcome !== undefined) return this.iteration(0, false, undefined);
    if (state.index === 0 && !this.start()) return this.finish(0, false, undefined);

    const before = line.evaluations;
    let isGradient = false;
    let isAccepted = false;
    if (!state.isQuiet) {
      isGradient = this.aim();
      if (!(line.aim() < 0) && !isGradient) isGradient = this.turnToGradient();
      if (isGradient && !(line.slope < 0 && line.slope > Number.NEGATIVE_INFINITY)) {
        state.outcome = beyondSquares(state.gradientNorm);
        return this.finish(0, true, undefined);
      }
      isAccepted = (isGradient || !this.isSettled()) && this.search(this.firstTrial(isGradient));
    }
    if (isAccepted) {
      const decrease = line.value - line.trialValue;
      const { noise } = line;
      const isQuiet =
        decrease <= noise || (decrease <= CALM * noise && isAffordable(this.dimension, line.evaluations));
      if (isQuiet) state.isQuiet = true;
      if (isQuiet && line.trialValue > state.startValue) isAccepted = false;
      else this.learn();
    }
    if (!isAccepted && !line.unbounded && !line.isSpent) {
      isAccepted = this.lookAgain();
      isGradient = true;
    }
    if (line.unbounded)
      state.outcome = unboundedEnd(isAccepted ? line.trialValue : line.value, line.unbounded);
    const trials = line.evaluations - before;
    if (!isAccepted) return this.finish(trials, isGradient, undefined);
    const { trialX, x, trialGradient, gradient } = line;
    this.memory.update(trialX, x, trialGradient, gradient);
    line.accept();
    this.measureGradient();
    return this.finish(trials, isGradient, line.alpha);
  }

  /** f and ∇f at the first point. @returns false if the solver ends there */
  private start(): boolean {
    const { line, state } = this;
    line.evaluateStart();
    state.startValue = line.value;
    this.measureGradient();
    if (!Number.isFinite(line.value) || !Number.isFinite(state.gradientNorm))
      state.outcome = badStart(line.value, state.gradientNorm, "gradient norm");
    return state.outcome === undefined;
  }

  private turnToGradient(): true {
    const { line } = this;
    this.forget();
    for (let i = 0; i < line.p.length; i++) line.p[i] = -line.gradient[i];
    line.aim();
    return true;
  }

  /** A look in which an evaluation throws can be made again: the step goes on with it, from where it began. */
  private lookAgain(): boolean {
    this.state.isQuiet = true;
    const before = this.standpoint.canDifference() ? this.save() : undefined; // without differences it changes nothing
    try {
      return this.lookForEnd();
    } catch (error) {
      if (before !== undefined) this.restore(before);
      throw error;
    }
  }

  private lookForEnd(): boolean {
    const { standpoint, state } = this;
    standpoint.startValue = state.startValue;
    standpoint.isFirst = state.index === 0;
    const { isAccepted, outcome } = lookForEnd(standpoint);
    if (isAccepted && outcome === undefined) {
      state.isQuiet = false;
      this.forget();
    }
    state.outcome = outcome;
    return isAccepted;
  }

  /** What follows from the pairs, too, which a subclass makes. */
  private get standpoint(): LineStandpoint {
    this.looked ??= new LineStandpoint(this.line, this.memory);
    return this.looked;
  }

  private measureGradient(): void {
    this.state.gradientNorm = norm2(this.line.gradient);
    if (this.state.gradientNorm === 0) this.state.outcome = zeroGradient("gradient");
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

const beyondSquares = (gradientNorm: number) =>
  ({
    status: "stalled",
    message: `Squares of the gradient, whose norm is ${gradientNorm.toPrecision(3)}, leave the range of numbers. Divide the objective by a constant that brings the norm near to 1.`,
  }) as const;
