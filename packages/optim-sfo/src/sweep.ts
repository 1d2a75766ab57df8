/**
 * A look at every subfunction at one point, for a restart or to verify that a minimum was found: it measures F there, and
 * renews all models.
 */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";

export type SweepPhase = "restart" | "verification";

export class Sweep {
  readonly point: Float64Array;
  readonly phase: SweepPhase;
  /** The next subfunction to ask for. */
  next = 0;
  /** How many were answered. */
  done = 0;
  sum = 0;

  constructor(point: Float64Array, phase: SweepPhase) {
    this.point = point;
    this.phase = phase;
  }

  /** Questions that were not answered are asked anew. */
  save(): SnapshotValue {
    return {
      point: this.point.slice(),
      isVerification: this.phase === "verification",
      done: this.done,
      sum: this.sum,
    };
  }

  /** @throws CurvatureError ERR_SNAPSHOT */
  static from(state: SnapshotReader, dimension: number, count: number): Sweep {
    const point = state.float64("point", dimension).slice();
    const sweep = new Sweep(point, state.flag("isVerification") ? "verification" : "restart");
    sweep.done = state.integer("done", 0, count);
    sweep.next = sweep.done;
    sweep.sum = state.number("sum");
    return sweep;
  }
}
