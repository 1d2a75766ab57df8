/**
 * Whether sweeps in blocks make progress: the span of projected gradients (largest − least of a sweep) is to halve within
 * 10 sweeps.
 */
const PATIENCE = 10;

export class SpanWatch {
  /** Of the last sweep. */
  span = Number.POSITIVE_INFINITY;
  /** The last span that was at most half of the one noted before, and its sweep. */
  private halvedSpan = Number.POSITIVE_INFINITY;
  private halvedAt = 0;

  /** Takes the span of a sweep. @returns whether the patience is at its end */
  take(span: number, sweep: number): boolean {
    this.span = span;
    if (!(span <= this.halvedSpan / 2)) return sweep - this.halvedAt >= PATIENCE;
    this.halvedSpan = span;
    this.halvedAt = sweep;
    return false;
  }

  save(): Float64Array {
    return Float64Array.of(this.span, this.halvedSpan, this.halvedAt);
  }

  restore(saved: Float64Array): void {
    [this.span, this.halvedSpan, this.halvedAt] = saved;
  }
}
