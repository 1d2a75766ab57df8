import type { SumOfFunctions } from "@curvature/optim-core";

/** fᵢ = 100 (xᵢ₊₁ − xᵢ²)² + (1 − xᵢ)², each of two of 40 parameters; F = 0 at ones. */
export function rosenbrockChain(): SumOfFunctions {
  return {
    dimension: 40,
    count: 39,
    evaluate(i, x, gradient) {
      const rest = x[i + 1] - x[i] * x[i];
      if (gradient !== undefined) {
        gradient.fill(0);
        gradient[i] = -400 * x[i] * rest - 2 * (1 - x[i]);
        gradient[i + 1] = 200 * rest;
      }
      return 100 * rest * rest + (1 - x[i]) * (1 - x[i]);
    },
  };
}
