/**
 * After which sweeps the duality gap is taken, which costs more than half a sweep: after 1, 2, 4, 8, …; earlier where
 * the gap's rate of decrease since the last time promises the tolerance (but not before an eighth more sweeps are
 * made); and as soon as the span of the projected gradients has fallen to a hundredth, for then the active rows are
 * nearly solved and those dropped by mistake are to come back.
 */
import { log } from "@curvature/linalg";

const TIMES = 2;
const LEAST_TIMES = 1.125;
const SPAN_FRACTION = 0.01;

export class CheckSchedule {
  private next = 1;
  private at = 0;
  private gap = Number.POSITIVE_INFINITY;
  private span = Number.POSITIVE_INFINITY;

  isDue(sweeps: number, span: number): boolean {
    return sweeps >= this.next || span <= SPAN_FRACTION * this.span;
  }

  /** Takes note of a gap above the tolerance. */
  record(sweeps: number, span: number, gap: number, tolerance: number): void {
    this.next = TIMES * sweeps;
    if (this.at > 0 && gap < this.gap && tolerance > 0) {
      const rate = log(this.gap / gap) / (sweeps - this.at);
      const promised = sweeps + log(gap / tolerance) / rate;
      this.next = Math.min(this.next, Math.max(promised, LEAST_TIMES * sweeps));
    }
    this.at = sweeps;
    this.gap = gap;
    this.span = span;
  }

  save(): Float64Array {
    return Float64Array.of(this.next, this.at, this.gap, this.span);
  }

  restore(saved: Float64Array): void {
    [this.next, this.at, this.gap, this.span] = saved;
  }
}
