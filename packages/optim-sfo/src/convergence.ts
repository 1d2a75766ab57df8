/**
 * When a run is at a minimum: ½ qᵀH⁻¹q, the decrease that the model has left, is small for N steps in a row. A single step of
 * length 0 says less: the subfunctions seen so far may just have no slope here, or models that are wrong may cancel each
 * other. Where rounding is more than the tolerance a run may be at a minimum and lose it: the nearest point is kept, and is
 * verified by all subfunctions; if it was no minimum, and F falls no further until the next one, the run stalls.
 */
import { CurvatureError } from "@curvature/linalg";
import type { Outcome } from "@curvature/optim-core";
import { float64, maybe, number, record, stateIn, whole } from "@curvature/optim-core/state";
import type { Method } from "./method.js";

/** Only once the last step's predicted decrease is this near to the tolerance is the decrease left looked at. */
const NEARLY = 100;

export class ConvergenceMonitor {
  /** Steps in a row without a decrease to speak of. */
  calm = 0;
  /** The point with the least decrease left, once that is within what can be resolved; to be verified if the run loses it. */
  nearest: { readonly x: Float64Array; readonly left: number } | undefined;
  /** F at the last such point. */
  verified: number | undefined;
  readonly state;

  constructor(
    private readonly method: Method,
    private readonly tolerance: number,
  ) {
    this.state = stateIn(this, {
      calm: whole(),
      nearest: maybe(
        record({ x: float64(new Float64Array(0), { length: () => method.x.length }), left: number() }),
      ),
      verified: maybe(number()),
    });
  }

  get isCalm(): boolean {
    return this.calm >= this.method.models.length;
  }

  get wasVerified(): boolean {
    return this.verified !== undefined;
  }

  forget(): void {
    this.calm = 0;
    this.nearest = undefined;
    this.verified = undefined;
  }

  /** The step says nothing of a minimum. */
  disturb(): void {
    this.calm = 0;
  }

  /**
   * @param estimate - of F
   * @param first - F at the first points
   * @returns the decrease left (Infinity where it is not looked at), and whether the run was near to a minimum and is not now
   */
  see(estimate: number, first: number): { readonly left: number; readonly isLost: boolean } {
    const { method } = this;
    const { resolution } = method.subspace;
    const size = sizeOf(estimate, first);
    const bound = this.tolerance * size;
    const resolved = Math.max(bound, resolution * size);
    const isNear =
      method.predictedDecrease <= Math.max(NEARLY * bound, resolved) &&
      method.models.every(({ evaluations }) => evaluations >= 2);
    const left = isNear ? this.decreaseLeft() : Number.POSITIVE_INFINITY;
    if (left <= Math.min(resolved, this.nearest?.left ?? resolved))
      this.nearest = { x: method.x.slice(), left };
    const wasThere = this.nearest !== undefined && this.nearest.left <= bound;
    const isLost = resolution > 0 && wasThere && left > NEARLY * bound;
    this.calm = left <= bound ? this.calm + 1 : 0;
    return { left, isLost };
  }

  /**
   * @param F - at a point that all models are of
   * @param first - F at the first points
   */
  verify(
    F: number,
    first: number,
  ): { readonly left: number; readonly verdict: "converged" | "stalled" | "not yet" } {
    const left = Number.isFinite(F) ? this.decreaseLeft() : Number.POSITIVE_INFINITY;
    const bound = this.tolerance * sizeOf(F, first);
    if (left <= bound) return { left, verdict: "converged" };
    this.calm = 0;
    const { verified } = this;
    const isRounded = this.method.subspace.resolution > 0;
    if (isRounded && verified !== undefined && !(F < verified - bound)) return { left, verdict: "stalled" };
    this.verified = F;
    return { left, verdict: "not yet" };
  }

  /** The point nearest to a minimum, if there was one, which is looked at once. */
  takeNearest(): Float64Array | undefined {
    const { nearest } = this;
    this.nearest = undefined;
    return nearest?.x;
  }

  /** Infinity where rounding has left H without a factor: the next step sees to that. */
  private decreaseLeft(): number {
    try {
      return this.method.decreaseLeft();
    } catch (error) {
      if (error instanceof CurvatureError) return Number.POSITIVE_INFINITY;
      throw error;
    }
  }
}

/** Of which part the decrease so far is F's size, beside F itself: F may end at 0. */
const OF_DECREASE = 1e-4;

/** What counts as 1 in F's unit. */
export const sizeOf = (F: number, first: number): number => Math.abs(F) + OF_DECREASE * Math.abs(first - F);

/** @param left - ½ qᵀH⁻¹q */
export const converged = (left: number, tolerance: number, when: string): Outcome => ({
  status: "converged",
  message: `The model has a decrease of ${left.toPrecision(3)} left, at most ${tolerance} of |F| and of a part of the decrease so far, ${when}.`,
});

export const stalled: Outcome = {
  status: "stalled",
  message:
    "The run came to a point where the decrease left was within rounding, lost it, and F falls no further. Precision float64 and a batch of 1 resolve more; if F is far from a minimum, test the gradients by checkGradient.",
};
