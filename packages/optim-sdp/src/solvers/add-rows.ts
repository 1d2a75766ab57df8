/** Sums of rows of a matrix with factors, as products with a sparse factor take them. */
import type { DenseMatrix } from "@curvature/linalg";

/** sum ← sum + Σ_k values[k] · the entries from `from` on of row rows[k] of D, four rows at a time. */
export function addRows(
  { data, columns: n }: DenseMatrix,
  from: number,
  rows: Int32Array,
  values: Float64Array,
  start: number,
  end: number,
  sum: Float64Array,
): void {
  const whole = end - ((end - start) % 4);
  for (let k = start; k < whole; k += 4) {
    const v0 = values[k];
    const v1 = values[k + 1];
    const v2 = values[k + 2];
    const v3 = values[k + 3];
    const r0 = rows[k] * n + from;
    const r1 = rows[k + 1] * n + from;
    const r2 = rows[k + 2] * n + from;
    const r3 = rows[k + 3] * n + from;
    for (let i = 0; i < sum.length; i++)
      sum[i] += v0 * data[r0 + i] + v1 * data[r1 + i] + (v2 * data[r2 + i] + v3 * data[r3 + i]);
  }
  for (let k = whole; k < end; k++) {
    const v0 = values[k];
    const r0 = rows[k] * n + from;
    for (let i = 0; i < sum.length; i++) sum[i] += v0 * data[r0 + i];
  }
}
