import type { SumOfFunctions } from "@curvature/optim-core";

/** fᵢ(x) = (1/10) Σₖ |xₖ − uᵢₖ|^aᵢ */
export function powerSum(u: readonly (readonly number[])[], a: readonly number[]): SumOfFunctions {
  const dimension = u[0].length;
  return {
    dimension,
    count: u.length,
    evaluate(i, x, gradient) {
      let value = 0;
      for (let k = 0; k < dimension; k++) {
        const difference = x[k] - u[i][k];
        const size = Math.abs(difference);
        value += size ** a[i];
        if (gradient !== undefined)
          gradient[k] = size === 0 ? 0 : (a[i] * size ** (a[i] - 1) * Math.sign(difference)) / 10;
      }
      return value / 10;
    },
  };
}
