/** The door to objectives of new points in a finished map (see `new-points.ts`). */
import { badOption, checkOptions, type MatrixLike, nonNegative, toDense } from "@curvature/linalg";
import { newPointModels, type OutOfSampleModel } from "./new-point-models.js";
import { NewPoints, type OutOfSampleObjective } from "./new-points.js";
import type { WeightsLike } from "./weights.js";

export interface OutOfSampleOptions {
  /** λ ≥ 0, as in training. Default 1; 100 for "ee" and "tee". */
  readonly lambda?: number;
  /** w⁻ of "ee" and "tee", M × N, scaled as in training. Default "constant": 1 / (N (N − 1)). */
  readonly repulsion?: WeightsLike | "constant";
}

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
  options: OutOfSampleOptions = {},
): OutOfSampleObjective {
  const where = "outOfSampleObjective";
  if (!Object.hasOwn(newPointModels, model)) {
    throw badOption(where, "model", `one of ${Object.keys(newPointModels).join(", ")}`, model);
  }
  const parts = newPointModels[model];
  const defaults = { lambda: parts.isNormalized ? 1 : 100, repulsion: "constant" as const };
  const { lambda, repulsion } = checkOptions<Required<OutOfSampleOptions>>(where, options, defaults, {
    lambda: nonNegative,
    repulsion: { expected: '"constant" or a matrix', accepts: isRepulsion },
  });
  return new NewPoints(model, parts, toDense(map, "map"), affinities, lambda, repulsion);
}

function isRepulsion(value: unknown): boolean {
  return value === "constant" || (typeof value === "object" && value !== null);
}
