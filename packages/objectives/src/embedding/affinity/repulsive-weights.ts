/**
 * The repulsive weights w⁻ of the elastic embedding, over ordered pairs summing to 1 like the attractive ones, so
 * that λ means the same for both kinds and E(0) = λ.
 */
import {
  CurvatureError,
  type DenseMatrix,
  type MatrixLike,
  squaredDistances,
  zeros,
} from "@curvature/linalg";
import { checkedPoints } from "./distances.js";

/**
 * w⁻_nm = ‖y_n − y_m‖² / Σ: N × N, zero diagonal.
 *
 * @param points - N × D, not all equal
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE, ERR_ARGUMENT if all points are equal
 */
export function distanceWeights(points: MatrixLike): DenseMatrix {
  return distanceWeightsOf(squaredDistances(checkedPoints(points, "points")));
}

/**
 * The same from squared distances, which are overwritten by the result.
 *
 * @throws CurvatureError ERR_ARGUMENT if all are 0
 */
export function distanceWeightsOf(distances: DenseMatrix): DenseMatrix {
  const sum = sumOfDistances(distances.data);
  for (let k = 0; k < distances.data.length; k++) distances.data[k] /= sum;
  return distances;
}

/** w⁻_nm = 1 / (N (N − 1)) for n ≠ m: N × N, zero diagonal. @param N - at least 2 */
export function constantWeights(N: number): DenseMatrix {
  const weights = zeros(N, N);
  weights.data.fill(1 / (N * (N - 1)));
  for (let n = 0; n < N; n++) weights.data[n * N + n] = 0;
  return weights;
}

function sumOfDistances(distances: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < distances.length; k++) sum += distances[k];
  if (sum > 0) return sum;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    "All points are equal, so their distances give no repulsive weights. Use constant ones.",
    { path: "points", expected: "at least two different points" },
  );
}
