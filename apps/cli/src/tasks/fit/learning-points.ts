/**
 * The learning curve of a run: F after the passes and seconds that the solver took for it. Measuring F takes
 * time that no solver asked for; it is left out of the solver's seconds.
 */
import type { SumOfFunctions } from "@curvature/optim-core";

export interface LearningPoint {
  readonly passes: number;
  readonly seconds: number;
  readonly value: number;
}

/** A clock that runs while F is measured. */
export class MonitoringClock {
  private readonly now: () => number;
  private under = 0;
  private since = 0;
  private total = 0;

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  get seconds(): number {
    return (this.total + (this.under > 0 ? this.now() - this.since : 0)) / 1000;
  }

  start(): void {
    if (this.under++ === 0) this.since = this.now();
  }

  stop(): void {
    if (--this.under === 0) this.total += this.now() - this.since;
  }
}

/** The evaluations of a run: those without a gradient are made to measure F. */
export class Observed {
  /** Values that were no finite numbers. */
  notFinite = 0;

  constructor(
    private readonly sum: SumOfFunctions,
    private readonly clock: MonitoringClock,
  ) {}

  evaluate(index: number, x: Float64Array, gradient?: Float64Array): number | Promise<number> {
    if (gradient !== undefined) {
      const value = this.sum.evaluate(index, x, gradient);
      return typeof value === "number" ? this.seen(value) : value.then((settled) => this.seen(settled));
    }
    const { clock } = this;
    clock.start();
    try {
      const value = this.sum.evaluate(index, x);
      if (typeof value === "number") return this.seen(value);
      clock.start(); // as long as the promise takes
      return value.then((settled) => this.seen(settled)).finally(() => clock.stop());
    } finally {
      clock.stop();
    }
  }

  private seen(value: number): number {
    if (!Number.isFinite(value)) this.notFinite++;
    return value;
  }
}
