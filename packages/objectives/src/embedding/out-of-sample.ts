/** Validates and makes objectives of new points in a finished map (see `new-points.ts`). */
import {
  badOption,
  either,
  type MatrixLike,
  nonNegative,
  type OptionsOf,
  object,
  oneOf,
  optionTable,
  toDense,
} from "@curvature/linalg";
import { newPointModels, type OutOfSampleModel } from "./new-point-models.js";
import { NewPoints, type OutOfSampleObjective } from "./new-points.js";
import { normalizedOptions, unnormalizedOptions } from "./options.js";
import type { WeightsLike } from "./weights.js";

export const outOfSampleOptions = optionTable({
  /** λ, as in training. Left out: 1; 100 for "ee" and "tee". */
  lambda: nonNegative,
  /** w⁻ of "ee" and "tee", M × N, scaled as in training; "constant": 1 / (N (N − 1)). */
  repulsion: either(oneOf("constant"), object<WeightsLike & object>("a matrix")).default("constant"),
  /**
   * How the repulsion is summed: "exact", O(N) for each evaluation of a point, or "barnes-hut", by cells of training points, about
   * O(log N), for maps in the plane or in space and constant `repulsion`; others are summed exactly.
   */
  gradient: oneOf("exact", "barnes-hut").default("exact"),
  /** θ of "barnes-hut", from 0 to 1. */
  theta: normalizedOptions.entries.theta,
});
export type OutOfSampleOptions = OptionsOf<typeof outOfSampleOptions>;

/**
 * The objective of new points in a finished map.
 *
 * @param model - which objective the map is a minimum of
 * @param map - the training points' map, N × d; copied
 * @param affinities - M × N, dense or sparse: p_m of each new point to the N training points, rows of sum 1
 * @throws CurvatureError ERR_OPTION, ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT
 */
export function outOfSampleObjective(
  model: OutOfSampleModel,
  map: MatrixLike,
  affinities: WeightsLike,
  options?: OutOfSampleOptions,
): OutOfSampleObjective {
  const where = "outOfSampleObjective";
  if (!Object.hasOwn(newPointModels, model)) {
    throw badOption(where, "model", `one of ${Object.keys(newPointModels).join(", ")}`, model);
  }
  const parts = newPointModels[model];
  const { lambda, repulsion, gradient, theta } = outOfSampleOptions.resolve(where, options);
  const places = toDense(map, "map");
  const hasCells = gradient === "barnes-hut" && (places.columns === 2 || places.columns === 3);
  return new NewPoints(
    model,
    parts,
    places,
    affinities,
    lambda ?? (parts.isNormalized ? 1 : unnormalizedOptions.defaults.lambda),
    repulsion,
    hasCells ? theta : undefined,
  );
}
