/**
 * Data as a sum of functions: minibatch i holds the rows i, i + N, i + 2N, …
 *
 * Section B.1.1 of the paper: the work of a step beside its evaluation grows with N, and so should be in step with the
 * size of a minibatch, N ∝ √D; its authors' program advises √D / 10, and not fewer than 25 where the data allow.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";

/** The value over some rows, and with an array the gradient into it. */
export type RowsObjective = (
  rows: Int32Array,
  x: Float64Array,
  gradient?: Float64Array,
) => number | Promise<number>;

export interface MinibatchOptions {
  /** N. Default `defaultMinibatchCount(rows)`. */
  readonly count?: number;
}

/** max(25, √D / 10), at most 100 and at most D. */
export function defaultMinibatchCount(rows: number): number {
  return Math.min(rows, 100, Math.max(25, Math.round(Math.sqrt(rows) / 10)));
}

/**
 * @param rows - D, the number of data rows
 * @param dimension - M
 * @param objective - the part of F that belongs to the rows it is given; the sum of all parts is F
 * @throws CurvatureError ERR_ARGUMENT
 */
export function splitIntoMinibatches(
  rows: number,
  dimension: number,
  objective: RowsObjective,
  { count = defaultMinibatchCount(rows) }: MinibatchOptions = {},
): SumOfFunctions & { readonly minibatches: readonly Int32Array[] } {
  checkSize("rows", rows, Number.MAX_SAFE_INTEGER);
  checkSize("dimension", dimension, Number.MAX_SAFE_INTEGER);
  checkSize("count", count, rows);
  const minibatches = Array.from({ length: count }, (_, i) =>
    Int32Array.from({ length: Math.ceil((rows - i) / count) }, (_row, k) => i + k * count),
  );
  return {
    dimension,
    count,
    minibatches,
    evaluate: (index, x, gradient) => objective(minibatches[index], x, gradient),
  };
}

function checkSize(name: string, value: unknown, most: number): void {
  if (Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most) return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `splitIntoMinibatches: ${name} must be a whole number from 1${most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`}; received ${shown(value)}.`,
    { path: name, received: value },
  );
}
