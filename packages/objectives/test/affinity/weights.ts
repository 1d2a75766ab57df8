/** What tests look at in rows of affinities. */
import type { Weights } from "../../src/embedding/objective.js";

/** N × N values of dense or sparse weights. */
export function full(weights: Weights): Float64Array {
  if ("data" in weights) return weights.data;
  const { rows, columns, rowPointers, columnIndices, values } = weights;
  const result = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++)
    for (let p = rowPointers[i]; p < rowPointers[i + 1]; p++)
      result[i * columns + columnIndices[p]] = values[p];
  return result;
}

export function entropies(weights: Weights): number[] {
  const P = full(weights);
  return Array.from({ length: weights.rows }, (_, n) => {
    let H = 0;
    for (const p of P.subarray(n * weights.columns, (n + 1) * weights.columns))
      if (p > 0) H -= p * Math.log(p);
    return H;
  });
}

export const largestDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let most = 0;
  for (let k = 0; k < a.length; k++) most = Math.max(most, Math.abs(a[k] - b[k]));
  return most;
};

export const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
