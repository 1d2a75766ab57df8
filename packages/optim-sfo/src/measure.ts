/**
 * F(x) as a whole, for those who watch: values alone, added up in the order of the indices.
 */
import { checkValue, type SumOfFunctions } from "@curvature/optim-core";

/**
 * @param concurrency - evaluations under way at once, where they are promises
 */
export function measureSum(
  sum: SumOfFunctions,
  x: Float64Array,
  concurrency: number,
): number | Promise<number> {
  const values = new Float64Array(sum.count);
  for (let i = 0; i < sum.count; i++) {
    const value = sum.evaluate(i, x);
    if (typeof value !== "number") return measureRest(sum, x, concurrency, values, i, value);
    values[i] = value;
  }
  return total(values);
}

/** The same from subfunction `first` on, whose value is on its way; those before are in `values`. */
async function measureRest(
  sum: SumOfFunctions,
  x: Float64Array,
  concurrency: number,
  values: Float64Array,
  first: number,
  value: Promise<number>,
): Promise<number> {
  let next = first + 1;
  const goOn = async (): Promise<void> => {
    while (next < sum.count) {
      const i = next++;
      values[i] = checkValue(await sum.evaluate(i, x), i);
    }
  };
  const begin = async (): Promise<void> => {
    values[first] = checkValue(await value, first);
    await goOn();
  };
  const others = Math.min(concurrency, sum.count - first) - 1;
  try {
    await Promise.all([begin(), ...Array.from({ length: others }, goOn)]);
  } finally {
    next = sum.count; // after a rejection nothing new is begun
  }
  return total(values);
}

const total = (values: Float64Array): number => values.reduce((sum, f) => sum + f, 0);
