/**
 * What the process says to the shell. The same numbers for every command.
 */
import type { Status } from "@curvature/optim-core";

export const exitCode = Object.freeze({
  /** Converged, reached the target, stopped early by a validation, or the schedule of a method ran to its end. */
  success: 0,
  /** Stopped at a limit, or stalled, with a result fit for use. */
  limit: 2,
  /** Aborted by a signal; what there was has been written. */
  aborted: 3,
  /** Diverged or failed; the best finite point has been written if there was one. */
  failed: 4,
  usage: 64,
  /** The data, or a checkpoint, is wrong, or too large for the memory. */
  data: 65,
  /** No GPU, where one was asked for. */
  unavailable: 69,
  io: 74,
});

/** A second signal ends the process at once, as the shell reports a death by that signal. */
export const exitCodeOfSignal = Object.freeze({ SIGINT: 130, SIGTERM: 143 });

export interface Ending {
  readonly status: Status;
  readonly usable: boolean;
  /** What is the natural end of a method with a schedule of evaluations or passes, and of one that a validation stops. */
  readonly scheduled: Status | undefined;
  /** Whether a signal came, even if too late to end the run early: who asked to stop wants nothing to follow. */
  readonly aborted: boolean;
}

export function exitCodeOf({ status, usable, scheduled, aborted }: Ending): number {
  if (aborted && status !== "diverged" && status !== "failed") return exitCode.aborted;
  switch (status) {
    case "converged":
    case "target-reached":
      return exitCode.success;
    case "max-evaluations":
    case "max-iterations":
    case "time-limit":
    case "stalled":
      if (status === scheduled) return exitCode.success;
      return usable ? exitCode.limit : exitCode.failed;
    case "aborted":
      return exitCode.aborted;
    case "diverged":
    case "failed":
      return exitCode.failed;
  }
}
