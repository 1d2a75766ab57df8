/**
 * The median of the eigenvalues of H = (low rank) + c I, without an eigendecomposition where most of them are c.
 */
import { symmetricEigenvalues } from "@curvature/linalg";
import { median } from "./history-hessian.js";

/**
 * @param copyTo - writes the K x K matrix's lower triangle, without `extra` on its diagonal
 * @param rank - of the part of low rank, at most
 * @param shift - c
 */
export function medianEigenvalue(
  copyTo: (A: Float64Array) => void,
  K: number,
  rank: number,
  shift: number,
  extra: number,
): number {
  if (2 * rank < K) return shift; // fewer than half of the eigenvalues are above c, and fewer than half below
  const A = new Float64Array(K * K);
  copyTo(A);
  for (let i = 0; i < K; i++) A[i * K + i] += extra;
  return median(Array.from(symmetricEigenvalues({ rows: K, columns: K, data: A })));
}
