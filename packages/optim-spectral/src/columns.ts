/** Maps, gradients and steps are N × d arrays, row-major. */

/** Subtracts each column's mean, in place. */
export function centerColumns(A: Float64Array, d: number): void {
  const N = A.length / d;
  for (let i = 0; i < d; i++) {
    let sum = 0;
    for (let k = i; k < A.length; k += d) sum += A[k];
    const mean = sum / N;
    for (let k = i; k < A.length; k += d) A[k] -= mean;
  }
}
