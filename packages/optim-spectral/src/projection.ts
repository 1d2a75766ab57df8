/** The data's first principal components in its place, where `pca` asks for it. */
import { CurvatureError, type DenseMatrix, multiplyTranspose, principalComponents } from "@curvature/linalg";
import type { EmbedSettings } from "./embed-options.js";

/** The data as the affinities see it, and what does the same to new rows. */
export interface Projected {
  readonly data: DenseMatrix;
  readonly project: (rows: DenseMatrix) => DenseMatrix;
}

export function projected(points: DenseMatrix, { pca }: EmbedSettings): Projected {
  if (pca === undefined) return { data: points, project: (rows) => rows };
  const { scores, components, means } = principalComponents(points, { count: pca });
  return { data: scores, project: (rows) => multiplyTranspose(centred(rows, means), components) };
}

/** @throws CurvatureError ERR_SHAPE unless the rows are as long as the training rows */
function centred(rows: DenseMatrix, means: Float64Array): DenseMatrix {
  if (rows.columns !== means.length)
    throw new CurvatureError(
      "ERR_SHAPE",
      `The new points have ${rows.columns} columns, the known points ${means.length}. Give both the same columns.`,
      { path: "points", expected: `${means.length} columns`, received: rows.columns },
    );
  return { ...rows, data: rows.data.map((value, k) => value - means[k % means.length]) };
}
