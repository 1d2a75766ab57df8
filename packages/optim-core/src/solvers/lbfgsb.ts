/**
 * L-BFGS for bounds: a quasi-Newton direction on the face that the bounds leave free, and a search along its projection.
 *
 * Problem     minimise f(x)  s.t.  l ≤ x ≤ u,   P(x)_i = min(max(x_i, l_i), u_i)
 * Face        F = {i : not (x_i = l_i and g_i ≥ 0) and not (x_i = u_i and g_i ≤ 0)},  g = ∇f(x)                    (32)
 * Direction   p_F = −H_F g_F,  p = 0 elsewhere;  H_F from the pairs restricted to F, see `LbfgsMemory.applyWithin`
 * Iteration   x ← P(x + α p), the first α of 1, … with sufficient decrease, see `projected-line.ts`                 (37)
 * Measure     ‖x − P(x − g)‖₂, the `gradientNorm`: 0 exactly where x is stationary
 *
 * | symbol | variable     | shape                                        |
 * |--------|--------------|----------------------------------------------|
 * | x, p   | line         | with f, g, l, u and the trials               |
 * | F      | free         | n, 1 in F and 0 elsewhere                    |
 * | m      | memory       | pairs, 10                                    |
 *
 * Bertsekas: Projected Newton methods for optimization problems with simple constraints. SIAM J. Control Optim. 20
 * (1982) 221-246, eqs. (32)-(37), with the limited-memory matrix of Nocedal, Wright: Numerical Optimization, 2nd ed.
 * (2006), Algorithm 7.4, in the place of Newton's.
 *
 * Differs from Bertsekas: F is taken at the bounds themselves and not ε off them, for any number of bounds becomes active
 * in one step and all that leave are seen in the next; and from L-BFGS-B (Byrd, Lu, Nocedal, Zhu, SIAM J. Sci. Comput. 16,
 * 1995, 1190-1208): there is no generalised Cauchy point. A direction that is not downhill, or along which no step is found,
 * is given up once for −g_F; where no step is found there either the solver ends, `converged` if the decrease that it could
 * still expect is below the rounding of f, else `stalled`.
 */
import {
  CurvatureError,
  norm2,
  type Option,
  type OptionsOf,
  option,
  optionTable,
  positive,
  type SettingsOf,
} from "@curvature/linalg";
import { fingerprintOf } from "../hash.js";
import { isHeld, LARGEST, ProjectedLine, SMALLEST } from "../line-search/projected-line.js";
import type { Objective } from "../problem.js";
import { type Iteration, jointEvaluations, type Outcome, type Point, type Solver } from "../solver.js";
import { boolean, DeclaredSolver, outcome, part, stateOf, whole } from "../state.js";
import { LbfgsMemory, pairCount } from "./lbfgs-memory.js";
import { checkStart } from "./start.js";

const bound: Option<number | Float64Array> = option(
  "a number or a Float64Array, without NaN",
  (value): value is number | Float64Array =>
    (typeof value === "number" && !Number.isNaN(value)) ||
    (value instanceof Float64Array && !value.some(Number.isNaN)),
);

export const lbfgsbOptions = optionTable({
  /** l, one number for all coordinates or one for each; -Infinity for none. */
  lower: bound.default(0),
  /** u likewise, Infinity for none; at least l. */
  upper: bound.default(Number.POSITIVE_INFINITY),
  /** m, the number of pairs. */
  memory: pairCount.default(10),
  /** The length α of the first trial along −g_F while there are no pairs. Left out: min(1, 1/‖g_F‖₁). */
  initialStep: positive,
});
export type LbfgsbOptions = OptionsOf<typeof lbfgsbOptions>;

export interface LbfgsbDetails {
  /** |F|, the coordinates that are free to move. */
  readonly free: number;
  /** Evaluations that the search took. */
  readonly trials: number;
  /** Whether p was, or became, −g_F. */
  readonly restarted: boolean;
}

/** Below this part of |f|, a predicted decrease is lost in the rounding of f. */
const ROUNDING = 100 * Number.EPSILON;

export class Lbfgsb extends DeclaredSolver implements Solver<LbfgsbDetails> {
  readonly name = "lbfgsb";
  readonly options: SettingsOf<typeof lbfgsbOptions>;
  readonly dimension: number;
  readonly fingerprint: string;
  private readonly line: ProjectedLine;
  private readonly memory: LbfgsMemory;
  private readonly free: Float64Array;
  /** ‖x − P(x − g)‖₂ */
  private measure = Number.NaN;
  private freeCount = 0;
  readonly state;

  /**
   * @param x - the first point; copied, and moved into the box
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(objective: Objective, x: Float64Array, options?: LbfgsbOptions) {
    super();
    checkStart("Lbfgsb", objective, x);
    this.options = lbfgsbOptions.resolve("Lbfgsb", options);
    const n = objective.dimension;
    this.dimension = n;
    this.fingerprint = objective.fingerprint ?? fingerprintOf("objective", n);
    const lower = spread("lower", this.options.lower, n);
    const upper = spread("upper", this.options.upper, n);
    checkBox(lower, upper);
    this.line = new ProjectedLine(objective, x, lower, upper);
    this.memory = new LbfgsMemory(n, this.options.memory);
    this.free = new Float64Array(n);
    this.state = stateOf({
      line: part(this.line),
      memory: part(this.memory),
      index: whole(),
      /** Whether value and gradient are still to be computed at x. */
      isFresh: boolean(true),
      outcome: outcome(),
    });
  }

  /** Monotone descent: the current point, in the box, is the best one. */
  get best(): Point {
    const { x, value, unit } = this.line;
    return { x, value: Number.isFinite(value) ? value * unit : undefined };
  }

  get last(): Point {
    return this.best;
  }

  /**
   * For an objective that has changed, as in a method of multipliers: the next step evaluates the point anew. The pairs
   * are kept, for the curvature has mostly not changed.
   */
  refresh(): void {
    this.state.isFresh = true;
    this.state.outcome = undefined;
  }

  step(): Iteration<LbfgsbDetails> {
    if (this.state.outcome !== undefined) return this.iteration(0, false, undefined);
    if (this.state.isFresh && !this.start()) return this.finish(0, false, undefined);

    const { line } = this;
    const before = line.evaluations;
    let isGradient = !this.memory.applyWithin(this.free, line.gradient, line.p);
    let slope = this.downhill();
    if (!(slope < 0) && !isGradient) {
      isGradient = true;
      slope = this.turnToGradient();
    }
    const first = this.firstTrial(isGradient);
    let alpha = line.search(first);
    const usual = isGradient ? this.usualTrial() : first;
    const expected = Math.abs(slope * usual); // of f's decrease, by the better of the two directions
    if (alpha === undefined && !isGradient) {
      isGradient = true;
      this.turnToGradient();
      alpha = line.search(this.firstTrial(true));
    }
    const trials = line.evaluations - before;
    if (alpha === undefined) {
      this.state.outcome = this.ending(expected);
      return this.finish(trials, isGradient, undefined);
    }
    this.memory.update(line.trialX, line.x, line.trialGradient, line.gradient);
    line.accept();
    this.look();
    return this.finish(trials, isGradient, isGradient ? alpha / line.unit : alpha);
  }

  /** f and g at the first point. @returns false if the solver ends there */
  private start(): boolean {
    const { line } = this;
    const { unit } = line;
    line.evaluateStart();
    this.state.isFresh = false;
    if (line.unit !== unit) this.memory.clear();
    this.look();
    if (!Number.isFinite(line.value) || !Number.isFinite(this.measure))
      this.state.outcome = {
        status: "diverged",
        message: `At the first point the value is ${line.value} and the norm of the projected gradient ${this.measure}. Start where both are finite, and write every entry of the gradient.`,
      };
    return this.state.outcome === undefined;
  }

  /** F, eq. (32), and the measure of stationarity. */
  private look(): void {
    const { free } = this;
    const { x, gradient, lower, upper, unit, p } = this.line;
    let count = 0;
    let squares = 0;
    for (let i = 0; i < x.length; i++) {
      const g = gradient[i];
      free[i] = isHeld(x[i], g, lower[i], upper[i]) ? 0 : 1;
      count += free[i];
      const step = Math.min(Math.max(unit * g, x[i] - upper[i]), x[i] - lower[i]); // x − P(x − g), where g is lost beside x too
      squares += step * step;
      p[i] = step;
    }
    this.freeCount = count;
    this.measure = squares >= SMALLEST && squares <= LARGEST ? Math.sqrt(squares) : norm2(p);
    if (this.measure === 0)
      this.state.outcome = { status: "converged", message: "The projected gradient is zero." };
  }

  /** Turns p = H_F g_F into −p. @returns gᵀp */
  private downhill(): number {
    const { p, gradient } = this.line;
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
    const { free } = this;
    const { p, gradient } = this.line;
    for (let i = 0; i < p.length; i++) p[i] = free[i] * gradient[i];
    return this.downhill();
  }

  private firstTrial(isGradient: boolean): number {
    if (!isGradient) return 1;
    const { initialStep } = this.options;
    return initialStep === undefined ? this.usualTrial() : initialStep * this.line.unit;
  }

  /** min(1, 1/‖g_F‖₁) */
  private usualTrial(): number {
    const { free } = this;
    const { gradient } = this.line;
    let size = 0;
    for (let i = 0; i < free.length; i++) size += free[i] * Math.abs(gradient[i]);
    return Math.min(1, 1 / size);
  }

  /** What it means that no trial was accepted. */
  private ending(expected: number): Outcome {
    const { unit } = this.line;
    const value = unit * this.line.value;
    const decrease = unit * expected;
    if (expected <= ROUNDING * Math.abs(this.line.value))
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
    this.state.index++;
    return this.iteration(trials, restarted, stepLength);
  }

  private iteration(
    trials: number,
    restarted: boolean,
    stepLength: number | undefined,
  ): Iteration<LbfgsbDetails> {
    const { unit, value, evaluations } = this.line;
    return {
      index: this.state.index,
      value: unit * value,
      gradientNorm: this.measure,
      stepLength,
      ...jointEvaluations(evaluations),
      phase: "iteration",
      details: { free: this.freeCount, trials, restarted },
      outcome: this.state.outcome,
    };
  }

  protected override restored(): void {
    const { outcome: ending, isFresh } = this.state;
    if (!isFresh) this.look();
    this.state.outcome = ending;
  }
}

/** One bound for each coordinate. */
function spread(name: string, given: number | Float64Array, n: number): Float64Array {
  if (typeof given === "number") return new Float64Array(n).fill(given);
  if (given.length === n) return given.slice();
  throw new CurvatureError(
    "ERR_SHAPE",
    `${name} must have one number for each of the ${n} coordinates; it has ${given.length}.`,
    { where: "Lbfgsb", path: name, expected: `${n} numbers`, received: given.length },
  );
}

function checkBox(lower: Float64Array, upper: Float64Array): void {
  const at = lower.findIndex(
    (l, i) => l > upper[i] || l === Number.POSITIVE_INFINITY || upper[i] === Number.NEGATIVE_INFINITY,
  );
  if (at < 0) return;
  throw new CurvatureError(
    "ERR_OPTION",
    `no number lies between the bounds of coordinate ${at} (counted from 0), ${lower[at]} and ${upper[at]}.`,
    { where: "Lbfgsb", path: `lower[${at}]`, expected: `at most ${upper[at]}`, received: lower[at] },
  );
}
