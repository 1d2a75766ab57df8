/**
 * The penalty ρ of an ADMM, which follows the residuals:
 *
 *   ρ ← 1.5 ρ  where r_p > 2 r_d,   ρ ← ρ/1.5  where r_d > 2 r_p,   every 20 steps
 *   tail: ρ is 30 times as large for the next 200 steps, and follows nothing; then it is as before for as many at least
 *
 * In a tail X becomes nonnegative faster and S does not improve: primal accuracy for dual. Whether one is due is for the
 * caller to say. The caller has the multiplier S = ρ [−W]_+ and keeps it where ρ changes: the negative part of W is divided by the
 * factor.
 *
 * Boyd et al.: Distributed optimization and statistical learning via ADMM. Found. Trends Mach. Learn. 3 (2011), section
 * 3.4.1, eq. (3.13), with 2 for the tenfold, and 1.5 for the twofold.
 */
import { number, stateIn, whole } from "@curvature/optim-core/state";

/** Steps between two comparisons of the residuals, and the factor of one change. */
export const BALANCE = 20;
const FACTOR = 1.5;
const TAIL_FACTOR = 30;
const TAIL_STEPS = 200;

export class Penalty {
  /** Steps that are left of a tail, and after it until the next one may come. */
  tail = 0;
  rest = 0;
  readonly state = stateIn<Penalty, "rho" | "tail" | "rest">(this, {
    rho: number(),
    tail: whole(),
    rest: whole(),
  });

  constructor(public rho: number) {}

  /** Whether a tail may begin. */
  get isTailReady(): boolean {
    return this.tail === 0 && this.rest === 0;
  }

  /** @returns the factor by which ρ has changed */
  beginTail(): number {
    this.tail = TAIL_STEPS;
    return this.changed(TAIL_FACTOR);
  }

  /** After every `BALANCE` steps. @returns the factor by which ρ has changed */
  balance(primal: number, dual: number): number {
    if (this.tail > 0) {
      this.tail -= BALANCE;
      if (this.tail > 0) return 1;
      this.rest = TAIL_STEPS;
      return this.changed(1 / TAIL_FACTOR);
    }
    this.rest = Math.max(0, this.rest - BALANCE);
    if (primal > 2 * dual) return this.changed(FACTOR);
    return dual > 2 * primal ? this.changed(1 / FACTOR) : 1;
  }

  private changed(factor: number): number {
    this.rho *= factor;
    return factor;
  }
}
