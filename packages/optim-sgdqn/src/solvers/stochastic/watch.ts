/**
 * What the ends of passes tell a stochastic solver: when to end, and which point was best.
 */
import type { Outcome, SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { Sample } from "./sample.js";

/** Passes without a better validation error before the solver ends. */
const PATIENCE = 3;
/** Passes of a small change of P before it ends. */
const QUIET = 2;

export class PassWatch {
  /** Evaluations of rows that only watched. */
  evaluations = 0;
  /** The best point at the end of a pass, and P there where it was measured. */
  readonly x: Float64Array;
  value: number | undefined;
  /** P and the validation error after the last pass, where they were measured. */
  cost: number | undefined;
  error: number | undefined;
  private leastError = Number.POSITIVE_INFINITY;
  private worse = 0;
  private quiet = 0;
  private readonly tolerance: number | undefined;

  constructor(start: Float64Array, tolerance: number | undefined) {
    this.x = start.slice();
    this.tolerance = tolerance;
  }

  /** Whether `x` is chosen by a measure, and not merely the last. */
  get isMeasured(): boolean {
    return this.value !== undefined || Number.isFinite(this.leastError);
  }

  /** Looks at w, which is finite, after a pass. */
  look(w: Float64Array, sample: Sample): Outcome | undefined {
    const isCostDue = this.tolerance !== undefined;
    const isErrorDue = sample.training < sample.count;
    const before = this.cost;
    if (isCostDue) {
      this.cost = sample.cost(w, sample.training);
      this.evaluations += sample.training;
    }
    if (isErrorDue) {
      this.error = sample.validationError(w);
      this.evaluations += sample.count - sample.training;
    }
    if (isErrorDue ? this.isLeastError() : !isCostDue || this.isLeastCost()) {
      this.x.set(w);
      this.value = this.cost;
    }
    return this.judge(before);
  }

  private isLeastError(): boolean {
    const { error } = this;
    const isBetter = error !== undefined && error < this.leastError;
    if (isBetter) this.leastError = error;
    this.worse = isBetter ? 0 : this.worse + 1;
    return isBetter;
  }

  private isLeastCost(): boolean {
    const { cost, value } = this;
    return cost !== undefined && (value === undefined || cost < value);
  }

  private judge(before: number | undefined): Outcome | undefined {
    if (this.worse >= PATIENCE)
      return {
        status: "converged",
        message: `The error on the validation rows has not been below ${this.leastError} for ${PATIENCE} passes.`,
      };
    const { cost, tolerance } = this;
    if (tolerance === undefined || cost === undefined || before === undefined) return undefined;
    this.quiet = Math.abs(cost - before) <= tolerance * before ? this.quiet + 1 : 0;
    if (this.quiet < QUIET) return undefined;
    return {
      status: "converged",
      message: `P changed by at most ${tolerance} of itself in ${QUIET} passes on end; it is ${cost}.`,
    };
  }

  /** After a restart: the best point stays, and what was seen of the passes before is forgotten. */
  restart(): void {
    this.cost = undefined;
    this.error = undefined;
    this.worse = 0;
    this.quiet = 0;
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { evaluations, value, cost, error, leastError, worse, quiet } = this;
    return {
      evaluations,
      x: this.x.slice(),
      value: value ?? null,
      cost: cost ?? null,
      error: error ?? null,
      leastError,
      worse,
      quiet,
    };
  }

  /** @throws CurvatureError ERR_SNAPSHOT, and is then as it was before */
  restore(state: SnapshotReader): void {
    const x = state.float64("x", this.x.length);
    const [value, cost, error] = [
      state.optionalNumber("value"),
      state.optionalNumber("cost"),
      state.optionalNumber("error"),
    ];
    const [leastError, evaluations] = [state.number("leastError"), state.integer("evaluations")];
    const [worse, quiet] = [state.integer("worse"), state.integer("quiet")];
    this.x.set(x);
    [this.value, this.cost, this.error] = [value, cost, error];
    [this.leastError, this.evaluations, this.worse, this.quiet] = [leastError, evaluations, worse, quiet];
  }
}
