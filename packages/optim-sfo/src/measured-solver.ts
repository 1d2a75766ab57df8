/**
 * SFO with a look at F every so many passes: the iteration after which it is due carries the value, and the best point
 * so measured is kept. These evaluations count as monitoring.
 */
import { type Iteration, openSnapshot, type Point, type Snapshot, type Solver } from "@curvature/optim-core";
import type { SfoDetails } from "./details.js";
import type { Sfo } from "./sfo.js";

const VERSION = 1;

export class MeasuredSolver implements Solver<SfoDetails> {
  readonly name = "sfo";
  readonly dimension: number;
  readonly fingerprint: string;
  private readonly driven: Solver<SfoDetails>;
  private readonly sfo: Sfo;
  private readonly count: number;
  private readonly every: number;
  private readonly measure: (x: Float64Array) => number | Promise<number>;
  /** Measurements so far, those included that a long step passed by. */
  private measurements = 0;
  /** Those that were made. */
  private taken = 0;
  /** The iteration that was made before a measurement that threw. */
  private waiting: Iteration<SfoDetails> | undefined;

  /**
   * @param driven - steps `sfo`
   * @param every - passes between two measurements
   */
  constructor(
    driven: Solver<SfoDetails>,
    sfo: Sfo,
    count: number,
    every: number,
    measure: (x: Float64Array) => number | Promise<number>,
  ) {
    this.driven = driven;
    this.sfo = sfo;
    this.dimension = driven.dimension;
    this.fingerprint = driven.fingerprint;
    this.count = count;
    this.every = every;
    this.measure = measure;
  }

  get options(): object {
    return this.driven.options ?? {};
  }

  get best(): Point {
    return this.driven.best;
  }

  get last(): Point {
    return this.driven.last;
  }

  step(): Iteration<SfoDetails> | Promise<Iteration<SfoDetails>> {
    const iteration = this.waiting ?? this.driven.step();
    return iteration instanceof Promise
      ? iteration.then((made) => this.watched(made))
      : this.watched(iteration);
  }

  private watched(iteration: Iteration<SfoDetails>): Iteration<SfoDetails> | Promise<Iteration<SfoDetails>> {
    if (!(iteration.passes >= (this.measurements + 1) * this.every) || iteration.outcome !== undefined)
      return this.withMonitoring(iteration, iteration.value);
    this.waiting = iteration;
    const x = this.sfo.last.x.slice();
    const value = this.measure(x);
    return typeof value === "number"
      ? this.noted(iteration, x, value)
      : value.then((f) => this.noted(iteration, x, f));
  }

  private noted(iteration: Iteration<SfoDetails>, x: Float64Array, value: number): Iteration<SfoDetails> {
    this.waiting = undefined;
    this.measurements = Math.max(this.measurements + 1, Math.floor(iteration.passes / this.every));
    this.taken++;
    this.sfo.measure(x, value);
    return this.withMonitoring(iteration, Number.isFinite(value) ? value : undefined);
  }

  private withMonitoring(iteration: Iteration<SfoDetails>, value: number | undefined): Iteration<SfoDetails> {
    return { ...iteration, value, monitoringEvaluations: this.taken * this.count };
  }

  save(): Snapshot {
    const { measurements, taken } = this;
    return {
      solver: this.name,
      version: VERSION,
      state: { sfo: { ...this.driven.save() }, measurements, taken },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const measurements = state.integer("measurements");
    const taken = state.integer("taken");
    this.driven.restore(state.snapshot("sfo"));
    this.measurements = measurements;
    this.taken = taken;
    this.waiting = undefined;
  }
}
