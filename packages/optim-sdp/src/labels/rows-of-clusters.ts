/** Rows in clusters: what labels must be, and the means of the rows of each cluster. */
import { badArgument, CurvatureError, type DenseMatrix, zeros } from "@curvature/linalg";

/** The number of clusters of labels 0 … k − 1, of which each has a row; −1 is a row of no cluster. */
export function clusterCount(where: string, labels: ArrayLike<number>, rows: number): number {
  const isList = Array.isArray(labels) || ArrayBuffer.isView(labels);
  if (!isList || labels.length !== rows)
    throw badArgument(
      where,
      "labels",
      `${rows} whole numbers, one for each row`,
      isList ? labels.length : labels,
    );
  const sizes = new Map<number, number>();
  let k = 0;
  for (let i = 0; i < rows; i++) {
    const label = labels[i];
    if (!(Number.isInteger(label) && label >= -1 && label < rows))
      throw badArgument(where, `labels[${i}]`, "the number of a cluster from 0, or -1 for no cluster", label);
    sizes.set(label, 1);
    k = Math.max(k, label + 1);
  }
  for (let c = 0; c < k; c++) {
    if (sizes.has(c)) continue;
    const message = `no row is of cluster ${c}, and some are of cluster ${k - 1}. Number the clusters from 0 without a gap.`;
    throw new CurvatureError("ERR_ARGUMENT", message, { where, path: "labels", received: c });
  }
  if (k > 0) return k;
  throw new CurvatureError("ERR_ARGUMENT", "no row is of a cluster. Give labels of one cluster at least.", {
    where,
    path: "labels",
  });
}

export function clusterSizes(labels: ArrayLike<number>, k: number): Int32Array {
  const sizes = new Int32Array(k);
  for (let i = 0; i < labels.length; i++) if (labels[i] >= 0) sizes[labels[i]]++;
  return sizes;
}

/** k × d; as sums of differences from a row of the cluster, so that rows far from 0 lose no digits and equal ones have themselves. */
export function clusterMeans(
  { rows, columns, data }: DenseMatrix,
  labels: ArrayLike<number>,
  k: number,
): DenseMatrix {
  const means = zeros(k, columns);
  const sizes = clusterSizes(labels, k);
  const firsts = new Int32Array(k).fill(-1);
  for (let i = 0; i < rows; i++) {
    const c = labels[i];
    if (c < 0) continue;
    if (firsts[c] < 0) firsts[c] = i;
    for (let j = 0; j < columns; j++)
      means.data[c * columns + j] +=
        data[i * columns + j] / sizes[c] - data[firsts[c] * columns + j] / sizes[c];
  }
  for (let c = 0; c < k; c++)
    for (let j = 0; j < columns; j++) means.data[c * columns + j] += data[firsts[c] * columns + j];
  return means;
}
