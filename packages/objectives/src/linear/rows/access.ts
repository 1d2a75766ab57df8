/**
 * The class for rows as they are stored.
 */
import { CurvatureError, type DenseMatrix, type SparseMatrix, shown } from "@curvature/linalg";
import type { Rows } from "../problem.js";
import { DenseRows32 } from "./dense32.js";
import { DenseRows64 } from "./dense64.js";
import type { RowAccess } from "./row-access.js";
import { SparseRows32 } from "./sparse32.js";
import { SparseRows64 } from "./sparse64.js";

/** @throws CurvatureError ERR_ARGUMENT for what are no rows; their contents are `checkRows`' matter */
export function rowAccess(rows: Rows): RowAccess {
  if (!hasSizes(rows)) throw noRows(rows);
  if (isSparseRows(rows)) {
    const { values } = rows;
    if (values instanceof Float32Array) return new SparseRows32({ ...rows, values });
    if (values instanceof Float64Array) return new SparseRows64({ ...rows, values });
  } else if (isDense(rows)) {
    const { data } = rows;
    if (data instanceof Float32Array) return new DenseRows32({ ...rows, data });
    if (data instanceof Float64Array) return new DenseRows64({ ...rows, data });
  }
  throw noRows(rows);
}

/** Whether the sizes are numbers: their products are taken before they are looked at more closely. */
const hasSizes = (rows: unknown): boolean =>
  typeof rows !== "object" ||
  rows === null ||
  !("rows" in rows && "columns" in rows) ||
  (typeof rows.rows === "number" && typeof rows.columns === "number");

const noRows = (rows: unknown): CurvatureError =>
  new CurvatureError(
    "ERR_ARGUMENT",
    `rows must be { rows, columns, data } or { rows, columns, rowPointers, columnIndices, values } with a Float32Array or Float64Array of entries; received ${shown(rows)}.`,
    { path: "rows", received: rows },
  );

export function isSparseRows(rows: Rows): rows is SparseMatrix<Float64Array> | SparseMatrix<Float32Array> {
  return typeof rows === "object" && rows !== null && "rowPointers" in rows;
}

function isDense(rows: unknown): rows is DenseMatrix<Float64Array> | DenseMatrix<Float32Array> {
  return typeof rows === "object" && rows !== null && "data" in rows;
}
