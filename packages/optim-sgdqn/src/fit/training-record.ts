/** What a model keeps of its training, for people who ask later where it came from. */
import type { LinearFitResult } from "./result.js";

const lambdaRules: readonly LinearFitResult["lambdaRule"][] = ["given", "leave-one-out", "folds", "size"];

export interface TrainingRecord extends Pick<LinearFitResult, "lambdaRule" | "leftOut"> {
  /** Those that counted. */
  readonly rows: number;
  /** λ°, which holds unless the rows clearly speak against it; undefined where it had no say. */
  readonly anchor: number | undefined;
}

/** As JSON has it, where undefined is left out. */
export function isTrainingRecord(value: unknown): value is TrainingRecord {
  const fields = fieldsOf(value);
  const { lambdaRule, rows, anchor = 0, leftOut = { error: 0, loss: 0 } } = fields;
  const { error, loss } = fieldsOf(leftOut);
  return (
    lambdaRules.some((rule) => rule === lambdaRule) && [rows, anchor, error, loss].every(Number.isFinite)
  );
}

const fieldsOf = (value: unknown): Partial<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
