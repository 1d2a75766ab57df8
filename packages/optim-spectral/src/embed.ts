/** The façade: points in, map out. What it does is loaded when it is called. */
import type { SparseMatrixLike } from "@curvature/linalg";
import { type FacadeSteps, facade } from "@curvature/optim-core";
import { type EmbedOptions, embedOptions } from "./embed-options.js";
import type { EmbedResult } from "./embed-run.js";
import type { EmbeddingDetails } from "./immediate-solver.js";

/**
 * Maps points to a plane (or line, or space) so that near points stay near.
 *
 * The event loop gets its turn between the phases, between steps of the search for neighbours and (from 4,097 points on) of the
 * affinities, and within the optimisation every `yieldEvery` milliseconds. `embed.iterate` gives the same as a loop over the
 * iterations of the optimisation.
 *
 * @param points - N × D, one or two rows give a trivial map with a warning, not to be changed before there is a map; sparse ones need the option `pca`
 * @throws CurvatureError (the promise rejects) ERR_OPTION, ERR_SHAPE or ERR_NON_FINITE for the points, ERR_MEMORY, and
 *   ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; the signal's reason if it is aborted before the optimisation
 */
export const embed = facade(async function* (
  points: SparseMatrixLike,
  options?: EmbedOptions,
): FacadeSteps<EmbeddingDetails, EmbedResult> {
  const resolved = embedOptions.resolve("embed", options);
  const { mapped } = await import("./embed-run.js");
  return yield* mapped(points, resolved);
});
