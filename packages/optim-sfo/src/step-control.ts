/**
 * How long a step may be: the share η of the Newton step, or the radius Δ of a trust region, and the shortest and the
 * longest step that make sense. Δ takes the place of η after a restart, and from the first failed step on where
 * subfunctions of few parameters are active.
 *
 *   failure  η ← η/2,  Δ ← min(Δ, ‖p‖)/2;      success  η ← η + (1 − η)/N,  Δ ← (1 + 1/N) Δ
 *   ‖p‖ ≥ 10⁻⁸ max(1, ‖x‖),   ‖p‖ ≤ 10 times the mean step so far, once every subfunction could be evaluated
 *
 * η is the paper's (section E.5); the limits are those of its authors' program; Δ is neither's.
 */

/** η does not fall below it. */
export const SCALE_FLOOR = 1e-5;
/** η after a restart. */
const RESTART_SCALE = 0.1;
/** A step shorter than this is none. */
const NEGLIGIBLE = 1e-12;
/** Δ does not fall below it. */
const LEAST_RADIUS = 1e-10;

interface StepLimits {
  readonly minStepLength: number;
  readonly maxStepLengthRatio: number;
}

export class StepControl {
  /** η */
  scale = 1;
  /** Δ; Infinity as long as η rules. */
  radius = Number.POSITIVE_INFINITY;
  /** The last step's length. */
  length = 0;
  /** The sum of the lengths of the moves since the start, or the last restart. */
  distance = 0;
  private readonly limits: StepLimits;

  constructor(limits: StepLimits) {
    this.limits = limits;
  }

  get isRestricted(): boolean {
    return this.radius < Number.POSITIVE_INFINITY;
  }

  /**
   * The factor for a Newton step of this length.
   *
   * @param unit - of the shortest step
   * @param evaluations - by which `distance` becomes a mean; undefined as long as there is no mean to speak of
   */
  fit(newton: number, unit: number, evaluations: number | undefined): number {
    let scale = this.isRestricted ? 1 : this.scale;
    let length = newton * scale;
    const shortest = this.limits.minStepLength * unit;
    if (length > 0 && length < shortest) {
      scale *= shortest / length;
      length = shortest;
    }
    const longest = (this.limits.maxStepLengthRatio * this.distance) / (evaluations ?? 1);
    if (evaluations !== undefined && this.distance > 0 && length > NEGLIGIBLE && length > longest) {
      scale *= longest / length;
      length = longest;
    }
    this.length = length;
    return scale;
  }

  /**
   * After a failed step.
   *
   * @param isByRadius - whether a radius is to rule from now on
   */
  shorten(isByRadius: boolean): void {
    this.scale /= 2;
    if (isByRadius || this.isRestricted)
      this.radius = Math.max(LEAST_RADIUS, Math.min(this.radius, this.length) / 2);
  }

  /** After a good one, which took this share of the subfunctions. */
  lengthen(share: number): void {
    this.scale = share + this.scale * (1 - share);
    this.radius *= 1 + share;
  }

  /** From now on steps stay within a radius, and the mean step is that of steps to come. */
  restart(radius: number): void {
    this.radius = radius;
    this.scale = RESTART_SCALE;
    this.distance = 0;
  }
}
