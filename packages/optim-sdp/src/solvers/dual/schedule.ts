/**
 * What `auto` does between the checks of its bounds. With UB the estimate of the upper bound, LB the lower bound and
 * v = Tr(D X), which is above the optimum while X has negative entries:
 *
 *   tighten   after 20 steps, where v − LB > max(0.4 tolerance |v|, (UB − LB)/2): the factor is the weak side. At most
 *             twice, and twice only if the first time gained more than 20 % of v − LB
 *   tail      where the factor gained less than 30 % of v − LB, UB − v < 0.5 tolerance |v|, v − LB > 0.6 tolerance |v|, and
 *             in five checks UB fell by less than a tenth of UB − LB and v moved by less than tolerance/2: the optimum is
 *             not completely positive, LB has to come from X. The last two tell a v that is near UB from one that passes by
 *   stalled   where the gap has not fallen by a twentieth in 200 checks
 */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";

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
  private tightenings = 0;
  /** LB and v before the latest tightening, and the share of v − LB that it gained. */
  private lower = Number.NaN;
  private objective = Number.NaN;
  private gained = 0;
  /** UB and v at the latest checks, the oldest first. */
  private readonly recent = new Float64Array(WINDOW).fill(Number.NaN);
  private readonly objectives = new Float64Array(WINDOW).fill(Number.NaN);
  private least = Number.POSITIVE_INFINITY;
  private patience = PATIENCE;

  /** The factor has been tightened. */
  tightened(lower: number): void {
    this.gained = (lower - this.lower) / (this.objective - this.lower);
  }

  decide(now: Situation): Decision {
    if (now.steps < SETTLED) return "continue";
    const decision = this.chosen(now);
    if (decision === "tail") this.recent.fill(Number.NaN);
    this.recent.copyWithin(0, 1);
    this.recent[WINDOW - 1] = now.upper;
    this.objectives.copyWithin(0, 1);
    this.objectives[WINDOW - 1] = now.objective;
    return decision;
  }

  private chosen({ upper, lower, objective, allowed, isTailReady }: Situation): Decision {
    const missing = objective - lower;
    const again = this.tightenings === 0 || (this.tightenings < TIGHTENINGS && this.gained > 0.2);
    if (again && missing > Math.max(0.4 * allowed, 0.5 * (upper - lower))) {
      this.tightenings++;
      [this.lower, this.objective] = [lower, objective];
      return "tighten";
    }
    const isStill = this.objectives.every((v) => Math.abs(v - objective) < STILL * allowed);
    const isSettled = isStill && this.recent[0] - upper < WINDOW_SHARE * (upper - lower);
    const isOnlyLower = upper - objective < NEAR * allowed && missing > 0.6 * allowed;
    if (isTailReady && this.tightenings > 0 && this.gained < 0.3 && isSettled && isOnlyLower) return "tail";
    const gap = upper - lower;
    if (gap < PROGRESS * this.least) {
      this.least = gap;
      this.patience = PATIENCE;
      return "continue";
    }
    this.patience--;
    return this.patience > 0 ? "continue" : "stalled";
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { tightenings, lower, objective, gained, least, patience } = this;
    return {
      tightenings,
      lower,
      objective,
      gained,
      least,
      patience,
      recent: this.recent.slice(),
      objectives: this.objectives.slice(),
    };
  }

  /** Reads all fields, and gives back what takes them. @throws CurvatureError ERR_SNAPSHOT */
  read(state: SnapshotReader): () => void {
    const recent = state.float64("recent", WINDOW);
    const objectives = state.float64("objectives", WINDOW);
    const [lower, objective, gained, least] = ["lower", "objective", "gained", "least"].map((key) =>
      state.number(key),
    );
    const tightenings = state.integer("tightenings");
    const patience = state.integer("patience");
    return () => {
      this.recent.set(recent);
      this.objectives.set(objectives);
      [this.lower, this.objective, this.gained, this.least] = [lower, objective, gained, least];
      this.tightenings = tightenings;
      this.patience = patience;
    };
  }
}
