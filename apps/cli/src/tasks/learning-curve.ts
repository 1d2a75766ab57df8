/** What is known of a training on its way. */
import type { Iteration } from "@curvature/optim-core";

/** A point of the learning curve. */
export interface CurvePoint {
  readonly passes: number;
  readonly value: number;
}

/** Values that are known on the way, thinned to what a picture can show. */
export class LearningCurve {
  private known: CurvePoint[] = [];
  private every = 1;
  private seen = 0;

  get points(): readonly CurvePoint[] {
    return this.known;
  }

  add({ passes, value }: Iteration): void {
    if (value === undefined || !Number.isFinite(value)) return;
    const last = this.known.at(-1);
    if (last?.passes === passes && last.value === value) return;
    if (this.seen++ % this.every === 0) this.known.push({ passes, value });
    if (this.known.length < mostPoints) return;
    this.known = this.known.filter((_, k) => k % 2 === 0);
    this.every *= 2;
  }
}

const mostPoints = 2000;
