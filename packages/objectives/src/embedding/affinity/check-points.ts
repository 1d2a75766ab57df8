/** Validation of points. */
import {
  CurvatureError,
  type DenseMatrix,
  type MatrixLike,
  type SparseMatrix,
  toDense,
} from "@curvature/linalg";

/**
 * The points, contiguous, and such that their squared distances are finite numbers.
 *
 * @throws CurvatureError ERR_SHAPE for ragged rows or no columns, ERR_NON_FINITE for a NaN or an infinity (row and
 *   column named) and for entries so large that a squared distance could overflow
 */
export function checkedPoints(input: MatrixLike, name: string): DenseMatrix {
  const points = toDense(input, name);
  const { columns } = points;
  if (columns < 1) {
    throw new CurvatureError("ERR_SHAPE", `${name} must have at least one column; received none.`, {
      path: name,
      expected: "at least one column",
      received: columns,
    });
  }
  checkMagnitudes(points, name, Math.sqrt(Number.MAX_VALUE / 16 / columns));
  return points;
}

/**
 * @param most - above which squared distances, or what is made of them, would overflow
 * @throws CurvatureError ERR_NON_FINITE, the row and the column of the first larger entry named
 */
export function checkMagnitudes(points: DenseMatrix | SparseMatrix, name: string, most: number): void {
  const values = "data" in points ? points.data : points.values;
  let p = 0;
  while (p < values.length && !(Math.abs(values[p]) > most)) p++;
  if (p === values.length) return;
  const place = placeOf(points, p);
  throw new CurvatureError(
    "ERR_NON_FINITE",
    `${name} has ${values[p]} at ${place} (counted from 0): squared distances would overflow. Rescale the data.`,
    { path: place, expected: `absolute values up to ${most}`, received: values[p] },
  );
}

/** Where the p-th stored entry stands. */
export function placeOf(points: DenseMatrix | SparseMatrix, p: number): string {
  if ("data" in points) return `row ${Math.floor(p / points.columns)}, column ${p % points.columns}`;
  let row = 0;
  while (points.rowPointers[row + 1] <= p) row++;
  return `row ${row}, column ${points.columnIndices[p]}`;
}

/** @throws CurvatureError ERR_SHAPE unless both have the same columns */
export function checkSameColumns(
  given: { readonly columns: number },
  known: { readonly columns: number },
  name: string,
): void {
  if (given.columns === known.columns) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${name} has ${given.columns} columns, the known points have ${known.columns}. Give both the same columns.`,
    { path: name, expected: `${known.columns} columns`, received: given.columns },
  );
}
