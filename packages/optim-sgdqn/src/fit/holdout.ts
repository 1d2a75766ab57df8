/** Problems on some of their rows. */
import { RandomGenerator, selectRows } from "@curvature/linalg";
import type { LinearProblem, Rows } from "@curvature/objectives/linear";
import { dealFolds, split } from "../path/folds.js";

/** Rows to learn from, and rows held out; in the order of the whole, so that memory is read in order. */
export interface Split {
  readonly training: Int32Array;
  readonly heldOut: Int32Array;
}

/** By model the problem on the rows to learn from, and the same on those held out. */
export interface SplitProblems {
  readonly training: readonly LinearProblem[];
  readonly heldOut: readonly LinearProblem[];
}

/**
 * @param problems - on the same rows
 * @param classOfRow - by row its class, of which each has its share held out; undefined for regression
 * @throws CurvatureError ERR_OPTION for fewer than 2 rows
 */
export function withoutHeldOut(
  problems: readonly LinearProblem[],
  classOfRow: Int32Array | undefined,
  share: number,
  seed: number,
): SplitProblems {
  const [{ rows }] = problems;
  const { training, held } = split(rows.rows, share, new RandomGenerator(seed), classAt(classOfRow));
  return { training: partsOf(problems, training), heldOut: partsOf(problems, held) };
}

/** Splits whose held-out rows are disjoint and together all. @throws CurvatureError ERR_OPTION for fewer than 2 rows */
export function folds(n: number, classOfRow: Int32Array | undefined, count: number, seed: number): Split[] {
  const used = Math.max(2, Math.min(n, count));
  const foldOf = dealFolds(n, used, new RandomGenerator(seed), classAt(classOfRow));
  const rows = Int32Array.from(foldOf.keys());
  return Array.from({ length: used }, (_, fold) => ({
    training: rows.filter((i) => foldOf[i] !== fold),
    heldOut: rows.filter((i) => foldOf[i] === fold),
  }));
}

/** The problems on these rows, which all of them share. */
export function partsOf(problems: readonly LinearProblem[], indices: Int32Array): LinearProblem[] {
  const rows: Rows = selectRows(problems[0].rows, indices);
  return problems.map((problem) => {
    const { targets, importances } = problem;
    return {
      ...problem,
      rows,
      targets: selected(targets, indices),
      importances: importances && importancesOfPart(importances, indices),
    };
  });
}

/**
 * Importances of some of the rows, with the mean of all: P is a mean over rows, and so as strong beside λ on a part of the rows as on
 * the same part of rows that stand there as often as they weigh.
 */
export function importancesOfPart(importances: Float64Array, indices: Int32Array): Float64Array {
  const part = selected(importances, indices);
  const [whole, own] = [meanOf(importances), meanOf(part)];
  return own > 0 && own !== whole ? part.map((each) => (each * whole) / own) : part;
}

const meanOf = (values: Float64Array): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The entries at these indices. */
export function selected(values: Float64Array, indices: Int32Array): Float64Array {
  return Float64Array.from(indices, (i) => values[i]);
}

const classAt = (classOfRow: Int32Array | undefined): ((i: number) => number) | undefined =>
  classOfRow === undefined ? undefined : (i) => classOfRow[i];
