/**
 * What a run returns. Every field is always there.
 */
import type { EndingTest, Iteration } from "./solver.js";
import type { Status } from "./status.js";

export interface RunResult<Details = unknown> {
  /** The best point by the solver's rule, a copy. */
  readonly x: Float64Array;
  /** The point at which the run ended, a copy. */
  readonly last: Float64Array;
  /** The value at `x`; undefined where the method never measured one. */
  readonly value: number | undefined;
  /** ‖∇f‖₂ of the last iteration that knew it; never NaN, undefined if none did. */
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
  /** That test's name, its number and its limit; undefined where the run ended by no such test. */
  readonly test: EndingTest | undefined;
  /** What was thrown, for the status `failed`; else undefined. */
  readonly cause: unknown;
  /**
   * The iterations that the run was asked to keep (the last of them where the history is bounded), as the solver reported
   * them: one that ends as `diverged` shows the NaN that it met.
   */
  readonly history: readonly Iteration<Details>[];
  /** The options as used, defaults filled in, functions left out: the solver's, the run's, and the solver's name. */
  readonly options: Readonly<Record<string, unknown>>;
}
