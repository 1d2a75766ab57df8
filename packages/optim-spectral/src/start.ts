/** The door for a first map. */
import { CurvatureError, checkFinite, type DenseMatrix } from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";

/**
 * A copy of X_0 as one array.
 *
 * @throws CurvatureError ERR_SHAPE unless it is N × d, ERR_NON_FINITE
 */
export function startPoint(objective: EmbeddingObjective, start: DenseMatrix | Float64Array): Float64Array {
  const { points, dimensions } = objective;
  const data = start instanceof Float64Array ? start : start.data;
  const fits =
    start instanceof Float64Array
      ? start.length === points * dimensions
      : start.rows === points && start.columns === dimensions;
  if (!fits)
    throw new CurvatureError("ERR_SHAPE", `The first map must be ${points} x ${dimensions}.`, {
      path: "start",
      expected: `${points} x ${dimensions}`,
      received: start instanceof Float64Array ? start.length : `${start.rows} x ${start.columns}`,
    });
  checkFinite({ rows: points, columns: dimensions, data }, "the first map");
  return data.slice();
}
