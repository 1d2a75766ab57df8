/** Principal components in place of the data, and the same of new rows. */
import {
  CurvatureError,
  type DenseMatrix,
  lostComponents,
  matrixTimesVector,
  multiplyTranspose,
  type PrincipalComponents,
  type PrincipalThreads,
  principalComponents,
  type SparseMatrix,
  sparseTimesBlock,
  transpose,
  zeros,
} from "@curvature/linalg";
import type { EmbedSettings } from "./embed-settings.js";

/** What takes rows to scores. */
export interface Projection extends Pick<PrincipalComponents, "components" | "means"> {
  /** Columns of sparse data without a zero among them: their means may be large beside their spread. */
  readonly full: readonly number[];
}

/** The data as the metric sees it. */
export interface Projected {
  readonly data: DenseMatrix | SparseMatrix;
  /** Undefined where the data are as they were given. */
  readonly projection: Projection | undefined;
  /** Of components that were asked for and are not there. */
  readonly warnings: readonly string[];
}

/** The data's first principal components in its place, where `pca` asks for it. */
export function projected(
  points: DenseMatrix | SparseMatrix,
  { pca }: EmbedSettings,
  threads: PrincipalThreads | undefined,
): Projected {
  if (pca === undefined) return { data: points, projection: undefined, warnings: [] };
  const { scores, variances, components, means } = principalComponents(points, { count: pca, threads });
  return {
    data: scores,
    projection: { components, means, full: fullColumns(points) },
    warnings: lostComponents(variances, "scale the columns"),
  };
}

function fullColumns(points: DenseMatrix | SparseMatrix): readonly number[] {
  if ("data" in points) return [];
  const counts = new Int32Array(points.columns);
  for (const j of points.columnIndices) counts[j]++;
  return [...counts.keys()].filter((j) => counts[j] === points.rows);
}

/**
 * New rows as the affinities see them.
 *
 * @throws CurvatureError ERR_ARGUMENT for sparse rows where there is no projection
 */
export function projectedRows(
  rows: DenseMatrix | SparseMatrix,
  projection: Projection | undefined,
): DenseMatrix {
  if (projection !== undefined) return scoresOf(rows, projection);
  if ("data" in rows) return rows;
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
function scoresOf(rows: DenseMatrix | SparseMatrix, { components, means, full }: Projection): DenseMatrix {
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
