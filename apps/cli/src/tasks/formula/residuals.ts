/** A formula and rows as a problem of least squares. */
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import type { FormulaNames } from "../../formula/names.js";
import type { Formula } from "../../formula/parse-formula.js";
import { Tape } from "../../formula/tape.js";

/** Rows with what is left of ~ computed. */
export interface FormulaRows {
  readonly points: DenseMatrix;
  readonly response: Float64Array;
  /** The root of what each row counts. */
  readonly roots: Float64Array | undefined;
}

/** @throws CurvatureError ERR_NON_FINITE for rows of which the response is no number */
export function formulaRows(
  formula: Formula,
  names: FormulaNames,
  points: DenseMatrix,
  weights: Float64Array | undefined,
): FormulaRows {
  const tape = new Tape(formula.response, names.columns);
  const response = Float64Array.from({ length: points.rows }, (_, i) =>
    tape.value(points.data, i * points.columns),
  );
  const bad = response.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    const cells = names.columns
      .filter((name) => !names.variables.includes(name))
      .map((name) => `${name} = ${points.data[bad * points.columns + names.columns.indexOf(name)]}`);
    throw new CurvatureError(
      "ERR_NON_FINITE",
      `What stands left of ~ is ${response[bad]} where ${cells.join(", ")} (row ${bad + 1} of those used). Correct the row or the formula.`,
      { path: "formula" },
    );
  }
  return { points, response, roots: weights?.map(Math.sqrt) };
}

/** About `wanted` of the rows, as far apart as each other. */
export function thinned({ points, response, roots }: FormulaRows, wanted: number): FormulaRows {
  if (points.rows <= wanted) return { points, response, roots };
  const rows = Array.from({ length: wanted }, (_, k) => Math.floor((k * points.rows) / wanted));
  return chosen({ points, response, roots }, rows);
}

/** Those that count: a row of weight 0 is as if it were not there. */
export function counting(rows: FormulaRows): FormulaRows {
  const { roots } = rows;
  if (roots === undefined || !roots.includes(0)) return rows;
  const kept = [...roots.keys()].filter((i) => roots[i] > 0);
  return chosen(rows, kept);
}

function chosen({ points, response, roots }: FormulaRows, rows: readonly number[]): FormulaRows {
  const { columns } = points;
  const data = new Float64Array(rows.length * columns);
  for (const [k, i] of rows.entries())
    data.set(points.data.subarray(i * columns, (i + 1) * columns), k * columns);
  const of = (values: Float64Array): Float64Array => Float64Array.from(rows, (i) => values[i]);
  return { points: { rows: rows.length, columns, data }, response: of(response), roots: roots && of(roots) };
}

/** Residuals f(x) − y, times the roots of the weights, and their derivatives. */
export interface ResidualProblem {
  residuals(x: Float64Array): Float64Array;
  jacobian(x: Float64Array): DenseMatrix;
}

export function residualProblem(tape: Tape, { points, response, roots }: FormulaRows): ResidualProblem {
  return {
    residuals: (x) =>
      response.map(
        (y, i) => (tape.value(points.data, i * points.columns, x) - y) * (roots === undefined ? 1 : roots[i]),
      ),
    jacobian: (x) => {
      const columns = x.length;
      const data = new Float64Array(points.rows * columns);
      for (let i = 0; i < points.rows; i++) {
        const row = data.subarray(i * columns, (i + 1) * columns);
        tape.gradient(points.data, i * points.columns, x, row);
        if (roots !== undefined) for (let j = 0; j < columns; j++) row[j] *= roots[i];
      }
      return { rows: points.rows, columns, data };
    },
  };
}
