/**
 * What a run returns. Every field is always there.
 */
import type { Iteration } from "./solver.js";

/**
 * Why a run ended:
 * - `converged`: a tolerance of a stopping rule, or the solver's own criterion, was met
 * - `target-reached`: the value reached the target that the user set
 * - `max-iterations`: as many iterations as allowed, or as many passes
 * - `max-evaluations`: as many evaluations as allowed, or a schedule of evaluations run to its end
 * - `time-limit`: `elapsedSeconds` reached the limit
 * - `aborted`: the signal was aborted, or a callback asked to stop
 * - `stalled`: no step decreases the value although no tolerance is met (a line search failed, rounding is reached)
 * - `diverged`: a value or point was not finite, and backing off did not help
 * - `failed`: an evaluation threw or rejected, or a factorisation could not be made
 */
export type Status = (typeof statuses)[number];

const statuses = [
  "converged",
  "target-reached",
  "max-iterations",
  "max-evaluations",
  "time-limit",
  "aborted",
  "stalled",
  "diverged",
  "failed",
] as const;

export function isStatus(value: unknown): value is Status {
  return statuses.some((status) => status === value);
}

export interface RunResult<Details = unknown> {
  /** The best point by the solver's rule, a copy. */
  readonly x: Float64Array;
  /** The point at which the run ended, a copy. */
  readonly last: Float64Array;
  /** The value at `x`; undefined where the method never measured one. */
  readonly value: number | undefined;
  /** ‖∇f‖₂ of the last iteration that knew it. */
  readonly gradientNorm: number | undefined;
  readonly iterations: number;
  readonly evaluations: number;
  readonly gradientEvaluations: number;
  readonly monitoringEvaluations: number;
  readonly passes: number;
  /** Seconds inside the run, those before a resume included. */
  readonly elapsedSeconds: number;
  readonly status: Status;
  /**
   * Whether `x` is fit for use: its entries are finite, and so is `value`; where no value was ever measured, the
   * run neither `failed` nor `diverged`.
   */
  readonly usable: boolean;
  /** A sentence that says which test fired, with its numbers. */
  readonly message: string;
  /** What was thrown, for the status `failed`; else undefined. */
  readonly cause: unknown;
  /** The iterations that the run was asked to keep (the last of them where the history is bounded). */
  readonly history: readonly Iteration<Details>[];
  /** The options as used, defaults filled in: the solver's under their names, the run's, and the solver's name. */
  readonly options: Readonly<Record<string, unknown>>;
}
