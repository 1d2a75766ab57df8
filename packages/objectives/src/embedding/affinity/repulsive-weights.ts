/**
 * The repulsive weights w⁻ of the elastic embedding, over ordered pairs summing to 1 like the attractive ones, so
 * that λ means the same for both kinds and E(0) = λ.
 */
import { checkDenseForm, type DenseMatrix, type MatrixLike, squaredDistances } from "@curvature/linalg";
import { checkedPoints, checkPointMemory } from "./check-points.js";
import { checkDistances, checkedTotal } from "./distances.js";

/**
 * w⁻_nm = ‖y_n − y_m‖² / Σ: N × N, zero diagonal.
 *
 * @param points - N × D, not all equal
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE (also where Σ overflows), ERR_ARGUMENT if all points are equal,
 *   ERR_MEMORY for more than 4 GiB
 */
export function distanceWeights(points: MatrixLike): DenseMatrix {
  const Y = checkedPoints(points, "points");
  checkPointMemory("distanceWeights", Y.rows, 8 * Y.rows, "Use constant weights.");
  return distanceWeightsOf(squaredDistances(Y));
}

/**
 * The same from squared distances, N × N, nonnegative, zero on the diagonal, which are overwritten by the result.
 *
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE (also where Σ overflows), ERR_ARGUMENT for a negative one or if all
 *   are 0
 */
export function distanceWeightsOf(distances: DenseMatrix): DenseMatrix {
  checkDenseForm(distances, "distances");
  checkDistances(distances);
  const sum = sumOfDistances(distances.data);
  for (let k = 0; k < distances.data.length; k++) distances.data[k] /= sum;
  return distances;
}

function sumOfDistances(distances: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < distances.length; k++) sum += distances[k];
  return checkedTotal(sum, "points");
}
