/**
 * What the sweeps' spans of projected gradients (largest − least of a sweep) decide: whether blocks make progress, and after
 * which sweeps the duality gap is taken, which costs more than half a sweep: after 1, 2, 4, 8, …; earlier where
 * the gap's rate of decrease since the last time promises the tolerance (but not before an eighth more sweeps are
 * made); and as soon as the span of the projected gradients has fallen to a hundredth, for then the active rows are
 * nearly solved and those dropped by mistake are to come back.
 */
import { log } from "@curvature/linalg";
import { number, stateOf } from "@curvature/optim-core/state";

const TIMES = 2;
const MIN_TIMES = 1.125;
const SPAN_FRACTION = 0.01;

/** Sweeps in blocks within which the span is to halve. */
const PATIENCE = 10;

export class GapSchedule {
  readonly state = stateOf({
    next: number(1),
    /** Sweeps, gap and span when the gap was taken last. */
    at: number(0),
    gap: number(Number.POSITIVE_INFINITY),
    spanAt: number(Number.POSITIVE_INFINITY),
    /** Of the last sweep. */
    span: number(Number.POSITIVE_INFINITY),
    /** The last span that was at most half of the one noted before, and its sweep. */
    halvedSpan: number(Number.POSITIVE_INFINITY),
    halvedAt: number(0),
  });

  /** Takes the span of a sweep. @returns whether blocks have made no progress for too long */
  take(span: number, sweep: number): boolean {
    const { state } = this;
    state.span = span;
    if (!(span <= state.halvedSpan / 2)) return sweep - state.halvedAt >= PATIENCE;
    state.halvedSpan = span;
    state.halvedAt = sweep;
    return false;
  }

  isDue(sweeps: number): boolean {
    const { next, span, spanAt } = this.state;
    return sweeps >= next || span <= SPAN_FRACTION * spanAt;
  }

  /** Takes note of a gap above the tolerance. */
  record(sweeps: number, gap: number, tolerance: number): void {
    const { state } = this;
    state.next = TIMES * sweeps;
    if (state.at > 0 && gap < state.gap && tolerance > 0) {
      const rate = log(state.gap / gap) / (sweeps - state.at);
      const promised = sweeps + log(gap / tolerance) / rate;
      state.next = Math.min(state.next, Math.max(promised, MIN_TIMES * sweeps));
    }
    state.at = sweeps;
    state.gap = gap;
    state.spanAt = state.span;
  }
}
