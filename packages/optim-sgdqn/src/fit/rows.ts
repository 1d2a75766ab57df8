/**
 * Validation of rows, and parts of them. Typed arrays are not copied.
 */
import { applyScaling, CurvatureError, fitScaling, type Scaling, toDense, toSparse } from "@curvature/linalg";
import { checkFeatureCount, checkRows, isSparseRows, type Rows } from "@curvature/objectives/linear";
import type { FeatureRows } from "./data.js";

/**
 * The rows, checked.
 *
 * @throws CurvatureError ERR_SHAPE or ERR_NON_FINITE, the cell named
 */
export function toRows(X: FeatureRows, where: string): Rows {
  if (typeof X !== "object" || X === null) return toDense(X, where); // which says what is wrong
  if ("rowPointers" in X) {
    checkRows(X, where);
    return X;
  }
  if ("getNonZeros" in X || "withEachNonZero" in X) return toSparse(X, where);
  if ("data" in X && X.data instanceof Float32Array && X.data.length === X.rows * X.columns) {
    const rows = { rows: X.rows, columns: X.columns, data: X.data };
    checkRows(rows, where);
    return rows;
  }
  return toDense(X, where);
}

/**
 * The rows, checked, to train on.
 *
 * @throws CurvatureError as `toRows`; ERR_MEMORY for more columns than there is room for
 */
export function toTrainingRows(X: FeatureRows, where: string): Rows {
  const rows = toRows(X, where);
  checkFeatureCount(rows.columns, where);
  return rows;
}

/** The same rows without the columns from `columns` on; the rows themselves where there are none. */
export function firstColumns(rows: Rows, columns: number): Rows {
  if (rows.columns <= columns) return rows;
  if (!isSparseRows(rows)) {
    const short = new Float64Array(rows.rows * columns);
    for (let i = 0; i < rows.rows; i++)
      for (let j = 0; j < columns; j++) short[i * columns + j] = rows.data[i * rows.columns + j];
    return { rows: rows.rows, columns, data: short };
  }
  const { rowPointers, columnIndices, values } = rows;
  const pointers = new Int32Array(rows.rows + 1);
  const kept = new Int32Array(rowPointers[rows.rows]);
  let count = 0;
  for (let i = 0; i < rows.rows; i++) {
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++)
      if (columnIndices[p] < columns) kept[count++] = p;
    pointers[i + 1] = count;
  }
  const entries = new Float64Array(count);
  const indices = new Int32Array(count);
  for (let k = 0; k < count; k++) {
    entries[k] = values[kept[k]];
    indices[k] = columnIndices[kept[k]];
  }
  return { rows: rows.rows, columns, rowPointers: pointers, columnIndices: indices, values: entries };
}

/** How many columns from `columns` on hold an entry other than 0. */
export function columnsBeyond(rows: Rows, columns: number): number {
  if (rows.columns <= columns) return 0;
  const seen = new Set<number>();
  if (isSparseRows(rows)) {
    const { columnIndices, values, rowPointers } = rows;
    for (let p = 0; p < rowPointers[rows.rows]; p++)
      if (columnIndices[p] >= columns && values[p] !== 0) seen.add(columnIndices[p]);
  } else {
    for (let i = 0; i < rows.rows; i++)
      for (let j = columns; j < rows.columns; j++) if (rows.data[i * rows.columns + j] !== 0) seen.add(j);
  }
  return seen.size;
}

/** Every row divided by its length, in the storage of the rows. */
export function unitRows(rows: Rows): Rows {
  return scaledRows(fitScaling(rows, "unit-rows"), rows);
}

/** @throws CurvatureError as `applyScaling` */
export function scaledRows(scaling: Scaling, rows: Rows): Rows {
  if (isSparseRows(rows)) {
    const { values } = rows;
    return values instanceof Float32Array
      ? applyScaling(scaling, { ...rows, values })
      : applyScaling(scaling, { ...rows, values });
  }
  const { data } = rows;
  return data instanceof Float32Array
    ? applyScaling(scaling, { ...rows, data })
    : applyScaling(scaling, { ...rows, data });
}

/** @throws CurvatureError ERR_SHAPE for no rows or no columns */
export function checkSome(rows: Rows, where: string): void {
  if (rows.rows > 0 && rows.columns > 0) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${where} must have at least one row and one column; received ${rows.rows} x ${rows.columns}.`,
    { path: where, expected: "at least 1 x 1", received: [rows.rows, rows.columns] },
  );
}
