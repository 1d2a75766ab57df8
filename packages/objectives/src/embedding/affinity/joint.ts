/**
 * Joint affinities: p_nm = (p_m|n + p_n|m) / 2, divided by their sum, so that they are symmetric and sum to 1 over
 * ordered pairs. A sparse result has the union of both patterns.
 */
import { type DenseMatrix, type SparseMatrix, symmetricPart, zeros } from "@curvature/linalg";
import type { Weights } from "../objective.js";

/** @param conditional - N × N, nonnegative, zero diagonal; kept as it is */
export function jointAffinities(conditional: DenseMatrix): DenseMatrix;
export function jointAffinities(conditional: SparseMatrix): SparseMatrix;
export function jointAffinities(conditional: Weights): Weights;
export function jointAffinities(conditional: Weights): Weights {
  if ("data" in conditional) {
    const joint = symmetrized(conditional);
    normalize(joint.data);
    return joint;
  }
  const joint = symmetricPart(conditional);
  normalize(joint.values);
  return joint;
}

function symmetrized({ rows: N, data: from }: DenseMatrix): DenseMatrix {
  const joint = zeros(N, N);
  const to = joint.data;
  for (let n = 0; n < N; n++) {
    for (let m = n + 1; m < N; m++) {
      const p = 0.5 * (from[n * N + m] + from[m * N + n]);
      to[n * N + m] = p;
      to[m * N + n] = p;
    }
  }
  return joint;
}

function normalize(values: Float64Array): void {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += values[k];
  for (let k = 0; k < values.length; k++) values[k] /= sum;
}
