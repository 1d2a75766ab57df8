/**
 * A run that is refused: an option's value, or data, is wrong, and a retry would not help. It is an answer, not a failure,
 * which would be retried.
 */
import type { UnitEnd } from "@curvature/cluster";
import { CurvatureError, type ErrorCode } from "@curvature/linalg";
import { CommanderError } from "commander";
import { exitCode } from "../run/exit-codes.js";
import { failureOf, isErrorCode } from "../run/failure.js";

/** As JSON. */
export interface Refusal {
  readonly refusal: { readonly code: ErrorCode; readonly message: string };
}

/** Undefined where another try, or a machine with more memory, may succeed. */
export function refusalFrom(error: unknown): Refusal | undefined {
  if (error instanceof CommanderError) {
    return { refusal: { code: "ERR_OPTION", message: error.message.replace(/^error: /, "") } };
  }
  const { code, message, exitCode: ended } = failureOf(error);
  const isFinal = (ended === exitCode.usage || ended === exitCode.data) && code !== "ERR_MEMORY";
  return isFinal && isErrorCode(code) ? { refusal: { code, message } } : undefined;
}

/** Of a unit that was refused. */
export function refusalOf(end: UnitEnd | undefined): Refusal["refusal"] | undefined {
  const answer: unknown = end?.status === "done" ? end.result : undefined;
  if (typeof answer !== "object" || answer === null || !("refusal" in answer)) return undefined;
  const { code, message }: Record<string, unknown> = Object(answer.refusal);
  const isWhole = typeof code === "string" && isErrorCode(code) && typeof message === "string";
  return isWhole ? { code, message } : undefined;
}

/** Where every unit was refused: the error that the first of them would have been by itself. */
export function refusalOfAll(ends: readonly (UnitEnd | undefined)[]): CurvatureError | undefined {
  const refusals = ends.map(refusalOf);
  const [first] = refusals;
  if (first === undefined || refusals.includes(undefined)) return undefined;
  return new CurvatureError(first.code, `Every run was refused: ${first.message}`);
}
