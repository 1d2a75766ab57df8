/** The `transform` of a finished map: new rows are prepared as the training rows were, and placed one by one. */
import { type DenseMatrix, type SparseMatrixLike, zeros } from "@curvature/linalg";
import {
  outOfSampleAffinities,
  outOfSampleDistanceWeights,
  outOfSampleObjective,
} from "@curvature/objectives/embedding";
import type { EmbedSettings } from "./embed-settings.js";
import { placeNewPoints } from "./placement.js";

/**
 * @param points - the training data as the affinities saw it, N × D, not copied
 * @param given - their map, N × d, copied: its owner may scale it for a picture
 * @param prepare - checks new rows, and does to them what was done to the data before (a projection)
 */
export function transformer(
  points: DenseMatrix,
  given: DenseMatrix,
  settings: EmbedSettings,
  prepare: (rows: SparseMatrixLike) => DenseMatrix,
): (rows: SparseMatrixLike) => DenseMatrix {
  const map = { ...given, data: given.data.slice() };
  const { method, lambda, perplexity, neighbors } = settings;
  // Without repulsion s-SNE's place is the mean of the neighbours, weighted by p.
  const model = method === "laplacian" ? ("ssne" as const) : method;
  return (rows) => {
    const queries = prepare(rows);
    const { affinities } = outOfSampleAffinities(queries, points, { perplexity, neighbors });
    if (queries.rows === 0) return zeros(0, map.columns);
    const repulsion =
      settings.repulsion === "distance" ? outOfSampleDistanceWeights(queries, points) : "constant";
    const objective = outOfSampleObjective(model, map, affinities, {
      lambda: method === "laplacian" ? 0 : lambda,
      repulsion,
    });
    return placeNewPoints(objective, map);
  };
}
