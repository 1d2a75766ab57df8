/** The data's first principal components in its place, where `pca` asks for it. */
import {
  CurvatureError,
  type DenseMatrix,
  isSparse,
  lostComponents,
  matrixTimesVector,
  multiplyTranspose,
  type PrincipalComponents,
  type PrincipalThreads,
  principalComponents,
  type SparseMatrix,
  type SparseMatrixLike,
  sparseTimesBlock,
  toDense,
  toSparse,
  transpose,
  zeros,
} from "@curvature/linalg";
import type { EmbedSettings } from "./embed-settings.js";

/** The data as the affinities see it, and what does the same to new rows. */
export interface Projected {
  readonly data: DenseMatrix;
  readonly project: Project;
  /** Of components that were asked for and are not there. */
  readonly warnings: readonly string[];
}

/** @throws CurvatureError ERR_ARGUMENT for sparse points where there is no projection */
type Project = (newPoints: DenseMatrix | SparseMatrix) => DenseMatrix;

/** Finite points, sparse ones as they are. @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE */
export function finitePoints(points: SparseMatrixLike, name: string): DenseMatrix | SparseMatrix {
  return isSparse(points) ? toSparse(points, name) : toDense(points, name);
}

export function projected(
  points: DenseMatrix | SparseMatrix,
  { pca }: EmbedSettings,
  threads: PrincipalThreads | undefined,
): Projected {
  if (pca === undefined && "data" in points) {
    return { data: points, project: unprojected, warnings: [] };
  }
  const components = principalComponents(points, { ...(pca !== undefined && { count: pca }), threads });
  const full = fullColumns(points);
  return {
    data: components.scores,
    project: (newPoints) => scoresOf(newPoints, components, full),
    warnings: lostComponents(components.variances, "scale the columns"),
  };
}

/** Columns of sparse points without a zero among them: their means may be large beside their spread. */
function fullColumns(points: DenseMatrix | SparseMatrix): readonly number[] {
  if ("data" in points) return [];
  const counts = new Int32Array(points.columns);
  for (const j of points.columnIndices) counts[j]++;
  return [...counts.keys()].filter((j) => counts[j] === points.rows);
}

function unprojected(newPoints: DenseMatrix | SparseMatrix): DenseMatrix {
  if ("data" in newPoints) return newPoints;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    "The map was made of dense points without pca: give newPoints as a dense matrix, too.",
    { path: "newPoints", expected: "a dense matrix" },
  );
}

/**
 * (X − 1 mᵀ) Vᵀ. Of sparse rows the means are subtracted from the product, V m, which loses nothing where zeros made the
 * means deviations themselves; in a column that was full they are subtracted from the entries, as of dense rows.
 */
function scoresOf(
  rows: DenseMatrix | SparseMatrix,
  { components, means }: PrincipalComponents,
  full: readonly number[],
): DenseMatrix {
  if ("data" in rows) {
    const data = rows.data.map((value, k) => value - means[k % means.length]);
    return multiplyTranspose({ ...rows, data }, components);
  }
  const k = components.rows;
  const scores = zeros(rows.rows, k);
  const isFull = new Uint8Array(means.length);
  for (const j of full) isFull[j] = 1;
  const shifted = rows.values.map((value, p) => {
    const j = rows.columnIndices[p];
    return isFull[j] === 1 ? value - means[j] : value;
  });
  sparseTimesBlock({ ...rows, values: shifted }, transpose(components).data, k, scores.data);
  const shift = new Float64Array(k);
  const others = means.map((mean, j) => (isFull[j] === 1 ? 0 : mean));
  matrixTimesVector(components, others, shift);
  for (let at = 0; at < scores.data.length; at++) scores.data[at] -= shift[at % k];
  for (let i = 0; i < rows.rows; i++) {
    const stored = new Set(rows.columnIndices.subarray(rows.rowPointers[i], rows.rowPointers[i + 1]));
    for (const j of full)
      if (!stored.has(j))
        for (let a = 0; a < k; a++)
          scores.data[i * k + a] -= means[j] * components.data[a * means.length + j];
  }
  return scores;
}
