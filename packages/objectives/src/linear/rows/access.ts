/**
 * One face for rows of every storage: what an algorithm does with a row xᵢ, whether it is dense or sparse, in single
 * or double precision. Behind it stands one class for each storage and element type, with a copy of the loops of
 * its own: shared loops would meet typed arrays of two kinds, which makes V8 two times slower.
 *
 * All vectors are Float64Array of length at least `columns`; entries beyond (a bias) are left alone.
 */
import { CurvatureError, type DenseMatrix, type SparseMatrix, shown } from "@curvature/linalg";
import type { Rows } from "../problem.js";
import { DenseRows32 } from "./dense32.js";
import { DenseRows64 } from "./dense64.js";
import { SparseRows32 } from "./sparse32.js";
import { SparseRows64 } from "./sparse64.js";

export interface RowAccess {
  /** n */
  readonly rows: number;
  /** d */
  readonly columns: number;
  /** Of the whole matrix; explicit zeros count, and in dense rows all entries do. */
  readonly storedEntries: number;
  /** w·xᵢ */
  dot(i: number, w: Float64Array): number;
  /** w ← w + a xᵢ */
  addTo(i: number, a: number, w: Float64Array): void;
  /** w ← w + a B xᵢ with a diagonal B. */
  addScaledTo(i: number, a: number, B: Float64Array, w: Float64Array): void;
  /** xᵢ·B xᵢ with a diagonal B. */
  scaledSquaredNorm(i: number, B: Float64Array): number;
  /** ‖xᵢ‖² */
  squaredNorm(i: number): number;
  /** The stored entries of row i. */
  count(i: number): number;
}

/** @throws CurvatureError ERR_ARGUMENT for what are no rows; their contents are `checkRows`' matter */
export function rowAccess(rows: Rows): RowAccess {
  if (isSparse(rows)) {
    const { values } = rows;
    if (values instanceof Float32Array) return new SparseRows32({ ...rows, values });
    if (values instanceof Float64Array) return new SparseRows64({ ...rows, values });
  } else if (isDense(rows)) {
    const { data } = rows;
    if (data instanceof Float32Array) return new DenseRows32({ ...rows, data });
    if (data instanceof Float64Array) return new DenseRows64({ ...rows, data });
  }
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `rows must be { rows, columns, data } or { rows, columns, rowPointers, columnIndices, values } with a Float32Array or Float64Array of entries; received ${shown(rows)}.`,
    { path: "rows", received: rows },
  );
}

export function isSparse(rows: Rows): rows is SparseMatrix<Float64Array> | SparseMatrix<Float32Array> {
  return typeof rows === "object" && rows !== null && "rowPointers" in rows;
}

function isDense(rows: unknown): rows is DenseMatrix<Float64Array> | DenseMatrix<Float32Array> {
  return typeof rows === "object" && rows !== null && "data" in rows;
}
