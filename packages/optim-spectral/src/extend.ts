/** The façade: a finished map and new points in, one map of all out. What it does is loaded when it is called. */
import type { SparseMatrixLike } from "@curvature/linalg";
import { type FacadeSteps, facade } from "@curvature/optim-core";
import { type ExtendOptions, extendOptions } from "./extend-options.js";
import type { ExtendResult } from "./extend-run.js";
import type { EmbeddingDetails } from "./immediate-solver.js";
import type { MapModel } from "./map-model.js";

/**
 * A map that grows: old and new points together, by affinities among all of them, while the old ones are held near their places.
 *
 * What `embed` was asked for (method, perplexity, metric, dimensions, seed) holds for the larger map, and principal components and
 * scalings stay those of the first one. The result can be saved and extended again. Where the new rows come from where no old ones are,
 * `movement` decides how much room is made for them: "free" has the lowest divergence then. Values and divergences of iterations
 * contain what holds the old points, those of the result do not.
 *
 *   const first = await embed(monday);
 *   const second = await extendMap(first, tuesday);            // or of loadMap(bytes)
 *   second.embedding;                                          // the rows of monday, then those of tuesday
 *   second.movement.mean;                                      // 0.03: of the map's radius
 *
 * @param map - what `embed`, `extendMap` or `loadMap` returned; not changed
 * @param newPoints - M × D, at least one row, with the columns of the data that the map was made of
 * @throws CurvatureError (the promise rejects) ERR_ARGUMENT for what is no map of points, a map of Laplacian eigenmaps, or sparse
 *   points where there was no `pca`; ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE, ERR_MEMORY; the signal's reason if it is aborted before the
 *   optimisation
 */
export const extendMap = facade(async function* (
  map: MapModel | { readonly model: MapModel | undefined },
  newPoints: SparseMatrixLike,
  options?: ExtendOptions,
): FacadeSteps<EmbeddingDetails, ExtendResult> {
  const settings = extendOptions.resolve("extendMap", options);
  const { extended } = await import("./extend-run.js");
  return yield* extended(map, newPoints, settings);
});
