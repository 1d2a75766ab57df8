/**
 * Watches for a minimum: ½ qᵀH⁻¹q, the decrease that the model has left, is small for N steps in a row. A single step of
 * length 0 says less: the subfunctions seen so far may just have no slope here, or models that are wrong may cancel each
 * other. Where rounding is more than the tolerance a run may be at a minimum and lose it: the nearest point is kept, and is
 * verified by all subfunctions; if it was no minimum, and F falls no further until the next one, the run stalls.
 */
import { CurvatureError } from "@curvature/linalg";
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { Workings } from "./workings.js";

/** Only once the last step's gain is this near to the tolerance is the decrease left looked at. */
const NEARLY = 100;

export class ConvergenceWatch {
  /** Steps in a row without a decrease to speak of. */
  private calm = 0;
  /** The point with the least decrease left, once that is within what can be resolved; to be verified if the run loses it. */
  private nearest: { readonly x: Float64Array; readonly left: number } | undefined;
  /** F at the last such point. */
  private verified: number | undefined;
  private readonly workings: Workings;
  private readonly tolerance: number;

  constructor(workings: Workings, tolerance: number) {
    this.workings = workings;
    this.tolerance = tolerance;
  }

  get isCalm(): boolean {
    return this.calm >= this.workings.models.length;
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
   * @returns the decrease left (Infinity where it is not looked at), and whether the run was near to a minimum and is not now
   */
  see(estimate: number): { readonly left: number; readonly isLost: boolean } {
    const { workings } = this;
    const { resolution } = workings.subspace;
    const bound = this.tolerance * (1 + Math.abs(estimate));
    const resolved = Math.max(bound, resolution * (1 + Math.abs(estimate)));
    const isNear =
      workings.gain <= Math.max(NEARLY * bound, resolved) &&
      workings.models.every(({ evaluations }) => evaluations >= 2);
    const left = isNear ? this.decreaseLeft() : Number.POSITIVE_INFINITY;
    if (left <= Math.min(resolved, this.nearest?.left ?? resolved))
      this.nearest = { x: workings.x.slice(), left };
    const wasThere = this.nearest !== undefined && this.nearest.left <= bound;
    const isLost = resolution > 0 && wasThere && left > NEARLY * bound;
    this.calm = left <= bound ? this.calm + 1 : 0;
    return { left, isLost };
  }

  /** @param F - at a point that all models are of */
  verify(F: number): { readonly left: number; readonly verdict: "converged" | "stalled" | "not yet" } {
    const left = Number.isFinite(F) ? this.decreaseLeft() : Number.POSITIVE_INFINITY;
    const bound = this.tolerance * (1 + Math.abs(F));
    if (left <= bound) return { left, verdict: "converged" };
    this.calm = 0;
    const { verified } = this;
    const isRounded = this.workings.subspace.resolution > 0;
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
      return this.workings.decreaseLeft();
    } catch (error) {
      if (error instanceof CurvatureError) return Number.POSITIVE_INFINITY;
      throw error;
    }
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { calm, nearest, verified } = this;
    return {
      calm,
      nearest: nearest === undefined ? null : { x: nearest.x.slice(), left: nearest.left },
      verified: verified ?? null,
    };
  }

  /** Reads and checks; the returned function takes it over. @throws CurvatureError ERR_SNAPSHOT */
  open(state: SnapshotReader): () => void {
    const calm = state.integer("calm");
    const near = state.has("nearest") ? state.object("nearest") : undefined;
    const nearest = near && {
      x: near.float64("x", this.workings.x.length).slice(),
      left: near.number("left"),
    };
    const verified = state.has("verified") ? state.number("verified") : undefined;
    return () => Object.assign(this, { calm, nearest, verified });
  }
}
