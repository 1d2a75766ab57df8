/** The façade: points in, map out. What it does is loaded when it is called. */
import { type FacadeSteps, facade } from "@curvature/optim-core";
import { type EmbedOptions, embedOptions } from "./embed-options.js";
import type { EmbedResult } from "./embed-run.js";
import type { EmbeddingDetails } from "./immediate-solver.js";
import type { EmbedInput } from "./source.js";

/**
 * Maps points, or what is given in their place, to a plane (or line, or space) so that near points stay near.
 *
 * The event loop gets its turn between the phases, between steps of the search for neighbours and (from 4,097 points on) of the
 * affinities, and within the optimisation every `yieldEvery` milliseconds. `embed.iterate` gives the same as a loop over the
 * iterations of the optimisation.
 *
 *
 *   await embed(points, { metric: "cosine" });            // rows of numbers
 *   await embed({ distances });                           // N × N or condensed; or { similarities }
 *   await embed({ neighbors: { indices, distances } });   // a graph of neighbours
 *   await embed({ affinities });                          // P
 *
 * @param points - N × D, at least one row (3 of sparse ones), not to be changed before there is a map; sparse ones need the option `pca`, or a metric under
 *   which they stay sparse
 * @throws CurvatureError (the promise rejects) ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT for the points, ERR_MEMORY, and
 *   ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; the signal's reason if it is aborted before the optimisation
 */
export const embed = facade(async function* (
  points: EmbedInput,
  options?: EmbedOptions,
): FacadeSteps<EmbeddingDetails, EmbedResult> {
  const resolved = embedOptions.resolve("embed", options);
  const { mapped } = await import("./embed-run.js");
  return yield* mapped(points, resolved);
});
