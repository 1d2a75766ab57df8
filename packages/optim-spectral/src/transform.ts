/** The `transform` of a finished map: new points are prepared as the known ones were, and placed one by one. */
import { type DenseMatrix, type SparseMatrixLike, zeros } from "@curvature/linalg";
import {
  checkMagnitudes,
  checkSameColumns,
  outOfSampleAffinities,
  outOfSampleDistanceWeights,
  outOfSampleObjective,
} from "@curvature/objectives/embedding";
import { type EmbedSettings, largestEntry, type Size } from "./embed-settings.js";
import { placeNewPoints } from "./placement.js";
import { finitePoints, type Projected } from "./projection.js";

/**
 * @param known - of the data as it was given
 * @param projected - the data as the affinities saw it, N × D, not copied, and what does the same to new points
 * @param given - the map, N × d, copied: its owner may scale it for a picture
 */
export function transformer(
  { rows, columns }: Size,
  { data, project }: Projected,
  given: DenseMatrix,
  settings: EmbedSettings,
): (newPoints: SparseMatrixLike) => DenseMatrix {
  const map = { ...given, data: given.data.slice() };
  const { method, lambda, perplexity, neighbors } = settings;
  // Without repulsion s-SNE's place is the mean of the neighbours, weighted by p.
  const model = method === "laplacian" ? ("ssne" as const) : method;
  return (newPoints) => {
    const fresh = finitePoints(newPoints, "newPoints");
    if (fresh.rows === 0) return zeros(0, map.columns);
    checkSameColumns(fresh, { columns }, "newPoints");
    checkMagnitudes(fresh, "newPoints", largestEntry({ rows, columns }));
    const queries = project(fresh);
    const { affinities } = outOfSampleAffinities(queries, data, { perplexity, neighbors });
    const repulsion =
      settings.repulsion === "distance" ? outOfSampleDistanceWeights(queries, data) : "constant";
    const objective = outOfSampleObjective(model, map, affinities, {
      lambda: method === "laplacian" ? 0 : lambda,
      repulsion,
    });
    return placeNewPoints(objective, map);
  };
}
