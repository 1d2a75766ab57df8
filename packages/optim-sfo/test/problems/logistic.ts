import type { SumOfFunctions } from "@curvature/optim-core";

/** fᵢ(x) = (N/D) Σ log(1 + exp(−y xᵀa)) over rows i, i + N, … + λ/2 ‖x‖², y = ±1. */
export function logisticSum(
  rows: readonly Float64Array[],
  signs: readonly number[],
  count: number,
  lambda: number,
): SumOfFunctions {
  const D = rows.length;
  const dimension = rows[0].length;
  return {
    dimension,
    count,
    evaluate(index, x, gradient) {
      let value = 0;
      gradient?.fill(0);
      for (let r = index; r < D; r += count) {
        const a = rows[r];
        let score = 0;
        for (let k = 0; k < dimension; k++) score += a[k] * x[k];
        const s = signs[r] * score;
        value += Math.max(-s, 0) + Math.log1p(Math.exp(-Math.abs(s)));
        const slope = -signs[r] / (1 + Math.exp(s));
        if (gradient !== undefined) for (let k = 0; k < dimension; k++) gradient[k] += slope * a[k];
      }
      value *= count / D;
      let squares = 0;
      for (let k = 0; k < dimension; k++) {
        if (gradient !== undefined) gradient[k] = (gradient[k] * count) / D + lambda * x[k];
        squares += x[k] * x[k];
      }
      return value + (lambda / 2) * squares;
    },
  };
}

/** (v − mean) / deviation of each column, and a constant 1. */
export function standardizedWithConstant(data: readonly (readonly number[])[]): Float64Array[] {
  const columns = data[0].length;
  const rows = data.map((row) => Float64Array.of(...row, 1));
  for (let k = 0; k < columns; k++) {
    const mean = data.reduce((sum, row) => sum + row[k], 0) / data.length;
    const variance = data.reduce((sum, row) => sum + (row[k] - mean) ** 2, 0) / data.length;
    for (const row of rows) row[k] = (row[k] - mean) / Math.sqrt(variance);
  }
  return rows;
}
