/** The rows of a task, and how they count where λ is chosen. */
import { selected } from "../fit/holdout.js";
import { areCopies, effectiveCount } from "../fit/weights.js";
import { type LinearTask, partOf } from "./task.js";

export interface Counted {
  readonly task: LinearTask;
  /** Of the whole task's rows; undefined for all. */
  readonly indices: Int32Array | undefined;
  /** w */
  readonly weights: Float64Array | undefined;
  /** How many rows count: Σw of copies, (Σw)²/Σw² of importances. */
  readonly count: number;
  /** ĉ */
  readonly shares: Float64Array;
  /** γᵢ over n: what is left out of cᵢ. */
  readonly left: Float64Array;
}

export const isRegression = ({ task }: Counted): boolean => task.loss.task === "regression";

/** The rows that count: one of importance 0 is as if it were not there. */
export function countingRows(task: LinearTask, given: ArrayLike<number> | undefined): Counted {
  const n = task.rows.rows;
  const c = task.importances;
  const weights = given === undefined ? c : Float64Array.from(given);
  const kept = c && Int32Array.from(c.keys()).filter((i) => c[i] > 0);
  if (kept === undefined || kept.length === n) return countedRows(task, weights, undefined);
  return countedRows(partOf(task, kept), weights && selected(weights, kept), kept);
}

/** Some of them. */
export function partOfCounted({ task, weights, indices }: Counted, some: Int32Array): Counted {
  return countedRows(
    partOf(task, some),
    weights && selected(weights, some),
    indices === undefined ? some : Int32Array.from(some, (i) => indices[i]),
  );
}

function countedRows(
  task: LinearTask,
  weights: Float64Array | undefined,
  indices: Int32Array | undefined,
): Counted {
  const n = task.rows.rows;
  const c = task.importances ?? new Float64Array(n).fill(1);
  const isOfCopies = weights !== undefined && areCopies(weights);
  const total = c.reduce((sum, ci) => sum + ci, 0);
  return {
    task,
    indices,
    weights,
    count: weights === undefined ? n : effectiveCount(weights),
    shares: c.map((ci) => ci / total),
    left: c.map((ci, i) => (isOfCopies ? ci / weights[i] / n : ci / n)),
  };
}
