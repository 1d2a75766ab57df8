/**
 * Joint affinities: p_nm = (p_m|n + p_n|m) / 2, divided by their sum, so that they are symmetric to the bit and sum
 * to 1 over ordered pairs. A sparse result has the union of both patterns.
 */
import type { DenseMatrix, SparseMatrix } from "@curvature/linalg";
import type { Weights } from "../objective.js";
import { entriesOf, symmetrized } from "../weights.js";

/** @param conditional - N × N, nonnegative, zero diagonal; kept as it is */
export function jointAffinities(conditional: DenseMatrix): DenseMatrix;
export function jointAffinities(conditional: SparseMatrix): SparseMatrix;
export function jointAffinities(conditional: Weights): Weights;
export function jointAffinities(conditional: Weights): Weights {
  const joint = symmetrized(conditional);
  const values = entriesOf(joint);
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += values[k];
  for (let k = 0; k < values.length; k++) values[k] /= sum;
  return joint;
}
