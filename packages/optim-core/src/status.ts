/**
 * Why a run ended:
 * - `converged`: a tolerance of a stopping rule, or the solver's own criterion, was met
 * - `target-reached`: the value, or the validation, reached the target that the user set
 * - `max-iterations`: as many iterations as allowed, or as many passes
 * - `max-evaluations`: as many evaluations as allowed, or a schedule of evaluations run to its end
 * - `time-limit`: `elapsedSeconds` reached the limit
 * - `aborted`: the signal was aborted, or a callback asked to stop
 * - `stalled`: no step decreases the value although no tolerance is met (a line search failed, rounding is reached), or no validation
 *   was lower for as long as its patience
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

/** Whether a value, such as one read from a report, is a status. */
export function isStatus(value: unknown): value is Status {
  return statuses.some((status) => status === value);
}
