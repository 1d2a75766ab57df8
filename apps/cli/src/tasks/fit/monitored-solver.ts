/**
 * Any solver of a sum, with the whole of F measured once a pass, for methods that never do so: the iteration after which
 * this is due carries the value, and the best point measured is kept. These evaluations count as monitoring. Where a
 * solver knows F by itself, as L-BFGS does, nothing is added.
 */
import type { Iteration, Point, Snapshot, Solver } from "@curvature/optim-core";
import {
  float64,
  inner,
  maybe,
  number,
  record,
  restore,
  saved,
  stateOf,
  whole,
} from "@curvature/optim-core/state";

export class MonitoredSolver implements Solver {
  readonly name: string;
  readonly dimension: number;
  readonly fingerprint: string;
  readonly state;
  /** The iteration before a measurement that threw. */
  private waiting: Iteration | undefined;

  /** @param measure - F as a whole, at the price of `count` evaluations */
  constructor(
    private readonly solver: Solver,
    private readonly count: number,
    private readonly measure: (x: Float64Array) => Promise<number>,
  ) {
    this.name = solver.name;
    this.dimension = solver.dimension;
    this.fingerprint = solver.fingerprint;
    this.state = stateOf({
      solver: inner(solver),
      passesSeen: whole(),
      monitored: whole(),
      measured: maybe(record({ x: float64(new Float64Array(solver.dimension)), value: number() })),
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

  async step(): Promise<Iteration> {
    const iteration = this.waiting ?? (await this.solver.step());
    const isDue =
      Math.floor(iteration.passes + 1e-9) > this.state.passesSeen || iteration.outcome !== undefined;
    if (iteration.value !== undefined || !isDue) return this.monitoredSoFar(iteration, iteration.value);
    this.waiting = iteration;
    const x = this.solver.last.x.slice();
    const value = await this.measure(x);
    this.waiting = undefined;
    this.state.monitored += this.count;
    this.state.passesSeen = Math.floor(iteration.passes + 1e-9);
    if (value < (this.state.measured?.value ?? Number.POSITIVE_INFINITY)) this.state.measured = { x, value };
    return this.monitoredSoFar(iteration, Number.isFinite(value) ? value : undefined);
  }

  private monitoredSoFar(iteration: Iteration, value: number | undefined): Iteration {
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
