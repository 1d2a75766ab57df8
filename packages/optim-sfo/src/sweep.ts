/**
 * A restart's look at every subfunction at one point: it measures F there, and renews all models.
 */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";

export class Sweep {
  readonly point: Float64Array;
  /** The next subfunction to ask for. */
  next = 0;
  /** How many were answered. */
  done = 0;
  sum = 0;

  constructor(point: Float64Array) {
    this.point = point;
  }

  /** Questions that were not answered are asked anew. */
  save(): SnapshotValue {
    return { point: this.point.slice(), done: this.done, sum: this.sum };
  }

  /** @throws CurvatureError ERR_SNAPSHOT */
  static from(state: SnapshotReader, dimension: number, count: number): Sweep {
    const sweep = new Sweep(state.float64("point", dimension).slice());
    sweep.done = state.integer("done", 0, count);
    sweep.next = sweep.done;
    sweep.sum = state.number("sum");
    return sweep;
  }
}
