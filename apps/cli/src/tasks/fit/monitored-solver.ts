/**
 * Any solver of a sum, with the whole of F measured once a pass, for methods that never do so: the iteration after which
 * this is due carries the value, and the best point measured is kept. These evaluations count as monitoring. Where a
 * solver knows F by itself, as L-BFGS does, nothing is added.
 */
import { type Iteration, openSnapshot, type Point, type Snapshot, type Solver } from "@curvature/optim-core";

const version = 1;

export class MonitoredSolver implements Solver {
  readonly name: string;
  readonly dimension: number;
  readonly fingerprint: string;
  private passesSeen = 0;
  private monitored = 0;
  private measured: { readonly x: Float64Array; readonly value: number } | undefined;
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
  }

  get options(): object {
    return this.solver.options ?? {};
  }

  /** The best point at which F is known; before there is one, that of the solver. */
  get best(): Point {
    const { best } = this.solver;
    if (this.measured === undefined) return best;
    return best.value !== undefined && best.value <= this.measured.value ? best : this.measured;
  }

  get last(): Point {
    return this.solver.last;
  }

  async step(): Promise<Iteration> {
    const iteration = this.waiting ?? (await this.solver.step());
    const isDue = Math.floor(iteration.passes + 1e-9) > this.passesSeen || iteration.outcome !== undefined;
    if (iteration.value !== undefined || !isDue) return this.monitoredSoFar(iteration, iteration.value);
    this.waiting = iteration;
    const x = this.solver.last.x.slice();
    const value = await this.measure(x);
    this.waiting = undefined;
    this.monitored += this.count;
    this.passesSeen = Math.floor(iteration.passes + 1e-9);
    if (value < (this.measured?.value ?? Number.POSITIVE_INFINITY)) this.measured = { x, value };
    return this.monitoredSoFar(iteration, Number.isFinite(value) ? value : undefined);
  }

  private monitoredSoFar(iteration: Iteration, value: number | undefined): Iteration {
    return { ...iteration, value, monitoringEvaluations: iteration.monitoringEvaluations + this.monitored };
  }

  save(): Snapshot {
    const { passesSeen, monitored, measured } = this;
    return {
      solver: this.name,
      version,
      state: {
        solver: { ...this.solver.save() },
        passesSeen,
        monitored,
        bestX: measured?.x.slice() ?? new Float64Array(0),
        bestValue: measured?.value ?? null,
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, version);
    const passesSeen = state.integer("passesSeen");
    const monitored = state.integer("monitored");
    const value = state.optionalNumber("bestValue");
    const x = state.float64("bestX", value === undefined ? 0 : this.dimension);
    this.solver.restore(state.snapshot("solver"));
    this.passesSeen = passesSeen;
    this.monitored = monitored;
    this.measured = value === undefined ? undefined : { x, value };
    this.waiting = undefined;
  }
}
