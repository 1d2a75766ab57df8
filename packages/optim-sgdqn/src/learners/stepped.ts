/**
 * Rows of a visit that are plain steps, many of them a call, in a memory of native loops: see `RowMemory`.
 */
import { type RowMemory, STEP_ROWS, type StepLoss } from "@curvature/linalg";
import { type LinearLoss, type LinearLossName, linearLoss } from "@curvature/objectives/linear";
import type { LearnerSettings, TrainingRows } from "../learner.js";

/** Stored entries between two decays from which on a call is worth it: those of 16 dense rows of 32 columns. */
const MIN_ENTRIES = 512;

const isStepLoss = (name: LinearLossName): name is StepLoss =>
  name === "squared-hinge" || name === "hinge" || name === "squared-error";

/** The loss as those loops know it; undefined if they do not, as a loss of a user's own under one of these names. */
export function stepLoss({ loss }: LearnerSettings): StepLoss | undefined {
  const { name }: LinearLoss = loss;
  return isStepLoss(name) && loss === linearLoss(name) ? name : undefined;
}

/** The memory of rows, where calls for `skip` of them are worth it. */
export function steppedMemory({ memory, access }: TrainingRows, skip: number): RowMemory | undefined {
  return skip * access.storedEntries >= MIN_ENTRIES * access.rows ? memory : undefined;
}

/** Hands the steps of rows from … to − 1 to `step`, with what is known of them written to the memory. */
export function steppedRows(
  memory: RowMemory,
  { targets, importances, squaredNorms }: TrainingRows,
  from: number,
  to: number,
  step: (from: number, to: number) => void,
): void {
  for (let start = from; start < to; start += STEP_ROWS) {
    const end = Math.min(to, start + STEP_ROWS);
    memory.targets.set(targets.subarray(start, end));
    if (importances === undefined) memory.importances.fill(1, 0, end - start);
    else memory.importances.set(importances.subarray(start, end));
    if (squaredNorms !== undefined) memory.squaredNorms.set(squaredNorms.subarray(start, end));
    step(start, end);
  }
}
