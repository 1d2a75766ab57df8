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

/** Up to this dimension an eigendecomposition costs no more than the rest of a step. */
const CHEAP = 160;
/** The number of active subfunctions may have grown by this part before the median is computed anew. */
const GROWTH = 0.1;

/**
 * The last median by active subfunction. In many dimensions it stands for those of the steps that follow, since it is of
 * the mean of many Hessians, of which one changes in a step.
 */
export class MedianMemory {
  value = Number.NaN;
  /** Active subfunctions when it was computed. */
  count = 0;

  /** @param compute - the median eigenvalue of H by active subfunction */
  recall(count: number, K: number, compute: () => number): number {
    const isFresh = K > CHEAP && count >= this.count && count <= (1 + GROWTH) * this.count;
    if (isFresh && this.value > 0) return this.value;
    this.value = compute();
    this.count = count;
    return this.value;
  }
}
