/** Names data in checkpoints, so that a run is not resumed on other data. */
import { fingerprintOf } from "@curvature/optim-core";
import type { LinearProblem } from "./problem.js";
import { isSparseRows } from "./rows/access.js";

/** A hash of every row, target and importance, and of loss, λ and bias. Costs about one read of the data. */
export function fingerprintOfLinear(problem: LinearProblem): string {
  const { rows, targets, importances, loss, lambda, bias } = problem;
  const entries = isSparseRows(rows)
    ? [rows.rowPointers, rows.columnIndices, rows.values]
    : ["dense", rows.data];
  return fingerprintOf(
    loss.name,
    loss.width ?? 0,
    lambda,
    bias,
    rows.rows,
    rows.columns,
    ...entries,
    targets,
    ...(importances === undefined ? [] : [importances]),
  );
}
