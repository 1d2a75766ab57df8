/**
 * What a stochastic solver learns from the ends of passes: when to end, and which point was best.
 */
import type { Outcome } from "@curvature/optim-core";
import { float64, maybe, number, stateOf, whole } from "@curvature/optim-core/state";
import type { Sample } from "./sample.js";

/** Passes without a better validation error before the solver ends. */
const PATIENCE = 3;
/** Passes of a small change of P before it ends. */
const QUIET = 2;

export class PassMonitor {
  readonly state;
  private readonly tolerance: number | undefined;

  constructor(start: Float64Array, tolerance: number | undefined) {
    this.tolerance = tolerance;
    this.state = stateOf({
      /** Evaluations of rows that only monitored. */
      evaluations: whole(),
      /** The best point at the end of a pass, and P there where it was measured. */
      x: float64(start.slice()),
      value: maybe(number()),
      /** P and the validation error after the last pass, where they were measured. */
      cost: maybe(number()),
      error: maybe(number()),
      leastError: number(Number.POSITIVE_INFINITY),
      worse: whole(),
      quiet: whole(),
    });
  }

  /** Whether `x` is chosen by a measure, and not merely the last. */
  get isMeasured(): boolean {
    return this.state.value !== undefined || Number.isFinite(this.state.leastError);
  }

  /** Looks at w, which is finite, after a pass. */
  look(w: Float64Array, sample: Sample): Outcome | undefined {
    const { state } = this;
    const isCostDue = this.tolerance !== undefined;
    const isErrorDue = sample.training < sample.count;
    const before = state.cost;
    if (isCostDue) {
      state.cost = sample.cost(w, sample.training);
      state.evaluations += sample.training;
    }
    if (isErrorDue) {
      state.error = sample.validationError(w);
      state.evaluations += sample.count - sample.training;
    }
    if (isErrorDue ? this.isLeastError() : !isCostDue || this.isLeastCost()) {
      state.x.set(w);
      state.value = state.cost;
    }
    return this.judge(before);
  }

  private isLeastError(): boolean {
    const { state } = this;
    const { error } = state;
    const isBetter = error !== undefined && error < state.leastError;
    if (isBetter) state.leastError = error;
    state.worse = isBetter ? 0 : state.worse + 1;
    return isBetter;
  }

  private isLeastCost(): boolean {
    const { cost, value } = this.state;
    return cost !== undefined && (value === undefined || cost < value);
  }

  private judge(before: number | undefined): Outcome | undefined {
    const { state, tolerance } = this;
    if (state.worse >= PATIENCE)
      return {
        status: "stalled",
        message: `The error on the validation rows has not been below ${state.leastError} for ${PATIENCE} passes.`,
      };
    const { cost } = state;
    if (tolerance === undefined || cost === undefined || before === undefined) return undefined;
    state.quiet = Math.abs(cost - before) <= tolerance * before ? state.quiet + 1 : 0;
    if (state.quiet < QUIET) return undefined;
    return {
      status: "stalled",
      message: `P changed by at most ${tolerance} of itself in ${QUIET} passes on end; it is ${cost}.`,
    };
  }

  /** After a restart: the best point stays, and what was seen of the passes before is forgotten. */
  restart(): void {
    Object.assign(this.state, { cost: undefined, error: undefined, worse: 0, quiet: 0 });
  }
}
