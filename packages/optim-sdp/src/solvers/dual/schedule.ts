/**
 * What the primal-dual method does between the checks of its bounds. With UB the estimate of the upper bound, LB the lower bound and
 * v = Tr(D X), which is above the optimum while X has negative entries:
 *
 *   tighten   after 20 steps, where v − LB > max(0.4 tolerance |v|, (UB − LB)/2): the factor is the weak side. At most
 *             twice, and twice only if the first time gained more than 20 % of v − LB
 *   tail      where the factor gained less than 30 % of v − LB, UB − v < 0.5 tolerance |v|, v − LB > 0.6 tolerance |v|, and
 *             in five checks UB fell by less than a tenth of UB − LB and v moved by less than tolerance/2: the optimum is
 *             not completely positive, LB has to come from X. The last two distinguish a v that is near UB from one that passes by
 *   stalled   where the gap has not fallen by a twentieth in 200 checks
 */
import { float64, number, stateOf, whole } from "@curvature/optim-core/state";

const SETTLED = 20;
const TIGHTENINGS = 2;
const WINDOW = 5;
const WINDOW_SHARE = 0.1;
/** Of tolerance |v|, within which UB is near v. */
const NEAR = 0.5;
export const PATIENCE = 200;
const PROGRESS = 0.95;
/** Of tolerance |v|, within which v stays when it is settled. */
const STILL = 0.5;

export interface Situation {
  readonly upper: number;
  readonly lower: number;
  /** v */
  readonly objective: number;
  /** tolerance |v| */
  readonly allowed: number;
  /** Steps of the ADMM so far. */
  readonly steps: number;
  readonly isTailReady: boolean;
}

export type Decision = "continue" | "tighten" | "tail" | "stalled";

export class Schedule {
  readonly state = stateOf({
    tightenings: whole(),
    /** LB and v before the latest tightening, and the share of v − LB that it gained. */
    lower: number(),
    objective: number(),
    gained: number(0),
    /** The least gap so far, and checks until it counts as standing still. */
    least: number(Number.POSITIVE_INFINITY),
    patience: whole(PATIENCE),
    /** UB and v at the latest checks, the oldest first. */
    recent: float64(new Float64Array(WINDOW).fill(Number.NaN)),
    objectives: float64(new Float64Array(WINDOW).fill(Number.NaN)),
  });

  /** The factor has been tightened. */
  tightened(lower: number): void {
    const { state } = this;
    state.gained = (lower - state.lower) / (state.objective - state.lower);
  }

  decide(now: Situation): Decision {
    if (now.steps < SETTLED) return "continue";
    const decision = this.chosen(now);
    const { recent, objectives } = this.state;
    if (decision === "tail") recent.fill(Number.NaN);
    recent.copyWithin(0, 1);
    recent[WINDOW - 1] = now.upper;
    objectives.copyWithin(0, 1);
    objectives[WINDOW - 1] = now.objective;
    return decision;
  }

  private chosen({ upper, lower, objective, allowed, isTailReady }: Situation): Decision {
    const { state } = this;
    const missing = objective - lower;
    const again = state.tightenings === 0 || (state.tightenings < TIGHTENINGS && state.gained > 0.2);
    if (again && missing > Math.max(0.4 * allowed, 0.5 * (upper - lower))) {
      state.tightenings++;
      [state.lower, state.objective] = [lower, objective];
      return "tighten";
    }
    const isStill = state.objectives.every((v) => Math.abs(v - objective) < STILL * allowed);
    const isSettled = isStill && state.recent[0] - upper < WINDOW_SHARE * (upper - lower);
    const isOnlyLower = upper - objective < NEAR * allowed && missing > 0.6 * allowed;
    if (isTailReady && state.tightenings > 0 && state.gained < 0.3 && isSettled && isOnlyLower) return "tail";
    const gap = upper - lower;
    if (gap < PROGRESS * state.least) {
      state.least = gap;
      state.patience = PATIENCE;
      return "continue";
    }
    state.patience--;
    return state.patience > 0 ? "continue" : "stalled";
  }
}
