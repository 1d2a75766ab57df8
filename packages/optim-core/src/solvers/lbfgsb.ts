/**
 * L-BFGS for bounds: a quasi-Newton direction on the face that the bounds leave free, and a search along its projection.
 *
 * Problem     minimise f(x)  s.t.  l ≤ x ≤ u,   P(x)_i = min(max(x_i, l_i), u_i)
 * Face        F = {i : not (x_i = l_i and g_i ≥ 0) and not (x_i = u_i and g_i ≤ 0)},  g = ∇f(x)                    (32)
 * Direction   p_F = −H_F g_F,  p = 0 elsewhere;  H_F from the pairs restricted to F, see `LbfgsMemory.applyWithin`
 * Iteration   x ← P(x + α p), α from 1 by a search that grows and shortens, see `projected-line.ts`                 (37)
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
 * 1995, 1190-1208): there is no generalised Cauchy point. Where a search finds nothing, or lowers the value by no more than
 * its noise, the solver looks for an end as in `descent.ts`, on the face.
 */
import { maxAbs, norm2, type OptionsOf, optionTable, positive, type SettingsOf } from "@curvature/linalg";
import { fingerprintOf } from "../hash.js";
import { clearOf, valueNoise } from "../line-search/noise.js";
import { isHeld, LARGEST, ProjectedLine, SMALLEST } from "../line-search/projected-line.js";
import type { Objective } from "../problem.js";
import { type Iteration, jointEvaluations, type Point, type Solver } from "../solver.js";
import { boolean, DeclaredSolver, number, outcome, part, stateOf, whole } from "../state.js";
import { bound, boxOf } from "./box.js";
import { badStart, lookForEnd, type Standpoint, unboundedEnd, zeroGradient } from "./ending.js";
import { LbfgsMemory, pairCount } from "./lbfgs-memory.js";
import {
  affordableProducts,
  CALM,
  differenceStep,
  isAffordable,
  newtonStep,
  shiftOf,
} from "./newton-look.js";
import { conjugateStep } from "./product-look.js";
import { startPoint } from "./start.js";

export const lbfgsbOptions = optionTable({
  /** l, one number for all coordinates or one for each; -Infinity for none. */
  lower: bound.default(0),
  /** u likewise, Infinity for none; at least l. */
  upper: bound.default(Number.POSITIVE_INFINITY),
  /** m, the number of pairs. */
  memory: pairCount.default(10),
  /** The length α of the first trial along −g_F while there are no pairs. Left out: min(1, 1/‖g_F‖₁). */
  initialStep: positive,
  valueNoise,
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
  constructor(objective: Objective, x: ArrayLike<number>, options?: LbfgsbOptions) {
    super();
    const start = startPoint("Lbfgsb", objective, x);
    this.options = lbfgsbOptions.resolve("Lbfgsb", options);
    const n = objective.dimension;
    this.dimension = n;
    this.fingerprint = objective.fingerprint ?? fingerprintOf("objective", n);
    const { lower, upper } = boxOf("Lbfgsb", this.options, n);
    this.line = new ProjectedLine(objective, start, lower, upper, this.options.valueNoise);
    this.memory = new LbfgsMemory(n, this.options.memory);
    this.free = new Float64Array(n);
    this.state = stateOf({
      line: part(this.line),
      memory: part(this.memory),
      index: whole(),
      /** Whether value and gradient are still to be computed at x. */
      isFresh: boolean(true),
      /** f at the first point, above which the run does not end; in units of c. */
      startValue: number(),
      /** Whether the last step lowered the value by no more than the noise. */
      isQuiet: boolean(),
      outcome: outcome(),
    });
  }

  /** Monotone descent, within the noise: the current point, in the box, is the best one. */
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
    this.state.isQuiet = false;
    this.state.outcome = undefined;
  }

  /** An evaluation is a pass. */
  limitWork(evaluations: number, passes: number): void {
    this.line.limit = Math.min(evaluations, Math.ceil(passes));
    this.line.isSpent = false;
  }

  step(): Iteration<LbfgsbDetails> {
    if (this.state.outcome !== undefined) return this.iteration(0, false, undefined);
    if (this.state.isFresh && !this.start()) return this.finish(0, false, undefined);

    const { line, memory, state } = this;
    const before = line.evaluations;
    let isGradient = false;
    let isAccepted = false;
    if (!state.isQuiet) {
      const hasPairs = memory.applyWithin(this.free, line.gradient, line.p) > 0;
      const slope = this.downhill();
      isGradient = !hasPairs || !(slope < 0);
      if (isGradient) this.turnToGradient();
      const isSettled = !isGradient && -0.5 * slope <= line.noise;
      isAccepted = !isSettled && line.search(this.firstTrial(isGradient));
    }
    if (isAccepted) {
      state.isQuiet = line.value - line.trialValue <= (this.canDifference() ? CALM : 1) * line.noise;
      isAccepted = !state.isQuiet || line.trialValue <= state.startValue;
    }
    if (!isAccepted && !line.unbounded && !line.isSpent) {
      isAccepted = this.lookAgain();
      isGradient = true;
    }
    const { unit } = line;
    if (line.unbounded)
      state.outcome = unboundedEnd(unit * (isAccepted ? line.trialValue : line.value), line.unbounded);
    const trials = line.evaluations - before;
    if (!isAccepted) return this.finish(trials, isGradient, undefined);
    memory.update(line.trialX, line.x, line.trialGradient, line.gradient);
    line.accept();
    this.look();
    return this.finish(trials, isGradient, isGradient ? line.alpha / unit : line.alpha);
  }

  /** f and g at the first point. @returns false if the solver ends there */
  private start(): boolean {
    const { line, state } = this;
    const { unit } = line;
    line.evaluateStart();
    state.isFresh = false;
    state.startValue = line.value;
    if (line.unit !== unit) this.memory.clear();
    this.look();
    if (!Number.isFinite(line.value) || !Number.isFinite(this.measure))
      state.outcome = badStart(line.value, this.measure, "norm of the projected gradient");
    return state.outcome === undefined;
  }

  /** A look in which an evaluation throws can be made again: the step goes on with it, from where it began. */
  private lookAgain(): boolean {
    this.state.isQuiet = true;
    const before = this.canDifference() ? this.save() : undefined; // without differences it changes nothing
    try {
      return this.lookForEnd();
    } catch (error) {
      if (before !== undefined) this.restore(before);
      throw error;
    }
  }

  private lookForEnd(): boolean {
    const { state } = this;
    const { isAccepted, outcome } = lookForEnd(this.standpoint);
    if (isAccepted && outcome === undefined) state.isQuiet = false;
    state.outcome = outcome;
    return isAccepted;
  }

  private get standpoint(): Standpoint {
    const { line, memory, free, state } = this;
    return {
      line,
      unit: line.unit,
      startValue: state.startValue,
      isFirst: state.index === 0,
      canDifference: () => this.canDifference() || this.products > 0,
      aimByDifferences: () => (this.canDifference() ? this.aimByHessian() : this.aimByProducts()),
      aimByPairs: () => {
        const widest = memory.applyWithin(free, line.gradient, line.p, true);
        return widest > 0 ? { widest, expected: -0.5 * this.downhill() } : { widest, expected: 0 };
      },
      aimDown: () => {
        this.turnToGradient();
        return this.size();
      },
      search: (first) => line.search(first),
      isFlatter: () => this.isFlatter(),
      valueAgain: () => {
        line.project(0);
        line.evaluate(0);
        return line.isSpent ? line.value : line.trialValue;
      },
    };
  }

  private canDifference(): boolean {
    return isAffordable(this.freeCount, this.line.evaluations);
  }

  /** Products with the Hessian that a look may take where the whole of it is not affordable. */
  private get products(): number {
    return affordableProducts(this.freeCount, this.line.evaluations);
  }

  /** Whether the projected gradient is shorter at the trial. */
  private isFlatter(): boolean {
    const { trialX, trialGradient, lower, upper, unit, p } = this.line;
    for (let i = 0; i < p.length; i++)
      p[i] = projectedStep(trialX[i], unit * trialGradient[i], lower[i], upper[i]);
    return norm2(p) < this.measure;
  }

  /** Newton's p on the face by conjugate gradients. @returns the decrease expected */
  private aimByProducts(): number | undefined {
    const { line, memory, free } = this;
    const { x, p, gradient } = line;
    const onFace = (v: Float64Array): Float64Array => v.map((entry, i) => free[i] * entry);
    const reach = maxAbs(x) || 1;
    const product = (d: Float64Array, out: Float64Array): boolean => {
      const t = this.within(d, (differenceStep(this.options.valueNoise) * reach) / maxAbs(d));
      if (t === 0) return false;
      p.set(d);
      line.project(t);
      if (!line.evaluate(t)) return false;
      for (let i = 0; i < out.length; i++) out[i] = (free[i] * (line.trialGradient[i] - gradient[i])) / t;
      return true;
    };
    const precondition = (r: Float64Array, out: Float64Array): void => {
      memory.applyWithin(free, r, out);
    };
    const step = new Float64Array(x.length);
    const { expected, isSolved } = conjugateStep(
      product,
      precondition,
      onFace(gradient),
      this.products,
      step,
    );
    p.set(step);
    return isSolved || expected > clearOf(line.noise) ? expected : undefined;
  }

  /** t, forwards or else backwards, as far as no bound is crossed; 0 where that is too short for a difference. */
  private within(d: Float64Array, t: number): number {
    const { x, lower, upper } = this.line;
    let [ahead, behind] = [t, t];
    for (let i = 0; i < d.length; i++) {
      if (d[i] === 0) continue;
      const [up, down] = [(upper[i] - x[i]) / Math.abs(d[i]), (x[i] - lower[i]) / Math.abs(d[i])];
      ahead = Math.min(ahead, d[i] > 0 ? up : down);
      behind = Math.min(behind, d[i] > 0 ? down : up);
    }
    const longest = ahead >= behind ? ahead : -behind;
    return Math.abs(longest) >= SHORTEST * t ? longest : 0;
  }

  /** The same by all of the Hessian, whose pairs the memory takes. */
  private aimByHessian(): number | undefined {
    const { line, memory, free } = this;
    const { x, p, gradient, lower, upper } = line;
    const at = Int32Array.from(free.keys()).filter((i) => free[i] === 1);
    const n = at.length;
    const H = new Float64Array(n * n);
    const tau = differenceStep(this.options.valueNoise);
    const largest = x.reduce((most, xi) => Math.max(most, Math.abs(xi)), 0);
    for (const [k, i] of at.entries()) {
      p.fill(0);
      const shift = shiftOf(x[i], largest, tau, line.objective.resolution?.(i));
      p[i] = x[i] + shift <= upper[i] ? shift : -shift;
      line.project(1);
      let isUsable = line.evaluate(1);
      if (!isUsable && !line.isSpent && x[i] - p[i] >= lower[i] && x[i] - p[i] <= upper[i]) {
        line.project(-1);
        isUsable = line.evaluate(-1);
      }
      const moved = line.trialX[i] - x[i];
      if (!isUsable || moved === 0) return undefined;
      memory.update(line.trialX, x, line.trialGradient, gradient);
      for (const [l, j] of at.entries()) H[k * n + l] = (line.trialGradient[j] - gradient[j]) / moved;
    }
    const step = new Float64Array(n);
    const expected = newtonStep(
      H,
      step.map((_, k) => gradient[at[k]]),
      largest || 1,
      step,
    );
    p.fill(0);
    for (const [k, i] of at.entries()) p[i] = step[k];
    return expected;
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
      const step = projectedStep(x[i], unit * g, lower[i], upper[i]);
      squares += step * step;
      p[i] = step;
    }
    this.freeCount = count;
    this.measure = squares >= SMALLEST && squares <= LARGEST ? Math.sqrt(squares) : norm2(p);
    if (this.measure === 0) this.state.outcome = zeroGradient("projected gradient");
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

  /** p = −g_F */
  private turnToGradient(): void {
    const { free } = this;
    const { p, gradient } = this.line;
    for (let i = 0; i < p.length; i++) p[i] = -free[i] * gradient[i];
  }

  private firstTrial(isGradient: boolean): number {
    if (!isGradient) return 1;
    const { initialStep } = this.options;
    return initialStep === undefined ? this.usualTrial() : initialStep * this.line.unit;
  }

  /** min(1, 1/‖g_F‖₁) */
  private usualTrial(): number {
    return Math.min(1, 1 / this.size());
  }

  /** ‖g_F‖₁ */
  private size(): number {
    const { free } = this;
    const { gradient } = this.line;
    let size = 0;
    for (let i = 0; i < free.length; i++) size += free[i] * Math.abs(gradient[i]);
    return size;
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

/** Of the shift of a difference, what a bound may leave of it. */
const SHORTEST = 0.01;

/** x − P(x − g) in one coordinate, where g is lost beside x, too. */
const projectedStep = (x: number, g: number, lower: number, upper: number): number =>
  Math.min(Math.max(g, x - upper), x - lower);
