/**
 * The learning curve of a run: F after the passes and seconds that the solver took for it. Looking at F takes time
 * that no solver asked for, and is left out of its seconds.
 */
import type { SumOfFunctions } from "@curvature/optim-core";

export interface LearningPoint {
  readonly passes: number;
  readonly seconds: number;
  readonly value: number;
}

/** A clock that runs while anybody looks. */
export class LookingClock {
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

  /** The sum for a solver that asks for values alone only to look. */
  timed(sum: SumOfFunctions): SumOfFunctions["evaluate"] {
    return (index, x, gradient) => {
      if (gradient !== undefined) return sum.evaluate(index, x, gradient);
      this.start();
      try {
        const value = sum.evaluate(index, x);
        if (typeof value === "number") return value;
        this.start(); // as long as the promise takes
        return value.finally(() => this.stop());
      } finally {
        this.stop();
      }
    };
  }
}
