/**
 * F(x) as a whole, for those who watch: values alone, added up in the order of the indices.
 */
import type { SumOfFunctions } from "@curvature/optim-core";

/**
 * @param concurrency - evaluations under way at once, where they are promises
 */
export function measureSum(
  sum: SumOfFunctions,
  x: Float64Array,
  concurrency: number,
): number | Promise<number> {
  let total = 0;
  for (let i = 0; i < sum.count; i++) {
    const value = sum.evaluate(i, x);
    if (typeof value !== "number") return measureRest(sum, x, concurrency, i, value);
    total += value;
  }
  return total;
}

/** The same from subfunction `first` on, whose value is on its way; all before were synchronous. */
async function measureRest(
  sum: SumOfFunctions,
  x: Float64Array,
  concurrency: number,
  first: number,
  value: Promise<number>,
): Promise<number> {
  const values = new Float64Array(sum.count);
  for (let i = 0; i < first; i++) values[i] = await sum.evaluate(i, x);
  values[first] = await value;
  let next = first + 1;
  const worker = async (): Promise<void> => {
    while (next < sum.count) {
      const i = next++;
      values[i] = await sum.evaluate(i, x);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return values.reduce((total, f) => total + f, 0);
}
