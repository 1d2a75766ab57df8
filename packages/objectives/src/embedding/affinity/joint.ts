/**
 * Joint affinities: p_nm = (p_m|n + p_n|m) / 2, divided by their sum, so that they are symmetric to the bit and sum
 * to 1 over ordered pairs. A sparse result has the union of both patterns.
 */
import { CurvatureError, type DenseMatrix, type SparseMatrix } from "@curvature/linalg";
import type { Weights } from "../objective.js";
import { entriesOf, nonnegativeWeights, symmetrized, type WeightsLike } from "../weights.js";

/**
 * @param conditional - N × N, nonnegative, not all zero, zero diagonal; kept as it is
 * @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT, the entry named
 */
export function jointAffinities(conditional: DenseMatrix): DenseMatrix;
export function jointAffinities(conditional: SparseMatrix): SparseMatrix;
export function jointAffinities(conditional: WeightsLike): Weights;
export function jointAffinities(conditional: WeightsLike): Weights {
  const joint = symmetrized(nonnegativeWeights(conditional, "conditional"));
  const values = entriesOf(joint);
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += values[k];
  if (!(sum > 0 && sum <= Number.MAX_VALUE)) {
    throw new CurvatureError("ERR_ARGUMENT", `conditional must have a positive, finite sum; it is ${sum}.`, {
      path: "conditional",
      expected: "a positive, finite sum",
      received: sum,
    });
  }
  for (let k = 0; k < values.length; k++) values[k] /= sum;
  return joint;
}
