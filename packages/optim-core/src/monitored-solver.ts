/**
 * Any solver of a sum, with the whole of F measured at its first point and once a pass, for methods that never do so: the
 * iteration after which this is due carries the value, and the best point measured is kept, so that a run never ends above
 * its start. These evaluations count as monitoring. Where a solver knows F by itself, as L-BFGS does, nothing is added.
 */
import { badOption } from "@curvature/linalg";
import { isPromise } from "./event-loop.js";
import type { SumOfFunctions } from "./problem.js";
import { checkSolver } from "./run.js";
import type { Iteration, Point, Snapshot, Solver } from "./solver.js";
import { float64, inner, maybe, number, record, restore, saved, stateOf, whole } from "./state.js";
import { checkSum, checkValue } from "./sum.js";

export class MonitoredSolver<Details = unknown> implements Solver<Details> {
  readonly name: string;
  readonly dimension: number;
  readonly fingerprint: string;
  readonly state;
  /** The iteration before a measurement that threw. */
  private waiting: Iteration<Details> | undefined;

  /**
   * @param measure - F as a whole, at the price of `count` evaluations
   * @param start - F at the solver's point, where it is known; else it is measured before the first step
   * @throws CurvatureError ERR_ARGUMENT for what is no solver, ERR_OPTION
   */
  constructor(
    private readonly solver: Solver<Details>,
    private readonly count: number,
    private readonly measure: (x: Float64Array) => number | Promise<number>,
    start?: number,
  ) {
    checkSolver("MonitoredSolver", solver);
    if (!(Number.isSafeInteger(count) && count >= 1))
      throw badOption("MonitoredSolver", "count", "a whole number of at least 1", count);
    if (typeof measure !== "function")
      throw badOption("MonitoredSolver", "measure", "a function of x", measure);
    if (start !== undefined && typeof start !== "number")
      throw badOption("MonitoredSolver", "start", "a number", start);
    this.name = solver.name;
    this.dimension = solver.dimension;
    this.fingerprint = solver.fingerprint;
    const known = start === undefined ? undefined : { x: solver.last.x.slice(), value: start };
    this.state = stateOf({
      solver: inner(solver),
      passesSeen: whole(),
      monitored: whole(),
      measured: maybe(record({ x: float64(new Float64Array(solver.dimension)), value: number() }), known),
    });
  }

  get options(): object {
    return this.solver.options ?? {};
  }

  /** The best point at which F is known; before there is one, that of the solver. */
  get best(): Point {
    const { best } = this.solver;
    if (this.state.measured === undefined) return best;
    return best.value !== undefined && best.value <= this.state.measured.value ? best : this.state.measured;
  }

  get last(): Point {
    return this.solver.last;
  }

  limitWork(evaluations: number, passes: number): void {
    this.solver.limitWork?.(evaluations, passes);
  }

  step(): Iteration<Details> | Promise<Iteration<Details>> {
    const { solver } = this;
    if (this.state.measured !== undefined || solver.best.value !== undefined) return this.advance();
    return after(this.measureAt(solver.last.x.slice()), () => this.advance());
  }

  private advance(): Iteration<Details> | Promise<Iteration<Details>> {
    return after(this.waiting ?? this.solver.step(), (iteration) => {
      const isDue =
        Math.floor(iteration.passes + 1e-9) > this.state.passesSeen || iteration.outcome !== undefined;
      if (iteration.value !== undefined || !isDue) return this.monitoredSoFar(iteration, iteration.value);
      this.waiting = iteration;
      return after(this.measureAt(this.solver.last.x.slice()), (value) => {
        this.waiting = undefined;
        this.state.passesSeen = Math.floor(iteration.passes + 1e-9);
        return this.monitoredSoFar(iteration, Number.isFinite(value) ? value : undefined);
      });
    });
  }

  private measureAt(x: Float64Array): number | Promise<number> {
    return after(this.measure(x), (value) => {
      const { state } = this;
      state.monitored += this.count;
      if (state.measured === undefined || value < state.measured.value || Number.isNaN(state.measured.value))
        state.measured = { x, value };
      return value;
    });
  }

  private monitoredSoFar(iteration: Iteration<Details>, value: number | undefined): Iteration<Details> {
    return {
      ...iteration,
      value,
      monitoringEvaluations: iteration.monitoringEvaluations + this.state.monitored,
    };
  }

  save(): Snapshot {
    return saved(this.name, this.state);
  }

  restore(snapshot: Snapshot): void {
    restore(this.name, this.state, snapshot);
    this.waiting = undefined;
  }
}

/**
 * The solver with F = Σ f_q measured, one evaluation of each subfunction, at its first point and after every pass: the result's
 * `x` is the best of these points, and `value` F there. Stopping rules that look at values then work for it, too.
 *
 * @throws CurvatureError ERR_ARGUMENT for what is no solver or no sum
 * @example
 * const solver = monitored(createSumSolver("sgd", sum, x), sum);
 * const { x: best, value } = await run(solver, { stop: maxPasses(20) });
 */
export function monitored<Details>(solver: Solver<Details>, sum: SumOfFunctions): MonitoredSolver<Details> {
  checkSolver("monitored", solver);
  checkSum("monitored", sum);
  return new MonitoredSolver(solver, sum.count, (x) => total(sum, x));
}

/** F(x), added up in the order of the indices; a promise where a subfunction is one. */
function total(sum: SumOfFunctions, x: Float64Array): number | Promise<number> {
  let value = 0;
  for (let q = 0; q < sum.count; q++) {
    const part = sum.evaluate(q, x);
    if (isPromise(part)) return totalFrom(sum, x, q, value, part);
    value += checkValue(part, q);
  }
  return value;
}

async function totalFrom(
  sum: SumOfFunctions,
  x: Float64Array,
  index: number,
  before: number,
  part: Promise<number>,
): Promise<number> {
  let value = before + checkValue(await part, index);
  for (let q = index + 1; q < sum.count; q++) value += checkValue(await sum.evaluate(q, x), q);
  return value;
}

/** At once where the value is there. */
function after<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return isPromise(value) ? value.then(next) : next(value);
}
