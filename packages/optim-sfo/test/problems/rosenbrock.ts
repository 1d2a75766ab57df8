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

/** fᵢ = Σₖ wᵢₖ [100 (xₖ₊₁ − xₖ²)² + (1 − xₖ)²], wᵢₖ = (1 + ½ sin(1 + (i+1)(k+1)))/30; F = 0 at ones. */
export function rosenbrockMixture(): SumOfFunctions {
  return {
    dimension: 20,
    count: 30,
    evaluate(i, x, gradient) {
      let value = 0;
      gradient?.fill(0);
      for (let k = 0; k < 19; k++) {
        const weight = (1 + 0.5 * Math.sin(1 + (i + 1) * (k + 1))) / 30;
        const bend = x[k + 1] - x[k] * x[k];
        const rest = 1 - x[k];
        value += weight * (100 * bend * bend + rest * rest);
        if (gradient === undefined) continue;
        gradient[k] += weight * (-400 * x[k] * bend - 2 * rest);
        gradient[k + 1] += weight * 200 * bend;
      }
      return value;
    },
  };
}
