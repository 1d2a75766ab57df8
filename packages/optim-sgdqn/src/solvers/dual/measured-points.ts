/** Points at which the certificate measured P: the best of them, and the current one until it is left. */
import type { Point, SnapshotReader, SnapshotValue } from "@curvature/optim-core";

export class MeasuredPoints {
  /** (P − D)/P at the last one. */
  lastGap: number | undefined;
  /** P at the current point, where it was measured there. */
  lastValue: number | undefined;
  private readonly bestX: Float64Array;
  private bestValue: number | undefined;

  constructor(dimension: number) {
    this.bestX = new Float64Array(dimension);
  }

  /** The point of the least P; undefined before there is one. */
  get best(): Point | undefined {
    return this.bestValue === undefined ? undefined : { x: this.bestX, value: this.bestValue };
  }

  /** Steps follow: the current point is another one. */
  leave(): void {
    this.lastValue = undefined;
  }

  /** @param solver - asked for its point only where P is the least so far */
  take(solver: { readonly last: Point }, P: number, gap: number): void {
    this.lastGap = gap;
    this.lastValue = P;
    if (!(P < (this.bestValue ?? Number.POSITIVE_INFINITY))) return;
    this.bestX.set(solver.last.x);
    this.bestValue = P;
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { lastGap, lastValue, bestX, bestValue } = this;
    return {
      lastGap: lastGap ?? null,
      lastValue: lastValue ?? null,
      bestX: bestX.slice(),
      bestValue: bestValue ?? null,
    };
  }

  /** Checks a saved state; what it returns takes it over. @throws CurvatureError ERR_SNAPSHOT */
  restoring(state: SnapshotReader): () => void {
    const lastGap = state.optionalNumber("lastGap");
    const lastValue = state.optionalNumber("lastValue");
    const bestX = state.float64("bestX", this.bestX.length);
    const bestValue = state.optionalNumber("bestValue");
    return () => {
      this.lastGap = lastGap;
      this.lastValue = lastValue;
      this.bestX.set(bestX);
      this.bestValue = bestValue;
    };
  }
}
