/** Sums for tests: small, deterministic, and with rounding that tells one order of additions from another. */
import { RandomGenerator } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";

export interface TestSum extends SumOfFunctions {
  readonly initial: Float64Array;
  evaluate(index: number, x: Float64Array, gradient?: Float64Array): number;
}

/** fᵢ(x) = Σⱼ aᵢⱼ ((xⱼ − cᵢⱼ)² + ¼ (xⱼ − cᵢⱼ)⁴): convex, and no two subfunctions alike. */
export function quartics(dimension: number, count: number, seed = 3): TestSum {
  const random = new RandomGenerator(seed);
  const a = Float64Array.from({ length: dimension * count }, () => 0.1 + random.uniform());
  const c = Float64Array.from({ length: dimension * count }, () => 2 * random.uniform() - 1);
  return {
    dimension,
    count,
    initial: Float64Array.from({ length: dimension }, () => 2 * random.uniform()),
    evaluate(index, x, gradient) {
      let value = 0;
      for (let j = 0; j < dimension; j++) {
        const k = index * dimension + j;
        const d = x[j] - c[k];
        value += a[k] * d * d * (1 + 0.25 * d * d);
        if (gradient !== undefined) gradient[j] = a[k] * d * (2 + d * d);
      }
      return value;
    },
  };
}

/** The same with batches, added up in their order: some solvers take another formula where there are batches. */
export function withBatches(sum: TestSum): TestSum {
  const part = new Float64Array(sum.dimension);
  return {
    ...sum,
    evaluateBatch(indices, x, gradient) {
      let value = 0;
      gradient?.fill(0);
      for (const index of indices) {
        value += gradient === undefined ? sum.evaluate(index, x) : sum.evaluate(index, x, part);
        if (gradient !== undefined) for (let j = 0; j < part.length; j++) gradient[j] += part[j];
      }
      return value;
    },
  };
}
