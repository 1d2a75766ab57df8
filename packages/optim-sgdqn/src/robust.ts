/** Center and spread of numbers of which some may be wild. Weights are those of the numbers; all 1 without. */

/** The standard deviation of normal noise over its median absolute deviation. */
const NORMAL = 1.4826;

/** Robust: 1.4826 times the median absolute deviation, and where that is 0 the root mean square about the median. */
export function deviationOf(values: Float64Array, weights: Float64Array | undefined): number {
  const center = weightedMedian(values, weights);
  const distances = values.map((value) => Math.abs(value - center));
  const robust = NORMAL * weightedMedian(distances, weights);
  if (robust > 0) return robust;
  let [squares, total] = [0, 0];
  for (let i = 0; i < distances.length; i++) {
    const weight = weights?.[i] ?? 1;
    squares += weight * distances[i] * distances[i];
    total += weight;
  }
  return Math.sqrt(squares / total);
}

/** The number that more than half of them are, by their weights, and its share; undefined if none is. */
export function majorityOf(
  values: Float64Array,
  weights: Float64Array | undefined,
): { readonly value: number; readonly share: number } | undefined {
  const sums = new Map<number, number>();
  let total = 0;
  for (const [i, value] of values.entries()) {
    const weight = weights?.[i] ?? 1;
    sums.set(value, (sums.get(value) ?? 0) + weight);
    total += weight;
  }
  for (const [value, sum] of sums) if (2 * sum > total) return { value, share: sum / total };
  return undefined;
}

/** The middle of the two middle ones, where there are two. */
export function weightedMedian(values: Float64Array, weights: Float64Array | undefined): number {
  const order = Uint32Array.from(values.keys()).sort((i, j) => values[i] - values[j]);
  const kept = order.filter((i) => weights === undefined || weights[i] > 0);
  let total = 0;
  for (const i of kept) total += weights?.[i] ?? 1;
  let sum = 0;
  for (const [k, i] of kept.entries()) {
    sum += weights?.[i] ?? 1;
    const isMiddle = Math.abs(2 * sum - total) <= 1e-12 * total;
    if (isMiddle && k + 1 < kept.length) return (values[i] + values[kept[k + 1]]) / 2;
    if (2 * sum >= total) return values[i];
  }
  return 0;
}
