/**
 * The minimum of a convex function φ of one variable by its derivatives: Newton's method from t = 1, kept within the
 * bracket in which φ′ changes its sign.
 *
 *   t ← t − φ′/φ″ if that lies within the bracket, else the root of the secant through its ends, at least a tenth of
 *   its length from either, or 4 t while no end beyond the minimum is known.
 *
 * It ends at |φ′(t)| ≤ 0.05 |φ′(0)|, or after 40 values of t at the largest that was seen before the minimum: φ is
 * convex, so that is downhill.
 */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { Derivatives } from "./loss-sweep.js";

const ENOUGH = 0.05;
const MOST_TRIALS = 40;

export class StepLength {
  /** The value of t that is tried, or at the end the step length. */
  t = 1;
  private slopeAtZero = 0;
  private low = 0;
  private slopeAtLow = 0;
  /** Infinity until a t with φ′(t) > 0 is known. */
  private high = Number.POSITIVE_INFINITY;
  private slopeAtHigh = 0;
  private trials = 0;

  /** @param slope - φ′(0) < 0 */
  start(slope: number): void {
    this.t = 1;
    this.slopeAtZero = slope;
    this.low = 0;
    this.slopeAtLow = slope;
    this.high = Number.POSITIVE_INFINITY;
    this.slopeAtHigh = 0;
    this.trials = 0;
  }

  /** Takes φ′(t) and φ″(t). @returns whether t is the step length now; else it is the next trial */
  take({ slope, curvature }: Derivatives): boolean {
    if (Math.abs(slope) <= -ENOUGH * this.slopeAtZero) return true;
    if (++this.trials === MOST_TRIALS) {
      if (this.low > 0) this.t = this.low;
      return true;
    }
    if (slope < 0) {
      this.low = this.t;
      this.slopeAtLow = slope;
    } else {
      // A slope that overflowed is one beyond the minimum, too.
      this.high = this.t;
      this.slopeAtHigh = Number.isFinite(slope) ? slope : Number.MAX_VALUE;
    }
    const newton = this.t - slope / curvature;
    this.t = newton > this.low && newton < this.high ? newton : this.secant();
    return false;
  }

  private secant(): number {
    const { low, high, slopeAtLow, slopeAtHigh } = this;
    if (high === Number.POSITIVE_INFINITY) return 4 * low;
    const share = slopeAtLow / (slopeAtLow - slopeAtHigh);
    return low + Math.min(0.9, Math.max(0.1, share)) * (high - low);
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { t, slopeAtZero, low, slopeAtLow, high, slopeAtHigh, trials } = this;
    return { t, slopeAtZero, low, slopeAtLow, high, slopeAtHigh, trials };
  }

  restore(state: LengthState): void {
    Object.assign(this, state);
  }
}

type LengthState = Record<(typeof fields)[number], number>;

const fields = ["t", "slopeAtZero", "low", "slopeAtLow", "high", "slopeAtHigh", "trials"] as const;

/** @throws CurvatureError ERR_SNAPSHOT */
export function readLength(state: SnapshotReader): LengthState {
  const [t, slopeAtZero, low, slopeAtLow, high, slopeAtHigh, trials] = fields.map((key) => state.number(key));
  return { t, slopeAtZero, low, slopeAtLow, high, slopeAtHigh, trials };
}
