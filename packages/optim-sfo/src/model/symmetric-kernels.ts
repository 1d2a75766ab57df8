/**
 * A ← A + sign Σ σ_c b_c b_cᵀ on the lower triangle of a K x K block; four columns at a time share each load of A.
 */
export function addSymmetric(
  A: Float64Array,
  stride: number,
  K: number,
  columns: readonly Float64Array[],
  signs: readonly number[],
  sign: 1 | -1,
): void {
  const count = columns.length;
  let c = 0;
  for (; c + 4 <= count; c += 4) {
    const [b0, b1, b2, b3] = [columns[c], columns[c + 1], columns[c + 2], columns[c + 3]];
    for (let i = 0; i < K; i++) {
      const x0 = sign * signs[c] * b0[i];
      const x1 = sign * signs[c + 1] * b1[i];
      const x2 = sign * signs[c + 2] * b2[i];
      const x3 = sign * signs[c + 3] * b3[i];
      const row = i * stride;
      for (let j = 0; j <= i; j++) A[row + j] += x0 * b0[j] + x1 * b1[j] + (x2 * b2[j] + x3 * b3[j]);
    }
  }
  for (; c < count; c++) {
    const b = columns[c];
    for (let i = 0; i < K; i++) {
      const x = sign * signs[c] * b[i];
      const row = i * stride;
      for (let j = 0; j <= i; j++) A[row + j] += x * b[j];
    }
  }
}
