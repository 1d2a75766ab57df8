/** The best of the points at which F was measured, by a sweep over all subfunctions or by somebody else. */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";

interface Measured {
  readonly x: Float64Array;
  readonly value: number;
}

export class MeasuredPoint {
  /** Undefined before there is one. */
  best: Measured | undefined;

  /** @param x - copied */
  offer(x: Float64Array, value: number): void {
    if (Number.isFinite(value) && value < (this.best?.value ?? Number.POSITIVE_INFINITY))
      this.best = { x: x.slice(), value };
  }

  /** F has changed. */
  forget(): void {
    this.best = undefined;
  }

  save(): SnapshotValue {
    const { best } = this;
    return best === undefined ? null : { x: best.x.slice(), value: best.value };
  }

  /** Reads and checks; the returned function takes it over. @throws CurvatureError ERR_SNAPSHOT */
  open(state: SnapshotReader, field: string, dimension: number): () => void {
    const saved = state.has(field) ? state.object(field) : undefined;
    const best = saved && { x: saved.float64("x", dimension).slice(), value: saved.number("value") };
    return () => {
      this.best = best;
    };
  }
}
