/**
 * Validation of linear problems: after `checkLinearProblem` every array has its length, every index is in range and
 * every number is finite.
 */
import { badOption, CurvatureError, checkFinite, type SparseMatrix, shown } from "@curvature/linalg";
import type { LinearProblem, Rows } from "./problem.js";
import { isSparseRows, rowAccess } from "./rows/access.js";
import { areFinite32, areFinite64, isPattern } from "./rows/sound.js";

/** 1/λ, which the duals are in units of, and its square must be numbers. */
const MIN_LAMBDA = 1e-150;

const MAX_FEATURES = 2 ** 27;

/**
 * @param where - the function or class whose problem this is, for the message
 * @throws CurvatureError ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE, ERR_OPTION, ERR_MEMORY for more than 2²⁷ columns; cells
 *   and rows are named from 0
 */
export function checkLinearProblem(problem: LinearProblem, where = "linear problem"): void {
  if (typeof problem !== "object" || problem === null)
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `the problem must be an object with rows, targets, loss, lambda and bias; received ${shown(problem)}.`,
      { where, path: "problem", received: problem },
    );
  const { rows, targets, loss, lambda, bias, importances } = problem;
  checkRows(rows, where);
  if (rows.rows === 0 || rows.columns === 0)
    throw new CurvatureError(
      "ERR_SHAPE",
      `there must be at least one row and one column; received ${rows.rows} x ${rows.columns}.`,
      { where, path: "rows", expected: "at least 1 x 1", received: [rows.rows, rows.columns] },
    );
  checkFeatureCount(rows.columns, where);
  checkLoss(loss, where);
  if (typeof lambda !== "number" || !(lambda >= MIN_LAMBDA) || !Number.isFinite(lambda))
    throw badOption(where, "lambda", `a finite number above 0, and not below ${MIN_LAMBDA}`, lambda);
  if (bias !== "none" && bias !== "regularized" && bias !== "free")
    throw badOption(where, "bias", 'one of "none", "regularized", "free"', bias);
  checkTargets(targets, rows.rows, loss.task, where);
  if (importances !== undefined) checkImportances(importances, rows.rows, where);
}

/**
 * Before solvers take a handful of vectors of so many numbers: one stray column number in sparse rows asks for all below it.
 *
 * @throws CurvatureError ERR_MEMORY for more than 2²⁷ columns, a gibibyte a vector
 */
export function checkFeatureCount(columns: number, where: string): void {
  if (columns <= MAX_FEATURES) return;
  const size = ((8 * columns) / 2 ** 30).toPrecision(3);
  throw new CurvatureError(
    "ERR_MEMORY",
    `${columns} columns make every vector of parameters ${size} GiB; ${MAX_FEATURES} columns are the most. Number the columns that are there from 0, or hash them to fewer.`,
    { where, path: "rows.columns", expected: `at most ${MAX_FEATURES}`, received: columns },
  );
}

/** @throws CurvatureError ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE */
export function checkRows(rows: Rows, where = "rows"): void {
  checkRowShape(rows, where);
  if (!isSparseRows(rows)) {
    checkFinite(rows, where);
    return;
  }
  const { rowPointers, columnIndices, values } = rows;
  const stored = rowPointers[rows.rows];
  const isSound =
    isPattern(rows.rows, rows.columns, rowPointers, columnIndices) &&
    (values instanceof Float32Array ? areFinite32(values, stored) : areFinite64(values, stored));
  if (!isSound) refuseRows(rows, where);
}

/**
 * That there are arrays of the right kinds and lengths; their entries are not looked at.
 *
 * @throws CurvatureError ERR_ARGUMENT, ERR_SHAPE
 */
export function checkRowShape(rows: Rows, where = "rows"): void {
  const { storedEntries } = rowAccess(rows);
  checkSize(rows.rows, "rows", where);
  checkSize(rows.columns, "columns", where);
  if (!isSparseRows(rows)) {
    if (rows.data.length < storedEntries)
      throw misshapen(where, "data", `${storedEntries} entries`, rows.data.length);
    return;
  }
  const { rowPointers, columnIndices, values } = rows;
  if (!(rowPointers instanceof Int32Array) || rowPointers.length < rows.rows + 1)
    throw misshapen(where, "rowPointers", `an Int32Array of ${rows.rows + 1} entries`, rowPointers);
  if (!(columnIndices instanceof Int32Array) || columnIndices.length < storedEntries)
    throw misshapen(where, "columnIndices", `an Int32Array of ${storedEntries} entries`, columnIndices);
  if (values.length < storedEntries)
    throw misshapen(where, "values", `${storedEntries} entries`, values.length);
  if (rowPointers[0] !== 0) throw misshapen(where, "rowPointers[0]", "0", rowPointers[0]);
}

/** @throws CurvatureError that names the first fault of the rows */
function refuseRows(rows: SparseMatrix<Float64Array | Float32Array>, where: string): void {
  const { rowPointers, columnIndices, values } = rows;
  const storedEntries = rowPointers[rows.rows];
  for (let i = 0; i < rows.rows; i++) {
    const [start, end] = [rowPointers[i], rowPointers[i + 1]];
    if (end < start || end > storedEntries)
      throw misshapen(where, `rowPointers[${i + 1}]`, `from ${start} to ${storedEntries}`, end);
    let before = -1;
    for (let k = start; k < end; k++) {
      const j = columnIndices[k];
      if (!(j > before && j < rows.columns))
        throw misshapen(
          where,
          `a column index of row ${i}`,
          `from ${before + 1} to ${rows.columns - 1} (increasing within a row)`,
          j,
        );
      if (!Number.isFinite(values[k])) throw nonFinite(where, `row ${i}, column ${j}`, values[k]);
      before = j;
    }
  }
}

function checkLoss(loss: unknown, where: string): void {
  const isLoss =
    typeof loss === "object" &&
    loss !== null &&
    "task" in loss &&
    (loss.task === "classification" || loss.task === "regression") &&
    "curvatureBound" in loss &&
    typeof loss.curvatureBound === "number" &&
    loss.curvatureBound > 0 &&
    ["value", "slope", "curvature", "implicitSlope"].every(
      (name) => typeof Reflect.get(loss, name) === "function",
    );
  if (!isLoss) throw badOption(where, "loss", 'a loss such as linearLoss("logistic")', loss);
}

function checkTargets(targets: unknown, n: number, task: "classification" | "regression", where: string) {
  const y = vectorOf(targets, n, "targets", where);
  const isClassification = task === "classification";
  for (let i = 0; i < n; i++) {
    if (y[i] === 1 || (isClassification && y[i] === -1)) continue;
    if (isClassification)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `the target of row ${i} (counted from 0) is ${y[i]}; a loss of classification needs −1 or +1.`,
        { where, path: `targets[${i}]`, expected: "-1 or 1", received: y[i] },
      );
    if (!Number.isFinite(y[i])) throw nonFinite(where, `targets[${i}]`, y[i]);
  }
}

function checkImportances(importances: unknown, n: number, where: string): void {
  const c = vectorOf(importances, n, "importances", where);
  for (let i = 0; i < n; i++) {
    if (!Number.isFinite(c[i])) throw nonFinite(where, `importances[${i}]`, c[i]);
    if (c[i] < 0)
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `the importance of row ${i} (counted from 0) is ${c[i]}; importances must be at least 0.`,
        { where, path: `importances[${i}]`, expected: "at least 0", received: c[i] },
      );
  }
}

function vectorOf(value: unknown, n: number, name: string, where: string): Float64Array {
  if (value instanceof Float64Array && value.length === n) return value;
  throw misshapen(
    where,
    name,
    `a Float64Array of ${n} numbers, one for each row`,
    value instanceof Float64Array ? value.length : value,
  );
}

function checkSize(size: unknown, name: string, where: string): void {
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0)
    throw misshapen(where, name, "a whole number of at least 0", size);
}

const misshapen = (where: string, path: string, expected: string, received: unknown): CurvatureError =>
  new CurvatureError("ERR_SHAPE", `${path} must be ${expected}; received ${shown(received)}.`, {
    where,
    path,
    expected,
    received,
  });

const nonFinite = (where: string, path: string, received: number): CurvatureError =>
  new CurvatureError(
    "ERR_NON_FINITE",
    `${where} has ${received} at ${path} (counted from 0). Remove or fill such entries before solving.`,
    { path, expected: "a finite number", received },
  );
