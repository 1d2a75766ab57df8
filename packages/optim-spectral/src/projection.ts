/** The data's first principal components in its place, where `pca` asks for it. */
import {
  CurvatureError,
  type DenseMatrix,
  isSparse,
  matrixTimesVector,
  multiplyTranspose,
  type PrincipalComponents,
  principalComponents,
  type SparseMatrix,
  type SparseMatrixLike,
  sparseTimesBlock,
  toDense,
  toSparse,
  transpose,
  zeros,
} from "@curvature/linalg";
import type { EmbedSettings } from "./embed-options.js";

/** The data as the affinities see it, and what does the same to new rows. */
export interface Projected {
  readonly data: DenseMatrix;
  readonly project: (rows: SparseMatrixLike) => DenseMatrix;
}

/** Checked points, sparse ones as they are. @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE */
export function checkedPoints(points: SparseMatrixLike): DenseMatrix | SparseMatrix {
  return isSparse(points) ? toSparse(points, "points") : toDense(points, "points");
}

export function projected(points: DenseMatrix | SparseMatrix, { pca }: EmbedSettings): Projected {
  if (pca === undefined && "data" in points) return { data: points, project: unprojected };
  const components = principalComponents(points, pca === undefined ? {} : { count: pca });
  return { data: components.scores, project: (rows) => scoresOf(checkedPoints(rows), components) };
}

/** @throws CurvatureError ERR_ARGUMENT for sparse rows */
function unprojected(rows: SparseMatrixLike): DenseMatrix {
  if (!isSparse(rows)) return toDense(rows, "points");
  throw new CurvatureError(
    "ERR_ARGUMENT",
    "The map was made of dense points without pca: give new points as a dense matrix, too.",
    { path: "points", expected: "a dense matrix" },
  );
}

/** @throws CurvatureError ERR_SHAPE unless the rows are as long as the training rows */
function scoresOf(rows: DenseMatrix | SparseMatrix, { components, means }: PrincipalComponents): DenseMatrix {
  if (rows.columns !== means.length)
    throw new CurvatureError(
      "ERR_SHAPE",
      `The new points have ${rows.columns} columns, the known points ${means.length}. Give both the same columns.`,
      { path: "points", expected: `${means.length} columns`, received: rows.columns },
    );
  if ("data" in rows) {
    const data = rows.data.map((value, k) => value - means[k % means.length]);
    return multiplyTranspose({ ...rows, data }, components);
  }
  const k = components.rows;
  const scores = zeros(rows.rows, k);
  sparseTimesBlock(rows, transpose(components).data, k, scores.data);
  const shift = new Float64Array(k);
  matrixTimesVector(components, means, shift);
  for (let at = 0; at < scores.data.length; at++) scores.data[at] -= shift[at % k];
  return scores;
}
