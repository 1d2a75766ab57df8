/**
 * L-BFGS for bounds: a quasi-Newton direction on the face that the bounds leave free, and a search along its projection.
 *
 * Problem     minimise f(x)  s.t.  l ≤ x ≤ u,   P(x)_i = min(max(x_i, l_i), u_i)
 * Face        F = {i : not (x_i = l_i and g_i ≥ 0) and not (x_i = u_i and g_i ≤ 0)},  g = ∇f(x)                    (32)
 * Direction   p_F = −H_F g_F,  p = 0 elsewhere;  H_F from the pairs restricted to F, see `LbfgsMemory.applyWithin`
 * Iteration   x ← P(x + α p), the first α of 1, … with  f(P(x + α p)) ≤ f(x) + c₁ gᵀ(P(x + α p) − x)                (37)
 * Measure     ‖x − P(x − g)‖₂, the `gradientNorm`: 0 exactly where x is stationary
 *
 * | symbol | variable     | shape                                        |
 * |--------|--------------|----------------------------------------------|
 * | l, u   | lower, upper | n each, ±Infinity for none                   |
 * | F      | free         | n, 1 in F and 0 elsewhere                    |
 * | m      | memory       | pairs, 10                                    |
 * | c      | unit         | 1, or a power of two near max_F |g_i| at the first point |
 *
 * Bertsekas: Projected Newton methods for optimization problems with simple constraints. SIAM J. Control Optim. 20
 * (1982) 221-246, eqs. (32)-(37), with the limited-memory matrix of Nocedal, Wright: Numerical Optimization, 2nd ed.
 * (2006), Algorithm 7.4, in the place of Newton's.
 *
 * Differs from Bertsekas: F is taken at the bounds themselves and not ε off them, for any number of bounds becomes active
 * in one step and all that leave are seen in the next; and from L-BFGS-B (Byrd, Lu, Nocedal, Zhu, SIAM J. Sci. Comput. 16,
 * 1995, 1190-1208): there is no generalised Cauchy point. α is cut by the quadratic through f(x), the slope and the trial,
 * to between a tenth and a half. A direction that is not downhill, or along which no step is found, is given up once for
 * −g_F; where no step is found there either the solver ends, `converged` if the decrease that it could still expect is
 * below the rounding of f, else `stalled`.
 *
 * Values and gradients are held in units of c where their squares would vanish or overflow, so that f and 10⁻²⁰⁰ f have the same
 * minimisers here.
 */
import { CurvatureError, dot, norm2 } from "@curvature/linalg";
import { fingerprintOf } from "../hash.js";
import { evaluated } from "../line-search/search-line.js";
import type { Objective } from "../problem.js";
import { openSnapshot } from "../snapshot.js";
import type { Iteration, Outcome, Point, Snapshot, Solver } from "../solver.js";
import { LbfgsMemory } from "./lbfgs-memory.js";
import {
  checkBox,
  checkLbfgsb,
  type LbfgsbDetails,
  type LbfgsbOptions,
  type LbfgsbSettings,
  spread,
} from "./lbfgsb-options.js";
import { checkStart } from "./start.js";

const VERSION = 1;
const SUFFICIENT_DECREASE = 1e-4;
const MOST_TRIALS = 40;
/** Below this part of |f|, a predicted decrease is lost in the rounding of f. */
const ROUNDING = 100 * Number.EPSILON;
/** Gradients between these have squares, and products of four, that are numbers. */
const SMALLEST = 2 ** -200;
const LARGEST = 2 ** 200;
/** A value in units of c is to be a number, too. */
const LARGEST_VALUE = 2 ** 900;

export class Lbfgsb implements Solver<LbfgsbDetails> {
  readonly name = "lbfgsb";
  readonly options: LbfgsbSettings;
  readonly dimension: number;
  readonly fingerprint: string;
  private readonly lower: Float64Array;
  private readonly upper: Float64Array;
  private readonly memory: LbfgsMemory;
  private x: Float64Array;
  private gradient: Float64Array;
  private trialX: Float64Array;
  private trialGradient: Float64Array;
  private readonly p: Float64Array;
  private readonly free: Float64Array;
  private value = Number.NaN;
  private trialValue = Number.NaN;
  /** c: `value` and `gradient` and those of the trial are in this unit. */
  private unit = 1;
  /** ‖x − P(x − g)‖₂ */
  private measure = Number.NaN;
  private freeCount = 0;
  private evaluations = 0;
  private index = 0;
  /** Whether value and gradient are still to be computed at x. */
  private isFresh = true;
  private outcome: Outcome | undefined;

  /**
   * @param x - the first point; copied, and moved into the box
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(
    private readonly objective: Objective,
    x: Float64Array,
    options?: LbfgsbOptions,
  ) {
    checkStart("Lbfgsb", objective, x);
    this.options = checkLbfgsb(options);
    const n = objective.dimension;
    this.dimension = n;
    this.fingerprint = objective.fingerprint ?? fingerprintOf("objective", n);
    this.lower = spread("lower", this.options.lower, n);
    this.upper = spread("upper", this.options.upper, n);
    checkBox(this.lower, this.upper);
    this.memory = new LbfgsMemory(n, this.options.memory);
    this.x = x.map((entry, i) => Math.min(Math.max(entry, this.lower[i]), this.upper[i]));
    this.gradient = new Float64Array(n);
    this.trialX = new Float64Array(n);
    this.trialGradient = new Float64Array(n);
    this.p = new Float64Array(n);
    this.free = new Float64Array(n);
  }

  /** Monotone descent: the current point, in the box, is the best one. */
  get best(): Point {
    const { value, unit } = this;
    return { x: this.x, value: Number.isFinite(value) ? value * unit : undefined };
  }

  get last(): Point {
    return this.best;
  }

  /**
   * For an objective that has changed, as in a method of multipliers: the next step evaluates the point anew. The pairs
   * are kept, for the curvature has mostly not changed.
   */
  refresh(): void {
    this.isFresh = true;
    this.outcome = undefined;
  }

  step(): Iteration<LbfgsbDetails> {
    if (this.outcome !== undefined) return this.iteration(0, false, undefined);
    if (this.isFresh && !this.start()) return this.finish(0, false, undefined);

    const before = this.evaluations;
    let isGradient = !this.memory.applyWithin(this.free, this.gradient, this.p);
    let slope = this.downhill();
    if (!(slope < 0) && !isGradient) {
      isGradient = true;
      slope = this.turnToGradient();
    }
    const first = this.firstTrial(isGradient);
    let alpha = this.search(first);
    const usual = isGradient ? this.usualTrial() : first;
    const expected = Math.abs(slope * usual); // of f's decrease, by the better of the two directions
    if (alpha === undefined && !isGradient) {
      isGradient = true;
      this.turnToGradient();
      alpha = this.search(this.firstTrial(true));
    }
    const trials = this.evaluations - before;
    if (alpha === undefined) {
      this.outcome = this.ending(expected);
      return this.finish(trials, isGradient, undefined);
    }
    this.memory.update(this.trialX, this.x, this.trialGradient, this.gradient);
    this.accept();
    this.look();
    return this.finish(trials, isGradient, isGradient ? alpha / this.unit : alpha);
  }

  /** f and g at the first point. @returns false if the solver ends there */
  private start(): boolean {
    this.value = evaluated(this.objective, this.x, this.gradient);
    this.evaluations++;
    this.isFresh = false;
    this.choose();
    this.look();
    if (!Number.isFinite(this.value) || !Number.isFinite(this.measure))
      this.outcome = {
        status: "diverged",
        message: `At the first point the value is ${this.value} and the norm of the projected gradient ${this.measure}. Start where both are finite.`,
      };
    return this.outcome === undefined;
  }

  /** The unit, from value and gradient at the first point. */
  private choose(): void {
    const { x, gradient, lower, upper } = this;
    let largest = 0;
    for (let i = 0; i < x.length; i++)
      if (!stands(x[i], gradient[i], lower[i], upper[i])) largest = Math.max(largest, Math.abs(gradient[i]));
    const isUsual = largest === 0 || (largest >= SMALLEST && largest <= LARGEST);
    const size = Math.max(largest, Math.abs(this.value) / LARGEST_VALUE);
    const unit = isUsual || !Number.isFinite(size) ? 1 : powerOfTwoBelow(size);
    if (unit !== this.unit) this.memory.clear();
    this.unit = unit;
    if (unit === 1) return;
    this.value /= unit;
    for (let i = 0; i < gradient.length; i++) gradient[i] /= unit;
  }

  /** F, eq. (32), and the measure of stationarity. */
  private look(): void {
    const { x, gradient, lower, upper, free, unit, p } = this;
    let count = 0;
    let squares = 0;
    for (let i = 0; i < x.length; i++) {
      const g = gradient[i];
      free[i] = stands(x[i], g, lower[i], upper[i]) ? 0 : 1;
      count += free[i];
      const step = Math.min(Math.max(unit * g, x[i] - upper[i]), x[i] - lower[i]); // x − P(x − g), where g is lost beside x too
      squares += step * step;
      p[i] = step;
    }
    this.freeCount = count;
    this.measure = squares >= SMALLEST && squares <= LARGEST ? Math.sqrt(squares) : norm2(p);
    if (this.measure === 0)
      this.outcome = { status: "converged", message: "The projected gradient is zero." };
  }

  /** Turns p = H_F g_F into −p. @returns gᵀp */
  private downhill(): number {
    const { p, gradient } = this;
    let slope = 0;
    for (let i = 0; i < p.length; i++) {
      p[i] = -p[i];
      slope += gradient[i] * p[i];
    }
    return slope;
  }

  /** p = −g_F, the pairs forgotten. @returns gᵀp */
  private turnToGradient(): number {
    this.memory.clear();
    const { p, free, gradient } = this;
    for (let i = 0; i < p.length; i++) p[i] = free[i] * gradient[i];
    return this.downhill();
  }

  private firstTrial(isGradient: boolean): number {
    if (!isGradient) return 1;
    const { initialStep } = this.options;
    return initialStep === undefined ? this.usualTrial() : initialStep * this.unit;
  }

  /** min(1, 1/‖g_F‖₁) */
  private usualTrial(): number {
    let size = 0;
    for (let i = 0; i < this.free.length; i++) size += this.free[i] * Math.abs(this.gradient[i]);
    return Math.min(1, 1 / size);
  }

  /** The search along P(x + α p), eq. (37). @returns α of the accepted trial, or undefined if there is none */
  private search(first: number): number | undefined {
    const { objective, trialX, trialGradient, value, unit } = this;
    for (let alpha = first, trial = 0; trial < MOST_TRIALS; trial++) {
      const slope = this.project(alpha); // gᵀ(P(x + α p) − x)
      if (!(slope < 0)) {
        alpha *= 0.3;
        continue;
      }
      this.trialValue = evaluated(objective, trialX, trialGradient) / unit;
      if (unit !== 1) for (let i = 0; i < trialGradient.length; i++) trialGradient[i] /= unit;
      this.evaluations++;
      const isUsable = Number.isFinite(this.trialValue) && Number.isFinite(dot(trialGradient, this.p));
      const excess = this.trialValue - value - slope;
      if (isUsable && this.trialValue <= value + SUFFICIENT_DECREASE * slope && this.trialValue < value)
        return alpha;
      const minimum = (-0.5 * slope) / excess; // of the quadratic, in units of α
      alpha *= isUsable && minimum > 0.1 ? Math.min(minimum, 0.5) : 0.1;
    }
    return undefined;
  }

  /** The trial P(x + α p). @returns gᵀ(P(x + α p) − x) */
  private project(alpha: number): number {
    const { x, p, gradient, lower, upper, trialX } = this;
    let slope = 0;
    for (let i = 0; i < x.length; i++) {
      const moved = Math.min(Math.max(x[i] + alpha * p[i], lower[i]), upper[i]);
      trialX[i] = moved;
      slope += gradient[i] * (moved - x[i]);
    }
    return slope;
  }

  /** The trial becomes the point; the old point's arrays serve the next trials. */
  private accept(): void {
    [this.x, this.trialX] = [this.trialX, this.x];
    [this.gradient, this.trialGradient] = [this.trialGradient, this.gradient];
    this.value = this.trialValue;
  }

  /** What it means that no trial was accepted. */
  private ending(expected: number): Outcome {
    const { unit } = this;
    const value = unit * this.value;
    const decrease = unit * expected;
    if (expected <= ROUNDING * Math.abs(this.value))
      return {
        status: "converged",
        message: `The decrease still expected, ${decrease.toPrecision(3)}, is below the rounding of the value ${value}.`,
      };
    return {
      status: "stalled",
      message: `The search found no lower value than ${value}, although a decrease of ${decrease.toPrecision(3)} was to be expected. Either the objective's rounding is reached, or its gradient is wrong: see checkGradient.`,
    };
  }

  /** Counts the iteration; an evaluation that throws comes before it. */
  private finish(
    trials: number,
    restarted: boolean,
    stepLength: number | undefined,
  ): Iteration<LbfgsbDetails> {
    this.index++;
    return this.iteration(trials, restarted, stepLength);
  }

  private iteration(
    trials: number,
    restarted: boolean,
    stepLength: number | undefined,
  ): Iteration<LbfgsbDetails> {
    return {
      index: this.index,
      value: this.unit * this.value,
      gradientNorm: this.measure,
      stepLength,
      evaluations: this.evaluations,
      gradientEvaluations: this.evaluations,
      monitoringEvaluations: 0,
      passes: this.evaluations,
      phase: "iteration",
      details: { free: this.freeCount, trials, restarted },
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    return {
      solver: this.name,
      version: VERSION,
      state: {
        x: this.x.slice(),
        gradient: this.gradient.slice(),
        value: this.value,
        unit: this.unit,
        evaluations: this.evaluations,
        index: this.index,
        isFresh: this.isFresh,
        capacity: this.memory.capacity,
        memory: this.memory.save(),
        outcome: this.outcome === undefined ? null : { ...this.outcome },
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const x = state.float64("x", this.dimension);
    const gradient = state.float64("gradient", this.dimension);
    const value = state.number("value");
    const unit = state.number("unit");
    const evaluations = state.integer("evaluations");
    const index = state.integer("index");
    const isFresh = state.flag("isFresh");
    const outcome = state.outcome("outcome");
    const capacity = state.integer("capacity");
    if (capacity !== this.memory.capacity)
      throw new CurvatureError(
        "ERR_SNAPSHOT",
        `The snapshot is of an L-BFGS-B with memory ${capacity}, this one has ${this.memory.capacity}. Make the solver with the same memory.`,
        { path: "memory", expected: String(this.memory.capacity), received: capacity },
      );
    this.memory.restore(state.object("memory"));
    this.x.set(x);
    this.gradient.set(gradient);
    this.value = value;
    this.unit = unit;
    this.evaluations = evaluations;
    this.index = index;
    this.isFresh = isFresh;
    if (!isFresh) this.look();
    this.outcome = outcome;
  }
}

/** Whether a coordinate is at a bound that −g leads out of. */
const stands = (x: number, g: number, lower: number, upper: number): boolean =>
  (x <= lower && g >= 0) || (x >= upper && g <= 0);

/** 2^k with 2^k ≤ x < 2^(k+1), for x > 0. */
function powerOfTwoBelow(x: number): number {
  let power = 1;
  while (power > x) power /= 2;
  while (power <= x / 2) power *= 2;
  return power;
}
