/**
 * More than two classes as one binary problem for each: class k against the rest.
 *
 *   P_k(w_k, b_k) = λ/2 ‖w_k‖² + (1/n) Σ_i c_i l(w_k·x_i + b_k, ±1),   +1 where label_i = k
 *
 * A row belongs to the class of the largest score; of equal scores the lower class's counts.
 */
import { badOption, CurvatureError, type DenseMatrix, shown, zeros } from "@curvature/linalg";
import {
  type Bias,
  checkRowShape,
  type LinearLoss,
  type LinearProblem,
  type Rows,
  rowAccess,
} from "@curvature/objectives/linear";

/** Each class has a solver, and n targets, of its own. */
const MAX_CLASSES = 2 ** 16;

export interface MulticlassProblem {
  /** n x d */
  readonly rows: Rows;
  /** Length n, from 0 to classes − 1. */
  readonly labels: Int32Array;
  /** K, from 2 to 65,536; a class may be without rows. */
  readonly classes: number;
  /** A loss of classification. */
  readonly loss: LinearLoss;
  /** λ > 0. */
  readonly lambda: number;
  readonly bias: Bias;
  /** c ≥ 0, length n; all 1 without. */
  readonly importances?: Float64Array | undefined;
}

/** Class k against the rest. */
export function binaryProblem(problem: MulticlassProblem, k: number): LinearProblem {
  const { rows, labels, loss, lambda, bias, importances } = problem;
  const targets = new Float64Array(labels.length);
  for (let i = 0; i < targets.length; i++) targets[i] = labels[i] === k ? 1 : -1;
  return { rows, targets, loss, lambda, bias, importances };
}

/** Each class against the rest. */
export const binaryProblems = (problem: MulticlassProblem): LinearProblem[] =>
  Array.from({ length: problem.classes }, (_, k) => binaryProblem(problem, k));

/** The labels and their number; the rest is `checkLinearProblem`'s matter. @throws CurvatureError */
export function checkMulticlass(problem: MulticlassProblem, where: string): void {
  if (typeof problem !== "object" || problem === null)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `the problem must be an object with rows, labels, classes, loss, lambda and bias; received ${shown(problem)}.`,
      { where, path: "problem", received: problem },
    );
  const { rows, labels, classes, loss } = problem;
  if (!Number.isSafeInteger(classes) || classes < 2 || classes > MAX_CLASSES)
    throw badOption(where, "classes", `a whole number from 2 to ${MAX_CLASSES}`, classes);
  if (loss?.task !== "classification") throw badOption(where, "loss", "a loss of classification", loss?.name);
  if (!(labels instanceof Int32Array) || labels.length !== rows?.rows)
    throw new CurvatureError(
      "ERR_SHAPE",
      `labels must be an Int32Array with one class for each of the ${shown(rows?.rows)} rows; received ${shown(labels)}.`,
      { where, path: "labels", expected: `an Int32Array of length ${shown(rows?.rows)}`, received: labels },
    );
  const at = labels.findIndex((label) => label < 0 || label >= classes);
  if (at >= 0)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `the label of row ${at} (counted from 0) is ${labels[at]}; classes are numbered from 0 to ${classes - 1}.`,
      { where, path: `labels[${at}]`, expected: `from 0 to ${classes - 1}`, received: labels[at] },
    );
}

/** The index of the largest of `count` scores from `offset` on; of equal ones the first. */
export function largestScore(scores: Float64Array, offset = 0, count = scores.length): number {
  let best = 0;
  for (let k = 1; k < count && offset + k < scores.length; k++)
    if (scores[offset + k] > scores[offset + best]) best = k;
  return best;
}

/**
 * The scores of row after row, K for each: n x K.
 *
 * @param parameters - K x d, or K x (d + 1) with a bias
 * @throws CurvatureError ERR_SHAPE, ERR_MEMORY; what the numbers are is not looked at
 */
export function classScores(rows: Rows, parameters: DenseMatrix, bias: Bias): DenseMatrix {
  checkRowShape(rows, "classScores");
  checkParameters(parameters, rows.columns + (bias === "none" ? 0 : 1));
  const access = rowAccess(rows);
  const { rows: classes, columns, data } = parameters;
  const scores = zeros(rows.rows, classes);
  for (let k = 0; k < classes; k++) {
    const w = data.subarray(k * columns, (k + 1) * columns);
    const b = bias === "none" ? 0 : w[rows.columns];
    for (let i = 0; i < rows.rows; i++) scores.data[i * classes + k] = access.dot(i, w) + b;
  }
  return scores;
}

function checkParameters(parameters: DenseMatrix, columns: number): void {
  const fields: Partial<DenseMatrix> =
    typeof parameters === "object" && parameters !== null ? parameters : {};
  const fits =
    fields.columns === columns &&
    fields.data instanceof Float64Array &&
    typeof fields.rows === "number" &&
    fields.data.length === fields.rows * columns;
  if (!fits)
    throw new CurvatureError(
      "ERR_SHAPE",
      `parameters must be a dense matrix of ${columns} columns, { rows, columns, data: Float64Array }; received ${shown(parameters)}.`,
      { where: "classScores", path: "parameters", expected: `K x ${columns}`, received: parameters },
    );
}
