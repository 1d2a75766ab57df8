/** The `transform` of a finished map: new rows are prepared as the training rows were, and placed one by one. */
import { type DenseMatrix, type MatrixLike, toDense } from "@curvature/linalg";
import {
  outOfSampleAffinities,
  outOfSampleDistanceWeights,
  type Weights,
} from "@curvature/objectives/embedding";
import type { EmbedSettings } from "./embed-options.js";
import { placeNewPoints } from "./placement.js";

/**
 * @param points - the training data as the affinities saw it, N × D
 * @param map - their map, N × d
 * @param prepare - what was done to the data before (a projection)
 */
export function transformer(
  points: DenseMatrix,
  map: DenseMatrix,
  settings: EmbedSettings,
  prepare: (rows: DenseMatrix) => DenseMatrix,
): (rows: MatrixLike) => DenseMatrix {
  const { method, lambda, perplexity, neighbors, repulsion } = settings;
  const isUnnormalized = method === "ee" || method === "tee";
  const trained = {
    map,
    kernel: method === "tsne" || method === "tee" ? ("student" as const) : ("gaussian" as const),
    isNormalized: !isUnnormalized,
    lambda: method === "laplacian" ? 0 : lambda, // at 0 the place is the mean of the neighbours, weighted by p
  };
  return (rows) => {
    const queries = prepare(toDense(rows, "points"));
    const { affinities } = outOfSampleAffinities(queries, points, { perplexity, neighbors });
    const weights =
      isUnnormalized && repulsion === "distance" ? outOfSampleDistanceWeights(queries, points) : "constant";
    return placeNewPoints(trained, rowsOf(affinities), queries.rows, weights);
  };
}

/** Each row in full. The array is the same every time. */
function* rowsOf(weights: Weights): Generator<Float64Array> {
  const { rows, columns } = weights;
  if ("data" in weights) {
    for (let i = 0; i < rows; i++) yield weights.data.subarray(i * columns, (i + 1) * columns);
    return;
  }
  const { rowPointers, columnIndices, values } = weights;
  const row = new Float64Array(columns);
  for (let i = 0; i < rows; i++) {
    row.fill(0);
    for (let k = rowPointers[i]; k < rowPointers[i + 1]; k++) row[columnIndices[k]] = values[k];
    yield row;
  }
}
